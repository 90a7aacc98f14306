"""What the pages of the directory share: the blueprint and the policy."""

from flask import Blueprint

from app.divisions import Division
from app.web import access

bp = Blueprint("directory", __name__)

for_gpm = access.division(Division.GPM)
