"""Whom the calls serve: Assets, whatever is chosen."""

from app.divisions import Division
from app.web import access

policy = access.api_call(Division.ASSETS)
