"""The screens of deliveries."""

from flask import Blueprint

from app.web.navigation import Screen

bp = Blueprint("deliveries", __name__)
BLUEPRINTS = (bp,)

SCREENS: list[Screen] = []
