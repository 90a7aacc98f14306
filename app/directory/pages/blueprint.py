"""The blueprint and the policy of the directory's pages."""

from flask import Blueprint

from app.divisions import Division
from app.web import access

bp = Blueprint("directory", __name__)

for_gpm = access.division(Division.GPM)
