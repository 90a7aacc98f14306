"""The search for everything: what it finds, in which order, and for whom."""

import pytest
from sqlalchemy import delete

from app import paging, sums
from app.db import db, transaction
from app.defects.rules.fields import RepairValues
from app.defects.services.repairs import record_repair
from app.divisions import Division, Role
from app.fleet.models import Vehicle
from app.global_search.schemas import KINDS
from app.stock.services.items import remove_item
from tests import factories
from tests.bench.recording import recording
from tests.factories import DAY, GPM, GUILDFORD, MAIN
from tests.person import PASSWORD
from tests.strangers.corpus import TEXTS
from tests.strangers.world import SECRETS, world

pytestmark = pytest.mark.differs_by_engine

GFM, OF_GPM, FLEET, ASSETS = Division
FRAGMENT = {"HX-Request": "true", "Accept-Encoding": "br"}


@pytest.fixture
def anybody(signed_in):
    """Somebody of all divisions, who has chosen Assets."""
    return signed_in("anybody", *Division, division=ASSETS)


@pytest.fixture
def rows(in_app, anybody):
    in_app(fill)


def fill():
    """Add rows of every kind, with the word 'cloche' in each text, and ids of their own."""
    for store in (MAIN, GUILDFORD, GPM):
        factories.items([("Cloche", 3), *((f"Cloche no {n}", 3) for n in range(7))], store=store)
    factories.items([("A glass cloche", 1), ("50% off_cloche", 1)], store=MAIN)
    factories.asset("Big cloche", id="A/0042", location="Room 1")
    factories.asset("Cloche stand", id="A/0043")
    factories.vehicle("LK19 VTE", make="Cloche", model="Van")
    factories.vehicle("LK19 VTF", model="Cloche")
    factories.check("LK19 VTE", notes="cloche")
    defect = factories.defect("LK19 VTE", "Cloche rack")
    values = RepairValues(reg="LK19 VTE", defects=[defect.number], note="", finished_on=DAY)
    with transaction():
        record_repair(values, by=1)
    factories.delivery("Cloche", division=OF_GPM, supplier="Glass & Co")
    factories.delivered("Cloche", division=OF_GPM)
    factories.key("K12", name="Cloche store", holder="Ann")
    factories.key("", name="Cloche cellar")
    factories.team("Cloche team")


def find(person, text):
    reply = person.client.get("/api/search", query_string={"q": text})
    assert reply.status_code == 200, reply.text
    return reply.json


def exact(person, text):
    return [(hit["kind"], hit["id"]) for hit in find(person, text)["results"] if hit["exact"]]


@pytest.mark.usefixtures("rows")
def test_a_whole_key_in_any_spelling_is_exact(anybody):
    for text, found in {
        "lk19vte": [("vehicle", "LK19 VTE")],
        " LK19  VTE ": [("vehicle", "LK19 VTE")],
        "ＬＫ１９ vte": [("vehicle", "LK19 VTE")],
        "a/0042": [("asset", "A/0042")],
        "k12": [("key", "1")],
        "cloche cellar": [("key", "2")],
        "CLOCHE": [("item", "Cloche")] * 3,
        "cloche team": [("team", "Cloche team")],
        **{number: [("defect", "D-0001")] for number in ("D-0001", "d1", "d 0001", "D0001")},
        "r-1": [("repair", "R-0001")],
        "o1": [("delivery", "1")],
        # Digits alone may be of anything, and B is for bookings.
        **{other: [] for other in ("0001", "b-0001", "d2", "lk19vt", "A/004")},
    }.items():
        assert exact(anybody, text) == found, text


