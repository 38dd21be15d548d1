"""How a bot enters a ladder: submitted, built, checked, compared with older versions, admitted, disabled."""
