"""The screens of stock."""
