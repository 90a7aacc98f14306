"""`flask photos`: what nobody's check needs is removed."""

from flask.cli import AppGroup

photos = AppGroup("photos", help="Look after stored photos.")
