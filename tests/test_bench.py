"""The benchmark: what it derives from its measurements, and one short run of it."""

import json
from dataclasses import replace

import pytest

from tests.bench import databases, report
from tests.bench.calls import BY_NAME, CALLS, CHANGES, FLEET_CALLS, MIXED
from tests.bench.data import Size
from tests.bench.figures import (
    CPU,
    RATIO,
    READY,
    ROWS,
    SPREAD,
    TARGETS,
    Figures,
    Measured,
    Stage,
    Target,
    compare,
    growth,
)
from tests.bench.load import load_process
from tests.bench.measuring import Bench, Options
from tests.bench.recording import Recording, Statement, filled, replayable

pytestmark = pytest.mark.differs_by_engine

FAST = Figures(per_second=200, p50=5, p95=15, cpu=4)
SLOW = Figures(per_second=100, p50=10, p95=50, cpu=8)
PAGE = Measured("list page", 4, FAST, SLOW, changed=SLOW, bare_one=FAST, bare_eight=FAST)
CHANGE = Measured("withdraw (JSON)", 8, SLOW, FAST)
EXPORT = Measured("history export", 3, replace(FAST, per_second=2), SLOW, rows=30_000)
STAGE = Stage("sqlite", 1, [PAGE, CHANGE, EXPORT], {READY: 1.1})
LARGE = Stage("sqlite", 33, [replace(PAGE, one=SLOW), CHANGE])
TINY = Size(
    movements=50, gpm_movements=10, deliveries=5, delivered=2, keys=5, checks=5, upkeep=5, assets=5
)


def test_the_figures_of_requests_are_their_rate_median_95th_percentile_and_cpu_time():
    times = [float(ms) for ms in range(1, 101)]
    found = report.figures_of(times, seconds=2, cpu=0.6, client_cpu=0.2)
    assert found == Figures(per_second=50, p50=51, p95=96, cpu=6, client_share=pytest.approx(0.25))


def test_the_ratio_compares_the_rates_of_eight_clients_with_those_of_the_bare_view():
    assert PAGE.ratio == 0.5
    assert CHANGE.ratio is None


def test_rows_per_second_are_those_that_one_client_receives():
    assert EXPORT.rows_per_second == 60_000


def test_a_target_is_reached_at_its_limit_and_not_beyond():
    targets = [
        Target("list page", RATIO, 0.5, is_minimum=True),
        Target("list page", CPU, 3.9),
        Target("withdraw (JSON)", SPREAD, 3),
        Target("history export", ROWS, 60_001, is_minimum=True),
        Target("", READY, 1.2),
    ]
    found = compare(STAGE, targets)
    assert [each.found for each in found] == [0.5, 4, 3, 60_000, 1.1]
    assert [each.is_reached for each in found] == [True, False, True, False, True]


def test_what_was_not_measured_is_compared_with_no_target():
    assert compare(Stage("sqlite", 1), TARGETS) == []


def test_growth_compares_the_medians_of_pages_repeated_and_after_a_change():
    found = [(each.name, each.variant, each.factor) for each in growth(STAGE, LARGE)]
    assert found == [("list page", "repeated", 2), ("list page", "changed", 1)]


def test_a_table_has_its_first_column_to_the_left_and_the_others_to_the_right():
    assert report.table(("call", "ms"), [["list", "1.25"], ["a", "12"]]) == (
        "call    ms\nlist  1.25\na       12"
    )


@pytest.mark.parametrize(
    ("value", "text"), [(None, ""), (0.123, "0.12"), (12.34, "12.3"), (12_345.6, "12,346")]
)
def test_a_number_has_about_three_digits(value, text):
    assert report.number(value) == text


def test_the_report_fits_into_120_columns_and_says_which_targets_are_reached():
    widest = Figures(per_second=8_888, p50=8_888, p95=88_888, cpu=8_888)
    wide = Measured(max(BY_NAME, key=len), 99, widest, widest, widest, widest, widest)
    calls = report.call_table(Stage("sqlite", 1, [wide, PAGE]))
    text = "\n".join([calls, report.text([STAGE, LARGE])])
    assert max(map(len, text.splitlines())) <= 120
    rows = [line.split() for line in text.splitlines()]
    assert ["ready", "after", "start,", "s", "≤", "1.20", "1.10", "yes"] in rows
    assert ["list", "page", "repeated", "5.00", "10.0", "2.00", "NO"] in rows


def test_the_json_has_the_figures_and_what_is_derived_from_them():
    small, large = json.loads(json.dumps(report.as_json([STAGE, LARGE])))
    assert small["calls"][0]["one"]["p50"] == 5
    assert small["calls"][0]["ratio"] == 0.5
    assert small["others"] == {READY: 1.1}
    assert {"subject": "", "figure": READY, "limit": 1.2, "is_minimum": False} | {
        "found": 1.1,
        "is_reached": True,
    } in small["targets"]
    assert (small["growth"], large["targets"]) == ([], [])
    assert [each["factor"] for each in large["growth"]] == [2, 1]


def test_every_name_that_targets_and_changes_use_is_a_call():
    names = {target.subject for target in TARGETS} - {""} | set(CHANGES.values()) | set(MIXED)
    assert names <= BY_NAME.keys()
    assert len(BY_NAME) == len(CALLS) + len(FLEET_CALLS)


def test_replayed_statements_have_slots_for_the_key_and_for_inserted_ids():
    def recorded(key, operation):
        statements = [
            Statement("BEGIN IMMEDIATE", (), is_many=False),
            Statement("INSERT INTO stock_operation (user_id) VALUES (?)", (1,), is_many=False),
            Statement("UPDATE item SET amount = ?", (5,), is_many=False),
            Statement("INSERT INTO ledger_entry VALUES (?, ?)", [(operation, 0)], is_many=True),
            Statement("INSERT INTO idempotency_key VALUES (?)", (key,), is_many=False),
        ]
        return Recording([statements], inserted={"stock_operation": operation}, key=key)

    (transaction,) = replayable(recorded("a", 7), recorded("b", 8))
    assert transaction["is_immediate"]
    values = {"key": "new", "stock_operation": 9}
    found = [filled(statement, values) for statement in transaction["statements"]]
    assert found == [[1], [5], [[9, 0]], ["new"]]


@pytest.mark.thorough
@pytest.mark.parametrize("engine", databases.ENGINES)
def test_a_short_run_measures_pages_and_changes_beside_the_bare_application(
    engine, tmp_path, monkeypatch
):
    monkeypatch.setattr(databases, "KEPT", tmp_path / "kept")
    calls = [BY_NAME[name] for name in ("livez", "list page", "withdraw (JSON)")]
    with databases.filled_copies(engine, tmp_path) as copy, load_process() as load:
        bench = Bench(engine, copy, tmp_path, load, Options(seconds=0))
        stage = bench.stage(2, TINY, calls)
    (written,) = json.loads(json.dumps(report.as_json([stage])))
    assert [call["name"] for call in written["calls"]] == [call.name for call in calls]
    assert all(call["ratio"] > 0 for call in written["calls"])
    assert [call["statements"] > 0 for call in written["calls"]] == [False, True, True]
    assert [call["changed"] is not None for call in written["calls"]] == [False, True, False]
