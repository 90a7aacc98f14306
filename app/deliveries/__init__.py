"""Deliveries of GFM and GPM: scheduled, then marked delivered, which receives them into stock."""
