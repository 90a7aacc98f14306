"""`flask due` and `flask readings`."""

from datetime import timedelta

import pytest

from app import dates
from app.upkeep.queries.due import items_of


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


def test_a_wrong_file_names_rows_and_columns(run, tmp_path):
    file = tmp_path / "due.csv"
    file.write_text("reg,kind,due_on,due_miles\nNO1,mot,2026-12-03,\n")
    reply = run(args=["due", "import", str(file)])
    assert reply.exit_code == 1
    assert "due.csv: row 2, reg: There is no vehicle NO1." in reply.output


def test_readings_are_imported_exported_and_rebuilt(run, tmp_path):
    file = tmp_path / "readings.csv"
    file.write_text("reg,day,miles\nLK19 VTE,2026-01-03,48190\nLK19 VTE,2026-01-05,480210\n")
    assert "2 added, 1 of them doubtful" in run(args=["readings", "import", str(file)]).output
    run(args=["readings", "export", "--output", str(file)])
    assert "0 added, 0 of them doubtful, 2" in run(args=["readings", "import", str(file)]).output
    assert "0 readings added." in run(args=["readings", "rebuild"]).output
