"""`flask events`: list and export what happened."""

import json

import pytest

from app.audit import queries as audit
from app.db import transaction
from app.directory.services.keys import hand_over
from app.divisions import Division
from app.events.rules import EventKind
from app.events.services import record_event
from app.stock.rules.movements import StockLine
from app.stock.services import movements
from tests import factories
from tests.factories import DAY, MAIN


@pytest.fixture
def run(app):
    def run(*arguments):
        return app.test_cli_runner().invoke(args=["events", *arguments])

    return run


@pytest.fixture
def happened(app):
    """An account that withdraws, and a key that is handed over."""
    with app.app_context():
        by = factories.user("keeper", *Division)
        (heart,) = factories.items([("Red heart", 50)])
        with transaction():
            movements.withdraw(MAIN, [StockLine(heart, 8)], team="Kitchen", on=DAY, by=by)
        factories.key("K1")
        with transaction():
            hand_over(1, "Ann", holder_before="", by=by)


KINDS = [
    *("account.created", "stock.imported", "stock.withdrawn"),
    *("keys.imported", "key.handed_over"),
]


def kinds(result):
    assert result.exit_code == 0, result.output
    return [line.split("\t")[2] for line in result.stdout.splitlines()]


def test_the_list_has_what_happened_to_what_and_who_did_it(run, happened):
    lines = [line.split("\t") for line in run("list").stdout.splitlines()]
    assert [line[2] for line in lines] == KINDS
    assert lines[2][0] == "3"
    assert lines[2][3:] == [
        *("gfm", "operation 2", "terminal", "keeper"),
        'amount 50 → 42, sites ["main"], item 1',
    ]
    assert lines[0][3:5] == ["-", "account 1"]


def test_the_list_leaves_out_values_that_stayed(app, run):
    with app.app_context(), transaction():
        before = {"label": "Service A", "every_months": 6}
        after = before | {"every_months": 3}
        record_event(
            EventKind.PLAN_CHANGED, "due_plan", 1, division=None, before=before, after=after
        )
    assert run("list").stdout.rstrip().split("\t")[-1] == "every_months 6 → 3"


def test_the_list_can_be_narrowed(run, happened):
    for options, expected in (
        (["--kind", "stock.withdrawn"], KINDS[2:3]),
        (["--division", "gpm"], KINDS[3:]),
        (["--limit", "2"], KINDS[3:]),
        (["--since", "2000-01-01"], KINDS),
        (["--since", "2100-01-01"], []),
    ):
        assert kinds(run("list", *options)) == expected, options


def test_the_export_has_a_line_of_json_for_each_event_and_is_in_the_audit_trail(
    app, run, happened, tmp_path
):
    file = tmp_path / "events.jsonl"
    assert run("export", "--division", "gfm", "--output", str(file)).exit_code == 0
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [line["kind"] for line in lines] == KINDS[1:3]
    assert set(lines[1]) == {
        *("id", "at", "kind", "division", "subject_kind", "subject_id"),
        *("actor_id", "channel", "request_id", "before", "after"),
    }
    assert lines[1]["before"] == {"amount": 50}
    with app.app_context():
        last = list(audit.all_entries())[-1]
    assert (last.event, last.subject) == ("export", "events")


def test_a_day_that_is_none_is_refused_in_one_line(run):
    result = run("list", "--since", "yesterday")
    assert result.exit_code == 1
    assert result.output.startswith("Error: ")
