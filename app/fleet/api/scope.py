"""Whom the calls serve: Fleet and GPM, whatever is chosen."""

from app.divisions import Division
from app.web import access

policy = access.api_call(Division.FLEET, Division.GPM)
