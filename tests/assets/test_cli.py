"""`flask assets` imports and exports the register, whole or not at all."""

from datetime import date, timedelta
from uuid import UUID

import pytest

from app import dates
from app.assets.queries import register
from app.assets.rules import AssetState
from app.assets.schemas.register import MOVE_LIST
from tests import factories, listing
from tests.assets import generated

HEADER = (
    "id,item,make,model,serial,supplier,location,purchaseDate,purchasePrice,category,status,"
    "quantity"
)
ODD = AssetState(
    id="=A/1, b",
    item='Desk "Big", white',
    make="'Ikea",
    model="+44",
    serial="-7",
    supplier="@home & Co",
    location="Café; room 1",
    purchase_date=date(2024, 2, 29),
    purchase_price=123_450,
    category="Ｗide",
    status="In use",
    quantity=1_000,
)


@pytest.fixture
def flask(app):
    runner = app.test_cli_runner()

    def run(*arguments):
        result = runner.invoke(args=["assets", *arguments])
        return result.exit_code, result.stdout, result.stderr

    return run


@pytest.fixture
def load(flask, tmp_path):
    """Import a file; returns the exit code and the output."""

    def load(content, *options):
        file = tmp_path / "assets.csv"
        file.write_bytes(content.encode())
        code, output, problems = flask("import", str(file), *options)
        return code, output or problems

    return load


@pytest.fixture
def listed(app):
    def listed():
        with app.app_context():
            return [register.state_of(row) for row in register.stream_register()]

    return listed


def moved(app):
    with app.app_context():
        rows = listing.listed(MOVE_LIST).rows
        return [(row.asset_id, row.start_position, row.end_position, row.who) for row in rows]


def test_a_file_sets_what_it_lists_and_leaves_others_alone(app, load, listed, asset):
    asset("Lamp", id="L1", make="Fiat")
    asset("Desk", id="D1", make="Ikea", location="Room 1", quantity=3)
    code, output = load(
        f"{HEADER}\n"
        'd1,Big desk,,,,,Room 2,2024-03-01,"£1,234.50",,,2\n'
        "N1,Chair,,,,,,,,,,\n"
        ",Van,,,,,Yard,,0.07,,,\n"
    )
    assert (code, output) == (0, "assets.csv: 2 added, 1 changed, 0 unchanged. 1 got an ID.\n")
    desk, lamp, chair = (row for row in listed() if row.item != "Van")
    bought = {"purchase_date": date(2024, 3, 1), "purchase_price": 123_450}
    assert desk == AssetState("Big desk", "D1", location="Room 2", quantity=2, **bought)
    assert (lamp.make, chair) == ("Fiat", AssetState("Chair", "N1"))
    (van,) = (row for row in listed() if row.item == "Van")
    assert (UUID(van.id).version, van.purchase_price, van.quantity) == (4, 7, 1)
    assert moved(app) == [("D1", "Room 1", "Room 2", "")]


def test_columns_that_a_file_lacks_stay_as_they_are(load, listed, asset):
    asset("Desk", id="D1", make="Ikea", location="Room 1", purchase_price=500, quantity=4)
    assert load("item,id\nBig desk,D1\n")[0] == 0
    assert listed() == [
        AssetState("Big desk", "D1", make="Ikea", location="Room 1", purchase_price=500, quantity=4)
    ]


def test_importing_an_export_changes_nothing(app, in_app, flask, load, listed, tmp_path):
    states = [ODD, AssetState("Lamp", "Z 1"), AssetState("=1+1", purchase_price=999_999_999)]
    in_app(factories.assets, states)
    before = listed()
    file = tmp_path / "out.csv"
    assert flask("export", "--output", str(file))[0] == 0
    text = file.read_bytes().decode()
    assert text.splitlines()[0] == HEADER
    for cell in ('"\'=A/1, b"', '"Desk ""Big"", white"', "''Ikea", "'+44", "'-7", "'@home & Co"):
        assert cell in text
    assert (",2024-02-29,1234.50,Ｗide,In use,1000\r\n") in text
    assert load(text) == (0, "assets.csv: 0 added, 0 changed, 3 unchanged.\n")
    assert (listed(), moved(app)) == (before, [])
    code, output, _ = flask("export")
    assert (code, output) == (0, text.replace("\r\n", "\n"))


