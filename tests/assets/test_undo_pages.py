"""The buttons that undo moves, without scripts and with htmx."""

from tests.assets.test_asset_forms import facts
from tests.assets.test_move_pages import HTMX, history, locations, ticked


def move_together(steward, *numbers, destination="Attic"):
    dialog = steward.open(ticked(*numbers))
    sent = {**dialog.fields(), "asset": [str(number) for number in numbers]}
    return steward.post("/assets/move", sent | {"destination": destination})


def test_the_message_undoes_the_move_of_one_asset(app, steward, asset):
    number = asset("Desk", location="Main")
    page = steward.open(f"/assets/{number}/move")
    done = steward.submit(page, destination="Attic")
    assert done.all(".notice.ok p") == ["Desk moved to Attic."]
    undone = steward.submit(done, ".notice.ok form")
    assert undone.all(".notice.ok p") == ["Undone: Desk is back at Main."]
    assert locations(app, number) == ["Main"]
    again = steward.submit(undone, ".notice.ok form")
    assert again.all(".notice.ok p") == ["Undone: Desk is back at Attic."]
    assert [row[3] for row in history(app)] == ["steward"] * 3


def test_the_message_undoes_moves_made_together_once(app, steward, asset):
    numbers = [asset(f"Chair {n}", location=f"Room {n}") for n in range(3)]
    done = move_together(steward, *numbers)
    form, sent = done.form(".notice.ok form"), done.fields(".notice.ok form")
    for _ in range(2):
        undone = steward.post(form["action"], sent)
        assert undone.all(".notice.ok p") == ["Undone: 3 assets are back where they were."]
    refused = steward.post(form["action"], sent | {"key": "another"})
    assert refused.alerts == ["Not undone. This has already been undone. Load the page again."]
    assert locations(app, *numbers) == ["Room 0", "Room 1", "Room 2"]
    assert len(history(app)) == 6


def test_the_row_of_one_of_several_moves_leads_to_the_undo_of_all(app, steward, asset):
    numbers = [asset(f"Chair {n}", location=f"Room {n}") for n in range(3)]
    move_together(steward, *numbers)
    history_page = steward.open("/assets/history?q=chair+2")
    one = steward.open(history_page.html.select_one(".acts a")["href"])
    assert one.all(".listed li") == ["Chair 2: Attic → Room 2"]
    steward.submit(one)
    history_page = steward.open("/assets/history?q=chair+1")
    rest = steward.open(history_page.html.select(".acts a")[-1]["href"])
    headers = {"Referer": f"http://localhost{rest.path}"}
    link = rest.html.find("a", string="Undo all 2")["href"]
    everything = steward.open(link, headers=headers)
    assert everything.fields()["back"] == "/assets/history"
    assert everything.all(".listed li") == ["Chair 0: Attic → Room 0", "Chair 1: Attic → Room 1"]
    steward.submit(everything)
    assert locations(app, *numbers) == ["Room 0", "Room 1", "Room 2"]


def test_an_asset_without_a_former_location_has_none_again(steward, asset):
    page = steward.open(f"/assets/{asset('Desk')}/move")
    undone = steward.submit(steward.submit(page, destination="Attic"), ".notice.ok form")
    assert undone.all(".notice.ok p") == ["Undone: Desk is back at no location."]


def test_a_move_is_undone_later_from_its_row_after_a_confirmation(app, steward, asset):
    number = asset("Desk", location="Main")
    steward.submit(steward.open(f"/assets/{number}/move"), destination="Attic")
    page = steward.open("/assets/history?q=desk")
    headers = {"Referer": f"http://localhost{page.path}"}
    question = steward.open(page.link("Undo the move of Desk"), headers=headers)
    assert question.all("main h1") == ["Undo this move?"]
    assert question.all(".listed li") == ["Desk: Attic → Main"]
    assert locations(app, number) == ["Attic"]
    done = steward.submit(question)
    assert done.path == page.path
    assert done.all(".notice.ok p") == ["Undone: Desk is back at Main."]
    assert [cells[-1] for cells in (row.select("td") for row in done.html.select("#rows tr"))]
    assert done.all("#rows .acts") == ["Undo", "Undone"]
    assert done.all("#rows .to") == ["Main Undo of move", "Attic"]


def test_a_move_is_undone_on_the_page_of_its_asset(steward, asset):
    number = asset("Desk", location="Main")
    steward.submit(steward.open(f"/assets/{number}/move"), destination="Attic")
    page = steward.open(f"/assets/{number}")
    headers = {"Referer": f"http://localhost{page.path}"}
    done = steward.submit(page, "main .acts form", headers=headers)
    assert done.path == f"/assets/{number}"
    assert facts(done)["Location"] == "Main"
    assert "Undone" in done.all("#rows .badge")


def test_the_question_about_moves_made_together_names_them(steward, asset):
    done = move_together(steward, *(asset(f"Chair {n:02d}", location="Main") for n in range(12)))
    question = steward.open(done.form(".notice.ok form")["action"])
    assert question.all("main h1") == ["Undo these 12 moves?"]
    listed = question.all(".listed li")
    assert (len(listed), listed[-1]) == (11, "and 2 more")


def test_with_htmx_the_message_replaces_the_last_one_and_the_list_reloads(steward, asset):
    numbers = [asset("Desk", location="Main"), asset("Chair", location="Main")]
    dialog = steward.fragment(ticked(*numbers), "dialog")
    sent = {**dialog.fields("form"), "asset": [str(n) for n in numbers], "destination": "Attic"}
    reply = steward.post("/assets/move", sent, headers=HTMX)
    form, fields = reply.form("form"), reply.fields("form")
    headers = {"HX-Request": "true", "HX-Target": "live"}
    undone = steward.post(form["action"], fields, headers=headers)
    assert undone.all(".message p") == ["Undone: 2 assets are back where they were."]
    assert undone.headers["HX-Trigger"] == "assets-changed"
    refused = steward.post(form["action"], fields | {"key": "another"}, headers=headers)
    assert refused.status == 409
    assert "This has already been undone. Load the page again." in refused.text


def test_a_missing_move_is_not_found(steward):
    for path in ("/assets/history/9/undo", "/assets/history/9/undo-all"):
        page = steward.open(path)
        assert (page.status, page.alerts) == (404, ["There is no such move."])
