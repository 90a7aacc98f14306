"""Every list that files are imported into: its export changes nothing, and an import goes back."""

import csv
import io
from collections import Counter
from datetime import timedelta
from xml.sax.saxutils import escape

import pytest

from app import dates
from app.db import db, transaction
from app.fields import Pounds, WholeNumber
from app.records.record import csv_lines
from app.records.targets import Comparison, RowState
from app.tables.columns import RECOGNISED
from app.tables.csv_files import FileErrors, unescape
from app.tables.sheets import read_sheet
from tests.test_sheets import xlsx

pytestmark = pytest.mark.differs_by_engine

LONG = "Ünïcode, \"quoted\"; it's ½ of 'all' " + "x" * 60
SOON = dates.today() + timedelta(days=20)

FIRST = {
    "teams": f"name\n'=Kitchen\n\"{LONG.replace(chr(34), chr(34) * 2)[:100]}\"\n''quoted\n",
    "suppliers": 'name,leadDays\n\'@Glass & Co,14\n"Oak, Ash",\n',
    "services": "name,description\nWindows,'-twice a year\nPortering,\n",
    "keys": "code,name,holder,notes\n'+1,Boiler room,'=Kitchen,\"Ask, first\"\n,Gate,,\n",
    "vehicles": (
        "reg,make,model,status,classification,currentLocation,lastEventAt\n"
        'LK19 VTE,\'=Ford,"Transit, long",Available,Van,Depot,2026-01-15T12:50:00Z\n'
        "AB12 CDE,,,,,,\n"
    ),
    "vans": "reg,make,status\nVAN 1,Fiat,In use\n",
    "assets": (
        "id,item,make,model,serial,supplier,location,purchaseDate,purchasePrice,category,status,"
        "quantity\n"
        "'=A/1,'+Desk,Ikea,,'-7,'@home,Room 1,2024-02-29,1234.50,Ｗide,In use,3\n"
        'B 2,"Lamp, ""big""",,,,,,,,,,\n'
    ),
    "moves": (
        "date,id,item,startPosition,endPosition,user\n"
        "2026-01-03,'=A/1,Desk,Room 2,Room 1,k.lee\n"
        "2026-01-02,'=A/1,Desk,Room 1,Room 2,\n"
        "2026-01-02,'=A/1,Desk,–,Room 1,\n"
    ),
    **{
        f"{place}-stock": "item,amount,category,unitPrice,unit\n"
        '\'=Tea,79,"Hot, sweet",2.10,box\n'
        "Red Heart,0,,0.00,\n"
        for place in ("gfm-main", "gfm-guildford", "gfm-northern", "gpm-main")
    },
    "gfm-main-levels": "item,minimum,target,pack,source,fromSite\nred heart,5,9,3,site,guildford\n",
    "gpm-main-levels": "item,minimum,source,supplier,leadDays\n'=TEA,5,supplier,'@Glass,3\n",
    **{
        f"{division}-history": "date,event,team,item,amount,unitPrice,totalPrice,site\n"
        '2011-12-09 12:50,Withdrawal,\'=Kitchen,"Tea, green",4,2.50,10.00,main\n'
        '2011-12-09 12:50,Withdrawal,\'=Kitchen,"Tea, green",4,2.50,10.00,main\n'
        "2011-12-10,Stock check,,Mug,-3,2.00,-6.00,main\n"
        for division in ("gfm", "gpm")
    },
    "gpm-deliveries": (
        "item,amount,unitCost,supplier,office,orderedBy,orderedDate,expectedDate\n"
        f"'=Tea,5,2.10,\"Oak, Ash\",main,'@ann,2026-01-15,{SOON}\n"
        "Mug,3,,,,,2026-01-15,\n"
    ),
    "due": (
        "reg,kind,due_on,due_miles,label\n"
        f"LK19 VTE,mot,{SOON},,\n"
        f'LK19 VTE,other,{SOON},,\'=Belt\nLK19 VTE,other,{SOON},60000,"Lift, tail"\n'
    ),
    "readings": "reg,day,miles\nLK19 VTE,2026-01-15,48210\nLK19 VTE,2026-01-16,12\n",
    "defects": (
        "reg,part,title,severity,day,detail,odometer\n"
        "LK19 VTE,'=Mirrors,Cracked,advisory,2026-01-15,,48210\n"
        'LK19 VTE,Doors,"Stuck, ""hard""",,2026-01-15,\'-loose,\n'
    ),
}
"""A file for each list, in the order in which they need each other."""

