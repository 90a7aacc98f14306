"""Access to a record whose policy is known only once it was looked up."""

from flask import request

from app.errors import Forbidden, RoleRequired
from app.web.access import current_user
from app.web.policies import Policy, divisions_of, is_change, may_change, why_not


def require(policy: Policy) -> None:
    """Refuse this request where the policy of the record that it is about refuses its user.

    The route's own policy has admitted them before.
    """
    user, rule = current_user(), request.url_rule
    if not divisions_of(policy, user):
        owners = " or ".join(sorted(division.label for division in policy.divisions))
        raise Forbidden(f"This belongs to {owners}. Ask an administrator for access to it.")
    changes = is_change(policy, request.method, (rule and rule.methods) or ())
    if changes and not may_change(policy, user):
        raise RoleRequired(why_not(policy, user))
