"""`flask history`: imports of old history, all or nothing, and exports of all history."""

from pathlib import Path

import pytest
from sqlalchemy import func, select

from app.db import db, transaction
from app.divisions import Division
from app.stock.models import Item, LedgerEntry, StockOperation
from app.stock.queries import history as queries
from app.stock.services import items as services
from tests import factories
from tests.factories import MAIN
from tests.stock.test_history_pages import move_twice

pytestmark = pytest.mark.differs_by_engine

SAMPLE = Path(__file__).parent / "data" / "gfm-history-sample.csv"
HEADER = "date,event,team,item,amount,unitPrice,totalPrice,site\n"


@pytest.fixture
def load(flask, tmp_path):
    def load(content, *options, division="gfm"):
        file = tmp_path / "old.csv"
        file.write_text(content)
        return flask("history", "import", str(file), "--division", division, *options)

    return load


@pytest.fixture
def listed(app):
    def listed(division=Division.GFM):
        with app.app_context():
            return queries.newest_rows(division, 1000)[::-1]

    return listed


def export(flask, tmp_path, division="gfm"):
    file = tmp_path / "export.csv"
    code, output = flask("history", "export", "--division", division, "--output", str(file))
    assert code == 0, output
    return file


def test_real_history_is_imported_and_neither_it_nor_its_export_is_imported_twice(flask, tmp_path):
    code, output = flask("history", "import", str(SAMPLE), "--division", "gfm")
    assert (code, "49 rows: 49 added, 0 already there." in output) == (0, True), output
    for file in (SAMPLE, export(flask, tmp_path)):
        _, output = flask("history", "import", str(file), "--division", "gfm")
        assert "49 rows: 0 added, 49 already there." in output
    assert export(flask, tmp_path).read_text().splitlines()[1] == (
        "2010-12-01 08:34,Withdrawal,United Kingdom,BLUE COAT RACK PARIS FASHION,3,4.95,14.85,main"
    )


def test_old_history_moves_no_amount_and_the_books_stay_right(app, flask, load, stock):
    stock("Red heart", 10)
    load(HEADER + "2011-12-09 12:50,Withdrawal,Shop,RED  HEART,4,2.50,10.00,main\n")
    with app.app_context():
        assert factories.amount("Red heart") == 10
        lines = db.session.execute(
            select(LedgerEntry.item_id).where(LedgerEntry.imported_amount == 4)
        ).scalars()
        assert list(lines) == [factories.read_item(MAIN, "Red heart").id]
    assert flask("ledger", "verify")[0] == 0


def test_history_of_a_missing_item_belongs_to_a_removed_one(app, load):
    row = "2011-12-09,Withdrawal,Shop,Long gone,4,2.50,10.00,{}\n"
    load(HEADER + row.format("main") + row.format("guildford") + row.format("main"))
    load(HEADER + "2011-12-10,Delivery,Shop,LONG GONE,4,,,main\n")
    with app.app_context():
        items = db.session.execute(select(Item.name, Item.amount, Item.removed_at)).all()
        assert [(item.name, item.amount) for item in items] == [("Long gone", 0)] * 2
        assert all(item.removed_at for item in items)
        operations = db.session.execute(select(func.count(StockOperation.id))).scalar_one()
        assert operations == 2


def test_history_of_a_reused_name_belongs_to_the_current_item(app, load):
    with app.app_context():
        old = factories.item("Red heart", 1)
        with transaction():
            services.remove_item(MAIN, old, based_on=1, by=factories.user())
        new = factories.item("Red heart", 2)
    load(HEADER + "2011-12-09,Delivery,Shop,red heart,4,,,main\n")
    with app.app_context():
        line = select(LedgerEntry.item_id).where(LedgerEntry.imported_amount.is_not(None))
        assert db.session.execute(line).scalar_one() == new


def test_our_own_operations_are_exported_and_not_imported_again(app, flask, tmp_path):
    with app.app_context():
        factories.user()
        move_twice(factories.item('Tea, "green" & = more', 10, unit_price=123), team="=Kitchen")
    file = export(flask, tmp_path)
    name = '"Tea, ""green"" & = more"'
    assert file.read_text().splitlines()[1:4] == [
        f"2026-07-01 12:00,Withdrawal,'=Kitchen,{name},2,1.23,2.46,main",
        f"2026-07-02 12:00,Transfer to guildford,,{name},-3,1.23,-3.69,main",
        f"2026-07-02 12:00,Transfer from main,,{name},3,1.23,3.69,guildford",
    ]
    _, output = flask("history", "import", str(file), "--division", "gfm")
    assert "4 rows: 0 added, 4 already there." in output


def test_importing_the_exports_of_the_screens_adds_nothing(app, keeper, flask, tmp_path):
    flask("history", "import", str(SAMPLE), "--division", "gfm")
    file = tmp_path / "screen.csv"
    file.write_bytes(keeper.client.get("/history/export").data)
    assert "49 rows: 0 added" in flask("history", "import", str(file), "--division", "gfm")[1]


def test_a_dry_run_prints_what_would_be_added_and_adds_nothing(load, listed):
    code, output = load(HEADER + "2011-12-09,Delivery,Shop,Tea,4,,,\n", "--dry-run")
    assert (code, "1 added, 0 already there. Dry run: nothing was written." in output) == (0, True)
    assert listed() == []


