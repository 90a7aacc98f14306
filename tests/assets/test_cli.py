"""`flask assets`: the register in and out, whole or not at all."""

import csv
from datetime import date

import pytest

from app.assets.queries import moves, register
from app.assets.queries.moves import MoveFilter
from app.assets.rules.assets import AssetState
from tests.assets import generated

HEADER = (
    "id,item,make,model,serial,supplier,location,"
    "purchaseDate,purchasePrice,category,status,quantity"
)

ODD = [
    AssetState("=1+1", id="+44/7", make='Say "hi", Ltd', model="-5", location="@home"),
    AssetState("'Quoted", id="'q", serial="it''s", supplier="'", status="'=x"),
    AssetState("Café №½ ×²", id="ß", location="Straße  4", category="–", quantity=999_999_999),
    AssetState("Cheap", id="c1", purchase_price=1, purchase_date=date(2000, 1, 1)),
    AssetState("Dear", id="c2", purchase_price=999_999_999, purchase_date=date(2024, 2, 29)),
    AssetState("0012", id="007", make="1e3", model="2024-01-01", serial="TRUE", location="NULL"),
]
"""What a spreadsheet, a CSV file or a database might take for something else."""


@pytest.fixture
def flask(app):
    runner = app.test_cli_runner()

    def run(*arguments):
        result = runner.invoke(args=["assets", *arguments])
        # How far an import is goes to standard error.
        return result.exit_code, result.output if result.exit_code else result.stdout

    return run


@pytest.fixture
def load(flask, tmp_path):
    def load(content, *options):
        file = tmp_path / "register.csv"
        file.write_bytes(content.encode())
        return flask("import", str(file), *options)

    return load


@pytest.fixture
def listed(app):
    def listed():
        with app.app_context():
            return [register.state_of(row) for row in register.all_assets()]

    return listed


@pytest.fixture
def history(app):
    def history():
        with app.app_context():
            page = moves.move_page(MoveFilter())
            return [(m.asset_id, m.start_position, m.end_position, m.who) for m in page.rows]

    return history


def test_a_file_sets_what_it_lists_and_leaves_others_alone(load, listed, history, asset):
    asset("Lamp", id="L1", location="Attic")
    asset("Desk", id="D 1", location="Main", purchase_price=5)
    asset("Chair", id="C1", location="Main")
    code, said = load(
        f"{HEADER}\n"
        "d  1,Table,Ikea,Lack,S1,Glass & Co,Yard,2024-03-01,899.5,Furniture,In use,2\n"
        "C1,Chair,,,,,main,,,,,\n"
        'N1,"Rope, long",,,,,Yard,,,,,\n'
    )
    assert (code, said) == (0, "register.csv: 1 added, 2 changed, 0 unchanged.\n")
    bought = {"purchase_date": date(2024, 3, 1), "purchase_price": 899_50}
    said_of_it = {"make": "Ikea", "model": "Lack", "serial": "S1", "supplier": "Glass & Co"}
    kinds = {"category": "Furniture", "status": "In use", "quantity": 2}
    assert listed() == [
        AssetState("Chair", id="C1", location="main"),
        AssetState("Table", id="D 1", location="Yard", **said_of_it, **bought, **kinds),
        AssetState("Lamp", id="L1", location="Attic"),
        AssetState("Rope, long", id="N1", location="Yard"),
    ]
    assert history() == [("D 1", "Main", "Yard", "")]


def test_columns_that_a_file_lacks_stay_as_they_are(load, listed, history, asset):
    kept = AssetState("Desk", id="D1", location="Main", purchase_price=5, quantity=3, status="Old")
    asset(**vars(kept))
    assert load("make,item,id\nIkea,Desk,D1\n") == (
        0,
        "register.csv: 0 added, 1 changed, 0 unchanged.\n",
    )
    assert listed() == [AssetState(**{**vars(kept), "make": "Ikea"})]
    assert history() == []


def test_an_empty_cell_empties_what_its_column_tells(load, listed, history, asset):
    asset("Desk", id="D1", location="Main", purchase_price=5, quantity=3, status="Old")
    load("id,item,location,purchasePrice,quantity,status\nD1,Desk,,,,\n")
    assert listed() == [AssetState("Desk", id="D1")]
    assert history() == [("D1", "Main", "", "")]


@pytest.mark.parametrize("content", ["item\nDesk\nDesk\n", "id,item\n,Desk\n ,Desk\n"])
def test_assets_without_an_id_are_new_and_get_one(load, listed, content):
    said = "register.csv: 2 added, 0 changed, 0 unchanged. 2 got an ID.\n"
    assert load(content) == (0, said)
    assert load(content)[0] == 0
    ids = [state.id for state in listed()]
    assert len(set(ids)) == 4
    assert all(ids)