@pytest.mark.usefixtures("rows")
def test_a_word_finds_rows_of_every_kind_each_with_its_page_and_id(anybody):
    found = find(anybody, "cloche")
    assert found["totals"] == {
        "item": 26,
        "asset": 2,
        "vehicle": 2,
        "check": 1,
        "defect": 1,
        "delivery": 2,
        "key": 2,
        "team": 1,
    }
    assert [kind.record.name for kind in KINDS if kind.record.name not in found["totals"]] == [
        "repair"
    ]
    hits = [hit for hit in found["results"] if not hit["exact"]]
    for kind in found["totals"]:
        assert len([hit for hit in hits if hit["kind"] == kind]) == min(5, found["totals"][kind])
    titles = {
        kind: [hit["title"] for hit in hits if hit["kind"] == kind] for kind in ("item", "asset")
    }
    # Names that begin with it first.
    assert titles["item"] == ["Cloche no 0"] * 3 + ["Cloche no 1"] * 2
    assert titles["asset"] == ["Cloche stand", "Big cloche"]
    for hit in found["results"]:
        assert anybody.client.get(hit["url"]).status_code == 200, hit
    wheres = {(hit["kind"], hit["where"], hit["division"]) for hit in found["results"]}
    assert {
        *(
            ("item", "GFM Guildford", "gfm"),
            ("item", "GPM Main", "gpm"),
            ("asset", "A/0042, Room 1", "assets"),
        ),
        *(("vehicle", "Cloche Van", "fleet"), ("key", "Ann", "gpm"), ("team", "", "gpm")),
        ("delivery", "O-0001, Main, Pending", "gpm"),
    } <= wheres


@pytest.mark.usefixtures("rows")
def test_all_words_are_found_in_any_order_and_marks_are_text(anybody):
    for text, total in {
        "cloche glass": 1,
        "glass cloche a": 1,
        "glass zebra": 0,
        "50% off_": 1,
        "0%cl": 0,
        "off%": 0,
        '"cloche"': 0,
        "cloche*": 0,
        "cloche OR zebra": 0,
        "cloche" + " cloche" * 60: 26,
    }.items():
        assert find(anybody, text)["totals"].get("item", 0) == total, text


@pytest.mark.usefixtures("rows")
def test_two_letters_find_whole_keys_and_beginnings_of_names_alone(anybody):
    for text, found in {
        "lk": {"vehicle": 2},
        "LK": {"vehicle": 2},
        "cl": {"item": 24, "asset": 1, "delivery": 1, "key": 1, "team": 1},
        "bi": {"asset": 1},
        "oc": {},
        "he": {},
        "d1": {"defect": 1},
    }.items():
        assert find(anybody, text)["totals"] == found, text


def test_many_matches_are_counted_up_to_the_limit_and_found_in_their_order(
    anybody, rows, monkeypatch
):
    few = find(anybody, "cloche")["results"]
    for module in (sums, paging):
        monkeypatch.setattr(module, "COUNT_LIMIT", 6)
    many = find(anybody, "cloche")
    assert many["results"] == few
    assert many["totals"]["item"] == 6
    page = anybody.open("/search?q=cloche")
    assert page.all(".section a")[:2] == ["all 6+ in GFM Main", "all 6+ in GFM Guildford"]


@pytest.mark.writes_directly
def test_what_was_removed_is_not_found_but_what_is_on_record_of_it(anybody, rows, in_app):
    def remove():
        item = factories.read_item(MAIN, "A glass cloche")
        with transaction():
            remove_item(MAIN, item.id, based_on=1, by=None)
        with transaction():
            db.session.execute(delete(Vehicle).where(Vehicle.reg_key == "lk19vte"))

    in_app(remove)
    assert "item" not in find(anybody, "a glass cloche")["totals"]
    found = find(anybody, "lk19vte")
    assert found["totals"] == {"check": 1, "defect": 1, "repair": 1}
    assert [hit for hit in found["results"] if hit["exact"]] == []


@pytest.mark.usefixtures("rows")
def test_the_page_opens_the_only_exact_result_and_shows_others_under_headings(anybody):
    opened = anybody.client.get("/search?q=lk19vte")
    assert (opened.status_code, opened.location) == (302, "/vehicles/1")
    page = anybody.open("/search?q=CLOCHE")
    assert page.all("h2")[:4] == ["Exactly", "Items", "Assets", "Vehicles"]
    assert page.all("h2 + a") == ["all 10 in GFM Main"]
    assert page.html.select_one("#find")["value"] == "CLOCHE"
    assert page.headers["Cache-Control"] == "no-store"
    listed = anybody.open(page.link("all 10 in GFM Main"))
    assert listed.path == "/inventory/main?q=CLOCHE"
    assert len(listed.rows()) == 10


def test_a_result_switches_the_division_and_a_list_has_the_same_search(anybody, rows):
    # A fragment opens nothing by itself.
    fragment = anybody.open("/search?q=lk19vte", headers={"HX-Request": "true"})
    assert fragment.all("h2")[0] == "Exactly"
    assert anybody.open(fragment.link("LK19 VTE")).html.body["data-division"] == "fleet"


