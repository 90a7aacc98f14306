"""API clients' tokens: sign-in, rotation, reuse and revocation."""

import random

import pytest
from sqlalchemy import select

from app.accounts.models import LoginSession
from app.accounts.services import users
from app.accounts.services.tokens import issue_tokens
from app.db import IMMEDIATE, db, transaction
from app.divisions import Division
from tests import factories
from tests.fleet.threads import run_at_once
from tests.person import PASSWORD

NEW = "another good password"


@pytest.fixture
def keeper(in_app):
    return in_app(factories.user, "keeper", Division.GFM, Division.ASSETS)


@pytest.fixture
def client(app):
    return app.test_client()


def login(client, username="keeper", password=PASSWORD):
    return client.post("/api/auth/login", json={"username": username, "password": password})


def refresh(client, token):
    return client.post("/api/auth/refresh", json={"refreshToken": token})


def call(client, access, path="/api/gfm/inventory/main", method="GET", **options):
    headers = {"Authorization": f"Bearer {access}", **options.pop("headers", {})}
    return client.open(path, method=method, headers=headers, **options)


@pytest.fixture
def tokens(client, keeper):
    return login(client).json


def test_a_client_signs_in_and_reads_and_changes_without_a_cookie(client, keeper):
    reply = login(client)
    assert reply.status_code == 200
    assert reply.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in reply.headers
    body = reply.json
    assert body["user"] == {"username": "keeper", "permissions": ["GFM", "Assets"], "scopes": []}
    assert call(client, body["accessToken"]).json == []
    ops = {"ops": [{"type": "add", "item": {"name": "Mug", "qty": 3}}]}
    changed = call(client, body["accessToken"], "/api/gfm/inventory/main", "PATCH", json=ops)
    assert changed.status_code == 200
    assert call(client, body["accessToken"]).json[0]["amount"] == 3


def test_a_wrong_pair_is_refused(client, keeper):
    refusal = {"error": "Invalid credentials", "code": "invalid_credentials"}
    for username, password in (("keeper", "wrong"), ("nobody", PASSWORD)):
        reply = login(client, username, password)
        assert (reply.status_code, reply.json) == (401, refusal), username


def test_wrong_passwords_are_counted(client, keeper):
    for _ in range(5):
        assert login(client, password="wrong").status_code == 401
    reply = login(client)
    assert (reply.status_code, "Retry-After" in reply.headers) == (429, True)


def test_a_sign_in_names_missing_fields(client):
    for body in ({}, {"username": "keeper"}, {"username": 1, "password": "x"}):
        reply = client.post("/api/auth/login", json=body)
        assert (reply.status_code, bool(reply.json["fields"])) == (422, True), body


def test_access_lasts_30_minutes_and_is_renewed_by_the_refresh_token(client, tokens, clock):
    clock(minutes=29)
    assert call(client, tokens["accessToken"]).status_code == 200
    clock(minutes=31)
    late = call(client, tokens["accessToken"])
    assert late.status_code == 401
    assert any(v.startswith("Bearer") for v in late.headers.getlist("WWW-Authenticate"))
    renewed = refresh(client, tokens["refreshToken"]).json
    assert renewed["refreshToken"] != tokens["refreshToken"]
    assert call(client, renewed["accessToken"]).status_code == 200


def test_a_used_refresh_token_returns_the_same_successor_for_60_seconds(client, tokens, clock):
    first = refresh(client, tokens["refreshToken"]).json
    clock(seconds=59)
    again = refresh(client, tokens["refreshToken"]).json
    assert again["refreshToken"] == first["refreshToken"]
    assert refresh(client, first["refreshToken"]).status_code == 200


def test_a_refresh_token_reused_later_ends_the_session(client, tokens, clock):
    first = refresh(client, tokens["refreshToken"]).json
    clock(seconds=61)
    assert refresh(client, tokens["refreshToken"]).status_code == 401
    assert call(client, first["accessToken"]).status_code == 401
    assert refresh(client, first["refreshToken"]).status_code == 401


def test_an_older_refresh_token_ends_the_session_at_once(client, tokens):
    second = refresh(client, tokens["refreshToken"]).json
    third = refresh(client, second["refreshToken"]).json
    assert refresh(client, tokens["refreshToken"]).status_code == 401
    assert call(client, third["accessToken"]).status_code == 401


def test_a_client_signs_in_again_after_30_days_without_renewal(client, tokens, clock):
    clock(days=29)
    renewed = refresh(client, tokens["refreshToken"]).json
    clock(days=58)
    renewed = refresh(client, renewed["refreshToken"]).json
    clock(days=89)
    assert refresh(client, renewed["refreshToken"]).status_code == 401


def test_an_invalid_token_is_refused(client):
    for token in ("", "x", "é", "a.b", "[1].x"):
        assert call(client, token.encode().hex() or "x").status_code == 401, token
        assert refresh(client, token).status_code == 401, token


def test_neither_token_replaces_the_other(client, tokens):
    assert call(client, tokens["refreshToken"]).status_code == 401
    assert refresh(client, tokens["accessToken"]).status_code == 401


def test_logout_ends_the_tokens_of_this_client_alone(client, tokens):
    other = login(client).json
    assert call(client, tokens["accessToken"], "/api/auth/logout", "POST").status_code == 204
    assert call(client, tokens["accessToken"]).status_code == 401
    assert refresh(client, tokens["refreshToken"]).status_code == 401
    assert call(client, other["accessToken"]).status_code == 200


def change(client, access, **body):
    return call(client, access, "/api/auth/change-password", "POST", json=body)


