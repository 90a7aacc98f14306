"""Divisions, passwords, scopes and throttling."""

from datetime import UTC, datetime, timedelta

import pytest

from app.accounts import rules
from app.divisions import WHOLE_DIVISION, Division, Role
from app.errors import Invalid, Throttled
from app.identity import counted_address

NOW = datetime(2026, 11, 21, 9, tzinfo=UTC)
GFM, GPM, FLEET, ASSETS = Division


def test_divisions_come_from_permissions_else_from_scopes():
    for permissions, scopes, divisions in (
        (["GFM", "Fleet"], [], {GFM, FLEET}),
        (["gFm"], ["assets:read"], {GFM}),
        ([], ["fleet:read", "assets:write"], {FLEET, ASSETS}),
        (["Unknown"], ["gpm:read"], {GPM}),
        ([], ["gfmx:read"], set()),
        ([], [], set()),
    ):
        granted = rules.granted_roles((), iter(permissions))
        roles = rules.roles_of(granted, iter(scopes))
        assert roles == dict.fromkeys(divisions, WHOLE_DIVISION), permissions


def test_roles_count_only_as_the_last_release_has_left_the_permissions():
    for granted, permissions, roles in (
        ([Role.VIEWER], [], {Role.VIEWER}),
        ([Role.WORKER], ["fleet"], {Role.WORKER}),
        ([Role.MANAGER], [], {Role.MANAGER}),
        ([Role.VIEWER, Role.WORKER], ["fleet"], {Role.VIEWER, Role.WORKER}),
        # The last release has granted the division, or taken it away.
        ([], ["fleet"], {Role.WORKER, Role.MANAGER}),
        ([Role.VIEWER], ["Fleet"], {Role.VIEWER, Role.WORKER, Role.MANAGER}),
        ([Role.WORKER, Role.MANAGER], ["gfm"], None),
        ([Role.VIEWER, Role.WORKER], [], None),
    ):
        found = rules.granted_roles(((FLEET, role) for role in granted), permissions)
        assert found.get(FLEET) == (None if roles is None else frozenset(roles)), granted


def test_a_scope_gives_its_whole_division_and_never_less():
    roles = rules.roles_of({}, ["fleet:viewer", "gfm:read"])
    assert roles == {GFM: WHOLE_DIVISION, FLEET: WHOLE_DIVISION}
    assert rules.roles_of({FLEET: frozenset({Role.VIEWER})}, ["fleet:write"]) == {
        FLEET: frozenset({Role.VIEWER})
    }


def test_one_of_gfm_gpm_and_fleet_is_chosen_at_sign_in():
    for divisions, chosen in (
        ({GFM}, GFM),
        ({GFM, ASSETS}, GFM),
        ({FLEET}, FLEET),
        ({ASSETS}, None),
        ({GFM, GPM}, None),
        (set(), None),
    ):
        assert rules.automatic_choice(frozenset(divisions)) is chosen, divisions


@pytest.mark.parametrize("password", ["", "x" * 11, "x" * 1001])
def test_a_password_of_the_wrong_length_is_refused(password):
    with pytest.raises(Invalid, match="Password must have at"):
        rules.check_new_password(password)


@pytest.mark.parametrize("scope", ["gfm", "gfm:", "other:read", ":read", ""])
def test_a_scope_without_a_division_is_refused(scope):
    with pytest.raises(Invalid, match="is not a scope like gfm:read"):
        rules.parse_scope(scope)


def test_failures_count_per_address_or_ipv6_network():
    for address, key in (
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        (None, "unknown"),
        ("nonsense", "unknown"),
    ):
        assert counted_address(address) == key, address


def test_the_wait_ends_when_the_oldest_counted_failure_leaves_the_window():
    failures = [NOW - timedelta(minutes=m) for m in (14, 9, 8, 7, 6)]
    with pytest.raises(Throttled, match="Try again in 2 minutes") as caught:
        rules.check_throttle(failures, 5, NOW)
    assert 60 < caught.value.retry_after <= 61
    rules.check_throttle(failures[1:], 5, NOW)
