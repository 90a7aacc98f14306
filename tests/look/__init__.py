"""The screens of the product in all their states: what tests check, and `make look` photographs."""
