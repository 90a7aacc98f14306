"""Reads of the directory."""

from collections.abc import Sequence

from sqlalchemy import select

from app.db import db
from app.directory.models import Team


def team_names() -> Sequence[str]:
    """Return the names of GPM's teams, in the order of their keys."""
    return db.session.execute(select(Team.name).order_by(Team.name_key)).scalars().all()