BAD_ROWS = [
    ("x,In,,Tea,1,,,", 'row 2, date: "x" is not a date like 2011-12-09'),
    ("09/12/2011,In,,Tea,1,,,", 'row 2, date: "09/12/2011" is not a date like 2011-12-09'),
    ("20111209,In,,Tea,1,,,", 'row 2, date: "20111209" is not a date'),
    ("2011-12-09 25:00,In,,Tea,1,,,", "row 2, date: "),
    ("2999-01-01,In,,Tea,1,,,", "row 2, date: Date can't be in the future."),
    ("1999-12-31,In,,Tea,1,,,", "row 2, date: Date can't be before 1 Jan 2000."),
    ("2011-12-09,In,,,1,,,", "row 2, item: Item name is required"),
    ("2011-12-09,In,,=Tea,1,,,", 'row 2, item: "=Tea" starts like a formula'),
    ("2011-12-09,@In,,Tea,1,,,", 'row 2, event: "@In" starts like a formula'),
    ("2011-12-09,In,,Tea,1.5,,,", 'row 2, amount: "1.5" is not a whole number'),
    ("2011-12-09,In,,Tea,,,,", 'row 2, amount: "" is not a whole number'),
    ("2011-12-09,In,,Tea,-1,,,", "row 2, amount: Amount must be 0 or more for a Delivery"),
    ("2011-12-09,In,,Tea,1000000000,,,", "row 2, amount: Amount must be at most 999,999,999"),
    ("2011-12-09,In,,Tea,1,x,,", 'row 2, unitPrice: "x" is not a price in pounds'),
    ("2011-12-09,In,,Tea,1,,x,", 'row 2, totalPrice: "x" is not a price in pounds'),
    ("2011-12-09,In,,Tea,1,,,mars", 'row 2, site: GFM has no site "mars"; it has: main'),
    (f"2011-12-09,In,{'x' * 101},Tea,1,,,", "row 2, team: Team must be at most 100"),
    ("2011-12-09,In", "row 2: 2 columns, the header has 8"),
]


def test_a_bad_row_is_named_and_nothing_is_imported(load, listed):
    for row, message in BAD_ROWS:
        code, output = load(HEADER + row + "\n2011-12-09,In,,Good,1,,,\n")
        assert code == 1, row
        assert "Nothing was imported." in output, row
        assert f"old.csv: {message}" in output, row
        assert listed() == [], row


TIMES = {
    "2011-03-27 01:30": "2011-03-27T01:30:00+00:00",
    "2011-07-09": "2011-07-08T23:00:00+00:00",
    "2011-07-09T12:50:07.9+05:00": "2011-07-09T07:50:07+00:00",
    "2011-07-09 12:50": "2011-07-09T11:50:00+00:00",
    "2011-07-09 12:50:07": "2011-07-09T11:50:07+00:00",
    "2011-07-09T12:50Z": "2011-07-09T12:50:00+00:00",
    "2011-10-30 01:30": "2011-10-30T00:30:00+00:00",
    "2011-12-09": "2011-12-09T00:00:00+00:00",
}


def test_times_are_londons_unless_they_have_an_offset(load, listed):
    content = HEADER + "".join(f"{written},Delivery,Shop,Tea,4,,,\n" for written in TIMES)
    load(content)
    assert [row.at.isoformat() for row in listed()] == [*TIMES.values()]
    assert "0 added, 8 already there" in load(content)[1]


def test_prices_and_site_may_be_left_out(load, listed):
    short = "date,event,team,item,amount\n2011-12-09,Delivery from northern,Shop,Tea,4\n"
    load(short)
    (row,) = listed()
    assert (row.event, row.text.note, row.site) == ("Delivery", "from Northern", "northern")
    assert (row.unit_price, row.total_price) == (0, 0)
    load(HEADER + "2011-12-10,Delivery,Shop,Tea,4,2.00,,main\n2011-12-10,Other,,Tea,-2,2.00,9,\n")
    assert [r.total_price for r in listed()] == [0, 800, 900]
    assert "0 added, 1 already there" in load(short)[1]


def test_a_duplicate_row_is_imported_twice(load):
    row = "2011-12-09,Delivery,Shop,Tea,4,,,\n"
    assert "2 added" in load(HEADER + row * 2)[1]
    assert "1 added, 2 already there" in load(HEADER + row * 3)[1]


def test_gpm_keeps_other_and_unknown_sites(load, listed, flask, tmp_path):
    header = "date,event,team,item,amount,site\n"
    events = ["Delivery,,Tea,1,guildford", "Delivery from Leeds,,Tea,2,", "Delivery,,Tea,3,"]
    content = header + "".join(f"2011-12-09,{event}\n" for event in [*events, "In,,Tea,4,Hull"])
    load(content, division="gpm")
    assert [row.site for row in listed(Division.GPM)] == ["guildford", "other", "", "other"]
    assert listed(Division.GFM) == []
    file = export(flask, tmp_path, "gpm")
    assert [line.rsplit(",", 1)[1] for line in file.read_text().splitlines()[1:]] == [
        *("guildford", "other", "–", "other")
    ]
    assert (
        "0 added, 4 already there" in flask("history", "import", str(file), "--division", "gpm")[1]
    )
    assert "0 added, 4 already there" in load(content, division="gpm")[1]


def test_export_writes_to_standard_output_too(load, flask):
    load(HEADER + "2011-12-09,Delivery,Shop,Tea,4,,,\n")
    code, output = flask("history", "export", "--division", "gfm")
    assert (code, output) == (0, HEADER + "2011-12-09 00:00,Delivery,Shop,Tea,4,0.00,0.00,main\n")