def test_a_changed_password_ends_every_token(client, tokens):
    other = login(client).json
    done = change(client, tokens["accessToken"], oldPassword=PASSWORD, newPassword=NEW)
    assert done.status_code == 204
    for each in (tokens, other):
        assert call(client, each["accessToken"]).status_code == 401
        assert refresh(client, each["refreshToken"]).status_code == 401
    assert login(client, password=NEW).status_code == 200


def test_a_refused_password_change_gives_the_reason_and_ends_no_token(client, tokens):
    reply = change(client, tokens["accessToken"], oldPassword="wrong", newPassword=NEW)
    assert (reply.status_code, reply.json["error"]) == (422, "Current password is not right.")
    assert call(client, tokens["accessToken"]).status_code == 200


def test_disabling_an_account_or_revoking_a_division_works_at_once(app, client, tokens):
    with app.app_context(), transaction():
        users.revoke("keeper", [Division.GFM], [])
    assert call(client, tokens["accessToken"]).status_code == 403
    with app.app_context(), transaction():
        users.disable("keeper")
    assert call(client, tokens["accessToken"]).status_code == 401
    assert refresh(client, tokens["refreshToken"]).status_code == 401


def test_a_token_opens_no_page(client, tokens):
    assert call(client, tokens["accessToken"], "/dashboard").status_code == 302


def test_a_cookie_needs_a_csrf_token_and_a_bearer_token_does_not(app, person, tokens):
    person.sign_in("keeper")
    ops = {"ops": []}
    path = "/api/gfm/inventory/main"
    assert person.client.patch(path, json=ops).status_code == 400
    bearer = {"Authorization": f"Bearer {tokens['accessToken']}"}
    assert person.client.patch(path, json=ops, headers=bearer).status_code != 400
    wrong = {"Authorization": "Bearer nonsense"}
    assert person.client.get(path, headers=wrong).status_code == 401


def test_an_administrator_lists_and_ends_the_sessions_of_clients(app, client, tokens):
    runner = app.test_cli_runner()
    listed = runner.invoke(args=["tokens", "list"]).output.splitlines()
    assert len(listed) == 1
    id_, username, *_ = listed[0].split("\t")
    assert username == "keeper"
    assert tokens["accessToken"] not in listed[0]
    assert runner.invoke(args=["tokens", "revoke", id_]).output == "1 session ended.\n"
    assert call(client, tokens["accessToken"]).status_code == 401
    assert runner.invoke(args=["tokens", "list"]).output == ""
    more = [login(client).json for _ in range(2)]
    assert runner.invoke(args=["tokens", "revoke", "--user", "KEEPER"]).output == (
        "2 sessions ended.\n"
    )
    assert call(client, more[0]["accessToken"]).status_code == 401


def test_a_refused_revocation_gives_the_reason(app, keeper):
    for arguments, message in (
        (["revoke"], "Give an ID or --user."),
        (["revoke", "nothing"], 'No tokens begin with "nothing"'),
        (["revoke", "-Xb3kP0aZ9"], 'No tokens begin with "-Xb3kP0aZ9"'),
        (["revoke", "--user", "nobody"], 'There is no user "nobody"'),
        (["list", "--user", "nobody"], 'There is no user "nobody"'),
    ):
        done = app.test_cli_runner().invoke(args=["tokens", *arguments])
        assert (done.exit_code != 0, message in done.output) == (True, True), arguments


def test_an_invalid_refresh_token_takes_no_lock(app, client):
    with app.app_context():
        engine = db.engine
    with engine.connect().execution_options(**{IMMEDIATE: True}) as writing, writing.begin():
        assert refresh(client, "nonsense").status_code == 401


def get_session():
    return db.session.execute(select(LoginSession)).scalar_one()


def test_a_cookie_with_an_api_clients_session_is_refused(app, person, tokens):
    with app.app_context():
        id_ = get_session().id
    with person.client.session_transaction() as carried:
        carried["_user_id"] = id_
    assert person.open("/dashboard").path.startswith("/login")
    assert person.client.get("/api/gfm/inventory/main").status_code == 401
    assert call(person.client, tokens["accessToken"]).status_code == 200


def test_tokens_of_a_browsers_session_are_refused(app, client, person, keeper):
    person.sign_in("keeper")
    with app.app_context():
        issued = issue_tokens(get_session())
    assert call(client, issued.access).status_code == 401
    assert refresh(client, issued.refresh).status_code == 401
    assert person.open("/dashboard").path != "/login"


LOSS_RATE = 0.2
RANDOM_STATE = 5000


@pytest.mark.thorough
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_500_renewals_with_a_fifth_of_the_replies_lost_sign_nobody_out(client, tokens):
    chance = random.Random(RANDOM_STATE)  # noqa: S311 (not for secrets)
    received = [tokens["refreshToken"]]
    run = longest_run = lost = 0
    for _ in range(500):
        reply = refresh(client, received[-1])
        assert reply.status_code == 200
        if chance.random() < LOSS_RATE:
            lost += 1
            run += 1
            longest_run = max(longest_run, run)
        else:
            received.append(reply.json["refreshToken"])
            run = 0
    assert len(set(received)) == len(received) == 501 - lost
    assert (lost > 80, longest_run > 2) == (True, True)
    assert refresh(client, received[-3]).status_code == 401
    assert refresh(client, received[-1]).status_code == 401


@pytest.mark.differs_by_engine
def test_concurrent_renewals_all_get_the_same_successor(app, client, tokens):
    def renew():
        return refresh(app.test_client(), tokens["refreshToken"])

    replies = run_at_once([renew] * 8)
    assert {reply.status_code for reply in replies} == {200}
    (successor,) = {reply.json["refreshToken"] for reply in replies}
    with app.app_context():
        assert get_session().generation == 1
    for reply in replies:
        assert call(client, reply.json["accessToken"]).status_code == 200
    assert refresh(client, successor).status_code == 200
