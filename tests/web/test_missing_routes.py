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


def test_a_script_learns_that_a_page_does_not_exist_and_a_browser_is_sent_to_sign_in(person):
    scripts = {"Accept": "application/json"}
    for method in ("GET", "POST"):
        reply = person.client.open("/inventory/main/nothing/at/all", method=method, headers=scripts)
        assert (reply.status_code, reply.json["code"]) == (404, "no_such_route"), method
    page = person.client.get("/inventory/main/nothing/at/all")
    assert (page.status_code, page.location) == (302, "/login")


@pytest.mark.usefixtures("item")
def test_the_page_that_an_unknown_address_leads_to_says_that_it_does_not_exist(person):
    for _ in range(2):
        person.client.get("/inventory/main/nothing/at/all")
    notice = ["That page doesn't exist."]
    assert person.open("/inventory/main/nothing/at/all").all(".notice") == notice
    assert person.open("/login").all(".notice") == []
    person.sign_in("keeper")
    assert person.open("/nothing").all(".notice") == notice


@pytest.mark.usefixtures("item")
def test_a_missing_record_is_not_reported_as_an_unknown_address(person):
    reply = person.client.get("/api/gfm/inventory/moon")
    assert reply.status_code == 404
    assert reply.json["code"] == "not_found"
