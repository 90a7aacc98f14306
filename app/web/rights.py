"""What a user may change besides the divisions of a route's policy."""

from collections.abc import Collection

from app.divisions import OWNED, Division
from app.errors import RoleRequired
from app.roles import Role
from app.web.access import current_user


def works_in(owner: Division) -> bool:
    """Return whether the user of this request may change what belongs to a division."""
    return Role.WORKER in current_user().roles.get(owner, ())


def check_works_in(owners: Collection[Division]) -> None:
    """Check that the user of this request may change what belongs to these divisions.

    Raises RoleRequired.
    """
    if why := why_not_works_in(owners):
        raise RoleRequired(why)


def why_not_works_in(owners: Collection[Division]) -> str:
    """Return why the user of this request may not change what belongs to these divisions, or ''."""
    refused = next((owner for owner in sorted(owners) if not works_in(owner)), None)
    return f"You can't change {OWNED[refused]}. Ask an administrator for access." if refused else ""
