"""Tokens that a program requested to read alone."""

import pytest
from itsdangerous import URLSafeSerializer

from app.divisions import Division
from tests import factories
from tests.person import PASSWORD, Person

STOCK = "/api/gfm/inventory/main"
ADD = {"ops": [{"type": "add", "item": {"name": "Mug", "qty": 3}}]}


@pytest.fixture
def client(app, in_app):
    in_app(factories.user, "keeper", Division.GFM)
    return app.test_client()


@pytest.fixture
def tokens(client):
    return sign_in(client, access="read").json


def sign_in(client, **options):
    body = {"username": "keeper", "password": PASSWORD, **options}
    return client.post("/api/auth/login", json=body)


def call(client, tokens, method, path, body=None):
    headers = {"Authorization": f"Bearer {tokens['accessToken']}"}
    return client.open(path, method=method, json=body, headers=headers)


@pytest.fixture
def refused(client):
    """A function that tells whether tokens can't change stock, though they read it."""

    def is_refused(tokens):
        assert call(client, tokens, "GET", STOCK).status_code == 200
        reply = call(client, tokens, "PATCH", STOCK, ADD)
        return (reply.status_code, reply.json.get("code")) == (403, "read_only")

    return is_refused


def test_a_read_only_token_reads_and_changes_nothing(client, tokens, refused):
    assert refused(tokens)
    assert call(client, tokens, "GET", STOCK).json == []
    assert call(client, tokens, "GET", "/api/ping").status_code == 200


def test_its_successors_are_read_only_too(client, tokens, refused):
    body = {"refreshToken": tokens["refreshToken"]}
    successors = client.post("/api/auth/refresh", json=body).json
    assert successors["refreshToken"] != tokens["refreshToken"]
    assert refused(successors)


def test_a_token_changes_things_unless_it_is_requested_to_read(client, refused):
    assert not refused(sign_in(client).json)
    assert not refused(sign_in(client, access="write").json)


def test_another_access_is_refused(client):
    for access in ("all", "", None, 1):
        reply = sign_in(client, access=access)
        assert (reply.status_code, set(reply.json["fields"])) == (422, {"access"})


def test_it_can_be_signed_out_but_not_change_the_password(client, tokens):
    body = {"oldPassword": PASSWORD, "newPassword": "another good password"}
    reply = call(client, tokens, "POST", "/api/auth/change-password", body)
    assert (reply.status_code, reply.json["code"]) == (403, "read_only")
    assert call(client, tokens, "POST", "/api/auth/logout").status_code == 204
    assert call(client, tokens, "GET", STOCK).status_code == 401


def test_the_same_person_goes_on_changing_things_in_a_browser(app, tokens):
    person = Person(app)
    person.sign_in("keeper")
    assert person.open("/inventory/main/add").status == 200


def test_an_administrator_sees_which_tokens_only_read_and_so_does_the_trail(app, client, tokens):
    sign_in(client)
    run = app.test_cli_runner().invoke
    listed = run(args=["tokens", "list"]).output.splitlines()
    assert sorted(line.endswith("\tread-only") for line in listed) == [False, True]
    trail = run(args=["audit", "list"]).output.splitlines()
    assert ["access read" in line for line in trail if "sign-in" in line] == [True, False]


@pytest.mark.parametrize("kind", ["access", "refresh"])
def test_the_last_release_reads_no_token_that_only_reads(app, client, tokens, kind):
    """It takes apart exactly two values, and refuses everything else."""
    serializer = URLSafeSerializer(app.config["SECRET_KEY"], salt=f"quartermaster-{kind}-token")
    assert len(serializer.loads(tokens[f"{kind}Token"])) == 3
    assert len(serializer.loads(sign_in(client).json[f"{kind}Token"])) == 2
