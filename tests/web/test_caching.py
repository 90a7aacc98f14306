"""An unchanged list is a 304; another user, filter or amount gets a new page."""

import pytest

from app import dates
from app.db import db, transaction
from app.divisions import Division, Role
from app.stock.rules.movements import StockLine
from app.stock.services import movements
from app.web.bundles import build_id
from tests import factories
from tests.bench.recording import recording
from tests.factories import MAIN
from tests.person import Person

LIST = "/inventory/main"


def tag_of(person, path=LIST, **headers):
    reply = person.client.get(path, headers=headers)
    assert reply.status_code == 200
    assert reply.headers["Cache-Control"] == "private, no-cache"
    return reply.headers["ETag"]


def status(person, tag, path=LIST, **headers):
    return person.client.get(path, headers={"If-None-Match": tag} | headers).status_code


@pytest.mark.usefixtures("item")
def test_an_unchanged_list_is_a_304_without_body(person):
    tag = tag_of(person, **{"Accept-Encoding": "br"})
    reply = person.client.get(LIST, headers={"If-None-Match": tag, "Accept-Encoding": "br"})
    assert (reply.status_code, reply.data) == (304, b"")
    assert "default-src 'none'" in reply.headers["Content-Security-Policy"]


def test_a_changed_amount_makes_a_new_page(app, person, item):
    tag = tag_of(person)
    with app.app_context(), transaction():
        movements.withdraw(MAIN, [StockLine(item, 1)], team="K", on=dates.today(), by=1)
    assert status(person, tag) == 200


@pytest.mark.usefixtures("item")
def test_filters_fragments_and_sites_have_pages_of_their_own(person):
    tag = tag_of(person)
    assert status(person, tag, LIST + "?q=heart") == 200
    assert status(person, tag, "/inventory/guildford") == 200
    assert status(person, tag, **{"HX-Request": "true", "HX-Target": "list"}) == 200


@pytest.mark.usefixtures("item")
def test_nobody_gets_the_page_of_another_login(app, person):
    tag = tag_of(person)
    other = Person(app)
    other.sign_in("keeper", follow=False)
    assert status(other, tag) == 200
    assert status(Person(app), tag) == 302


def test_a_page_with_a_message_is_not_cached(person, item):
    tag = tag_of(person)
    dialog = person.open(f"{LIST}/items/{item}/edit")
    person.submit(dialog, follow=False)
    page = person.open(LIST, headers={"If-None-Match": tag})
    assert page.all(".notice.ok p") == ['Saved "Red heart".']
    assert page.headers["Cache-Control"] == "no-store"


def test_a_new_version_of_the_product_makes_new_pages(tmp_path):
    (tmp_path / "templates").mkdir()
    page = tmp_path / "templates" / "page.html"
    builds = []
    for content in ("old", "new"):
        page.write_text(content)
        builds.append(build_id(tmp_path))
    assert builds[0] != builds[1]


def test_a_page_is_read_once_for_all_who_may_do_the_same(app, in_app):
    with app.app_context():
        factories.user("driver", Division.FLEET, roles=[Role.WORKER])
        factories.user("mate", Division.FLEET, roles=[Role.WORKER])
        factories.user("viewer", Division.FLEET, roles=[Role.VIEWER])
        factories.vehicle("LK19 VTE")
        engine = db.engine

    def visit(username):
        person = Person(app)
        person.sign_in(username, follow=False, division=Division.FLEET)
        with recording(engine) as recorded:
            page = person.open("/vehicles")
        assert "LK19 VTE" in page.text
        return page, len(recorded.statements())

    (first, of_first), (second, of_second) = visit("driver"), visit("mate")
    # The session, the versions and which list it is: nothing of the list.
    assert of_second == 3 < of_first
    assert ("driver" in first.text, "driver" in second.text) == (True, False)
    assert "mate" in second.text
    assert "Add Vehicle" in second.text
    assert "Add Vehicle" not in visit("viewer")[0].text
    in_app(factories.vehicle, "AB12 CDE")
    assert "AB12 CDE" in visit("mate")[0].text
