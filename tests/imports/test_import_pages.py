"""A list is imported on screen: a file, its columns, a look, mended cells, applied, taken back."""

import csv
import io
from datetime import timedelta

import pytest
from sqlalchemy import event, update

from app import dates
from app.assets.queries.register import get_asset_by_id
from app.assets.services.register import edit_asset
from app.db import db, transaction
from app.divisions import Division, Role
from app.imports.models import ImportDraft, ListImport
from tests import factories

MESSY = """Our register
Asset Tag;Name;Room;Bought;Price;Serial;Colour
A-1;Office chair;Room 1;13/02/26;1.089,50;SN-1;red
A-2;Desk;Room 2;32/02/26;200,00;SN-2;
A-3;;Room 2;03/02/26;N/A;SN-3;
;Lamp;Room 2;;10,00;SN-9;

Total;;;;1.299,50;;
"""
COLUMNS = {"Asset Tag": "id", "Name": "item", "Room": "location", "Bought": "purchaseDate"}
COLUMNS |= {"Price": "purchasePrice"}


@pytest.fixture
def steward(signed_in):
    return signed_in("steward", Division.ASSETS, division=Division.ASSETS)


def bring(person, text, target="assets", name="list.csv"):
    page = person.open(f"/import/{target}")
    data = text.encode() if isinstance(text, str) else text
    return person.post(page.path, {**page.fields(), "file": (io.BytesIO(data), name)})


def value_of(select):
    selected = select.select_one("[selected]")
    return selected["value"] if selected else ""


def choose(person, page, columns=COLUMNS, **typed):
    """Send the choices of a page of columns: `columns` by their names in the file."""
    form = page.form()
    names = [each["value"] for each in form.select("[name=name]")]
    chosen = [value_of(each) for each in form.select("[name=column]")]
    ours = [columns.get(name, now) for name, now in zip(names, chosen, strict=True)]
    others = {each["name"]: value_of(each) for each in form.select("select[id]")}
    sent = page.fields() | others | {"name": names, "column": ours} | typed
    return person.post(page.path, sent)


def look_at(person, text, target="assets", **columns):
    return choose(person, bring(person, text, target), columns)


def registered(person, of="id,item,location,purchaseDate,purchasePrice"):
    lines = csv.DictReader(person.client.get("/assets/export").text.splitlines())
    rows = [tuple(line[name] for name in of.split(",")) for line in lines]
    return sorted(rows, key=lambda row: row[0].upper())


def test_a_messy_file_is_matched_mended_applied_taken_back_and_applied_again(steward, in_app):
    in_app(factories.asset, "Chair", id="a-1", quantity=2, serial="SN-1")
    in_app(factories.asset, "Old lamp", id="L-1", serial="sn 9")
    page = bring(steward, MESSY)
    assert "Read 6 rows of list.csv." in page.text
    assert choose(steward, page, {"Name": ""}).errors == ["Choose which column is Item."]
    page = choose(steward, page)
    assert "0 added, 1 changed, 0 unchanged, 3 refused" in page.text
    assert (
        "Left out as sums: row 8. 3/2/2026 is 3 February. Numbers are like 1.234,50." in page.text
    )
    assert "Item Chair → Office chair" in page.text
    assert "Purchase Price 0.00 → 1089.50" in page.text
    assert page.errors == ['"32/02/26" is not a date like 2011-12-09', "Item name is required"]
    assert "Is it Old lamp · L-1?" in page.text
    refused = steward.submit(page, "[formaction]")
    assert (refused.status, len(registered(steward))) == (422, 2)
    assert "3 rows are refused. Mend or leave out the refused rows." in refused.text

    mends = {"cell-4-purchaseDate": "12/02/26", "cell-5-item": "=Bin", "similar-6": "same"}
    page = steward.submit(page, **mends)
    assert "Saved 3 changes." in page.text
    assert "2 added, 2 changed, 0 unchanged, 0 refused" in page.text
    page = steward.submit(page, "[formaction]")
    assert "Imported list.csv: 2 added, 2 changed, 0 unchanged." in page.text
    applied = [
        ("a-1", "Office chair", "Room 1", "2026-02-13", "1089.50"),
        ("A-2", "Desk", "Room 2", "2026-02-12", "200.00"),
        ("A-3", "'=Bin", "Room 2", "2026-02-03", "0.00"),
        ("L-1", "Lamp", "Room 2", "", "10.00"),
    ]
    assert registered(steward) == applied
    assert not steward.open(page.link("Look again")).html.select("[formaction]")

    page = steward.submit(steward.open(page.link("Undo")))
    assert "Undone: list.csv, 4 rows set back." in page.text
    assert registered(steward, "id,item,location,serial,quantity") == [
        ("a-1", "Chair", "", "SN-1", "2"),
        ("L-1", "Old lamp", "", "sn 9", "1"),
    ]
    page = steward.submit(steward.open(page.link("Look again")), "[formaction]")
    assert "Imported list.csv: 2 added, 2 changed" in page.text
    assert registered(steward) == applied
    # The columns are kept for the next file with this header.
    page = choose(steward, bring(steward, MESSY), {})
    assert "1 unchanged, 3 refused" in page.text


