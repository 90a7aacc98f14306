"""The blueprint, the policy and the path that the register's pages share."""

from flask import Blueprint

from app.divisions import Division
from app.web import access

bp = Blueprint("assets", __name__)

ASSET_PATH = "/assets/<int(max=2147483647):number>"

for_assets = access.division(Division.ASSETS)
