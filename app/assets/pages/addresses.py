"""Whom the register's pages serve."""

from flask import Blueprint

from app.divisions import Division
from app.web import access

bp = Blueprint("assets", __name__)

for_owner = access.division(Division.ASSETS)
