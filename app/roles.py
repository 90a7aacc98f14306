"""What somebody may do in a division; see docs/domain.md, Roles."""

from enum import StrEnum


class Role(StrEnum):
    """A role in a division: each lets its holder see and export, and none implies another."""

    VIEWER = "viewer"
    WORKER = "worker"
    MANAGER = "manager"


WHOLE_DIVISION = frozenset({Role.WORKER, Role.MANAGER})
"""The roles of a division that is granted without naming any, and of a scope."""
