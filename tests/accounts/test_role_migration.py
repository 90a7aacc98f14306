"""Divisions that were granted before there were roles, and what the last release still grants."""

import pytest
from sqlalchemy import insert, text

from app.accounts import queries
from app.accounts.models import AccessGrant, GrantKind
from app.accounts.services import users
from app.db import db, execute, transaction
from app.divisions import WHOLE_DIVISION, Division, Role
from tests import factories
from tests.migration_steps import fill_again

pytestmark = pytest.mark.differs_by_engine

GRANTS_BECOME_ROLES = "6e05b8d2f7a1"
GFM, GPM, FLEET, ASSETS = Division


def read_again(username):
    db.session.rollback()
    user = queries.user_named(username)
    assert user is not None
    return user


def roles_of(username):
    return dict(read_again(username).roles())


def permissions_of(username):
    return read_again(username).granted(GrantKind.PERMISSION)


def test_whoever_had_a_division_becomes_its_worker_and_manager(app):
    with app.app_context():
        factories.user("keeper", GFM, FLEET)
        factories.user("robot", scopes=["gpm:read"])
        db.session.remove()
        with db.engine.begin() as connection:
            connection.execute(text("DELETE FROM role_grant"))
            connection.execute(text("UPDATE access_grant SET value = upper(value)"))
        fill_again(db.engine, GRANTS_BECOME_ROLES)
        with db.engine.connect() as connection:
            stored = connection.execute(text("SELECT division, role FROM role_grant")).all()
        assert sorted(map(tuple, stored)) == [
            (division, role) for division in ("fleet", "gfm") for role in ("manager", "worker")
        ]
        assert roles_of("keeper") == {GFM: WHOLE_DIVISION, FLEET: WHOLE_DIVISION}
        assert roles_of("robot") == {GPM: WHOLE_DIVISION}


def test_the_last_release_reads_a_permission_for_workers_alone(app):
    with app.app_context():
        factories.user("worker", GFM, roles=[Role.WORKER])
        factories.user("viewer", GFM, roles=[Role.VIEWER])
        factories.user("manager", GFM, roles=[Role.MANAGER])
        found = {name: permissions_of(name) for name in ("worker", "viewer", "manager")}
        assert found == {"worker": ["gfm"], "viewer": [], "manager": []}
        with transaction():
            users.grant("viewer", [GFM], [], [Role.WORKER])
            users.revoke("worker", [GFM], [], [Role.WORKER])
        assert permissions_of("viewer") == ["gfm"]
        assert permissions_of("worker") == []


def test_what_the_last_release_grants_and_revokes_counts_at_once(app):
    with app.app_context():
        user_id = factories.user("keeper", GFM, FLEET)
        with transaction():
            users.grant("keeper", [GFM], [], [Role.VIEWER])
            execute(text("DELETE FROM access_grant WHERE value = 'gfm'"))
            granted = {"user_id": user_id, "kind": GrantKind.PERMISSION, "value": "assets"}
            execute(insert(AccessGrant).values(granted))
        assert roles_of("keeper") == {FLEET: WHOLE_DIVISION, ASSETS: WHOLE_DIVISION}


@pytest.mark.writes_directly
@pytest.mark.parametrize("role", list(Role))
def test_what_the_last_release_left_behind_does_not_come_back_with_another_grant(app, role):
    with app.app_context():
        factories.user("keeper", GFM)
        with transaction():
            execute(text("DELETE FROM access_grant"))
        with transaction():
            users.grant("keeper", [GFM], [], [role])
        assert roles_of("keeper") == {GFM: frozenset({role})}
