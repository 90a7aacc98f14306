"""`flask restore`: everything that was backed up is restored, on either database."""

import json
from pathlib import Path

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import DBAPIError

from app.audit.services import DiscardResult
from app.audit.services import problems as audit_problems
from app.db import db, missing_guards, transaction
from app.directory.models import Key
from app.directory.services.keys import remove_key
from app.divisions import Division
from app.events.models import RecordedEvent
from app.events.queries import all_events
from app.idempotency import Submission, exactly_once
from app.stock.queries import books, levels
from tests import factories
from tests.factories import GUILDFORD, MAIN
from tests.person import PASSWORD, Caller, Person

pytestmark = [pytest.mark.differs_by_engine, pytest.mark.usefixtures("full")]

COUNTERS = {"version", "revision", "levels_version"}
"""Columns that are increased by a restore."""


def photos(app):
    folder = Path(app.config["QUARTERMASTER"].photo_store)
    return {path.name: path.read_bytes() for path in folder.rglob("*.*") if path.is_file()}


def without_counters(rows):
    return {
        table: [
            {name: value for name, value in json.loads(line).items() if name not in COUNTERS}
            for line in lines
        ]
        for table, lines in rows.items()
    }


def sums(app):
    with app.app_context():
        return books.sums_by_store(db.session.connection())


def signed_in(app):
    page = Person(app)
    page.sign_in("keeper", PASSWORD)
    return Caller(page)


def number_of_new_key(code):
    factories.key(code)
    return db.session.execute(select(Key.id).filter_by(code=code)).scalar_one()


@pytest.mark.parametrize("go_elsewhere", ["sqlite", "postgresql"], indirect=True)
def test_everything_is_restored_on_either_database(app, backup, go_elsewhere, rows, run):
    before, sums_before, photos_before = without_counters(rows()), sums(app), photos(app)
    go_elsewhere()
    result = run("restore", backup, "--verify")
    assert result.exit_code == 0, result.output
    assert "Verified: the same rows and files, the books are right, the same ledger sums:" in (
        result.output
    )
    assert "gfm/main\t2 items\t52 in stock\t" in result.output
    after = without_counters(rows())
    *trail, restore = after.pop("audit_entry")
    assert trail == before.pop("audit_entry")
    assert (restore["event"], restore["channel"]) == ("restore", "terminal")
    assert after == before
    assert sums(app) == sums_before
    assert photos(app) == photos_before
    assert len(photos_before) == 5
    with app.app_context():
        assert list(books.ledger_problems()) == []
        assert list(audit_problems()) == []
    again = run("backup", backup.with_name("again"))
    assert again.exit_code == 0


def test_people_continue_to_work_after_a_restore(app, backup, go_elsewhere, run):
    go_elsewhere()
    assert run("restore", backup).exit_code == 0
    page = Person(app)
    page.sign_in("keeper", PASSWORD)
    page.submit(page.open("/choose"), division="gfm")
    found = page.open("/inventory/main?q=日本")
    assert found.all("#total") == ["1 match"]
    assert "Zebra" not in found.text
    with app.app_context():
        factories.item("Zebra crossing", 4)
        assert [row.name for row in levels.all_stock(MAIN)][-1] == "Zebra crossing"
    assert page.open("/inventory/main?q=bra cross").all("#total") == ["1 match"]
    withdrawn = page.submit(page.open("/inventory/main/items/1/action"), team="Kitchen")
    assert withdrawn.rows()[1][:2] == ["Red heart", "44"]
    page.submit(page.open("/choose"), division="fleet")
    photo = Caller(page)("GET", "/api/fleet/checks").json[-1]["photos"][0]
    assert page.client.get(photo["thumbnail"]).mimetype == "image/jpeg"
    with app.app_context():
        factories.asset("Chair")
        factories.check(by=1, photos=["back"])
        factories.user("newcomer", Division.GPM)
        assert list(books.ledger_problems()) == []


def test_a_removed_keys_id_is_not_reused_and_a_submission_is_still_a_replay(
    app, backed_up, go_elsewhere, run
):
    with app.app_context():
        removed = number_of_new_key("K10")
        with transaction():
            remove_key("K10", by=None)
    backup = backed_up()
    go_elsewhere()
    assert run("restore", backup).exit_code == 0
    with app.app_context():
        assert number_of_new_key("K11") == removed + 1
        submission = Submission(1, "POST /", "one key", (("a", "b"),))
        with transaction():
            stored = exactly_once(submission, DiscardResult, pytest.fail)
        assert stored == DiscardResult("it")


def test_the_events_come_back_and_they_and_the_ledger_are_still_guarded(
    app, backup, go_elsewhere, run
):
    with app.app_context():
        before = list(all_events())
    go_elsewhere()
    assert run("restore", backup).exit_code == 0
    with app.app_context():
        for change in ("UPDATE ledger_entry SET delta = 1", "DELETE FROM stock_operation"):
            with pytest.raises(DBAPIError, match="the ledger is never changed"), transaction():
                db.session.execute(text(change))
        assert list(all_events()) == before != []
        assert missing_guards(RecordedEvent) == []
        with pytest.raises(DBAPIError, match="events are never changed"), transaction():
            db.session.execute(text("DELETE FROM event"))
        factories.team("After")
        assert list(all_events())[len(before) :][0].kind == "team.added"


def test_a_list_version_from_after_the_backup_is_stale(app, in_app, backup, go_elsewhere, run):
    path = "/api/gfm/inventory/guildford"
    in_app(factories.item, "Lost", 1, store=GUILDFORD)
    seen = signed_in(app)("GET", path).headers["ETag"]
    go_elsewhere()
    assert run("restore", backup).exit_code == 0
    in_app(factories.item, "Found", 1, store=GUILDFORD)
    call = signed_in(app)
    assert call("GET", path, If_None_Match=seen).status_code == 200
    assert call("POST", path, [], If_Match=seen).status_code == 412