def test_refused_rows_can_be_left_out_and_come_as_a_file_with_the_reasons(steward):
    text = 'id,item,quantity\nA-1,Desk,1\nA-2,Chair,-5\nA-3,"=1+1",2\nA-1,Sofa,1\n'
    page = look_at(steward, text)
    file = steward.client.get(page.link("Refused rows as a file")).text.splitlines()
    assert file[0] == "id,item,quantity,why"
    assert file[1].startswith('A-2,Chair,-5,"quantity: ')
    assert file[2].startswith("A-3,'=1+1,2,")
    assert file[3] == 'A-1,Sofa,1,"id: ""A-1"" is already in row 2"'
    done = steward.submit(page, "[formaction]", leaves_out="y")
    assert "1 added, 0 changed, 0 unchanged, 3 refused and left out" in done.text
    assert [row[1] for row in registered(steward)] == ["Desk"]


def test_what_changed_since_the_look_is_shown_first_and_nothing_is_applied(steward, in_app):
    numbers = [in_app(factories.asset, f"Desk {n}", id=f"A-{n}") for n in range(3)]
    page = look_at(steward, "id,item\nA-0,Table 0\nA-1,Table 1\nA-2,Table 2\n")

    def edit():
        asset = get_asset_by_id("A-2")
        with transaction():
            values = factories.AssetState("Shelf", "A-2")
            edit_asset(numbers[2], values, revision=asset.revision, by=None)

    in_app(edit)
    late = steward.submit(page, "[formaction]")
    assert late.status == 409
    assert "The list has changed since you looked. Nothing was applied" in late.text
    assert late.all(".about")[0] == "Row 4 Table 2 · A-2 changed changed since you looked"
    assert [row[1] for row in registered(steward)] == ["Desk 0", "Desk 1", "Shelf"]
    # An older page can't apply what it doesn't show.
    assert steward.submit(page, "[formaction]").status == 409
    assert "3 changed" in steward.submit(late, "[formaction]").text


def test_an_import_is_applied_once_by_its_key_and_undone_once(steward, in_app):
    page = look_at(steward, "item\nDesk\n")
    for _ in range(2):
        assert "Imported list.csv: 1 added" in steward.submit(page, "[formaction]").text
    assert len(registered(steward)) == 1
    undo = steward.open("/imports/1/undo")
    assert "Undone" in steward.submit(undo).text
    assert registered(steward) == []
    again = steward.submit(steward.open("/imports/1/undo"))
    assert (again.status, registered(steward)) == (409, [])


def test_an_undo_is_refused_where_a_row_has_changed_since(steward, in_app):
    in_app(factories.asset, "Desk", id="A-1")
    steward.submit(look_at(steward, "id,item\nA-1,Table\nA-2,Sofa\n"), "[formaction]")
    number = in_app(lambda: get_asset_by_id("A-2").id)
    page = steward.open(f"/assets/{number}/edit")
    steward.submit(page, item="Couch")
    refused = steward.submit(steward.open("/imports/1/undo"))
    assert refused.errors == ["Changed since: Sofa · A-2. Nothing was undone."]
    assert [row[1] for row in registered(steward)] == ["Table", "Couch"]


