"""Who answers alike and who gives whom: looked at after each round and told; nothing follows by itself."""