CHANGED = {
    "teams": "name\n'=KITCHEN\nNew\n",
    "suppliers": 'name,leadDays\n"OAK, ash",9\n\'@Glass & Co,3\nNew,\n',
    "services": "name,description\nWINDOWS,Once\nPortering,\nNew,\n",
    "keys": "code,name,holder,notes\n'+1,BOILER room,,\n,Gate,Kitchen,\nK9,,,\n",
    "vehicles": "reg,make,status\nlk19vte,Fiat,In use\nAB12 CDE,,\nNEW 1,,\n",
    "vans": "reg,make\nVAN1,Ford\nNEW 1,\n",
    "assets": 'id,item,location,quantity\n\'=a/1,Table,–,\nb 2,"Lamp, ""big""",,1\nN1,New,,\n',
    "gfm-main-stock": "item,amount,category,unitPrice\nRED HEART,9,,0\n'=tea,78,,2.10\nNew,1,,1\n",
    "gpm-deliveries": "delivery,item,amount,expectedDate\n1,'=Tea,6,\n2,Mug,3,\n",
}
"""Files that change entries and add one, of the lists that take an import back."""


@pytest.fixture
def targets(app, context):
    found = app.extensions["targets"]
    for key, text in FIRST.items():
        apply(found[key], text.encode())
    return found


def prepared(target, data, choices=RECOGNISED):
    return target.prepare("list.csv", read_sheet(data), choices)


def apply(target, data):
    lines = target.read(prepared(target, data))
    with transaction():
        change = target.apply(lines, None, "list.csv")
    db.session.rollback()
    return change


def states(target, data):
    return [row.state for row in Comparison(target, prepared(target, data))]


def workbook(target, text):
    """Return a table as a workbook with texts as texts, and numbers as numbers."""
    header, *rows = csv.reader(io.StringIO(text))
    kinds = [target.fields[name] for name in header]

    def cell(kind, content):
        if content and isinstance(kind, Pounds | WholeNumber):
            return f"<c><v>{float(content)}</v></c>"
        text = escape(unescape(content))
        return f'<c t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'

    lines = [[None] * len(header), *([kinds] * len(rows))]
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    cells = (
        "".join(map(cell, kinds, row)) for kinds, row in zip(lines, [header, *rows], strict=True)
    )
    body = "".join(f"<row>{each}</row>" for each in cells)
    return xlsx(f'<worksheet xmlns="{main}"><sheetData>{body}</sheetData></worksheet>')


def test_the_export_of_every_list_changes_nothing_as_a_file_or_as_a_workbook(targets):
    assert targets.keys() - FIRST.keys() == {
        *("gfm-deliveries", "gfm-guildford-levels", "gfm-northern-levels")
    }
    for key in FIRST:
        target = targets[key]
        before = list(target.rows())
        assert before, key
        text = "".join(csv_lines(target.columns, target.current()))
        for data in (text.encode(), workbook(target, text)):
            assert set(states(target, data)) == {RowState.UNCHANGED}, key
            apply(target, data)
            assert list(target.rows()) == before, key


def test_every_import_does_what_the_comparison_says_and_goes_back(targets):
    for key, text in CHANGED.items():
        target, data = targets[key], text.encode()
        before, rows = target.entries(), list(Comparison(target, prepared(target, data)))
        counts = Counter(row.state for row in rows)
        expected = ", ".join(f"{counts[state]} {state}" for state in RowState)
        assert expected == f"{apply(target, data).summary}, 0 refused", key
        after = target.entries()
        for row in rows:
            changed = {name: new for name, (_, new) in row.changes.items()}
            assert changed.items() <= after[row.key].items(), (key, row)
        undo(target, rows, before)
        assert target.entries() == before, key


def undo(target, rows, before):
    header = [column.name for column in target.columns if column.value]
    old = [before[row.key] for row in rows if row.state is RowState.CHANGED]
    buffer = io.StringIO()
    csv.writer(buffer).writerows([header, *([row[name] for name in header] for row in old)])
    lines = target.read(prepared(target, buffer.getvalue().encode()))
    with transaction():
        (target.restore or target.apply)(lines, None, "list.csv")
        target.remove([row.key for row in rows if row.state is RowState.ADDED], None)
    db.session.rollback()


def test_rows_without_a_key_are_added_and_their_keys_take_them_away(targets):
    for key, text in (
        ("assets", "item\nVan\nVan\n"),
        ("gpm-deliveries", "item,amount,supplier\nTea,1,Oak\nMug,2,Ash\n"),
    ):
        target = targets[key]
        before = target.entries()
        assert states(target, text.encode()) == [RowState.ADDED] * 2
        apply(target, text.encode())
        with transaction():
            target.remove([*target.entries().keys() - before.keys()], None)
        db.session.rollback()
        assert target.entries() == before


