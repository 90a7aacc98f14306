"""Any mix of operations keeps the books right: amount = Σ delta, never below zero."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from sqlalchemy import func, select

from app import create_app
from app.db import db, transaction
from app.divisions import Division, Site
from app.errors import QuartermasterError
from app.idempotency import Submission, exactly_once
from app.stock.models import Item, LedgerEntry
from app.stock.queries import books, levels
from app.stock.rules.items import ItemState
from app.stock.rules.movements import Action, StockLine
from app.stock.rules.patches import Op, OpType
from app.stock.services import items, movements
from app.stock.services.movements import MovementResult, UndoResult, undo
from tests import factories
from tests.databases import settings_for
from tests.factories import DAY, GUILDFORD, MAIN

pytestmark = pytest.mark.differs_by_engine

names = st.sampled_from(["Bag", "BAG ", "Cup", "Tin", "Ｔin"])
quantities = st.integers(1, 6)
stores = st.sampled_from([MAIN, GUILDFORD])
users = st.sampled_from([1, 2])
bulk_lines = st.lists(st.builds(StockLine, names, quantities), min_size=1, max_size=4)


class Stockroom(RuleBasedStateMachine):
    """Random operations of two users at two sites, some of them repeated."""

    app = None

    def __init__(self):
        super().__init__()
        self.context = self.app.app_context()
        self.context.push()
        self.keys = 0
        self.sent = []

    def teardown(self):
        db.session.remove()
        self.context.pop()

    def do(self, by, kind, work):
        """Make a change under a new key; assert that a refusal changes nothing."""
        self.keys += 1
        key = f"{id(self)}-{self.keys}"
        submission = Submission(by, "POST /stock", key, ())
        try:
            with transaction():
                result = exactly_once(submission, kind, work)
        except QuartermasterError:
            return
        self.sent.append((submission, kind, result))

    def item(self, store, name):
        found = levels.find_item(store, name)
        return found.id if found else 0

    @rule(store=stores, name=names, quantity=quantities, by=users)
    def deliver(self, store, name, quantity, by):
        item = self.item(store, name)
        self.do(
            by,
            MovementResult,
            lambda: movements.deliver(store, [StockLine(item, quantity)], team="T", on=DAY, by=by),
        )

    @rule(store=stores, name=names, quantity=quantities, by=users, books=st.booleans())
    def withdraw(self, store, name, quantity, by, books):
        lines = [StockLine(self.item(store, name), quantity)]
        details = {"team": "T", "on": DAY, "by": by, "books_available": books}
        self.do(by, MovementResult, lambda: movements.withdraw(store, lines, **details))

    @rule(store=stores, name=names, quantity=quantities, by=users, books=st.booleans())
    def transfer(self, store, name, quantity, by, books):
        before = self.total()
        item = self.item(store, name)
        destination = Site.GUILDFORD if store == MAIN else Site.MAIN
        self.do(
            by,
            MovementResult,
            lambda: movements.transfer(
                store,
                [StockLine(item, quantity)],
                destination=destination,
                team="",
                on=DAY,
                books_available=books,
                by=by,
            ),
        )
        assert self.total() == before

    @rule(store=stores, action=st.sampled_from(Action), lines=bulk_lines, create=st.booleans())
    def bulk(self, store, action, lines, create):
        before = self.total()
        destination = Site.GUILDFORD if store == MAIN else Site.MAIN
        details = {"team": "", "on": DAY, "by": 1}
        work = {
            Action.DELIVERY: lambda: movements.deliver(store, lines, auto_create=create, **details),
            Action.WITHDRAWAL: lambda: movements.withdraw(store, lines, **details),
            Action.TRANSFER: lambda: movements.transfer(
                store, lines, destination=destination, **details
            ),
        }[action]
        self.do(1, MovementResult, work)
        if action is Action.TRANSFER:
            assert self.total() == before

    @rule(store=stores, name=names, amount=st.integers(0, 9), by=users)
    def add(self, store, name, amount, by):
        found = levels.find_item(store, name)
        seen = found.amount if found else None
        new = ItemState(None, name.strip(), amount)
        self.do(by, items.ItemResult, lambda: items.add_item(store, new, based_on=seen, by=by))

    @rule(store=stores, name=names, other=names)
    def rename(self, store, name, other):
        found = levels.find_item(store, name)
        if found is None:
            return
        id_, revision = found.id, found.revision
        new = other.strip()
        self.do(
            2,
            items.ItemResult,
            lambda: items.edit_item(store, id_, name=new, revision=revision, by=2),
        )

    @rule(store=stores, name=names)
    def remove(self, store, name):
        found = levels.find_item(store, name)
        if found is None:
            return
        id_, seen = found.id, found.amount
        self.do(1, items.ItemResult, lambda: items.remove_item(store, id_, based_on=seen, by=1))

    @rule(store=stores, name=names, counted=st.integers(0, 9), stale=st.booleans())
    def count(self, store, name, counted, stale):
        found = levels.find_item(store, name)
        expected = (found.amount if found else 0) + stale
        delta = counted - expected
        kind = OpType.DEC if delta < 0 else OpType.INC
        op = Op(kind, name, abs(delta), expected)
        self.do(
            2,
            movements.PatchResult,
            lambda: movements.patch_stock(
                store, [op], reason="Stock Check", team="Stock Check", on=DAY, by=2
            ),
        )
        if found and not stale:
            assert factories.amount(name, store) == counted

    @rule(number=st.integers(0, 30), by=users)
    def take_back(self, number, by):
        if number >= len(self.sent):
            return
        result = self.sent[number][2]
        operation = result.operation
        self.do(by, UndoResult, lambda: undo(Division.GFM, operation, by=by))

    @rule(number=st.integers(0, 30))
    def send_again(self, number):
        if number >= len(self.sent):
            return
        submission, kind, result = self.sent[number]
        before = self.ledger()
        with transaction():
            again = exactly_once(submission, kind, lambda: pytest.fail("it was done twice"))
        assert again.operation == result.operation
        assert self.ledger() == before

    @invariant()
    def the_books_are_right(self):
        db.session.rollback()
        assert list(books.ledger_problems()) == []
        assert db.session.execute(select(func.min(Item.amount))).scalar_one() in (
            None,
            *range(10_000),
        )

    def total(self):
        db.session.rollback()
        return db.session.execute(select(func.coalesce(func.sum(Item.amount), 0))).scalar_one()

    def ledger(self):
        db.session.rollback()
        return db.session.execute(select(func.count()).select_from(LedgerEntry)).scalar_one()


@pytest.mark.slow
def test_any_mix_of_operations_retries_and_two_people_keeps_the_books_right(database_url):
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(settings_for(database_url, Path(folder)))
        with app.app_context():
            factories.user("one")
            factories.user("two")

        class OnThisDatabase(Stockroom):
            pass

        OnThisDatabase.app = app
        options = settings(
            max_examples=15,
            stateful_step_count=25,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        run_state_machine_as_test(OnThisDatabase, settings=options)
        with app.app_context():
            db.engine.dispose()
