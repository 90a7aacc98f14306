"""A form that wasn't ours, or is out of date, changes nothing and says so."""

import pytest

from tests import factories


@pytest.fixture
def item(app, person):
    with app.app_context():
        factories.user("keeper")
        made = factories.item("Red heart", 10)
    person.sign_in("keeper")
    return made


def test_a_post_without_our_token_changes_nothing(app, person, item):
    path = f"/inventory/main/items/{item}/action"
    sent = person.open(path).fields() | {"team": "Kitchen", "csrf_token": "forged"}
    page = person.post(path, sent)
    assert page.status == 400
    assert "This page was out of date" in page.alerts[0]
    with app.app_context():
        assert factories.amount("Red heart") == 10


@pytest.mark.usefixtures("item")
@pytest.mark.parametrize("path", ["/logout", "/choose", "/change-password", "/session/renew"])
def test_every_post_asks_for_the_token(person, path):
    assert person.post(path, {}).status == 400
    assert person.open("/dashboard").path == "/dashboard"


def test_sign_in_asks_for_the_token(person):
    assert person.post("/login", {"username": "a", "password": "b"}).status == 400
