"""The checks of the data, and looks at the installation."""
