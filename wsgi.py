"""What a WSGI server and the flask command import."""

import sys

from app import create_app
from app.config import SettingsError

try:
    app = create_app()
except SettingsError as error:
    sys.exit(f"Quartermaster can't start: {error}")