REFUSED = {
    "due": (
        f"reg,kind,due_on\nLK19 VTE,mot,{SOON}\nXX1,mot,{SOON}\nLK19 VTE,mot,\n",
        "reg",
        "due_on",
    ),
    "readings": (
        "reg,day,miles\nLK19 VTE,2026-01-15,48210\nXX1,2026-01-15,5\nLK19 VTE,x,5\n",
        "reg",
        "day",
    ),
    "defects": (
        "reg,part,title,severity,day\nlk19 vte,DOORS,Other,stop,2026-02-01\nXX1,A,B,,2026-01-01\n"
        "LK19 VTE,,B,,2026-01-01\n",
        *("reg", "part"),
    ),
    "moves": (
        "date,id,startPosition,endPosition\n2026-01-03,'=A/1,room 2,ROOM 1\n2026-01-03,A9,,Hall\n"
        "2999-01-01,B 2,,Hall\n",
        *("id", "date"),
    ),
    "gfm-main-levels": ("Item,Minimum\nRed heart,5\nMop,5\nMug,-1\n", "Item", "Minimum"),
    "gpm-deliveries": (
        "delivery,item,amount,Office\n2,Mug,3,main\n99,Mug,3,main\n,Mug,3,northern\n",
        *("delivery", "Office"),
    ),
}
"""Files with a row that is known and two that are refused, and the columns of these."""


def test_rows_that_do_not_fit_what_is_stored_are_refused_before_anything_is_written(targets):
    for key, (text, *columns) in REFUSED.items():
        rows = list(Comparison(targets[key], prepared(targets[key], text.encode())))
        found = [(row.line, row.state, [*row.errors]) for row in rows]
        assert found == [
            (2, RowState.UNCHANGED, []),
            *((line, RowState.REFUSED, [column]) for line, column in enumerate(columns, 3)),
        ], key
        with pytest.raises(FileErrors, match="Nothing was imported"):
            apply(targets[key], text.encode())


def test_an_added_row_counts_once_however_often_a_file_has_it(targets):
    new = [RowState.ADDED, RowState.UNCHANGED]
    twice = "reg,day,miles\n" + "AB12 CDE,2026-01-15,5\n" * 2
    assert states(targets["readings"], twice.encode()) == new
    assert apply(targets["readings"], twice.encode()).summary.startswith("1 added")
    part = "reg,part,title,severity,day\n" + "AB12 CDE,Doors,Stuck,,2026-01-15\n" * 2
    assert states(targets["defects"], part.encode()) == new
    assert apply(targets["defects"], part.encode()).summary == "1 added, 1 unchanged"


def test_an_empty_cell_and_a_dash_mean_what_the_import_makes_of_them(targets):
    for key, text, changes in (
        ("assets", 'id,item,location,make\nB 2,"Lamp, ""big""",–,\n', {}),
        ("assets", "id,item,quantity\n'=A/1,'+Desk,\n", {"quantity": ("3", "1")}),
        ("suppliers", "name,leadDays\n'@glass & co,\n", {}),
        ("vehicles", "reg,status,lastEventAt\nAB12 CDE,,\n", {}),
        ("gfm-main-stock", "item,amount,category,unitPrice,unit\nRed heart,0,,0,\n", {}),
        (
            "gfm-main-levels",
            "item,minimum,pack,target\nRed heart,,-,-\n",
            {"pack": ("3", "1"), "target": ("9", "")},
        ),
        ("due", f"reg,kind,due_on,label\nlk19vte,MOT,{SOON},\n", {}),
    ):
        (row,) = Comparison(targets[key], prepared(targets[key], text.encode()))
        assert (row.changes, key) == (changes, key)
        before = list(targets[key].rows())
        apply(targets[key], text.encode())
        assert (list(targets[key].rows()) != before) == bool(changes), key


def test_every_list_reads_the_names_that_its_page_of_columns_shows(targets):
    for key, target in targets.items():
        for column in target.columns:
            if column.heading:
                plan = prepared(target, f"Colour,{column.heading}\n".encode()).plan
                assert plan.columns[1] == column.name, (key, column.heading)


def test_old_history_has_days_in_any_order_and_keeps_its_times(targets):
    text = "Date,Event,Team,Item,Amount\n13/02/2026 14:30,Withdrawal,Kitchen,Mug,2\n"
    [line] = targets["gfm-history"].read(prepared(targets["gfm-history"], text.encode())).lines
    assert f"{line.at:%Y-%m-%d %H:%M}" == "2026-02-13 14:30"


def test_stock_without_prices_keeps_those_of_its_items(targets):
    apply(targets["gfm-main-stock"], "Product;Stock\n=Tea;80\nCup;5\n".replace("=", "'=").encode())
    entries = targets["gfm-main-stock"].entries()
    assert [entries["=tea"][name] for name in ("amount", "category", "unitPrice", "unit")] == [
        "80",
        "Hot, sweet",
        "2.10",
        "box",
    ]
    assert [entries["cup"][name] for name in ("amount", "unitPrice")] == ["5", "0.00"]
