"""Whom the register's pages serve, and where an asset is found."""

from flask import Blueprint

from app.divisions import Division
from app.web import access

bp = Blueprint("assets", __name__)

ASSET = "/assets/<int(max=2147483647):number>"

for_owner = access.division(Division.ASSETS)
