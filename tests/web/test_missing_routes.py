"""A program tells a call that isn't served from a record that isn't there."""

import pytest


@pytest.mark.parametrize(
    "path", ["/api", "/api/nothing", "/api/gfm/nothing", "/api/gfm/inventory/main/nothing"]
)
def test_a_call_that_is_not_served_says_so(person, path):
    reply = person.client.get(path)
    assert (reply.status_code, reply.json) == (
        404,
        {"error": "There is nothing at this address.", "code": "no_such_route"},
    )


@pytest.mark.usefixtures("item")
def test_a_record_that_is_not_there_is_no_missing_call(person):
    reply = person.client.get("/api/gfm/inventory/moon")
    assert reply.status_code == 404
    assert reply.json["code"] == "not_found"
