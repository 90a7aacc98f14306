"""The release that is running; its number is kept in setup.cfg."""

from importlib.metadata import version

VERSION = version("quartermaster")
"""The number that `flask version`, the API description and backups show."""
