"""Pages count and search by summaries of the ledger, which every writer keeps right."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import partial

import pytest
from sqlalchemy import create_engine, text, update

from app import names
from app.db import db, transaction
from app.divisions import Division, Site
from app.revisions import MIGRATIONS
from app.sorting import SortOrder
from app.stock.models import ItemUse, LedgerSummary, StockSite
from app.stock.queries import books, history, history_search, overview
from app.stock.queries.history import history_part, stream_history
from app.stock.queries.history_scope import HistoryFilters
from app.stock.rules.history import DASH, HistoryEvent, display_team, event_of, signed_amount
from app.stock.rules.items import EntryKind, ItemState
from app.stock.rules.movements import StockLine
from app.stock.rules.operations import Add, Change, Decrease, Increase, Remove
from app.stock.rules.summaries import UNDONE_SUMS
from app.stock.services import movements, summaries
from app.stock.services.history import PastEntry
from tests import factories
from tests.factories import DAY, GUILDFORD, MAIN
from tests.fleet.threads import wait_for_lock
from tests.migration_steps import load

pytestmark = pytest.mark.differs_by_engine


@pytest.fixture
def by(context):
    return factories.user()


def imported(item="Tea", amount=4, team="Shop", *, days_ago=30, **values):
    event = values.pop("event", HistoryEvent.WITHDRAWAL)
    at = datetime(2026, 3, 29, 12, 30, tzinfo=UTC) - timedelta(days=days_ago)
    return PastEntry(values.pop("at", at), event, item, amount, team, unit_price=250, **values)


def every_kind_of_write(by):
    """Change stock in every way there is, in two sites and an imported history."""
    heart, mug = factories.items([("Red heart", 10), ("Mug", 5)])
    lines = [StockLine(heart, 2)]
    with transaction():
        movements.withdraw(MAIN, lines, team="Kitchen", on=DAY, by=by)
        movements.deliver(MAIN, [StockLine("New", 3)], auto_create=True, team="", on=DAY, by=by)
        movements.transfer(MAIN, lines, destination=Site.GUILDFORD, team="", on=DAY, by=by)
    change = partial(factories.record, MAIN, by=by, on=DAY)
    change(Increase(mug, 0, EntryKind.COUNT), Decrease(heart, 1, EntryKind.COUNT))
    change(Change(heart, name="Blue heart", unit_price=MAX_PRICE, amount=900_000))
    change(Add(ItemState(None, "Pen", 7)), reason="Found")
    removal = change(Remove(mug))
    with transaction():
        movements.undo(Division.GFM, removal, by=by)
    factories.add_history(
        imported(),
        imported("Ours", -7, "M", event=HistoryEvent.OTHER, site="northern", detail="Broken"),
        imported("Mug", at=datetime(2026, 6, 30, 23, 30, tzinfo=UTC)),
    )


MAX_PRICE = 999_999


def test_counts_and_sums_are_right_after_every_kind_of_write(by):
    every_kind_of_write(by)
    assert list(books.ledger_problems()) == []
    total = overview.site_totals(Division.GFM)[Site.MAIN]
    assert (total.items, total.units) == (4, 900_000 + 5 + 3 + 7)
    assert total.value == 900_000 * MAX_PRICE + 5 * 250 + 7 * 0
    rows = list(stream_history(Division.GFM, HistoryFilters()))
    assert overview.history_counts(Division.GFM, DAY)[0] == len(rows)


def test_summaries_that_differ_from_the_ledger_are_problems_until_a_rebuild(flask, by):
    every_kind_of_write(by)
    with transaction():
        db.session.execute(update(StockSite).filter_by(id=1).values(units=StockSite.units + 1))
        db.session.execute(update(LedgerSummary).values(value_low=LedgerSummary.value_low + 1))
        db.session.execute(text("DELETE FROM item_past_name"))
    code, output = flask("ledger", "verify")
    assert code == 1
    for problem in (
        "units is",
        "counts of the history differ",
        "1 texts of the ledger are missing",
    ):
        assert problem in output
    assert "made anew" in flask("ledger", "rebuild")[1]
    assert flask("ledger", "verify")[0] == 0


def test_a_rebuild_waits_for_an_operation_that_has_yet_to_lock_its_site(app):
    def rebuild():
        with app.app_context(), transaction():
            summaries.rebuild()

    with app.app_context():
        factories.items([("Red heart", 10)])
        with ThreadPoolExecutor(1) as pool:
            with transaction():
                db.session.execute(update(ItemUse).values(delta=ItemUse.delta))
                rebuilding = pool.submit(rebuild)
                wait_for_lock(rebuilding)
                db.session.execute(update(StockSite).values(version=StockSite.version))
            rebuilding.result()
        assert list(books.ledger_problems()) == []


def test_what_another_process_writes_counts_at_once(app, by, database_url):
    factories.items([("Red heart", 10)])
    assert history.load_history(Division.GFM, HistoryFilters()).total == 1
    other = create_engine(database_url)
    with other.begin() as connection:
        connection.execute(text("UPDATE ledger_summary SET entries = entries + 1"))
    other.dispose()
    db.session.rollback()
    assert history.load_history(Division.GFM, HistoryFilters()).total == 2


def test_an_item_is_found_by_every_name_it_has_had(by):
    heart, _ = factories.items([("Red heart", 10), ("Mug", 5)])
    factories.record(MAIN, Change(heart, name="Blue heart"), by=by, on=DAY)
    factories.record(MAIN, Increase(heart, 1), by=by, on=DAY)
    for search in ("red heart", "blue heart", "RED", "ea"):
        page = history.load_history(Division.GFM, HistoryFilters(search))
        assert (page.total, {row.item_id for row in page.rows}) == (3, {heart}), search


@pytest.fixture
def long_history(by):
    """Two months of entries of two sites and teams, several a day, some of them at midnight."""
    heart, mug = factories.items([("Red heart", 900), ("Mug", 900)])
    with transaction():
        movements.transfer(
            MAIN, [StockLine(mug, 400)], destination=Site.GUILDFORD, team="", on=DAY, by=by
        )
    first = date(2026, 1, 20)
    for n in range(12):
        move = movements.deliver if n % 3 else movements.withdraw
        store, item = (GUILDFORD, "Mug") if n % 4 == 1 else (MAIN, heart)
        lines = [StockLine(item, 1 + n % 5)]
        with transaction():
            move(store, lines, team=("Kitchen", "")[n % 2], on=first + timedelta(n // 2), by=by)
    factories.add_history(
        *(
            imported(
                ("Tea", "Red Heart")[n % 2],
                n % 5,
                ("Shop", "Kitchen", "Polo M")[n % 3],
                days_ago=n // 3,
                event=list(HistoryEvent)[n % 3],
                site=("main", "northern", "other", "")[n % 4],
                detail=("", "Broken in store")[n % 2],
                total_price=(None, 123_456_789, -99)[n % 3],
            )
            for n in range(60)
        )
    )


FILTERS = [
    {},
    {"event": HistoryEvent.OTHER},
    {"event": HistoryEvent.DELIVERY, "team": "Kitchen"},
    *({"team": team} for team in ("kitchen", "Polo M", "Nobody")),
    *({"site": site} for site in ("guildford", "northern", DASH)),
    {"start": date(2026, 1, 22), "end": date(2026, 3, 20)},
    {"team": "Shop", "start": date(2026, 3, 21)},
    *({"search": words} for words in ("heart", "red heart kitchen", "broken", "mar 2026 re")),
    *({"search": word} for word in ("3", "-3", "+3", "addition", "guildford", "no such thing")),
    {"search": "delivery", "site": "main"},
    {"search": "a", "event": HistoryEvent.OTHER},
]


WAYS = {"by indexes": (2000, 1000), "some by walking": (3, 0), "by walking": (0, 0)}
"""How many entries a search may find by indexes, and how many rows a page may skip, by way."""

PAGE, PART = 15, 11


@pytest.mark.usefixtures("long_history")
def test_the_pages_of_a_history_are_the_rows_that_match_in_their_order(monkeypatch, pytestconfig):
    """Each filter goes one way, another on the other engine, and with --thorough all ways."""
    monkeypatch.setattr(history, "ROWS_PER_PAGE", PAGE)
    is_thorough = pytestconfig.option.thorough
    first_way = db.engine.dialect.name == "postgresql"
    everything = list(stream_history(Division.GFM, HistoryFilters()))
    for number, (way, (candidates, skipped)) in enumerate(WAYS.items(), first_way):
        monkeypatch.setattr(history_search, "MAX_CANDIDATES", candidates)
        monkeypatch.setattr(history, "MAX_SKIPPED", skipped)
        for values in FILTERS if is_thorough else FILTERS[number % 3 :: 3]:
            filters = HistoryFilters(**values)
            lines = [line for line in everything if matches(line, filters)]
            first = history.load_history(Division.GFM, filters)
            found = [row.id for row in first.rows]
            for later in range(2, first.pages + 1):
                page = history.load_history(Division.GFM, filters, later)
                found += [row.id for row in page.rows if row.id not in found]
            ids = [line.id for line in lines]
            assert found == ids[: max(first.total, PAGE)], (way, values)
            oldest = history.load_history(Division.GFM, replace(filters, order=SortOrder("date")))
            assert [row.id for row in oldest.rows] == ids[::-1][:PAGE], (way, values)
            if first.sums is not None:
                units, value = sum(map(change, lines)), sum(map(change_of_value, lines))
                assert (first.total, first.sums.units) == (len(ids), units), (way, values)
                assert first.sums.value == value, (way, values)
            assert [line.id for line in stream_history(Division.GFM, filters)] == ids, (way, values)
            by_date = replace(filters, order=SortOrder("date"))
            assert in_parts(filters) == ids, (way, values)
            assert in_parts(by_date) == ids[::-1], (way, values)


def in_parts(filters):
    """Return the ids of the rows that match, read in parts."""
    found = []
    while True:
        part = history_part(Division.GFM, filters, PART, found[-1] if found else 0)
        found += [line.id for line in part]
        if len(part) < PART:
            return found


def change(line):
    """Return by how much a line changed the stock, as screens show it."""
    return signed_amount(event_of(EntryKind(line.kind)), line.amount)


def change_of_value(line):
    return signed_amount(event_of(EntryKind(line.kind)), line.total_price)


def matches(line, filters):
    """Decide in Python what the filters of a history select."""
    day = line.at.date()
    event = event_of(EntryKind(line.kind))
    team = names.key(display_team(line.team, is_imported=line.is_imported))
    site = line.site or DASH
    label = EntryKind(line.kind).label if line.kind in ("count", "addition", "removal") else ""
    texts = names.key("|".join([event, label, line.reason, team, line.item, site, f"{day:%b %Y}"]))
    amounts = (f"{change(line):+}", str(abs(line.amount)))
    words = names.key(filters.search).replace("mar 2026", "mar_2026").split()
    return (
        (filters.start or date.min) <= day <= (filters.end or date.max)
        and filters.event in (None, event)
        and names.key(filters.team) in ("", team)
        and filters.site in ("", site)
        and all(word.replace("_", " ") in texts or word in amounts for word in words)
    )


def test_the_migration_of_uses_fills_what_the_ledger_has(by):
    every_kind_of_write(by)
    mug = factories.item("Cup", 8)
    with transaction():
        taken = movements.withdraw(MAIN, [StockLine(mug, 3)], team="Bar", on=DAY, by=by)
        movements.undo(Division.GFM, taken.operation, by=by)
    dialect = db.engine.dialect.name
    migration = load(next(MIGRATIONS.glob("versions/*_fill_the_use_of_items.py")))
    with transaction():
        db.session.execute(text("DELETE FROM item_use"))
        zero = dict.fromkeys(UNDONE_SUMS, 0)
        db.session.execute(update(LedgerSummary).values(zero))
        for statement in migration.fills(dialect):
            db.session.execute(text(statement))
    assert list(books.ledger_problems()) == []
