"""Deliveries of GPM: scheduled, then marked delivered into stock."""
