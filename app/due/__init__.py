"""What is due for vehicles, the plans it follows from, and the work done."""
