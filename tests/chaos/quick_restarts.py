"""The application for runs with many kills: a worker is replaced without the growing pauses."""

from app.server import supervisor

supervisor.MAX_PAUSE_SECONDS = 0.2

from wsgi import app  # noqa: E402, F401
