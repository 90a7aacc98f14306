"""The blueprint of the directory's pages."""

from flask import Blueprint

bp = Blueprint("directory", __name__)