def test_workers_look_managers_apply_and_others_see_nothing(signed_in):
    roles = {"worker": Role.WORKER, "boss": Role.MANAGER, "viewer": Role.VIEWER}
    people = {
        name: signed_in(name, Division.ASSETS, division=Division.ASSETS, roles=[role])
        for name, role in {**roles, "colleague": Role.WORKER}.items()
    }
    page = look_at(people["worker"], "item\nDesk\n")
    assert "Ask a manager to apply it: this page's address works for them" in page.text
    apply = page.path.replace("/look", "/apply")
    sent = {**people["worker"].open("/import/assets").fields(), "revision": "1"}
    assert people["worker"].post(apply, sent).status == 403
    assert people["colleague"].open(page.path).status == 404
    for path in ("/import/assets", page.path, "/imports/1/undo"):
        assert people["viewer"].open(path).status in (403, 404), path
    trader = signed_in("trader", Division.GPM, division=Division.GPM)
    assert trader.open("/import/assets").status == 403
    assert trader.open(page.path).status == 403
    assert "1 added" in people["boss"].submit(people["boss"].open(page.path), "[formaction]").text
    assert people["worker"].open("/imports/1/undo").status == 403
    assert "list.csv" not in trader.open("/imports").text


BIG = "item\n" + "D\n" * 50_001
REFUSED = [
    (BIG, "It has 50,001 rows; at most 50,000. Split it."),
    (",".join(["item"] * 500) + "\n", "It has 500 columns; at most 200. Leave some out."),
    (f"item\n{'x' * 40_000}\n", "It has 40,000 characters in a cell of row 2; at most 32,767."),
    ("", "It is empty. Choose a file with a header and rows."),
    ('id,item\nA,"Desk\n', "Row 2 isn't complete. Save the file again."),
    ("item\nDe\0sk\n", "Row 2 holds a character that can't be stored (U+0000)."),
    (b"%PDF-1.4", "This isn't a table. Choose a CSV file or a spreadsheet."),
    (b"PK\x03\x04 not a workbook", "This isn't a table."),
]


def test_a_file_that_is_no_table_or_too_large_is_refused_with_what_to_do(steward):
    for text, message in REFUSED:
        page = bring(steward, text)
        assert (page.status, page.path) == (422, "/import/assets"), message
        assert message in page.errors[0]
    assert "Choose a file, or paste cells." in steward.submit(steward.open("/import/assets")).text
    assert steward.open("/import/nothing").status == 404


def test_it_is_asked_how_a_file_is_read_where_that_is_unclear(steward):
    text = "\nNotes\nName|Item name|Bought\nDesk|Table|13/02/26\nSofa||02/13/26\n"
    page = choose(steward, bring(steward, text), header="3")
    refused = choose(steward, page, {"Name": "item", "Item name": "item", "Bought": "purchaseDate"})
    assert refused.errors == ['"Item name" is a second column for Item. Leave one out.']
    refused = choose(steward, page, {"Name": "item", "Item name": "", "Bought": "purchaseDate"})
    assert refused.errors == [
        "13/02/26 and 02/13/26 can't both be right. Choose the order of days."
    ]
    page = choose(steward, refused, days="day")
    assert page.errors == ['"02/13/26" is not a date like 2011-12-09']
    page = choose(steward, steward.open(page.path.replace("look", "columns")), header="5")
    assert "Row 5 has the names of the columns" in page.text
    page = choose(steward, page, separator=",")
    assert page.path == "/import/assets/1/columns"
    assert "Row 99 is empty" in choose(steward, page, header="99").text


