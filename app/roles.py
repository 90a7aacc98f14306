"""The roles of an account in a division; see docs/domain.md, Roles."""

from collections.abc import Collection
from enum import StrEnum


class Role(StrEnum):
    """A role in a division: each lets its holder see and export, and none implies another."""

    VIEWER = "viewer"
    WORKER = "worker"
    MANAGER = "manager"


def role_words(roles: Collection[Role]) -> str:
    """Return roles in words, such as 'viewer and manager'; empty without any."""
    *others, last = [role.value for role in Role if role in roles] or [""]
    return f"{', '.join(others)} and {last}" if others else last


WHOLE_DIVISION = frozenset({Role.WORKER, Role.MANAGER})
"""The roles of a division that is granted without naming any, and of a scope."""
