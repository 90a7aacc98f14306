"""`flask stock` and `flask ledger`: imports, all or nothing, exports and the ledger check."""

from pathlib import Path

import pytest
from sqlalchemy import text

from app.db import db
from app.demo.cli import DATA
from app.divisions import SITES
from app.stock.queries import levels
from tests.factories import MAIN

HEADER = "item,amount,category,unitPrice\n"


@pytest.fixture
def load(flask, tmp_path):
    def load(content, *options, division="gfm", site="main"):
        file = tmp_path / "list.csv"
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return flask("stock", "import", str(file), "--division", division, "--site", site, *options)

    return load


def export(flask, tmp_path, site="main", name="export.csv"):
    file = tmp_path / name
    options = ("--division", "gfm", "--site", site, "--output", str(file))
    assert flask("stock", "export", *options) == (0, "")
    return file


@pytest.fixture
def listed(app):
    def listed():
        with app.app_context():
            return [tuple(row)[1:] for row in levels.all_stock(MAIN)]

    return listed


@pytest.mark.parametrize(("site", "rows"), [("main", 3030), ("guildford", 995), ("northern", 690)])
def test_a_real_list_is_imported_and_importing_its_export_changes_nothing(
    flask, tmp_path, site, rows
):
    original = DATA / f"gfm-{site}-stock.csv"
    arguments = ("--division", "gfm", "--site", site)
    code, output = flask("stock", "import", str(original), *arguments)
    assert (code, f"{rows} added, 0 changed, 0 unchanged." in output) == (0, True), output
    for file in (export(flask, tmp_path, site), original):
        code, output = flask("stock", "import", str(file), *arguments)
        assert f"0 added, 0 changed, {rows} unchanged." in output
    code, output = flask("ledger", "verify")
    assert (code, output) == (0, f"The books are right: {rows} items, {rows} ledger entries.\n")


def test_an_import_sets_what_it_lists_and_leaves_others_alone(load, listed, stocks):
    stocks([("Listed", 5), ("Other", 7)], unit="box")
    code, output = load(HEADER + "LISTED ,8,Tin,1.5\nNew,1,,\n")
    assert (code, "list.csv: 1 added, 1 changed, 0 unchanged." in output) == (0, True)
    assert listed() == [
        ("Listed", 8, "Tin", 150, "box"),
        ("New", 1, "", 0, "pcs"),
        ("Other", 7, "", 250, "box"),
    ]


def test_a_dry_run_prints_what_would_change_and_changes_nothing(load, listed):
    code, output = load(HEADER + "New,1,,2\n", "--dry-run")
    assert code == 0
    assert "1 added, 0 changed, 0 unchanged. Dry run: nothing was written." in output
    assert listed() == []


def test_an_import_is_in_the_ledger_with_the_files_name(app, load):
    load(HEADER + "New,3,,2\n")
    with app.app_context():
        entries = db.session.execute(text("SELECT kind, delta, reason FROM ledger_entry")).all()
    assert entries == [("addition", 3, "Import of list.csv")]


BAD_ROWS = [
    ("A,x,,1", 'row 2, amount: "x" is not a whole number'),
    ("A,-1,,1", "row 2, amount: Amount must be 0 or more"),
    ("A,1000000000,,1", "row 2, amount: Amount must be at most 999,999,999"),
    ("A,,,1", 'row 2, amount: "" is not a whole number'),
    ("A,1,,x", 'row 2, unitPrice: "x" is not a price in pounds'),
    ("A,1,,-1", "row 2, unitPrice: Price must be 0 or more"),
    (" ,1,,1", "row 2, item: Item name is required"),
    ("=1+1,1,,1", 'row 2, item: "=1+1" starts like a formula'),
    ("A,=1+1,,1", 'row 2, amount: "=1+1" is not a whole number'),
    ("A,1,@SUM,1", 'row 2, category: "@SUM" starts like a formula'),
    ("A,1,,1\na ,2,,1", 'row 3, item: "a" is already in row 2'),
    ("A,1", "row 2: 2 columns, the header has 4"),
    ('"A\nB",1,,1', "row 2, item: Item name holds a character that can't be seen"),
    (f"{'x' * 201},1,,1", "row 2, item: Item name must be at most 200 characters"),
    ('"A,1,,1', "Row 2 isn't complete"),
]


