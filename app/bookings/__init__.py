"""Bookings of vehicles and equipment, handed over and returned."""
