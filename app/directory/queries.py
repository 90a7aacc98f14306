"""Reads of the directory."""

from collections.abc import Sequence

from sqlalchemy import select

from app.db import db
from app.directory.models import Supplier, Team


def team_names() -> Sequence[str]:
    """Return the names of GPM's teams, in the order of their keys."""
    return db.session.execute(select(Team.name).order_by(Team.name_key)).scalars().all()


def supplier_names() -> Sequence[str]:
    """Return the names of the suppliers, in the order of their keys."""
    return db.session.execute(select(Supplier.name).order_by(Supplier.name_key)).scalars().all()