def test_a_bad_row_is_named_and_nothing_is_imported(load, listed):
    for row, message in BAD_ROWS:
        code, output = load(HEADER + row + "\nGood,1,,1\n" if '"A,1' not in row else HEADER + row)
        assert (code, "Nothing was imported." in output) == (1, True), row
        assert f"list.csv: {message}" in output, row
        assert listed() == [], row


WRONG_FILES = [
    ("", "it is empty"),
    ("title,amount,category,unitPrice\n", 'row 1: item is missing, "title" is unknown'),
    ("item,unitPrice\n", "row 1: amount is missing"),
    ("item,item,amount,category,unitPrice\n", "row 1: the column item occurs twice"),
    (HEADER.encode() + "café,1,,1\ncaf".encode() + b"\xc3,", "Row 3 isn't complete"),
    (b"%PDF-1.4", "This isn't a table. Choose a CSV file or a spreadsheet."),
]


def test_a_file_of_the_wrong_shape_is_refused(load):
    for content, message in WRONG_FILES:
        code, output = load(content)
        assert (code, f"list.csv: {message}" in output) == (1, True), message


def test_a_spreadsheets_byte_order_mark_and_line_ends_are_fine(load, listed):
    assert load(b"\xef\xbb\xbf" + HEADER.encode() + b"A,1,,1\r\n")[0] == 0
    assert listed() == [("A", 1, "", 100, "pcs")]


def test_text_that_looks_like_a_formula_survives_the_round_trip(flask, tmp_path, listed, stocks):
    names = ["=1+1", "+plus", "-minus", "@at", "'quoted", "''twice", 'say "hi", you', "plain"]
    stocks([(name, 1) for name in names], category="=x", unit="'u")
    before = listed()
    file = export(flask, tmp_path)
    written = file.read_text()
    assert "\n'=1+1,1,'=x,2.50,''u\n" in written
    _, output = flask("stock", "import", str(file), "--division", "gfm")
    assert f"0 added, 0 changed, {len(names)} unchanged." in output
    assert listed() == before
    other = flask("stock", "import", str(file), "--division", "gfm", "--site", "northern")
    assert f"{len(names)} added" in other[1]


def test_a_place_that_keeps_no_stock_is_refused(load):
    for options, message in (
        ({"division": "fleet"}, "is not one of"),
        ({"site": "nowhere"}, 'GFM has no site "nowhere"; it has: main, guildford, northern'),
        ({"division": "gpm", "site": "northern"}, 'GPM has no site "northern"; it has: main'),
    ):
        code, output = load(HEADER, **options)
        assert (code != 0, message in output) == (True, True), options


def test_export_writes_to_standard_output_too(flask, stock):
    stock("Red heart", 3, category="Heart")
    code, output = flask("stock", "export", "--division", "gfm")
    assert (code, output) == (
        0,
        "item,amount,category,unitPrice,unit\nRed heart,3,Heart,2.50,pcs\n",
    )


def test_the_demo_has_a_list_for_every_site():
    stores = {f"{d}-{site}-stock.csv" for d, sites in SITES.items() for site in sites}
    assert {p.name for p in Path(DATA).glob("*-stock.csv")} == stores


def test_a_hundred_bad_rows_are_all_named(load):
    _, output = load(HEADER + "A,x,,1\n" * 100)
    assert all(f"row {row}, amount" in output for row in range(2, 102))


def test_an_export_that_cannot_be_written_fails_with_one_line(flask):
    code, output = flask(
        "stock", "export", "--division", "gfm", "--output", "/no/such/folder/x.csv"
    )
    assert code == 1
    assert output == (
        "Error: /no/such/folder/x.csv can't be made, read or written: no such file or directory.\n"
    )
