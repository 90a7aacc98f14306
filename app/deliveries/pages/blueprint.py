"""What the pages of deliveries share: the blueprint, the policy, a path and an event."""

from flask import Blueprint

from app.divisions import Division
from app.web import access

bp = Blueprint("deliveries", __name__, url_prefix="/gpm/deliveries")

ONE_DELIVERY = "/<int(max=2147483647):delivery_id>"

RELOAD_EVENT = "deliveries-changed"
"""The htmx event on which the list reloads."""

for_gpm = access.division(Division.GPM)
