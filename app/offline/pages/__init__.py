"""The shell for all pages without a connection, and the page of unsent changes."""

from app.offline.pages import outbox, shell
from app.web.navigation import Screen

__all__ = ["BLUEPRINTS", "SCREENS"]

BLUEPRINTS = (shell.bp, outbox.bp)
SCREENS: list[Screen] = []