def test_an_export_changes_nothing_and_pasted_cells_are_read(steward, in_app):
    names = ['\'Quoted, "name"', "=SUM(A1)", "émile 🙂 100%_", "-5"]
    for number, name in enumerate(names):
        in_app(factories.asset, name, id=f"A-{number}", purchase_price=number)
    page = look_at(steward, steward.client.get("/assets/export").text)
    assert "0 added, 0 changed, 4 unchanged, 0 refused" in page.text
    assert not page.html.select("[formaction]")
    cells = {"cells": "Item\tQuantity\nRed <b>desk</b>\t1,204\n"}
    page = choose(steward, steward.submit(steward.open("/import/assets"), **cells), {})
    assert "Red <b>desk</b>" in page.text
    assert "1,204 units, worth £0.00." in page.text


def test_rows_that_only_the_service_refuses_are_found_at_the_look(signed_in, in_app):
    boss = signed_in("boss", Division.FLEET, division=Division.FLEET)
    in_app(factories.vehicle, "LK19 VTE")
    for target in ("readings", "due"):
        moved = boss.client.get(f"/fleet/{target}/import")
        assert (moved.status_code, moved.location) == (308, f"/import/{target}")
    text = "reg,day,miles\nLK19VTE,2026-01-15,100\nKN24 OLD,2026-01-16,200\n"
    page = look_at(boss, text, "readings")
    assert "1 added, 0 changed, 0 unchanged, 1 refused" in page.text
    assert "KN24 OLD" in page.errors[0]
    assert "A reading can be voided in the list." in page.text
    done = boss.submit(page, "[formaction]", leaves_out="y")
    assert "Imported list.csv: 1 added" in done.text
    assert not [link for link in done.html.select("main a") if link.text == "Undo"]
    day = (dates.today() + timedelta(days=9)).isoformat()
    page = look_at(boss, f"reg,kind,due_on\nlk19 vte,mot,{day}\n", "due")
    assert "1 added" in boss.submit(page, "[formaction]").text
    exported = boss.client.get("/fleet/due.csv").text
    assert "0 added, 0 changed, 1 unchanged" in look_at(boss, exported, "due").text


def test_five_files_of_a_person_wait_for_a_day(steward, in_app):
    for number in range(7):
        bring(steward, f"item\nDesk {number}\n")
    paths = [f"/import/assets/{number}/columns" for number in range(1, 8)]
    assert [steward.open(path).status for path in paths] == [404, 404, 200, 200, 200, 200, 200]

    def wait():
        with transaction():
            ago = dates.utc_now() - timedelta(hours=25)
            db.session.execute(update(ImportDraft).values(made_at=ago))

    in_app(wait)
    assert "a file waits 24 hours" in steward.open(paths[-1]).text
    bring(steward, "item\nDesk\n")
    assert in_app(lambda: db.session.query(ImportDraft).count()) == 1
    assert in_app(lambda: db.session.query(ListImport).count()) == 0


def test_teams_and_levels_are_imported(signed_in, in_app):
    trader = signed_in("trader", Division.GPM, division=Division.GPM)
    in_app(factories.team, "Kitchen")
    page = look_at(trader, "Team\nkitchen\nKit-chen\nBar\n", "teams", Team="name")
    assert "1 added, 0 changed, 1 unchanged, 1 refused" in page.text
    page = trader.submit(page, **{"similar-3": "another"})
    assert "2 added, 0 changed, 1 unchanged, 0 refused" in page.text
    page = trader.submit(page, "[formaction]")
    assert "Kit-chen" in trader.open("/teams").text
    trader.submit(trader.open(page.link("Undo")))
    assert "Kit-chen" not in trader.open("/teams").text


def test_a_page_of_a_look_costs_the_same_however_long_the_file_is(app, steward):
    statements = []

    def opened(path):
        statements.clear()
        return len(steward.client.get(path).data), len(statements)

    with app.app_context():
        event.listen(db.engine, "before_cursor_execute", lambda *given: statements.append(given[2]))
    costs = []
    for rows in (50, 3_000):
        page = look_at(steward, "item\n" + "Desk\n" * rows)
        costs.append(opened(page.path))
    (small, few), (large, many) = costs
    assert few == many <= 12
    assert large < small + 500 < 40_000
