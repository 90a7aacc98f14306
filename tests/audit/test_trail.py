"""The audit trail: what is recorded, in whose transaction, and that nobody changes it unnoticed."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import DBAPIError

from app import dates
from app.accounts.services import sessions, users
from app.audit import queries, services
from app.audit.models import AuditEntry
from app.audit.rules import START, ChainMark, Event, chain
from app.db import db, transaction
from app.divisions import Division
from app.identity import Channel
from tests import factories
from tests.person import PASSWORD

pytestmark = [pytest.mark.differs_by_engine, pytest.mark.usefixtures("context")]


def trail():
    db.session.rollback()
    return list(queries.all_entries())


def events():
    return [(entry.event, entry.subject) for entry in trail()]


def record(subject="something"):
    with transaction():
        services.record(Event.SETTING, subject)


def try_password(username, password="wrong password"):  # noqa: S107
    attempt = sessions.authenticate(username, password, "192.0.2.1")
    with transaction():
        return sessions.open_session(attempt)


def change_behind_its_back(*statements):
    """Change the trail as somebody does who can switch its guards off."""
    with transaction():
        if db.engine.dialect.name == "postgresql":
            db.session.execute(text("ALTER TABLE audit_entry DISABLE TRIGGER USER"))
        else:
            for verb in ("update", "delete", "replace"):
                db.session.execute(text(f"DROP TRIGGER audit_entry_no_{verb}"))
        for statement in statements:
            db.session.execute(text(statement))


def chain_problems(mark=None):
    return [each for each in services.problems(mark) if "trigger" not in each]


def test_an_entry_keeps_its_hash_in_every_release():
    at = datetime(2026, 1, 15, 12, 50, tzinfo=UTC)
    entry = chain(START, at, Event.SETTING, Channel.SCREEN, 7, "fleet", {"b": ["é"], "a": 1})
    assert entry.hash == "846709004ef99c65a4a9d3e66347260a564f7642c56c201db50e3350c8f7f19d"


def test_an_entry_says_what_was_done_to_what_by_whom_and_when():
    by = factories.user()
    with transaction():
        services.record(Event.IMPORT, "gfm main stock", by=by, added=3)
    entry = trail()[-1]
    assert (entry.event, entry.subject, entry.user_id) == ("import", "gfm main stock", by)
    assert (entry.channel, entry.detail) == ("terminal", {"added": 3})
    assert dates.utc_now() - entry.at < timedelta(minutes=1)


def test_what_is_rolled_back_leaves_no_entry():
    with transaction(commit=False):
        services.record(Event.IMPORT, "a dry run")
    with pytest.raises(ZeroDivisionError), transaction():
        services.record(Event.IMPORT, "a failure")
        raise ZeroDivisionError
    assert trail() == []


def test_nothing_is_recorded_outside_a_transaction():
    with pytest.raises(RuntimeError):
        services.record(Event.IMPORT, "lost")


def test_the_database_refuses_to_change_an_entry():
    record()
    before = trail()
    for statement in (
        "UPDATE audit_entry SET subject = 'other'",
        "DELETE FROM audit_entry",
        "INSERT INTO audit_entry SELECT * FROM audit_entry",
        "TRUNCATE audit_entry"
        if db.engine.dialect.name == "postgresql"
        else "INSERT OR REPLACE INTO audit_entry SELECT * FROM audit_entry",
    ):
        with pytest.raises(DBAPIError), transaction():
            db.session.execute(text(statement))
        assert trail() == before, statement


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("UPDATE audit_entry SET subject = 'other' WHERE id = 2", "Entry 2 was changed"),
        ("UPDATE audit_entry SET user_id = 7 WHERE id = 2", "Entry 2 was changed"),
        ("UPDATE audit_entry SET at = '2026-01-01 00:00:00' WHERE id = 2", "Entry 2 was changed"),
        ("DELETE FROM audit_entry WHERE id = 2", "Entries 2 to 2 are missing"),
        ("DELETE FROM audit_entry WHERE id = 1", "Entries 1 to 1 are missing"),
    ],
)
def test_a_change_that_evades_the_guards_breaks_the_chain(statement, problem):
    for _ in range(3):
        record()
    change_behind_its_back(statement)
    assert chain_problems() == [problem]
    assert any("is missing" in each and "trigger" in each for each in services.problems())


def test_a_trail_whose_end_was_cut_off_lacks_the_mark_that_was_noted():
    record()
    record()
    noted = queries.last_mark()
    record()
    assert list(services.problems(noted)) == []
    change_behind_its_back("DELETE FROM audit_entry WHERE id > 1")
    assert chain_problems() == []
    assert chain_problems(noted) == ["Entry 2 isn't the one that was noted, or is missing"]
    assert chain_problems(ChainMark(1, "f" * 64)) != []


@pytest.mark.slow
def test_writers_at_the_same_time_make_one_chain(app):
    def write(worker):
        with app.app_context():
            for number in range(6):
                # As a sign-in does: a lock of its own before, and another entry beside it.
                with transaction():
                    services.record_failure(f"account {worker % 2}" if number % 2 else "")
                    services.record(Event.SETTING, f"{worker}.{number}")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))
    entries = trail()
    assert list(services.problems()) == []
    settings = [entry.subject for entry in entries if entry.event == Event.SETTING]
    assert len(settings) == len(set(settings)) == 48
    recorded = sum(e.detail["failures"] for e in entries if e.event == Event.SIGN_IN_FAILURE)
    assert recorded + sum(row.failures for row in queries.unrecorded_failures()) == 48


def test_signing_in_and_out_is_recorded():
    by = factories.user("keeper")
    session = try_password("KEEPER", PASSWORD)
    with transaction():
        sessions.close_session(session.id)
    assert events()[1:] == [("sign-in", "keeper"), ("sign-out", "keeper")]
    assert trail()[1].user_id == by


def test_a_session_that_has_ended_is_not_recorded_again():
    factories.user("keeper")
    session = try_password("keeper", PASSWORD)
    for _ in range(2):
        with transaction():
            sessions.close_session(session.id)
    assert [event for event, _ in events()].count("sign-out") == 1


def test_failed_sign_ins_are_counted_by_account_and_minute(monkeypatch):
    factories.user("keeper")
    now = dates.utc_now()
    for seconds in (0, 10, 20, 70):
        monkeypatch.setattr(dates, "utc_now", lambda at=now + timedelta(seconds=seconds): at)
        assert try_password("keeper") is None
    failures = [e for e in trail() if e.event == Event.SIGN_IN_FAILURE]
    assert [(e.subject, e.detail) for e in failures] == [
        ("keeper", {"failures": 1}),
        ("keeper", {"failures": 3}),
    ]


def test_failures_that_wait_are_recorded_before_the_sign_in():
    factories.user("keeper")
    for _ in range(3):
        try_password("keeper")
    try_password("keeper", PASSWORD)
    assert [(e.event, e.detail) for e in trail()[1:]] == [
        ("sign-in-failure", {"failures": 1}),
        ("sign-in-failure", {"failures": 2}),
        ("sign-in", {}),
    ]
    assert list(queries.unrecorded_failures()) == []


def test_strangers_add_one_entry_a_minute_whatever_names_they_try():
    for number in range(30):
        try_password(f"hunter{number}")
    assert [(e.subject, e.detail) for e in trail()] == [("", {"failures": 1})]
    (waiting,) = queries.unrecorded_failures()
    assert (waiting.account, waiting.failures) == ("", 29)


def test_the_trail_holds_no_name_without_an_account_and_no_secret():
    factories.user("keeper")
    try_password("my secret password", "another secret")
    session = try_password("keeper", PASSWORD)
    with transaction():
        users.set_password("keeper", "a new long password")
    rows = db.session.execute(text("SELECT * FROM audit_entry")).all()
    rows += db.session.execute(text("SELECT * FROM audit_failure")).all()
    stored = repr(rows)
    for secret in ("secret", PASSWORD, "a new long password", session.id, "192.0.2.1"):
        assert secret not in stored


def test_changes_of_accounts_and_their_access_are_recorded():
    factories.user("keeper", Division.GFM)
    for change, *arguments in (
        (users.grant, [Division.GPM, Division.GFM], ["fleet:read"]),
        (users.grant, [Division.GPM], []),
        (users.revoke, [Division.GFM], []),
        (users.disable,),
        (users.enable,),
        (users.set_password, "a new long password"),
    ):
        with transaction():
            change("keeper", *arguments)
    assert [(e.event, e.detail) for e in trail()] == [
        ("account-creation", {"grants": ["manager of gfm", "worker of gfm"]}),
        ("access-grant", {"grants": ["manager of gpm", "scope fleet:read", "worker of gpm"]}),
        ("access-revocation", {"grants": ["manager of gfm", "worker of gfm"]}),
        ("account-disabling", {"sessions": 0}),
        ("account-enabling", {}),
        ("password-change", {"sessions": 0}),
    ]
    assert {e.subject for e in trail()} == {"keeper"}


def test_an_entry_waits_for_no_account_that_somebody_else_has_locked(app):
    by = factories.user("keeper")
    with transaction():
        db.session.execute(select(AuditEntry)).all()
        users.disable("keeper")
        db.session.flush()
        if db.engine.dialect.name == "postgresql":

            def write():
                with app.app_context(), transaction():
                    services.record(Event.UNDO, "gfm operation 1", by=by)

            with ThreadPoolExecutor(1) as pool:
                pool.submit(write).result(timeout=30)
    assert list(services.problems()) == []
