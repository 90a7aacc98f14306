"""`flask due` and `flask readings`."""

from datetime import date, timedelta

import pytest

from app import dates
from app.due.queries.due import items_of
from app.due.rules.fields import DueKind


@pytest.fixture
def run(app, vehicle):
    """Return a function that runs a command where a van is in the list."""
    vehicle("LK19 VTE")
    return app.test_cli_runner().invoke


def test_what_is_due_is_imported_and_its_export_changes_nothing(run, app, tmp_path):
    file = tmp_path / "due.csv"
    day = (dates.today() + timedelta(days=9)).isoformat()
    file.write_text(f"reg,kind,due_on,due_miles\nLK19 VTE,mot,{day},\nLK19 VTE,service,,60000\n")
    assert "2 added" in run(args=["due", "import", str(file), "--dry-run"]).output
    with app.app_context():
        assert items_of(["lk19vte"]) == []
    assert "2 added" in run(args=["due", "import", str(file)]).output
    run(args=["due", "export", "--output", str(file)])
    assert "0 added, 0 changed, 2 unchanged" in run(args=["due", "import", str(file)]).output
    file.write_text(f"reg,kind,due_on,due_miles\nLK19 VTE,service,{day},\n")
    assert "0 added, 1 changed" in run(args=["due", "import", str(file)]).output


def test_items_of_the_kind_other_keep_their_names_in_a_file(run, app, tmp_path):
    file = tmp_path / "due.csv"
    day = (dates.today() + timedelta(days=9)).isoformat()
    rows = (f"LK19 VTE,other,{day},,Cam belt", f"LK19 VTE,other,{day},,Tail lift")
    file.write_text("\n".join(("reg,kind,due_on,due_miles,label", *rows)))
    assert "2 added" in run(args=["due", "import", str(file)]).output
    with app.app_context():
        assert {row.terms.label for row in items_of(["lk19vte"])} == {"Cam belt", "Tail lift"}
    exported = run(args=["due", "export"]).output
    assert set(rows) < set(exported.splitlines())
    file.write_text(exported.replace("Cam belt", "CAM BELT").replace("Tail lift", "Crane"))
    assert "1 added, 1 changed" in run(args=["due", "import", str(file)]).output


def test_two_rows_of_a_file_cannot_change_one_item(run, app, tmp_path):
    file = tmp_path / "due.csv"
    day, later, latest = (
        (dates.today() + timedelta(days=days)).isoformat() for days in (9, 20, 30)
    )

    def load(*rows):
        file.write_text("\n".join(("reg,kind,due_on,due_miles,label", *rows)))
        return run(args=["due", "import", str(file)]).output

    load(f"LK19 VTE,other,{day},,Lights")
    unnamed, named = f"LK19 VTE,other,{later},,", f"LK19 VTE,other,{latest},,LIGHTS"
    assert "row 3, kind: LK19 VTE has LIGHTS in the file twice." in load(unnamed, named)
    assert "row 3, kind: LK19 VTE has other in the file twice." in load(named, unnamed)
    with app.app_context():
        assert [row.terms.due_on.isoformat() for row in items_of(["lk19vte"])] == [day]
    assert "0 added, 1 changed" in load(named)
    with app.app_context():
        terms = [(row.terms.label, row.terms.due_on) for row in items_of(["lk19vte"])]
    assert terms == [("LIGHTS", date.fromisoformat(latest))]


def test_a_wrong_file_names_all_errors_in_the_order_of_its_rows(run, tmp_path):
    file = tmp_path / "due.csv"
    rows = ("NO1,mot,2026-12-03,", "LK19 VTE,mott,soon,", "LK19 VTE,tax,,")
    rows += ("NO2,tax,2026-12-03,", "LK19 VTE,mot,2026-12-03,", "LK19 VTE,mot,2026-12-04,")
    rows += ("LK19 VTE,insurance,2026-12-04,5",)
    file.write_text("\n".join(("reg,kind,due_on,due_miles", *rows)))
    reply = run(args=["due", "import", str(file)])
    assert reply.exit_code == 1
    assert reply.output.splitlines()[1:] == [
        "due.csv: row 2, reg: There is no vehicle NO1.",
        'due.csv: row 3, due_on: "soon" is not a date like 2011-12-09',
        f'due.csv: row 3, kind: "mott" is none of {", ".join(DueKind)}',
        "due.csv: row 4, due_on: Enter the day on which it runs out.",
        "due.csv: row 5, reg: There is no vehicle NO2.",
        "due.csv: row 7, kind: LK19 VTE has MOT in the file twice.",
        "due.csv: row 8, due_miles: Insurance runs out on a day. Leave the miles empty.",
    ]


def test_a_longer_file_takes_no_more_statements(run, vehicle, tmp_path, statements):
    file = tmp_path / "due.csv"
    vans = [f"VAN {number}" for number in range(22)]
    for van in vans:
        vehicle(van)

    def load(vans, day):
        lines = (f"{van},{kind},{day},\n" for van in vans for kind in ("mot", "service"))
        file.write_text("reg,kind,due_on,due_miles\n" + "".join(lines))
        return statements(lambda: run(args=["due", "import", str(file)]))

    for day in ("2026-12-03", "2027-12-03"):
        assert load(vans[:1], day) == load(vans[1:], day), day


def test_readings_are_imported_exported_and_rebuilt(run, tmp_path):
    file = tmp_path / "readings.csv"
    file.write_text("reg,day,miles\nLK19 VTE,2026-01-03,48190\nLK19 VTE,2026-01-05,480210\n")
    assert "2 added, 1 of them doubtful" in run(args=["readings", "import", str(file)]).output
    run(args=["readings", "export", "--output", str(file)])
    assert "0 added, 0 of them doubtful, 2" in run(args=["readings", "import", str(file)]).output
    assert "0 readings added." in run(args=["readings", "rebuild"]).output
