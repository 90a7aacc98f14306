"""What strangers and colleagues of other divisions may do, and what hostile input does: nothing."""
