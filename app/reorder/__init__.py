"""The reorder list: what is low, from where it can come, and the orders and transfers for it."""
