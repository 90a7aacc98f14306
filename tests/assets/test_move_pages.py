"""The forms that move one asset or several, without scripts and with htmx."""

from app.assets.queries import register
from app.assets.rules import AssetState
from app.assets.schemas.register import MOVE_LIST
from tests.assets.test_asset_forms import facts
from tests.listing import listed

HTMX = {"HX-Request": "true", "HX-Target": "dialog"}


def history(app):
    with app.app_context():
        page = listed(MOVE_LIST)
        return [(m.item, m.start_position, m.end_position, m.who) for m in page.rows]


def locations(app, *numbers):
    with app.app_context():
        return [register.get_asset(number).location for number in numbers]


def ticked(*numbers):
    return "/assets/move?" + "&".join(f"asset={number}" for number in numbers)


def test_a_move_from_the_page_of_an_asset_leads_back_to_it(app, steward, asset):
    number = asset("Desk", location="Main")
    asset("Chair", location="Attic")
    page = steward.open(f"/assets/{number}")
    headers = {"Referer": f"http://localhost{page.path}"}
    dialog = steward.open(page.link("Move"), headers=headers)
    assert (dialog.title, dialog.all("main h1")) == ("Move Desk · Quartermaster", ["Move Desk"])
    assert "Now at: Main" in dialog.text
    offers = dialog.html.select("#destination-offers option")
    assert [option["value"] for option in offers] == ["Attic", "Main"]
    assert dialog.form()["data-failure"] == "Failed to move asset"
    done = steward.submit(dialog, destination=" Attic ")
    assert done.path == f"/assets/{number}"
    assert done.all(".notice.ok p") == ["Desk moved to Attic."]
    assert facts(done)["Location"] == "Attic"
    assert history(app) == [("Desk", "Main", "Attic", "steward")]


def test_a_wrong_destination_is_refused_at_its_field(app, steward, asset):
    number = asset("Desk", location="Main Store")
    for typed, status, message in (
        (" ", 422, "Destination is required"),
        ("x" * 101, 422, "Destination must be at most 100 characters"),
        ("main  STORE", 409, "Desk is at Main Store already."),
    ):
        page = steward.submit(steward.open(f"/assets/{number}/move"), destination=typed)
        assert (page.status, page.all("#destination-error")) == (status, [message])
        assert page.fields()["destination"] == typed
        assert history(app) == [], typed
    assert steward.submit(page, destination="Attic").all(".notice.ok p") == ["Desk moved to Attic."]


def test_a_destination_that_may_be_another_one_is_confirmed_first(app, steward, asset):
    number = asset("Desk", location="Main Store")
    asset("Lathe", location="Workshop")
    page = steward.submit(steward.open(f"/assets/{number}/move"), destination="Workshp")
    new = 'New destination "Workshp"'
    assert (page.status, page.question) == (422, [f"{new}? Or", "Workshop", new])
    assert history(app) == []
    done = steward.submit(page, new="1")
    assert done.all(".notice.ok p") == ["Desk moved to Workshp."]


def test_the_selected_rows_of_the_list_are_moved_together(app, steward, asset):
    numbers = [asset("Desk", location="Main"), asset("Chair", location="Main"), asset("Lamp")]
    page = steward.open("/assets")
    boxes = page.html.select("#rows input[type=checkbox]")
    assert {(box["name"], box["form"]) for box in boxes} == {("asset", "ticked")}
    assert sorted(int(box["value"]) for box in boxes) == numbers
    ids = page.all("#rows .id")
    labels = [
        f"Tick {item} {id_}" for item, id_ in zip(["Chair", "Desk", "Lamp"], ids, strict=True)
    ]
    assert [box["aria-label"] for box in boxes] == labels
    form = page.form("#ticked")
    assert (form["action"], form.get("method", "get")) == ("/assets/move", "get")
    dialog = steward.open(ticked(*numbers), headers={"Referer": "http://localhost/assets?q=a"})
    assert dialog.all("main h1") == ["Move 3 assets"]
    assert "Now at: Main (2), no location (1)" in dialog.text
    listed = dialog.html.select_one("form p").get_text()
    assert [item.split()[0] for item in listed.split(",")] == ["Chair", "Desk", "Lamp"]
    sent = {**dialog.fields(), "asset": [str(number) for number in numbers]}
    done = steward.post("/assets/move", sent | {"destination": "Attic"})
    assert done.path == "/assets?q=a"
    assert done.all(".notice.ok p") == ["3 assets moved to Attic."]
    assert locations(app, *numbers) == ["Attic"] * 3
    assert len(history(app)) == 3


