"""The blueprint, policy, path and event of the deliveries' pages."""

from flask import Blueprint

from app.divisions import Division
from app.web import access

bp = Blueprint("deliveries", __name__, url_prefix="/gpm/deliveries")

ONE_DELIVERY = "/<int(max=2147483647):delivery_id>"

RELOAD_EVENT = "deliveries-changed"
"""The htmx event on which the list reloads."""

for_gpm = access.division(Division.GPM)
