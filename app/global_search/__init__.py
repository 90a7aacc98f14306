"""One search for everything: the rows of all lists that a person may see."""
