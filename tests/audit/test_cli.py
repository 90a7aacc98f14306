"""`flask audit`: list, export and verify the trail."""

import json

import pytest
from sqlalchemy import text

from app.accounts.services import sessions
from app.audit import queries, services
from app.audit.rules import Event
from app.db import db, transaction
from tests import factories

CREATED = "grants manager of gfm worker of gfm"


@pytest.fixture
def run(app):
    def run(*arguments):
        return app.test_cli_runner().invoke(args=["audit", *arguments])

    return run


@pytest.fixture
def trail(app):
    """An account, a stranger's failure and an undo, each with an entry."""
    with app.app_context():
        by = factories.user("keeper")
        for name in ("nobody", "nobody"):
            attempt = sessions.authenticate(name, "wrong", "192.0.2.1")
            with transaction():
                sessions.open_session(attempt)
        with transaction():
            services.record(Event.UNDO, "gfm operation 7", by=by, operation=8)


def test_the_list_has_who_did_what(run, trail):
    lines = [line.split("\t") for line in run("list").stdout.splitlines()]
    assert [[line[0], *line[2:]] for line in lines] == [
        ["1", "account-creation", "terminal", "-", "keeper", CREATED],
        ["2", "sign-in-failure", "terminal", "-", "-", "failures 1"],
        ["3", "undo", "terminal", "keeper", "gfm operation 7", "operation 8"],
    ]


def test_the_list_names_failures_that_are_not_in_the_trail_yet(run, trail):
    assert "1 failed sign-ins under names without an account" in run("list").stderr


def test_the_list_can_be_narrowed(run, trail):
    for options, numbers in (
        (["--user", "Keeper"], ["3"]),
        (["--event", "sign-in-failure"], ["2"]),
        (["--limit", "2"], ["2", "3"]),
        (["--since", "2000-01-01"], ["1", "2", "3"]),
        (["--since", "2100-01-01"], []),
    ):
        lines = run("list", *options).stdout.splitlines()
        assert [line.split("\t")[0] for line in lines] == numbers, options


def test_an_unknown_account_is_refused(run, trail):
    result = run("list", "--user", "nobody")
    assert (result.exit_code, result.output) == (1, 'Error: There is no user "nobody"\n')


def test_the_export_has_all_entries_with_their_hashes_and_itself(run, trail, tmp_path):
    file = tmp_path / "audit.jsonl"
    assert run("export", "--output", str(file)).exit_code == 0
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    assert [row["event"] for row in rows][-2:] == ["undo", "export"]
    assert [row["previous_hash"] for row in rows[1:]] == [row["hash"] for row in rows[:-1]]


def test_a_whole_trail_is_verified_and_its_mark_printed(app, run, trail):
    result = run("verify")
    mark = result.output.split()[-1]
    assert result.exit_code == 0
    with app.app_context():
        assert mark == str(queries.last_mark())
    assert run("verify", "--includes", mark).exit_code == 0


def test_a_changed_trail_ends_with_1_and_says_what_to_do(app, run, trail):
    with app.app_context(), transaction():
        if db.engine.dialect.name == "postgresql":
            db.session.execute(text("ALTER TABLE audit_entry DISABLE TRIGGER USER"))
        else:
            db.session.execute(text("DROP TRIGGER audit_entry_no_update"))
        db.session.execute(text("UPDATE audit_entry SET subject = '' WHERE id = 3"))
    result = run("verify")
    assert result.exit_code == 1
    assert "Entry 3 was changed" in result.output
    assert "Error: 2 problems. Somebody changed the database itself" in result.output


def test_what_is_no_mark_is_refused(run):
    for mark in ("12", "x:1", f"٣:{'a' * 64}", f"1:{'g' * 64}"):
        result = run("verify", "--includes", mark)
        assert (result.exit_code, "A mark is a number" in result.output) == (1, True), mark
