"""Moving one asset or several, as a person sees it."""

import pytest

from app.assets.queries import moves, register
from app.assets.queries.moves import MoveFilters
from app.assets.rules.fields import AssetState
from tests.assets.test_asset_forms import facts

HTMX = {"HX-Request": "true", "HX-Target": "dialog"}


def history(app):
    with app.app_context():
        page = moves.move_page(MoveFilters())
        return [(m.item, m.start_position, m.end_position, m.who) for m in page.rows]


def places(app, *numbers):
    with app.app_context():
        return [register.get_asset(number).location for number in numbers]


def ticked(*numbers):
    return "/assets/move?" + "&".join(f"asset={number}" for number in numbers)


def test_an_asset_is_moved_from_its_page_and_one_is_back_there(app, steward, asset):
    number = asset("Desk", location="Main")
    asset("Chair", location="Attic")
    page = steward.open(f"/assets/{number}")
    came = {"Referer": f"http://localhost{page.path}"}
    asked = steward.open(page.link("Move"), headers=came)
    assert (asked.title, asked.all("main h1")) == ("Move Desk · Quartermaster", ["Move Desk"])
    assert "Now at: Main" in asked.text
    assert [o["value"] for o in asked.html.select("#destination-offers option")] == [
        *("Attic", "Main")
    ]
    assert asked.form()["data-failure"] == "Failed to move asset"
    done = steward.submit(asked, destination=" Attic ")
    assert done.path == f"/assets/{number}"
    assert done.all(".notice.ok") == ["Desk moved to Attic."]
    assert facts(done)["Location"] == "Attic"
    assert history(app) == [("Desk", "Main", "Attic", "steward")]


@pytest.mark.parametrize(
    ("typed", "status", "said"),
    [
        (" ", 422, "Destination is required"),
        ("x" * 101, 422, "Destination must be at most 100 characters"),
        ("main  STORE", 409, "Desk is at Main Store already."),
    ],
)
def test_a_wrong_destination_is_said_at_the_field(app, steward, asset, typed, status, said):
    number = asset("Desk", location="Main Store")
    page = steward.submit(steward.open(f"/assets/{number}/move"), destination=typed)
    assert page.status == status
    assert page.all("#destination-error") == [said]
    assert page.fields()["destination"] == typed
    assert history(app) == []
    assert steward.submit(page, destination="Attic").all(".notice.ok") == ["Desk moved to Attic."]


def test_the_rows_have_ticks_that_a_plain_form_takes_to_the_question(app, steward, asset):
    numbers = [
        asset("Desk", location="Main"),
        asset("Chair", location="Main"),
        asset("Lamp"),
    ]
    page = steward.open("/assets")
    boxes = page.html.select("#rows input[type=checkbox]")
    assert {(box["name"], box["form"]) for box in boxes} == {("asset", "ticked")}
    assert sorted(int(box["value"]) for box in boxes) == numbers
    ids = page.all("#rows .id")
    said = [f"Tick {item} {id_}" for item, id_ in zip(["Chair", "Desk", "Lamp"], ids, strict=True)]
    assert [box["aria-label"] for box in boxes] == said
    form = page.form("#ticked")
    assert (form["action"], form.get("method", "get")) == ("/assets/move", "get")
    asked = steward.open(ticked(*numbers), headers={"Referer": "http://localhost/assets?q=a"})
    assert asked.all("main h1") == ["Move 3 assets"]
    assert "Now at: Main (2), no location (1)" in asked.text
    told = asked.html.select_one("form p").get_text()
    assert [item.split()[0] for item in told.split(",")] == ["Chair", "Desk", "Lamp"]
    sent = {**asked.fields(), "asset": [str(number) for number in numbers]}
    done = steward.post("/assets/move", sent | {"destination": "Attic"})
    assert done.path == "/assets?q=a"
    assert done.all(".notice.ok") == ["3 assets moved to Attic."]
    assert places(app, *numbers) == ["Attic"] * 3
    assert len(history(app)) == 3


