"""The screens of teams, services and keys."""

from flask import Blueprint

from app.web.navigation import Screen

bp = Blueprint("directory", __name__)
BLUEPRINTS = (bp,)

SCREENS: list[Screen] = []
