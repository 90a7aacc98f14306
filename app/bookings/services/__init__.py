"""Changes of bookings."""
