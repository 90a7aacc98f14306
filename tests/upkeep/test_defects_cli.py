import csv
import io

import pytest
from sqlalchemy import select

from app import dates
from app.db import db, transaction
from app.defects.models import Defect, DefectSighting, OffRoad
from app.defects.queries.defects import all_defects
from app.defects.rules.defects import ClosingChoice
from app.defects.rules.fields import Closing
from app.defects.schemas.defects import DEFECT_FILE
from app.defects.services import decisions
from app.fleet.rules.findings import Severity
from app.records.record import csv_lines
from tests import factories
from tests.silent_changes import written_directly
from tests.upkeep import rows
from tests.upkeep.rows import LK19

HEADER = "reg,part,title,severity,day,detail,odometer\n"


@pytest.fixture
def flask(app, in_app, tmp_path):
    """Return a function that runs a command of `flask`, with a file of these lines at its end."""
    in_app(factories.user)
    in_app(factories.vehicle, LK19)

    def run(*args, lines=None):
        file = tmp_path / "defects.csv"
        if lines is not None:
            file.write_text(lines)
        files = [str(file)] if lines is not None else []
        result = app.test_cli_runner().invoke(args=[*args, *files])
        return result.exit_code, result.output

    return run


def titles(app):
    with app.app_context():
        return list(db.session.scalars(select(Defect.title).order_by(Defect.id)))


def test_open_defects_are_imported_and_a_stop_takes_its_vehicle_off_the_road(flask, app):
    lines = HEADER + "lk19vte,Brakes,Brakes: pulls left,stop,2026-03-01,'=Left,48210\n"
    lines += "LK19 VTE,Mirrors,Cracked,,2026-03-02,,\n"
    assert flask("defects", "import", lines=lines) == (
        0,
        "defects.csv: 2 added, 0 unchanged.\n",
    )
    with app.app_context():
        brakes, mirrors = db.session.scalars(select(Defect).order_by(Defect.id))
        assert (brakes.severity, brakes.detail, brakes.odometer) == (Severity.STOP, "=Left", 48_210)
        assert (mirrors.severity, mirrors.reg) == (None, LK19)
        assert db.session.scalars(select(OffRoad.defect_id)).all() == [brakes.id]


def test_what_was_exported_can_be_imported_and_changes_nothing(flask, app, in_app):
    in_app(rows.defect, title="=Odd", detail="two\nlines", severity=Severity.REPAIR, odometer=5)
    in_app(rows.defect, closing=Closing.NO_FAULT)
    code, exported = flask("defects", "export")
    assert code == 0
    assert len(list(csv.reader(io.StringIO(exported)))) == 2
    assert flask("defects", "import", lines=exported)[1] == "defects.csv: 0 added, 1 unchanged.\n"
    with app.app_context(), written_directly(), transaction():
        db.session.execute(Defect.__table__.delete())
    assert flask("defects", "import", lines=exported)[1] == "defects.csv: 1 added, 0 unchanged.\n"
    assert flask("defects", "export")[1] == exported


def test_an_exported_list_can_be_imported_and_changes_nothing(flask, app):
    with app.app_context():
        rows.defect(part="P" * 160, part_key="p" * 160, title="=Odd", odometer=5)
        rows.defect(closing=Closing.NO_FAULT)
        rows.defect(part="Horn", part_key="horn", title="Quiet", severity=None)
        exported = "".join(csv_lines(DEFECT_FILE, all_defects([])))
    assert len(list(csv.reader(io.StringIO(exported)))) == 4
    assert flask("defects", "import", lines=exported)[1] == "defects.csv: 0 added, 3 unchanged.\n"
    with app.app_context(), written_directly(), transaction():
        db.session.execute(Defect.__table__.delete())
    assert flask("defects", "import", lines=exported)[1] == "defects.csv: 2 added, 1 unchanged.\n"
    assert titles(app) == ["=Odd", "Quiet"]


def test_a_part_has_the_limit_of_the_form(flask):
    lines = HEADER + f"LK19 VTE,{'P' * 81},Worn,,2026-03-01,,\n"
    code, output = flask("defects", "import", lines=lines)
    assert (code, "row 2, part: Part must be at most 80 characters" in output) == (1, True)


def test_a_file_that_is_imported_again_after_a_closing_changes_nothing(flask, app):
    lines = HEADER + "LK19 VTE,Horn,Quiet,repair,2026-03-01,,\n"
    today = HEADER + f"LK19 VTE,Seat,Torn,repair,{dates.today()},,\n"
    for file in (lines, today):
        assert flask("defects", "import", lines=file)[1] == "defects.csv: 1 added, 0 unchanged.\n"
    with app.app_context(), transaction():
        for number in (1, 2):
            choice = ClosingChoice(Closing.NO_FAULT, "Works")
            decisions.close_defect(number, choice, by=1)
    for file in (lines, today):
        assert flask("defects", "import", lines=file)[1] == "defects.csv: 0 added, 1 unchanged.\n"
    with app.app_context():
        assert db.session.execute(select(DefectSighting)).all() == []


def test_a_worse_severity_of_an_open_part_is_named(flask, app):
    lines = HEADER + "LK19 VTE,Horn,Quiet,repair,2026-03-01,,\n"
    lines += "LK19 VTE,horn,Quieter,stop,2026-03-01,,\n"
    assert flask("defects", "import", lines=lines)[1] == (
        "Row 3: D-0001 of LK19 VTE is open already and stays as it is: repair. "
        "The row says stop: assess it.\n"
        "defects.csv: 1 added, 1 unchanged.\n"
    )


def test_every_wrong_cell_is_named_and_nothing_is_imported(flask, app):
    lines = HEADER + "LK19 VTE,Brakes,Worn,worst,2026-13-01,,x\nLK19 VTE,,,,,,\n"
    code, output = flask("defects", "import", lines=lines)
    assert code == 1
    for place in (
        *("row 2, severity", "row 2, day", "row 2, odometer"),
        *("row 3, part", "row 3, title", "row 3, day"),
    ):
        assert place in output, place
    lines = HEADER + "LK19 VTE,Brakes,Worn,,2026-03-01,,\nNO99 CAR,Brakes,Worn,,2026-03-01,,\n"
    code, output = flask("defects", "import", lines=lines)
    assert (code, "row 3, reg: There is no vehicle NO99 CAR." in output) == (1, True)
    assert titles(app) == []


def test_a_dry_run_opens_nothing(flask, app):
    lines = HEADER + "LK19 VTE,Brakes,Worn,,2026-03-01,,\n"
    code, output = flask("defects", "import", "--dry-run", lines=lines)
    assert (code, output.endswith("Dry run: nothing was written.\n")) == (0, True)
    assert titles(app) == []


def test_repairs_are_exported_with_their_reversals(flask, in_app):
    first = in_app(rows.repair, labour=1_250)
    in_app(rows.repair, labour=-1_250, reverses_id=first)
    code, exported = flask("repairs", "export")
    found = list(csv.DictReader(io.StringIO(exported)))
    assert code == 0
    assert {row["number"] for row in found} == {"R-0001", "R-0002"}


def test_a_repair_is_joined_with_parts_that_stock_separated(flask, in_app):
    code, output = flask("repairs", "relink", "X-1")
    assert (code, output) == (1, 'Error: "X-1" isn\'t the number of a repair, such as R-0031.\n')
    code, output = flask("repairs", "relink", "R-0001")
    assert (code, "There is no repair R-0001" in output) == (1, True)
    in_app(rows.repair)
    assert flask("repairs", "relink", "r1") == (0, "R-0001: 0 withdrawals joined.\n")