def test_nothing_and_too_little_say_what_to_do(signed_in):
    person = signed_in("two", GFM, FLEET)
    for text, note in {
        "cloche": "Nothing in GFM or Fleet for “cloche”.",
        "<b>&": "Nothing in GFM or Fleet for “<b>&”.",
        **dict.fromkeys(("", "c", " é ", "　"), "Type two letters or more."),
    }.items():
        page = person.client.get("/search", query_string={"q": text})
        assert page.status_code == 200
        assert person.open(f"/search?q={text.replace('&', '%26')}").all("main .note") == [note]
    for text in ("", "c"):
        reply = person.client.get("/api/search", query_string={"q": text})
        assert (reply.status_code, reply.json["fields"]) == (
            422,
            {"q": "Type two letters or more."},
        )
    assert person.client.get("/api/search").status_code == 422


def test_viewers_and_read_only_tokens_may_search(app, in_app, signed_in):
    in_app(factories.item, "Cloche")
    viewer = signed_in("viewer", GFM, division=GFM, roles=[Role.VIEWER])
    assert viewer.open("/search?q=cloc").all(".name") == ["Cloche"]
    assert viewer.open("/search?q=cloc").all("#view-only") == []
    client = app.test_client()
    body = {"username": "viewer", "password": PASSWORD, "access": "read"}
    token = client.post("/api/auth/login", json=body).json["accessToken"]
    found = client.get("/api/search?q=cloc", headers={"Authorization": f"Bearer {token}"})
    assert found.json["totals"] == {"item": 1}


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_nobody_finds_anything_of_a_division_that_is_not_theirs(app, request):
    _, everybody = world(request, app)
    client = app.test_client(use_cookies=False)
    founder = next(who for who in everybody if who.name.count("+") == 3)
    texts = [*SECRETS.values(), "zq", "d1"]

    def results(who, text):
        headers = who.headers(bearer=True)
        return client.get("/api/search", query_string={"q": text}, headers=headers).json

    allowed = {text: results(founder, text)["results"] for text in texts}
    assert {hit["kind"] for hits in allowed.values() for hit in hits} >= {
        *("item", "asset", "vehicle", "check", "defect", "delivery", "key", "team")
    }
    searched = 0
    for who in everybody:
        for text in texts:
            found = results(who, text)
            if "results" not in found:
                assert not who.is_signed_in or who.is_late
                continue
            searched += 1
            shared = {OF_GPM, FLEET} if {OF_GPM, FLEET} & who.divisions else set()
            own = {hit["id"] for hit in allowed[text] if hit["division"] in who.divisions | shared}
            assert {hit["id"] for hit in found["results"]} <= own, (who.name, text)
            assert {hit["division"] for hit in found["results"]} <= who.divisions
            kinds = {hit["kind"] for hit in found["results"]}
            assert found["totals"].keys() == kinds, (who.name, text)
            if text not in (SECRETS[OF_GPM], "zq"):
                continue
            page = client.get(
                "/search",
                query_string={"q": text},
                headers=who.headers(bearer=False) | {"HX-Request": "true"},
            )
            html = page.text.replace(text, "")
            others = [SECRETS[each] for each in Division if each not in who.divisions | shared]
            assert not [secret for secret in others if secret in html], (who.name, text)
    assert searched > 100


def test_hostile_texts_are_texts_to_look_for(anybody, rows):
    for text in [*TEXTS, "*", "a*b OR", '"', "a" * 3 + '"', "NEAR(cloche)", "^cloche", "-cloche"]:
        for path in ("/search", "/api/search"):
            reply = anybody.client.get(path, query_string={"q": text[:4000]})
            assert reply.status_code in (200, 302, 400, 422), (path, text)


@pytest.mark.usefixtures("rows")
def test_it_takes_few_statements_and_bytes(app, in_app, anybody, signed_in):
    with app.app_context():
        engine = db.engine
    trader = signed_in("trader", OF_GPM)
    for person, limit in ((anybody, 22), (trader, 12)):
        for text in ("cloche", "lk19vte", "cl", "zq"):
            with recording(engine) as recorded:
                page = person.client.get(f"/search?q={text}", headers=FRAGMENT)
            assert len(recorded.statements()) <= limit, text
            assert len(page.data) <= 6 * 1024, text
