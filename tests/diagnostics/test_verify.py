"""`flask verify`: each promise, and that it notices when the promise is broken."""

from pathlib import Path

import pytest
from sqlalchemy import text

from app.assets.services.moves import move_assets
from app.audit.rules import Event
from app.audit.services import record
from app.db import db, transaction
from app.diagnostics.queries import begin_snapshot
from app.diagnostics.services import CHECKS
from app.divisions import Division, Site
from app.errors import Unavailable
from app.idempotency import Submission, exactly_once
from app.photos.services.photo_store import FolderStore
from app.stock.rules.movements import StockLine
from app.stock.services import movements
from app.stock.services.movements import MovementResult
from tests import factories
from tests.attachments.files import invoice, photo
from tests.factories import DAY, MAIN

pytestmark = [pytest.mark.differs_by_engine, pytest.mark.writes_directly]


@pytest.fixture
def company(app, tmp_path):
    """A company in which everything that is checked has happened once."""
    with app.app_context():
        by = factories.user("keeper", *Division)
        (heart,) = factories.items([("Red heart", 50)])

        def withdraw():
            line = [StockLine(heart, 8)]
            return movements.withdraw(MAIN, line, team="Kitchen", on=DAY, by=by)

        with transaction():
            exactly_once(Submission(by, "POST /", "one key", ()), MovementResult, withdraw)
        with transaction():
            line = [StockLine(heart, 5)]
            movements.transfer(MAIN, line, destination=Site.GUILDFORD, team="", on=DAY, by=by)
        factories.delivered("Glass", 12)
        factories.delivery("Glass", 3)
        factories.vehicle()
        factories.check(by=by, photos=["front"])
        desk = factories.asset("Desk", id="D1", location="Depot")
        with transaction():
            move_assets([desk], "Annex", by=by)
        with transaction():
            record(Event.SETTING, "check templates")


def problems_of(name):
    begin_snapshot()
    (check,) = [check for check in CHECKS if check.name == name]
    return list(check.problems())


def change(statement):
    """Change the database as no service does."""
    with transaction():
        db.session.execute(text(statement))


def unguard():
    """Switch off the triggers that refuse changes."""
    if db.engine.dialect.name == "postgresql":
        for table in ("ledger_entry", "stock_operation", "audit_entry", "event"):
            change(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        return
    triggers = text("SELECT name FROM sqlite_master WHERE type = 'trigger'")
    for name in db.session.execute(triggers).scalars().all():
        if "_no_" in name:
            change(f"DROP TRIGGER {name}")


@pytest.mark.usefixtures("company", "context")
def test_a_company_that_was_never_tampered_with_has_no_problem():
    assert {check.name: problems_of(check.name) for check in CHECKS} == {
        check.name: [] for check in CHECKS
    }


@pytest.mark.usefixtures("company", "context")
@pytest.mark.parametrize(
    ("name", "statement", "problem"),
    [
        (
            "Ledger, amounts and sums",
            "UPDATE item SET amount = amount + 1 WHERE name = 'Glass'",
            'GPM main: "Glass" has 13, its ledger says 12',
        ),
        (
            "Transfers",
            "UPDATE ledger_entry SET delta = 4 WHERE kind = 'transfer' AND delta = 5",
            "changed the units of both sites together by -1",
        ),
        ("Exactly-once keys", "UPDATE idempotency_key SET result = NULL", "Key 1 has no result"),
        (
            "Exactly-once keys",
            "INSERT INTO idempotency_key (id, user_id, call, key, digest, result, created_at) "
            "SELECT 2, user_id, call, 'another', digest, result, created_at FROM idempotency_key",
            "Keys 1 and 2 are both for operation",
        ),
        ("Exactly-once keys", "UPDATE stock_operation SET user_id = NULL", "of another user"),
        (
            "Deliveries posted once",
            "UPDATE delivery SET amount = 24 WHERE delivered_at IS NOT NULL",
            "Delivery 1 is of 24, and 12 were added to stock",
        ),
        (
            "Asset locations",
            "UPDATE asset SET location = 'Attic', location_key = 'attic'",
            'Asset D1 is at "Attic", its last move led to "Annex"',
        ),
        ("Counts by day", "UPDATE day_count SET number = number + 1", "counted as"),
        ("Audit trail", "DELETE FROM audit_entry WHERE id = 1", "Entries 1 to 1 are missing"),
    ],
)
def test_a_broken_promise_is_named(name, statement, problem):
    unguard()
    change(statement)
    assert any(problem in each for each in problems_of(name))


@pytest.mark.usefixtures("company", "context")
def test_a_client_key_that_made_several_operations_is_named():
    unguard()
    change("DROP INDEX uq_stock_operation_client_key")
    change("UPDATE stock_operation SET client_key = 'k', user_id = 1")
    problems = problems_of("Exactly-once keys")
    assert any(each.startswith("The client key of stock_operation 1 made") for each in problems)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.usefixtures("context")
def test_a_file_that_is_lost_or_damaged_is_named(app):
    factories.attach([photo(), invoice()], by=factories.user())
    assert problems_of("Photo files") == problems_of("Document files") == []
    store = Path(app.config["QUARTERMASTER"].photo_store)
    for name, pattern, content, problem in (
        ("Photo", f"??/{'?' * 64}.jpg", b"", "Photo {} is not in the photo store"),
        ("Photo", f"??/{'?' * 64}.jpg", b"other", "Photo {} is damaged"),
        ("Photo", "*/*.thumbnail.jpg", b"", "Thumbnail {} is not in the photo store"),
        ("Document", "documents/*/*.pdf", b"", "Document documents/{} is not in the photo store"),
        ("Document", "documents/*/*.pdf", b"other", "Document documents/{} is damaged"),
    ):
        (file,) = store.glob(pattern)
        kept = file.read_bytes()
        file.unlink()
        if content:
            file.write_bytes(content)
        assert problems_of(f"{name} files") == [problem.format(file.name)]
        file.write_bytes(kept)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.usefixtures("company")
def test_the_command_has_a_line_for_each_check(app):
    result = app.test_cli_runner().invoke(args=["verify"])
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [f"{check.name}: right" for check in CHECKS]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.usefixtures("company")
def test_a_photo_store_out_of_reach_leaves_the_other_checks(app, monkeypatch):
    def get(*_):
        raise Unavailable("The photo store is out of reach.")

    monkeypatch.setattr(FolderStore, "get", get)
    result = app.test_cli_runner().invoke(args=["verify"])
    assert result.exit_code == 1
    assert "Photo files: 1 problem." in result.stdout
    assert "Audit trail: right" in result.stdout


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.usefixtures("company")
def test_the_command_ends_with_1_and_says_what_to_do(app):
    with app.app_context():
        change("UPDATE day_count SET number = number + 1")
        numbers = len(problems_of("Counts by day"))
    result = app.test_cli_runner().invoke(args=["verify"])
    assert result.exit_code == 1
    assert f"Counts by day: {numbers} problems. Run: flask counts rebuild." in result.stdout
    assert "Audit trail: right" in result.stdout
    assert result.stderr.endswith(f"Error: 1 of {len(CHECKS)} checks found problems.\n")
