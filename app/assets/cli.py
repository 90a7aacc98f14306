"""`flask assets`: the register in and out."""

from flask.cli import AppGroup

assets = AppGroup("assets", help="Import and export the register of assets.")
