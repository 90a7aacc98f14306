"""Access: a policy on every route, and the guard that enforces it.

See docs/domain.md, Access and divisions.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any
from urllib.parse import SplitResult, urlsplit

from flask import Blueprint, Flask, g, redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import LoginManager
from flask_login import current_user as login_user
from flask_wtf.csrf import CSRFError, CSRFProtect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolExhausted

from app import dates
from app.db import transaction
from app.divisions import Division, Role
from app.engines import is_busy, is_full
from app.errors import Conflict, Forbidden, ReadOnly, RoleRequired, SignInRequired
from app.identity import SignedInUser
from app.origin import is_api_path
from app.web import outbox, policies
from app.web.htmx import is_htmx, wants_fragment
from app.web.policies import Policy, View, is_change

RENEW_AFTER = timedelta(minutes=5)

log = logging.getLogger(__name__)

Load = Callable[[str], SignedInUser | None]
Renew = Callable[[str, Division | None], None]


public = Policy(public=True, requires_division=False)
signed_in = Policy(requires_division=False)
renewable = Policy(requires_division=False, allows_expired=True, changes=False)
any_division = Policy()
division_in_path = Policy(in_path=True)


def add_by_division(
    bp: Blueprint, prefixes: Mapping[Division, str], rule: str, view: View, **options: Any
) -> None:
    """Serve a view of a blueprint for divisions, each at its prefix; it takes the `division`."""
    endpoint = options.pop("endpoint", view.__name__)
    for owner, prefix in prefixes.items():
        where = {"division": owner.value}
        bp.add_url_rule(prefix + rule, endpoint, view, defaults=where, **options)


def division(*owners: Division) -> Policy:
    """Return the policy of a page for users of these divisions."""
    return Policy(divisions=frozenset(owners))


def api_call(*owners: Division) -> Policy:
    """Return the policy of a JSON call for users of these divisions, whichever is chosen."""
    return Policy(requires_division=False, divisions=frozenset(owners))


def api_call_by_prefix(*owners: Division) -> Policy:
    """Return the policy of a JSON call for the division of its prefix, else for these."""
    return Policy(requires_division=False, divisions=frozenset(owners), in_path=True)


redisplays_form = policies.declares(redisplays_form=True)
"""Declares that a view handles a stale CSRF token by showing its form again as typed."""

contains_passwords = policies.declares(contains_passwords=True)
"""Declares that a view's input must not be repeated in a page."""

takes_json = policies.declares(takes_json=True)
"""Declares that a view outside /api takes JSON as well as forms."""

ends_session = policies.declares(ends_session=True)
"""Declares that a view only ends the session: a stale CSRF token must not prevent it."""


def view_only() -> str:
    """Return why the user of this request may only look at this page; empty for who may change."""
    text: str = g.get("view_only", "")
    return text


def refusal_of(url: str, doing: str = "do this") -> str:
    """Return why the user may not use a form or change at a URL of this site, '' if they may."""
    policy = policies.policy_at(_split(url).path)
    if policy is None or policy.changes is False or policies.may_change(policy, current_user()):
        return ""
    return policies.why_not(policy, current_user(), doing)


def roles_here() -> tuple[Role, ...]:
    """Return the roles that the user has in the divisions of this page, in their order."""
    roles: frozenset[Role] = g.get("roles_here", frozenset())
    return tuple(sorted(roles))


def current_user() -> SignedInUser:
    """Return the user of this request, whom the guard has admitted."""
    user: SignedInUser = g.user
    return user


def safe_next(target: str | None) -> str | None:
    """Return a redirect target if it is a path of this site, else None."""
    if not target or not target.startswith("/") or target.startswith("//"):
        return None
    if "\\" in target or any(ord(c) < 32 for c in target):
        return None
    parts = _split(target)
    return target if not parts.scheme and not parts.netloc else None


def _split(url: str) -> SplitResult:
    try:
        return urlsplit(url)
    except ValueError:
        return urlsplit("")


def init_app(app: Flask, *, load: Load, bearer: Load, renew: Renew) -> None:
    """Guard every route.

    `load` returns the user of a login session, `bearer` the user of an access token; `renew` renews
    a session and stores a newly chosen division.
    """
    manager = LoginManager()
    manager.session_protection = None
    manager.user_loader(load)
    manager.init_app(app, add_context_processor=False)
    csrf = CSRFProtect()
    csrf.init_app(app)
    app.context_processor(lambda: {"user": g.get("user")})
    app.jinja_env.globals.update(view_only=view_only, refusal_of=refusal_of, roles_here=roles_here)

    @app.before_request
    def guard() -> ResponseReturnValue | None:
        endpoint = request.endpoint
        policy = policies.policy_of(endpoint, request.view_args) if endpoint else None
        policies.check_texts(request.path, *(value for _, value in request.args.items(multi=True)))
        if endpoint is None:
            return None
        policies.limit_body(policy)
        if policy is None:
            raise Forbidden("You can't open this address.")
        if policy.public:
            # A public call reads no cookie, so nobody can be made to send it.
            if not is_api_path():
                policies.check_form()
                _check_token(csrf)
            return None
        token = bearer_token()
        user = bearer(token) if token is not None else _cookie_user()
        if user is None:
            return redirect_to_sign_in()
        if is_expired(user) and not policy.allows_expired and wants_fragment():
            raise SignInRequired("Your login time has run out.")
        outbox.check_request(user.user_id)
        redirection = _admit(policy, user, renew)
        if redirection is None:
            policies.check_form()
            if token is None:
                _check_token(csrf)
        return redirection


