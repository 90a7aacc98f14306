"""`flask vehicles`: the list in and out."""

from flask.cli import AppGroup

vehicles = AppGroup("vehicles", help="Add, import and export vehicles.")
