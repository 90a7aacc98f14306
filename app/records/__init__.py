"""Records and acts: each kind of record and each change of one is declared once."""
