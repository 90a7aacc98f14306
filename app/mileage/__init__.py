"""The mileage of vehicles: odometer readings, and what is forecast from them."""