def test_those_that_are_there_already_stay_and_are_counted(app, steward, asset):
    numbers = [asset("Desk", location="Main"), asset("Chair", location="Attic")]
    asked = steward.open(ticked(*numbers))
    sent = {**asked.fields(), "asset": [str(number) for number in numbers]}
    for _ in range(2):
        done = steward.post("/assets/move", sent | {"destination": "attic"})
        assert done.all(".notice.ok") == ["1 asset moved to attic; 1 was there already."]
    assert places(app, *numbers) == ["attic", "Attic"]
    again = steward.open(ticked(*numbers))
    sent = {**again.fields(), "asset": [str(number) for number in numbers]}
    refused = steward.post("/assets/move", sent | {"destination": "Attic"})
    assert refused.status == 409
    assert refused.all("#destination-error")[0].startswith("All 2 assets are at ")
    assert [i["value"] for i in refused.html.select("input[name=asset]")] == [
        str(number) for number in sorted(numbers, reverse=True)
    ]
    assert len(history(app)) == 1


def test_200_are_moved_at_once_and_no_more(app, steward, assets):
    assets([AssetState(f"Chair {n}", location="Main") for n in range(201)])
    numbers = [str(n) for n in range(1, 202)]
    page = steward.open(ticked(*numbers))
    assert page.path == "/assets"
    assert page.all(".notice") == ["At most 200 assets can be moved at once, and 201 are ticked."]
    asked = steward.open(ticked(*numbers[:200]))
    assert "and 195 more" in asked.text
    sent = {**asked.fields(), "asset": numbers[:200], "destination": "Attic"}
    assert steward.post("/assets/move", sent).all(".notice.ok") == ["200 assets moved to Attic."]
    assert len(set(places(app, *range(1, 201)))) == 1


@pytest.mark.parametrize(
    ("query", "status", "said"),
    [
        ("?asset=98&asset=99", 404, "There is no such asset."),
        ("?asset=x", 404, "There is no such asset."),
        ("?asset=99999999999", 404, "There is no such asset."),
        ("?asset=2147483648", 404, "There is no such asset."),
    ],
)
def test_a_choice_that_cannot_be_moved_says_why(steward, asset, query, status, said):
    asset("Desk")
    page = steward.open(f"/assets/move{query}")
    assert (page.status, page.alerts) == (status, [said])


def test_without_ticks_the_register_says_what_to_do(steward, asset):
    asset("Desk")
    steward.open("/assets?q=desk")
    page = steward.open("/assets/move")
    assert (page.path, page.all(".notice")) == ("/assets", ["Tick the assets to move first."])


def test_an_asset_that_has_gone_meanwhile_holds_nobody_up(app, steward, asset):
    asset("Desk", location="Main")
    page = steward.open("/assets/move?asset=1&asset=99")
    assert "1 ticked asset is no longer in the register." in page.text
    moved = steward.submit(page, destination="Attic")
    assert moved.all(".notice.ok") == ["1 asset moved to Attic."]
    sent = {**page.fields(), "key": "other", "asset": [1, 99], "destination": "Hall"}
    said = "1 asset moved to Hall; 1 is no longer in the register."
    assert steward.post("/assets/move", sent).all(".notice.ok") == [said]


def test_with_htmx_the_list_hears_of_it_and_moved_ticks_are_forgotten(steward, asset):
    numbers = [asset("Desk"), asset("Chair")]
    for path, said, heard in (
        (f"/assets/{numbers[0]}/move", "Desk moved to Attic.", "assets-changed"),
        (ticked(numbers[1]), "1 asset moved to Attic.", "assets-changed, ticked-moved"),
    ):
        asked = steward.fragment(path, "dialog")
        sent = {**asked.fields("form"), "destination": "Attic"}
        reply = steward.post(path, sent, headers=HTMX)
        assert reply.all("[hx-swap-oob='innerHTML:#live']") == [said]
        assert reply.html.select("form") == []
        assert reply.headers["HX-Trigger"] == heard


def test_the_same_move_sent_again_succeeds_again_and_moves_nothing(app, steward, asset):
    asked = steward.open(f"/assets/{asset('Desk', location='Main')}/move")
    for _ in range(3):
        done = steward.submit(asked, destination="Attic")
        assert done.all(".notice.ok") == ["Desk moved to Attic."]
    assert len(history(app)) == 1
