"""The stock on any day equals a replay of the ledger, as it was and as it was known."""

from datetime import datetime, time, timedelta
from random import Random

import pytest
from sqlalchemy import select

from app import dates
from app.db import db
from app.stock.models import Item, LedgerEntry, StockOperation
from app.stock.queries import values
from app.stock.rules.items import ItemState
from app.stock.rules.operations import Add, Change, Decrease, Increase, LedgerLine, Remove
from tests import factories
from tests.factories import DAY, MAIN

pytestmark = pytest.mark.differs_by_engine

SITE = 1


def change_for_months(by, random):
    """Record changes on random days, most of them on their day and some later."""
    start = DAY - timedelta(days=120)
    items = {}
    for number in range(150):
        recorded_on = start + timedelta(days=number * 120 // 150)
        on = recorded_on - timedelta(days=random.choice([0, 0, 0, 3, 40]))
        with dates.as_of(datetime.combine(recorded_on, time(15, number % 60), dates.LONDON)):
            item = random.choice([*items, None, None])
            if item is None or len(items) < 3:
                name, price = f"Item {number}", random.randint(1, 900)
                added = Add(ItemState(None, name, random.randint(1, 20), unit_price=price))
                factories.record(MAIN, added, by=by, on=on)
                items[db.session.scalar(select(Item.id).filter_by(name=name))] = True
                continue
            amount = db.session.get(Item, item, populate_existing=True).amount
            kinds = [Increase(item, random.randint(1, 9)), Change(item, unit_price=number)]
            kinds += [Decrease(item, random.randint(1, amount))] * 3 if amount else []
            kinds += [Remove(item)] if number % 20 == 0 else []
            chosen = random.choice(kinds)
            factories.record(MAIN, chosen, by=by, on=on)
            if isinstance(chosen, Remove):
                del items[item]


def replay(day, recorded_by):
    """Return amounts and prices by item, entry by entry."""
    statement = select(LedgerEntry, StockOperation.recorded_at).join(
        StockOperation, StockOperation.id == LedgerEntry.operation_id
    )
    amounts, prices = {}, {}
    ordered = statement.order_by(LedgerEntry.effective_at, LedgerEntry.id)
    for entry, recorded_at in db.session.execute(ordered):
        is_recorded = recorded_by is None or dates.london_day(recorded_at) <= recorded_by
        if is_recorded and dates.london_day(entry.effective_at) <= day:
            amounts[entry.item_id] = amounts.get(entry.item_id, 0) + entry.delta
            if {"unit_price", "removed"} & (entry.changes or {}).keys():
                prices[entry.item_id] = entry.unit_price
    return {id_: (amount, prices.get(id_, 0)) for id_, amount in amounts.items() if amount}


def test_the_stock_of_any_day_equals_a_replay_as_it_was_and_as_it_was_known(context, pytestconfig):
    random = Random(28)  # noqa: S311 (the same changes in every run)
    change_for_months(factories.user(), random)
    number = 200 if pytestconfig.option.thorough else 12
    days = sorted(DAY - timedelta(days=random.randint(-2, 170)) for _ in range(number))
    for day in days:
        for recorded_by in (None, day, day + timedelta(days=20)):
            found = values.stock_on([SITE], day, recorded_by)
            assert {line.item_id: (line.amount, line.price) for line in found} == replay(
                day, recorded_by
            )
    first = values.first_days([SITE])[SITE]
    months = sorted({day.replace(day=1) - timedelta(days=1) for day in days})
    days = [*months, days[-1]]
    worth = [sum(amount * price for amount, price in replay(day, None).values()) for day in days]
    expected = [value if day >= first else None for day, value in zip(days, worth, strict=True)]
    assert list(values.values_on([SITE], days)[SITE]) == expected


def test_entries_that_are_older_than_the_record_of_changes_set_prices_by_their_kind(
    context, monkeypatch
):
    monkeypatch.setattr(LedgerLine, "changes", {})
    factories.record(MAIN, Add(ItemState(None, "Red heart", 9, unit_price=250)), by=None, on=DAY)
    heart = factories.read_item(MAIN, "Red heart").id
    repriced = DAY + timedelta(days=10)
    by_file = Change(heart, unit_price=300)
    factories.record(MAIN, by_file, by=None, on=repriced, reason="Import of stock.csv")
    stock = {day: values.stock_on([SITE], day)[0] for day in (DAY, repriced)}
    assert [(line.amount, line.price) for line in stock.values()] == [(9, 250), (9, 300)]
    assert values.values_on([SITE], [DAY, repriced])[SITE] == [9 * 250, 9 * 300]


def test_entries_that_were_recorded_later_are_listed(context):
    by = factories.user()
    heart = factories.item("Red heart", 9)
    with dates.as_of(datetime.combine(DAY, time(15), dates.LONDON)):
        factories.record(MAIN, Decrease(heart, 4), by=by, on=DAY - timedelta(days=30))
    day = DAY - timedelta(days=10)
    (late,), number = values.late_entries([SITE], day, day, 10)
    assert (late.name, late.day, late.recorded_on, late.delta, number) == (
        "Red heart",
        DAY - timedelta(days=30),
        DAY,
        -4,
        1,
    )
