"""The acts on bookings, and who may change which."""

from app.bookings.models import Booking
from app.bookings.rules import OWNERS
from app.divisions import Role
from app.errors import RoleRequired
from app.web.access import current_user


def may_change_booking(row: Booking) -> bool:
    """Return whether the user of this request may change a booking: their own, or as a manager."""
    user = current_user()
    is_manager = any(Role.MANAGER in user.roles.get(owner, ()) for owner in OWNERS[row.kind])
    return is_manager or user.user_id in (row.created_by, row.for_user_id)


def check_own(row: Booking) -> None:
    """Raise RoleRequired unless the user of this request may change a booking."""
    if not may_change_booking(row):
        raise RoleRequired(f"{row.reference} is {row.for_name}'s. Ask them or a manager.")
