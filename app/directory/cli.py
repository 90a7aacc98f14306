"""`flask directory`: lists in and out."""

from flask.cli import AppGroup

directory = AppGroup("directory", help="Import and export teams, suppliers, services and keys.")
