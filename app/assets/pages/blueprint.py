"""The blueprint of the register's pages."""

from flask import Blueprint

bp = Blueprint("assets", __name__)
