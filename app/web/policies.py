"""The requirements of a route: of its user, and of the body of a request.

See docs/domain.md, Access and divisions, and Roles.
"""

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from flask import Blueprint, current_app, request
from werkzeug.exceptions import HTTPException

from app.divisions import OWNED, Division, Role
from app.errors import Malformed, Unsupported
from app.identity import SignedInUser
from app.logs import READ_METHODS
from app.origin import is_api_path

MAX_FORM_BYTES = 1024 * 1024
MAX_ANONYMOUS_BYTES = 16 * 1024
_URL_ENCODED = "application/x-www-form-urlencoded"

RIGHTS_HINT = "Ask an administrator if you need to change it."

View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True)
class Policy:
    """The requirements of a route: of its user, and of their role.

    Without `divisions` any chosen division is enough; with `in_path` the URL argument `division`
    names the required one. `changes` says whether the route makes a change, or opens its page; by
    default every method except GET does, and the page of a form. Changes require `role`.
    """

    public: bool = False
    requires_division: bool = True
    allows_expired: bool = False
    divisions: frozenset[Division] = frozenset()
    in_path: bool = False
    changes: bool | None = None
    role: Role = Role.WORKER

    @property
    def to_change(self) -> "Policy":
        """Return this policy for a page that is only useful for making changes."""
        return replace(self, changes=True)

    @property
    def by_viewers(self) -> "Policy":
        """Return this policy for changes of the user's own things, which any role may make."""
        return replace(self, changes=False)

    @property
    def by_managers(self) -> "Policy":
        """Return this policy for changes by managers only."""
        return replace(self, role=Role.MANAGER)

    def __call__(self, view: View) -> View:
        """Declare this policy on a view function."""
        return declares(policy=self)(view)

    def route(
        self, pages: Blueprint, path: str, failure: str, *methods: str
    ) -> Callable[[View], View]:
        """Return a decorator that serves a page, with its message for an unexpected error."""
        serve = pages.route(path, methods=methods or ["GET"])
        return lambda view: serve(self(declares(on_failure=failure)(view)))


def declares(**attributes: Any) -> Callable[[View], View]:
    """Return a decorator that gives a view attributes, which the guard and the error pages read.

    The limits of requests and the API's description read theirs too.
    """

    def declare(view: View) -> View:
        vars(view).update(attributes)
        return view

    return declare


def declared(name: str, default: Any = None) -> Any:
    """Return the attribute that the view of this request has been given, else the default."""
    return getattr(current_app.view_functions.get(request.endpoint or ""), name, default)


def policy_of(endpoint: str, arguments: Mapping[str, Any] | None) -> Policy | None:
    """Return the policy of a route with these URL arguments, None if it declares none."""
    policy: Policy | None = getattr(current_app.view_functions[endpoint], "policy", None)
    if policy is None or not policy.in_path:
        return policy
    division = (arguments or {})["division"]
    return replace(policy, divisions=frozenset({Division(division)})) if division else policy


def route_at(path: str) -> tuple[str, Mapping[str, Any]] | None:
    """Return endpoint and arguments of the page, or of the change, at a path of this site."""
    # The adapter would take any number of slashes for one.
    is_path = path.startswith("/") and not path.startswith("//")
    adapter = current_app.create_url_adapter(request) if is_path else None
    for method in ("GET", "POST"):
        with suppress(HTTPException):
            return adapter.match(path, method=method) if adapter else None
    return None


def policy_at(path: str) -> Policy | None:
    """Return the policy of the page, or of the change, at a path of this site; else None."""
    route = route_at(path)
    return policy_of(*route) if route else None


def is_change(policy: Policy, method: str, methods: Collection[str]) -> bool:
    """Return whether a request changes something or opens a form: its route takes POST too."""
    if policy.changes is not None:
        return policy.changes
    return method not in READ_METHODS or not READ_METHODS.issuperset(methods)


def divisions_of(policy: Policy, user: SignedInUser) -> frozenset[Division]:
    """Return the user's divisions among a policy's, or the chosen one if it names none."""
    if policy.divisions:
        return policy.divisions & user.divisions
    return frozenset({user.chosen} if user.chosen else ())


def may_change(policy: Policy, user: SignedInUser) -> bool:
    """Return whether a user has the role for changes in a division of a policy.

    Without divisions the chosen division counts. A call without a division in its path may refer to
    several of the user's divisions: it needs the role in all of them.
    """
    owners = divisions_of(policy, user)
    holders = {owner for owner in owners if policy.role in user.roles[owner]}
    return holders == owners if policy.in_path or not owners else bool(holders)


def why_not(policy: Policy, user: SignedInUser, doing: str = "do this") -> str:
    """Return why a user can't change anything, and what to do; `doing` is a manager's part."""
    if policy.in_path and len(policy.divisions) > 1:
        return "You may not change all that it could refer to. Name your division in the address."
    owners = policy.divisions or {user.chosen}
    owned = next((text for division, text in OWNED.items() if division in owners), "this")
    if policy.role is Role.MANAGER:
        return f"Only a manager of {owned} can {doing}. Ask one."
    if any(Role.MANAGER in user.roles[owner] for owner in divisions_of(policy, user)):
        return (
            f"You manage {owned}, but only its workers may do this. Ask an administrator for the "
            f"role {policy.role}."
        )
    return f"You can look at {owned}, but not change it. {RIGHTS_HINT}"


def limit_body(policy: Policy | None) -> None:
    """Set the limit of the body: strangers send no more than a sign-in."""
    if policy is not None and policy.public:
        request.max_content_length = MAX_ANONYMOUS_BYTES
    elif request.mimetype == _URL_ENCODED:
        request.max_content_length = MAX_FORM_BYTES


def check_form() -> None:
    """Refuse a body that no page reads; nothing reads the body before."""
    is_form = request.mimetype in (_URL_ENCODED, "multipart/form-data")
    is_taken = is_form or (request.mimetype == "application/json" and declared("takes_json"))
    if not is_api_path() and request.mimetype and not is_taken:
        raise Unsupported("This page takes forms only. Programs use the calls under /api.")
    if is_form:
        check_texts(*(value for _, value in request.form.items(multi=True)))


def check_texts(*texts: str) -> None:
    """Refuse texts with a character that no database stores."""
    if any("\0" in text for text in texts):
        raise Malformed("The request holds a character that can't be stored (U+0000).")
