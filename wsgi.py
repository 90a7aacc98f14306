"""What a WSGI server and the flask command import."""

from app import create_app

app = create_app()
