"""The WSGI application, imported by servers and by the flask command."""

import sys

from app import create_app
from app.config import SettingsError

try:
    app = create_app()
except SettingsError as error:
    sys.exit(f"Quartermaster can't start: {error}")
