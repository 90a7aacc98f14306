"""Every route and method for people of every kind, from the table of rights alone."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import update_wrapper
from typing import Any

import pytest
from flask import Flask
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from app.divisions import Division, Role
from app.web.policies import policy_of
from tests.api.filled import everything
from tests.strangers.replies import faults_of
from tests.strangers.rights import MANAGED, Right, named, opens_form, right_of
from tests.strangers.world import SECRETS, Somebody, world

VALUES = {
    "site": "main",
    "sha256": "0" * 64,
    "plate": "lk19vte",
    "kind": "vehicle",
    "question": "use",
}
"""Values of the paths' parameters; those that aren't listed are 1."""

REACHED = "the view was reached"
COOKIE, FRAGMENT, TOKEN = "cookie", "fragment", "token"
CHANGED_IN_PASSING = {"login_session"}
"""Tables that a refusal may change: a page that is opened renews the login session."""


@dataclass(frozen=True)
class Route:
    """A route with one of its methods, and an address that it serves."""

    rule: Rule
    method: str
    path: str
    right: Right

    @property
    def is_call(self) -> bool:
        return self.path.startswith("/api/")

    @property
    def is_change(self) -> bool:
        is_form = not self.is_call and opens_form(self.rule.rule)
        is_own = self.right.renewable or self.right.personal
        return not is_own and (is_form or self.method not in ("GET", "HEAD"))


def routes(app: Flask) -> Iterator[Route]:
    for rule in app.url_map.iter_rules():
        built = rule.build({n: VALUES.get(n, 1) for n in rule.arguments} | (rule.defaults or {}))
        assert built is not None, rule
        for method in sorted((rule.methods or set()) - {"OPTIONS"}):
            right = right_of(rule.rule, method)
            assert right is not None, f"{rule.rule} has no entry in tests/strangers/rights.py"
            yield Route(rule, method, built[1], right)


def expected(route: Route, who: Somebody, way: str) -> str:
    """Return what somebody gets: the view, the sign-in, the choice of a division, or a refusal."""
    right = route.right
    is_script = way == FRAGMENT or route.is_call
    if right.public:
        return REACHED
    if not who.is_signed_in:
        return "401" if is_script else "to /login"
    if who.is_late and is_script and not right.renewable:
        return "401"
    if right.divisions and not right.divisions & who.divisions:
        return "403"
    if route.is_change and not may_change(right, who, way):
        return "403"
    if right.needs_choice and not who.has_chosen:
        return "409" if is_script else "to /choose"
    return REACHED


def may_change(right: Right, who: Somebody, way: str) -> bool:
    """Return whether somebody's roles and token let them change something."""
    if way == TOKEN and who.is_read_only:
        return False
    owners = right.divisions & who.divisions
    holding = who.managing_in if right.managed else who.working_in
    if right.names_none:
        return owners <= holding
    return not right.divisions or bool(owners & holding)


def outcome(reply: TestResponse, reached: bool) -> str:
    if reached:
        return REACHED
    if reply.status_code == 302:
        return f"to {reply.location.partition('?')[0]}"
    return str(reply.status_code)


def stub(view: Callable[..., Any], calls: Counter[str]) -> Callable[..., Any]:
    """Return a view with the declarations of another one that only counts its calls."""

    def counting(**_: object) -> str:
        calls[REACHED] += 1
        return REACHED

    return update_wrapper(counting, view)


def test_every_policy_is_the_one_that_the_table_gives_its_address(app):
    with app.test_request_context():
        for route in routes(app):
            policy = policy_of(route.rule.endpoint, route.rule.defaults or {"division": None})
            assert policy is not None, route
            declared = Right(
                policy.public,
                policy.allows_expired,
                policy.requires_division,
                policy.divisions,
                names_none=policy.in_path and len(policy.divisions) > 1,
                managed=policy.role is Role.MANAGER,
                personal=policy.changes is False and not policy.allows_expired,
            )
            assert declared == route.right, route


def test_every_address_of_managers_is_a_route(app):
    assert {named(rule.rule) for rule in app.url_map.iter_rules()} >= MANAGED


def requests_of(
    app: Flask, ways: tuple[str, ...], everybody: list[Somebody], *, is_whole: bool
) -> Iterator[tuple[Route, str, Somebody]]:
    """Yield each route, way and person; opening a page renews access, so fragments come before.

    Each route meets everybody in its usual way, and every fifth of them in another, or by HEAD. If
    it isn't whole, it meets every second of them, the others at the next route.
    """
    for way in ways:
        for number, route in enumerate(routes(app)):
            if way not in ((COOKIE, TOKEN) if route.is_call else (FRAGMENT, COOKIE)):
                continue
            is_usual = way == (TOKEN if route.is_call else COOKIE) and route.method != "HEAD"
            stride = (1 if is_whole else 2) if is_usual else 5
            yield from ((route, way, who) for who in everybody[number % stride :: stride])


@pytest.mark.parametrize("ways", [(TOKEN,), (FRAGMENT, COOKIE)], ids=" ".join)
def test_everybody_reaches_what_is_theirs_and_nobody_else_changes_or_learns_anything(
    app, monkeypatch, pytestconfig, request, ways
):
    """Views are replaced by stubs, so that what is reached is seen, and costs nothing."""
    _, everybody = world(request, app)
    before = everything(app)
    calls: Counter[str] = Counter()
    for endpoint, view in app.view_functions.items():
        monkeypatch.setitem(app.view_functions, endpoint, stub(view, calls))
    client = app.test_client(use_cookies=False)
    wrong, requests = [], 0
    for route, way, who in requests_of(app, ways, everybody, is_whole=pytestconfig.option.thorough):
        headers = who.headers(bearer=way == TOKEN)
        headers |= {"HX-Request": "true"} if way == FRAGMENT else {}
        calls.clear()
        app.extensions["request_counts"].clear()
        reply = client.open(route.path, method=route.method, headers=headers)
        requests += 1
        found = faults_of(reply) + ([] if calls else list(leaks(reply, who)))
        if outcome(reply, bool(calls)) != expected(route, who, way):
            found.append(f"{outcome(reply, bool(calls))}, not {expected(route, who, way)}")
        wrong += [(route.method, route.path, who.name, way, fault) for fault in found]
    assert wrong[:20] == []
    assert requests > 2000
    after = everything(app)
    assert {table for table in before if before[table] != after[table]} <= CHANGED_IN_PASSING


def leaks(reply: TestResponse, who: Somebody) -> Iterator[str]:
    """Yield what a refusal shows of divisions that aren't somebody's own."""
    for division, secret in SECRETS.items():
        is_shared = division is Division.FLEET and Division.GPM in who.divisions
        if division not in who.divisions and not is_shared and secret in reply.text:
            yield secret
