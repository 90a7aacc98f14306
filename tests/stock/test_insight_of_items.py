"""Stock's reports of what stock checks found, and of what nobody counts or uses."""

from datetime import date

import pytest

from app.stock.rules.items import EntryKind
from app.stock.rules.operations import Change, Decrease, Increase, Remove
from tests import factories
from tests.factories import MAIN
from tests.person import table
from tests.stock import test_insight as insight
from tests.stock.test_insight import (
    JULY,
    JUNE,
    NORTHERN,
    PAGE,
    SUMMER,
    TODAY,
    as_of,
    last_operation,
    rows,
    undo,
    values,
    withdraw,
)

pytestmark = pytest.mark.differs_by_engine

boss, counted = insight.boss, insight.counted


def test_counts_have_their_accuracy_and_shrinkage_without_undone_ones(boss, counted):
    assert values(boss, f"counts?{SUMMER}") == [
        ["2026-06", "Main", "3", "1", "4", "10.00"],
        ["2026-07", "Main", "1", "0", "0", "0.00"],
    ]
    page = boss.open(f"{PAGE}/counts?{SUMMER}")
    assert page.all(".figure")[:2] == ["25.0% right", "£10.00 short"]
    assert "1 of 4 lines without a difference" in page.text
    assert "4 units of shrinkage" in page.text


def test_figures_of_stock_checks_lead_nowhere_since_no_history_has_their_lines(boss, counted):
    page = boss.open(f"{PAGE}/counts?{SUMMER}")
    assert table(page, "Counted lines by month")[0] == ["Jun 2026", "2", "1", "3"]
    assert page.html.select("main table a") == []


def test_items_without_a_count_are_numbered_and_listed(boss, counted):
    page = boss.open(f"{PAGE}/counts")
    assert page.all(".figure")[2:] == ["1 not counted", "0 not counted", "0 not counted"]
    assert page.all(".hero a")[0] == "For 90 days"
    assert [row["item"] for row in rows(boss, "counts?days=90")] == ["Mug"]
    assert "Not counted for 1 day " in boss.open(f"{PAGE}/counts?days=1").text
    assert "No withdrawal for 1 day " in boss.open(f"{PAGE}/idle?days=1").text
    assert rows(boss, "counts?days=90")[0]["lastCounted"] == "2026-07-04"


def test_an_undone_stock_check_does_not_count_an_item_until_it_is_redone(in_app, boss):
    def fill():
        with as_of(date(2026, 5, 2)):
            heart, mug, hat = factories.items([("Red heart", 100), ("Mug", 50), ("Hat", 5)])
        with as_of(JUNE):
            factories.record(MAIN, Increase(heart, 0, EntryKind.COUNT), by=1, on=JUNE)
        with as_of(JULY):
            for item, undos in ((heart, 1), (mug, 3), (hat, 2)):
                factories.record(MAIN, Decrease(item, 1, EntryKind.COUNT), by=1, on=JULY)
                for _ in range(undos):
                    undo(last_operation())

    in_app(fill)
    found = [(row["item"], row["lastCounted"]) for row in rows(boss, "counts?days=90")]
    assert found == [("Mug", ""), ("Red heart", "2026-06-10"), ("Hat", "2026-07-04")]


def test_idle_items_are_those_in_stock_without_a_withdrawal(in_app, boss):
    def fill():
        with as_of(JUNE):
            heart, mug = factories.items([("Red heart", 10), ("Mug", 4)])
            factories.items([("Red heart", 10)], store=NORTHERN)
            withdraw(mug, 1, "", JUNE)
            undo(withdraw(heart, 1, "", JUNE))
        used = factories.read_item(NORTHERN, "Red heart").id
        withdraw(used, 1, "", TODAY, NORTHERN)

    in_app(fill)
    assert values(boss, "idle?days=30&site=main") == [
        ["Red heart", "Main", "10", "pcs", "25.00", "", "Northern uses it"],
        ["Mug", "Main", "3", "pcs", "7.50", "2026-06-10", ""],
    ]
    page = boss.open(f"{PAGE}/idle?days=30")
    assert page.all(".figure")[0] == "£32.50"
    assert "No withdrawal for 30 days" in page.text


def test_a_new_item_is_not_idle_and_its_own_site_is_not_elsewhere(in_app, boss):
    def fill():
        with as_of(JUNE):
            used, renamed = factories.items([("Mug", 4), ("Old mug", 6)])
        withdraw(used, 1, "", TODAY)
        factories.record(MAIN, Remove(used), by=1, on=TODAY)
        factories.record(MAIN, Change(renamed, name="Mug"), by=1, on=TODAY)
        factories.item("Hat", 2)

    in_app(fill)
    found = [(row["item"], row["elsewhere"]) for row in rows(boss, "idle?days=30&site=main")]
    assert found == [("Mug", "")]
