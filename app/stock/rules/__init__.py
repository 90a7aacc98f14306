"""What stock may do and what its history says; pure."""
