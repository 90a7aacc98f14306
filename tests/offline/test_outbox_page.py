"""The page of what isn't sent yet, and the link to it."""

import json

import pytest

from app.divisions import Division
from tests import factories

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
def sign_in(in_app, person):
    def sign_in(*divisions):
        in_app(factories.user, "k.lee", *divisions)
        return person.sign_in("k.lee")

    return sign_in


@pytest.mark.parametrize("division", Division)
def test_the_page_opens_for_people_of_every_division(person, sign_in, division):
    sign_in(division)
    page = person.open("/outbox")
    assert page.all("h1") == ["Not sent yet"]
    props = json.loads(page.html.select_one("[data-widget=outbox]")["data-props"])
    assert props["username"] == "k.lee"


def test_the_page_needs_a_sign_in_and_no_chosen_division(person, sign_in):
    assert person.open("/outbox").path == "/login?next=/outbox"
    assert sign_in(Division.GFM, Division.FLEET).path == "/choose"
    assert person.open("/outbox").all("h1") == ["Not sent yet"]


def test_the_header_has_room_for_what_is_not_sent(sign_in):
    link = sign_in(Division.GFM).html.select_one("#unsent")
    assert link["href"] == "/outbox"
    assert link.has_attr("hidden")
    assert link["data-src"].endswith(".js")
