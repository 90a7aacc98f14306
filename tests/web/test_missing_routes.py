"""Clients can tell an unknown address from a missing record."""

import pytest


@pytest.mark.parametrize(
    "path", ["/api", "/api/nothing", "/api/gfm/nothing", "/api/gfm/inventory/main/nothing"]
)
def test_an_unknown_address_of_the_api_has_its_own_error_code(person, path):
    reply = person.client.get(path)
    assert (reply.status_code, reply.json) == (
        404,
        {"error": "There is nothing at this address.", "code": "no_such_route"},
    )


@pytest.mark.usefixtures("item")
def test_a_missing_record_is_not_reported_as_an_unknown_address(person):
    reply = person.client.get("/api/gfm/inventory/moon")
    assert reply.status_code == 404
    assert reply.json["code"] == "not_found"
