"""Malformed and oversized sign-in bodies are refused early and cheaply."""

import json

import pytest

from app.accounts import rules
from tests import factories
from tests.person import PASSWORD

LOGIN = "/api/auth/login"


@pytest.fixture
def client(app, in_app):
    in_app(factories.user, "keeper")
    return app.test_client()


def test_an_oversized_body_is_not_read(client):
    refusal = {"error": "That is too large. Send less at once.", "code": "too_large"}
    for path in (LOGIN, "/api/auth/refresh"):
        reply = client.post(path, json={"username": "a" * 20_000, "password": PASSWORD})
        assert (reply.status_code, reply.json) == (413, refusal), path


def test_half_a_character_is_refused(client):
    message = "The body contains half of a surrogate pair (U+D800 to U+DFFF)."
    refusal = {"error": message, "code": "malformed"}
    for field in ("username", "password"):
        body = json.dumps({"username": "keeper", "password": PASSWORD} | {field: "\ud800"})
        reply = client.post(LOGIN, data=body, content_type="application/json")
        assert (reply.status_code, reply.json) == (400, refusal), field


def test_a_whole_character_written_in_two_halves_is_read(client):
    body = '{"username": "keeper", "password": "\\ud83d\\ude80"}'
    assert client.post(LOGIN, data=body, content_type="application/json").status_code == 401


def test_a_value_that_no_account_can_have_is_refused_by_field(client):
    for field, value, message in (
        ("username", "\0", "Must not hold U+0000."),
        ("password", "\0" * 12, "Must not hold U+0000."),
        ("username", "a" * 65, "Longer than 64 characters."),
        ("password", "a" * 1001, "Longer than 1000 characters."),
    ):
        body = {"username": "keeper", "password": PASSWORD, field: value}
        reply = client.post(LOGIN, json=body)
        assert (reply.status_code, reply.json["fields"]) == (422, {field: message})


def test_a_new_password_must_not_contain_a_null_character(client):
    access = client.post(LOGIN, json={"username": "keeper", "password": PASSWORD}).json
    reply = client.post(
        "/api/auth/change-password",
        json={"oldPassword": PASSWORD, "newPassword": "\0" * 12},
        headers={"Authorization": f"Bearer {access['accessToken']}"},
    )
    assert (reply.status_code, list(reply.json["fields"])) == (422, ["newPassword"])


def test_failures_are_counted_by_the_beginning_of_a_long_name():
    assert rules.throttle_account("ﷺ" * 1_000_000) == rules.throttle_account("ﷺ" * 200)