def test_assets_at_the_destination_stay_unchanged_and_are_counted(app, steward, asset):
    numbers = [asset("Desk", location="Main"), asset("Chair", location="Attic")]
    dialog = steward.open(ticked(*numbers))
    sent = {**dialog.fields(), "asset": [str(number) for number in numbers]}
    for _ in range(2):
        done = steward.post("/assets/move", sent | {"destination": "attic"})
        assert done.all(".notice.ok p") == ["1 asset moved to attic; 1 was there already."]
    assert locations(app, *numbers) == ["attic", "Attic"]
    again = steward.open(ticked(*numbers))
    sent = {**again.fields(), "asset": [str(number) for number in numbers]}
    refused = steward.post("/assets/move", sent | {"destination": "Attic"})
    assert refused.status == 409
    assert refused.all("#destination-error")[0].startswith("All 2 assets are at ")
    assert [i["value"] for i in refused.html.select("input[name=asset]")] == [
        str(number) for number in sorted(numbers, reverse=True)
    ]
    assert len(history(app)) == 1


def test_all_that_match_are_moved_without_a_script(app, steward, assets):
    assets([AssetState(f"Chair {n:02d}", location="Main" if n else "Van") for n in range(76)])
    page = steward.open("/assets?location=main")
    assert page.all("#matching label") == ["All 75"]
    inputs = page.html.select("#matching input")
    assert {each["form"] for each in inputs} == {"ticked"}
    query = "&".join(f"{each['name']}={each['value']}" for each in inputs)
    link = page.html.find("a", string="Move all 75")
    dialog = steward.open(link["href"])
    assert dialog.all("main h1") == ["Move 75 assets"]
    assert steward.open(f"/assets/move?{query}").all("main h1") == ["Move 75 assets"]
    assert "Move all" not in steward.open("/assets").text
    numbers = [each["value"] for each in dialog.html.select("input[name=asset]")]
    sent = {**dialog.fields(), "asset": numbers, "destination": "Attic"}
    done = steward.post("/assets/move", sent)
    assert done.all(".notice.ok p") == ["75 assets moved to Attic."]
    undo = done.html.select_one(".notice.ok form")
    assert undo["action"].endswith("/undo-all")
    refused = steward.open(f"/assets/move?{query}")
    assert refused.all(".notice") == ["No assets match. Load the list again."]


def test_a_script_ticks_the_numbers_of_all_that_match(steward, assets):
    assets([AssetState(f"Chair {n}", location="Main" if n else "Van") for n in range(5)])
    page = steward.open("/assets?location=main")
    url = page.html.select_one("#matching input")["data-url"]
    assert sorted(steward.client.get(url).json["numbers"]) == [2, 3, 4, 5]


def test_200_are_moved_at_once_and_no_more(app, steward, assets):
    assets([AssetState(f"Chair {n}", location="Main") for n in range(201)])
    assert steward.open("/assets").html.select("#matching input") == []
    message = "At most 200 assets can be moved at once. Filter the list further."
    assert steward.open("/assets/move?all=1").all(".notice") == [message]
    numbers = [str(n) for n in range(1, 202)]
    page = steward.open(ticked(*numbers))
    assert page.path == "/assets"
    assert page.all(".notice") == ["At most 200 assets can be moved at once, and 201 are ticked."]
    dialog = steward.open(ticked(*numbers[:200]))
    assert "and 195 more" in dialog.text
    sent = {**dialog.fields(), "asset": numbers[:200], "destination": "Attic"}
    assert steward.post("/assets/move", sent).all(".notice.ok p") == ["200 assets moved to Attic."]
    assert len(set(locations(app, *range(1, 201)))) == 1


def test_without_a_selection_the_register_explains_what_to_do(steward, asset):
    asset("Desk")
    steward.open("/assets?q=desk")
    page = steward.open("/assets/move")
    assert (page.path, page.all(".notice")) == ("/assets", ["Tick the assets to move first."])


def test_a_missing_asset_does_not_prevent_the_move_of_the_others(app, steward, asset):
    asset("Desk", location="Main")
    page = steward.open("/assets/move?asset=1&asset=99")
    assert "1 ticked asset is no longer in the register." in page.text
    moved = steward.submit(page, destination="Attic")
    assert moved.all(".notice.ok p") == ["1 asset moved to Attic."]
    sent = {**page.fields(), "key": "other", "asset": [1, 99], "destination": "Hall"}
    message = "1 asset moved to Hall; 1 is no longer in the register."
    assert steward.post("/assets/move", sent).all(".notice.ok p") == [message]


def test_with_htmx_the_list_reloads_and_the_selection_is_cleared(steward, asset):
    numbers = [asset("Desk"), asset("Chair")]
    for path, message, events in (
        (f"/assets/{numbers[0]}/move", "Desk moved to Attic.", "assets-changed"),
        (ticked(numbers[1]), "1 asset moved to Attic.", "assets-changed, ticked-moved"),
    ):
        dialog = steward.fragment(path, "dialog")
        sent = {**dialog.fields("form"), "destination": "Attic"}
        reply = steward.post(path, sent, headers=HTMX)
        assert reply.all("[data-hx-swap-oob='innerHTML:#live']") == [f"{message} Undo"]
        assert reply.html.select("form[data-hx-post]")[0]["data-hx-target"] == "#live"
        assert reply.headers["HX-Trigger"] == events
