"""The rights of a user beyond the policy of the route: to a record, and in other divisions."""

from collections.abc import Collection

from flask import request

from app.divisions import OWNED, Division, Role
from app.errors import Forbidden, RoleRequired
from app.web.access import current_user
from app.web.policies import RIGHTS_HINT, Policy, divisions_of, is_change, may_change, why_not


def require(policy: Policy) -> None:
    """Refuse a request that its route admitted, if the policy of its record refuses the user."""
    user, rule = current_user(), request.url_rule
    if not divisions_of(policy, user):
        owners = " or ".join(sorted(division.label for division in policy.divisions))
        raise Forbidden(f"This belongs to {owners}. Ask an administrator for access to it.")
    changes = is_change(policy, request.method, (rule and rule.methods) or ())
    if changes and not may_change(policy, user):
        raise RoleRequired(why_not(policy, user))


def works_in(owner: Division) -> bool:
    """Return whether the user of this request may change things of a division."""
    return Role.WORKER in current_user().roles.get(owner, ())


def check_works_in(owners: Collection[Division]) -> None:
    """Raise RoleRequired unless the user of this request may change things of these divisions."""
    if why := why_not_works_in(owners):
        raise RoleRequired(why)


def why_not_works_in(owners: Collection[Division]) -> str:
    """Return why the user of this request may not change things of these divisions, or ''."""
    refused = next((owner for owner in sorted(owners) if not works_in(owner)), None)
    return f"You can't change {OWNED[refused]}. {RIGHTS_HINT}" if refused else ""
