"""What a decision was worth: branches of a match compared, repetition by repetition."""