@pytest.mark.parametrize("wanted", [ODD, generated.states(1200)], ids=["odd", "many"])
def test_an_export_comes_in_again_and_changes_nothing(
    flask, load, listed, history, assets, tmp_path, wanted
):
    assets(wanted)
    before = listed()
    file = tmp_path / "out.csv"
    assert flask("export", "--output", str(file)) == (0, "")
    text = file.read_bytes().decode()
    assert text.splitlines()[0] == HEADER
    said = f"register.csv: 0 added, 0 changed, {len(wanted)} unchanged.\n"
    assert load(text) == (0, said)
    assert (listed(), history()) == (before, [])
    assert flask("export")[1] == text.replace("\r\n", "\n")


def test_an_export_fills_an_empty_register_with_the_same_assets(load, listed, call, assets):
    assets(ODD)
    text = call("GET", "/assets/export").get_data(as_text=True)
    before, tag = listed(), call("GET", "/api/assets").headers["ETag"]
    assert call("POST", "/api/assets", [], If_Match=tag).json["removed"] == len(ODD)
    assert load(text) == (0, f"register.csv: {len(ODD)} added, 0 changed, 0 unchanged.\n")
    assert listed() == before


def test_what_a_spreadsheet_would_calculate_has_a_quote_before_it(flask, assets):
    assets(ODD[:2])
    rows = list(csv.DictReader(flask("export")[1].splitlines()))
    assert [(row["id"], row["item"], row["model"], row["location"]) for row in rows] == [
        ("''q", "''Quoted", "", ""),
        ("'+44/7", "'=1+1", "'-5", "'@home"),
    ]


def test_a_dry_run_says_what_would_change_and_changes_nothing(load, listed, history, asset):
    asset("Desk", id="D1", location="Main")
    before = listed()
    said = (
        "register.csv: 1 added, 1 changed, 0 unchanged. 1 got an ID. Dry run: nothing was written."
    )
    assert load("id,item,location\nD1,Desk,Yard\n,Rope,\n", "--dry-run") == (0, f"{said}\n")
    assert (listed(), history()) == (before, [])


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("item\n \n", "row 2, item: Item name is required"),
        ("item,make\nDesk\n", "row 2: 1 columns, the header has 2"),
        ("id,item\nA1,Desk\nB1,Desk\na  1,Desk\nA 1,Desk", 'row 5, id: "A 1" stands in row 4'),
        (f"id,item\n{'x' * 65},Desk", "row 2, id: ID must be at most 64 characters"),
        (f"item\n{'x' * 121}", "row 2, item: Item must be at most 120 characters"),
        ("item,location\nDesk,=1+1", 'row 2, location: "=1+1" starts like a formula'),
        ('item,make\n"Desk\nbig",x\n', "row 2, item: Item holds a character that can't be seen"),
        ('item,quantity\n"a\nb",1\nDesk,x', 'row 4, quantity: "x" is not a whole number'),
        ("item,quantity\nDesk,0", "row 2, quantity: Quantity must be 1 to 999,999,999"),
        ("item,quantity\nDesk,1.5", 'row 2, quantity: "1.5" is not a whole number'),
        ("item,purchasePrice\nDesk,-1", "row 2, purchasePrice: Price must be 0 or more"),
        ("item,purchasePrice\nDesk,dear", 'row 2, purchasePrice: "dear" is not a price'),
        ("item,purchaseDate\nDesk,soon", 'row 2, purchaseDate: "soon" is not a date'),
        ("item,purchaseDate\nDesk,2023-02-29", 'row 2, purchaseDate: "2023-02-29" is not a date'),
        (
            "item,purchaseDate\nDesk,1999-12-31",
            "row 2, purchaseDate: Date can't be before 1 Jan 2000",
        ),
        ("item,purchaseDate\nDesk,2999-01-01", "row 2, purchaseDate: Date can't be in the future."),
        ("id,make\nA1,Ikea\n", "row 1: item is missing"),
        ("item,colour\nDesk,red\n", 'row 1: "colour" is unknown'),
        ("item,item\nDesk,Desk\n", "row 1: item stands twice"),
        ("item;make\nDesk;Ikea\n", "row 1: it is separated by semicolons"),
        ("", "it is empty"),
    ],
)
def test_every_error_is_named_by_file_row_and_column_and_nothing_comes_in(
    load, listed, content, said
):
    code, output = load(content)
    assert code == 1
    assert "Nothing was imported." in output
    assert f"register.csv: {said}" in output
    assert listed() == []


def test_all_that_is_wrong_is_named_at_once_and_a_good_row_stays_out(load, listed):
    code, said = load("item,quantity,purchaseDate\nDesk,1,\n,x,\nRope,1,soon\n")
    assert code == 1
    places = [line.split(": ")[1] for line in said.splitlines() if "register.csv" in line]
    assert places == ["row 3, item", "row 3, quantity", "row 4, purchaseDate"]
    assert listed() == []
