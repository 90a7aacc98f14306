"""Deliveries of GPM: scheduled, then marked delivered, which receives them into stock."""
