"""The audit trail: who signed in, changed accounts, imported, exported, undid and restored."""