def bearer_token() -> str | None:
    """Return the access token of a JSON call, None if it is authenticated by a cookie."""
    authorization = request.authorization
    if authorization is None or authorization.type != "bearer" or not is_api_path():
        return None
    return authorization.token or ""


def _cookie_user() -> SignedInUser | None:
    return login_user._get_current_object() if login_user.is_authenticated else None


def _check_token(csrf: CSRFProtect) -> None:
    """Raise CSRFError for a change without a valid token, unless the view handles that itself.

    Browsers send the page's site in Origin: another site is Forbidden, whatever the token.
    """
    origin = request.headers.get("Origin")
    is_change = request.method not in ("GET", "HEAD")
    if is_change and origin and _split(origin).netloc != request.host:
        raise Forbidden("This was sent from another site. Open the page here and send it again.")
    try:
        csrf.protect()
    except CSRFError:
        is_same_origin = request.headers.get("Sec-Fetch-Site") == "same-origin"
        ends_session = policies.declared("ends_session") and is_same_origin
        if not (policies.declared("redisplays_form") or ends_session):
            raise


def redirect_to_sign_in() -> ResponseReturnValue:
    """Redirect a page to /login, which leads back afterwards; raise SignInRequired for scripts."""
    if wants_fragment():
        raise SignInRequired("Please sign in.")
    # A form has the address of its page.
    leads_back = request.method in ("GET", "HEAD") or policies.declared("redisplays_form")
    target = request.full_path.rstrip("?") if leads_back else None
    return redirect(url_for("accounts.login", next=target))


def _redirect_to_choose() -> ResponseReturnValue:
    if is_htmx():
        current = _split(request.headers.get("HX-Current-URL", ""))
        target = safe_next(current.path + (f"?{current.query}" if current.query else ""))
        return "", 409, {"HX-Redirect": url_for("accounts.choose", next=target)}
    if wants_fragment():
        raise Conflict("Choose a division first.")
    return redirect(url_for("accounts.choose", next=request.full_path.rstrip("?")))


def is_expired(user: SignedInUser) -> bool:
    """Return whether a user's access has ended; until the session does, it can be renewed."""
    return dates.utc_now() >= user.access_until


def _admit(policy: Policy, user: SignedInUser, renew: Renew) -> ResponseReturnValue | None:
    allowed = policy.divisions & user.divisions
    if policy.divisions and not allowed:
        g.user = user
        owners = " or ".join(sorted(d.label for d in policy.divisions))
        kind = "call" if is_api_path() else "page"
        raise Forbidden(f"This {kind} belongs to {owners}. Ask an administrator for access to it.")
    _check_role(policy, user)
    # A waiting change may be sent before its person has chosen a division again.
    needs_choice = policy.requires_division and not (allowed and outbox.USER in request.headers)
    if needs_choice and user.chosen is None:
        return _redirect_to_choose()
    # Opening a page of another division switches to it, so that bookmarks work.
    switches = bool(allowed) and user.chosen not in allowed and not wants_fragment()
    chosen = min(allowed) if switches else user.chosen
    is_due = dates.utc_now() - user.renewed_at >= RENEW_AFTER and not wants_fragment()
    if switches:
        with transaction():
            renew(user.session_id, chosen)
        user = replace(user, chosen=chosen, renewed_at=dates.utc_now())
    elif is_due and not policy.allows_expired:
        user = _renew_in_passing(user, renew)
    g.user = user
    return None


def _check_role(policy: Policy, user: SignedInUser) -> None:
    is_open = not (policy.divisions or policy.requires_division)
    is_allowed = is_open or policies.may_change(policy, user)
    g.view_only = "" if is_allowed else policies.why_not(policy, user)
    g.roles_here = frozenset().union(*(user.roles[d] for d in policies.divisions_of(policy, user)))
    rule = request.url_rule
    if not is_change(policy, request.method, (rule and rule.methods) or ()):
        return
    g.user = user
    if user.is_read_only:
        raise ReadOnly
    if g.view_only:
        raise RoleRequired(g.view_only)


def _renew_in_passing(user: SignedInUser, renew: Renew) -> SignedInUser:
    """Renew a login session with a page; a database that can't write now still serves the page."""
    try:
        with transaction(waits=False):
            renew(user.session_id, None)
    except (DBAPIError, PoolExhausted) as error:
        if isinstance(error, DBAPIError) and not (is_busy(error) or is_full(error)):
            raise
        log.warning("A login session is renewed with its next page: %s", error)
        return user
    return replace(user, renewed_at=dates.utc_now())
