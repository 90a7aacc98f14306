"""Stock: items, the ledger and the operations that change them, for GFM and GPM."""