def test_a_line_break_in_a_cell_is_refused_with_the_row_where_it_begins(load, listed):
    code, output = load('item,status\n"Desk\nwhite",\nLamp,"In\r\nuse"\nVan,' + "x" * 41)
    assert code == 1
    for position in ("row 2, item: ", "row 4, status: ", "row 6, status: "):
        assert f"assets.csv: {position}" in output
    assert listed() == []


def test_a_dry_run_reports_the_changes_and_makes_none(app, load, listed, asset):
    asset("Desk", id="D1", location="Room 1")
    before = listed()
    done = "1 added, 1 changed, 0 unchanged. 1 got an ID. Dry run: nothing was written."
    loaded = load("id,item,location\nD1,Desk,Room 2\n,Lamp,\n", "--dry-run")
    assert loaded == (0, f"assets.csv: {done}\n")
    assert (listed(), moved(app)) == (before, [])


def test_every_error_names_file_row_and_column_and_nothing_is_imported(load, listed):
    tomorrow = dates.today() + timedelta(days=1)
    wrong = [
        ("item\n \n", "row 2, item: Item name is required"),
        ("id,item\na 1,X\nB,Y\nA  1,Z\n", 'row 4, id: "A  1" is already in row 2'),
        ("id,item\n" + "x" * 65 + ",Desk", "row 2, id: ID must be at most 64 characters"),
        ("item,make\nDesk," + "x" * 81, "row 2, make: Make must be at most 80 characters"),
        ("item,status\nDesk,=1+1", 'row 2, status: "=1+1" starts like a formula'),
        ("item,quantity\nDesk,0", "row 2, quantity: Quantity must be 1 to 999,999,999"),
        ("item,quantity\nDesk,2.5", 'row 2, quantity: "2.5" is not a whole number'),
        ("item,purchasePrice\nDesk,free", 'row 2, purchasePrice: "free" is not a price'),
        ("item,purchasePrice\nDesk,-1", "row 2, purchasePrice: Price must be 0 or more"),
        ("item,purchaseDate\nDesk,soon", 'row 2, purchaseDate: "soon" is not a date'),
        (
            f"item,purchaseDate\nDesk,{tomorrow}",
            "row 2, purchaseDate: Date can't be in the future.",
        ),
        ("make\nFord\n", "row 1: item is missing"),
        ("item,colour\nDesk,red\n", 'row 1: "colour" is unknown'),
        ("item,make\nDesk\n", "row 2: 1 columns, the header has 2"),
        ("", "it is empty"),
    ]
    for content, message in wrong:
        code, output = load(content)
        assert code == 1
        assert "Nothing was imported." in output
        assert f"assets.csv: {message}" in output
    # A valid row beside invalid ones isn't imported either.
    _, output = load("id,item,quantity\nG1,Good,1\n,,0\nW1,Wrong,many\n")
    for position in ("row 3, item", "row 3, quantity", "row 4, quantity"):
        assert position in output
    assert listed() == []


def test_an_empty_cell_or_a_dash_alone_empties_its_field(app, load, listed, asset):
    texts = {"make": "Ikea", "supplier": "Oak", "status": "Old"}
    asset("Desk", id="D1", location="Room 1", purchase_price=5, quantity=3, **texts)
    load("id,item,location,purchasePrice,quantity,status,make,supplier\nD1,Desk,—,,,,'-,–\n")
    assert listed() == [AssetState("Desk", "D1")]
    assert moved(app) == [("D1", "Room 1", "", "")]


def test_the_screens_export_fills_an_empty_register_with_the_same(load, listed, call, assets):
    with_text = ["0012", "2024-01-01", "1e3", "TRUE", "NULL", "ß"]
    states = [ODD, AssetState("'=x", "'q"), AssetState(*with_text), *generated.states(1_100)]
    assets(states)
    text = call("GET", "/assets/export").get_data(as_text=True)
    before, tag = listed(), call("GET", "/api/assets").headers["ETag"]
    assert call("POST", "/api/assets", [], If_Match=tag).json["removed"] == len(states)
    assert load(text) == (0, "assets.csv: 1103 added, 0 changed, 0 unchanged.\n")
    assert listed() == before
