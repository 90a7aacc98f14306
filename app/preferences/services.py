"""Changes of what a person prefers."""

from collections.abc import Callable, Mapping
from typing import Any

from app.accounts.models import User
from app.db import db


def change_preference(user_id: int, name: str, change: Callable[[Any], Any]) -> None:
    """Replace one preference by what `change` returns of it, None if it isn't there."""
    user = db.session.get_one(User, user_id, with_for_update=True)
    preferences: Mapping[str, Any] = user.preferences or {}
    changed = {**preferences, name: change(preferences.get(name))}
    if changed != preferences:
        user.preferences = changed
        user.preference_revision += 1
