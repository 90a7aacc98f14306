"""Any mix of operations keeps the books right: amount = Σ delta, never below zero."""

import tempfile
from functools import partial
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
from app.stock.services.movements import undo
from tests import factories
from tests.databases import settings_for
from tests.factories import DAY, GUILDFORD, MAIN

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

    def do(self, by, service, *values, **details):
        """Make a change under a new key; assert that a refusal changes nothing."""
        self.keys += 1
        submission = Submission(by, "POST /stock", f"{id(self)}-{self.keys}", ())
        kind = getattr(service, "func", service).__annotations__["return"]
        try:
            with transaction():
                work = partial(service, *values, by=by, **details)
                result = exactly_once(submission, kind, work)
        except QuartermasterError:
            return
        self.sent.append((submission, kind, result))

    def move(self, by, action, store, lines, **options):
        before = self.total()
        options |= {"destination": Site.GUILDFORD if store == MAIN else Site.MAIN, "on": DAY}
        self.do(by, movements.move, action, store, lines, **options)
        if action is Action.TRANSFER:
            assert self.total() == before

    def line(self, store, name, quantity):
        found = levels.find_item(store, name)
        return [StockLine(found.id if found else 0, quantity)]

    @rule(store=stores, name=names, quantity=quantities, by=users)
    def deliver(self, store, name, quantity, by):
        self.move(by, Action.DELIVERY, store, self.line(store, name, quantity), team="T")

    @rule(store=stores, name=names, quantity=quantities, by=users, books=st.booleans())
    def withdraw(self, store, name, quantity, by, books):
        lines = self.line(store, name, quantity)
        self.move(by, Action.WITHDRAWAL, store, lines, team="T", books_available=books)

    @rule(store=stores, name=names, quantity=quantities, by=users, books=st.booleans())
    def transfer(self, store, name, quantity, by, books):
        lines = self.line(store, name, quantity)
        self.move(by, Action.TRANSFER, store, lines, books_available=books)

    @rule(store=stores, action=st.sampled_from(Action), lines=bulk_lines, create=st.booleans())
    def bulk(self, store, action, lines, create):
        self.move(1, action, store, lines, auto_create=create)

    @rule(store=stores, name=names, amount=st.integers(0, 9), by=users)
    def add(self, store, name, amount, by):
        found = levels.find_item(store, name)
        new = ItemState(None, name.strip(), amount)
        self.do(by, items.add_item, store, new, based_on=found.amount if found else None)

    @rule(store=stores, name=names, other=names)
    def rename(self, store, name, other):
        if found := levels.find_item(store, name):
            values = {"name": other.strip(), "revision": found.revision}
            self.do(2, items.edit_item, store, found.id, **values)

    @rule(store=stores, name=names)
    def remove(self, store, name):
        if found := levels.find_item(store, name):
            self.do(1, items.remove_item, store, found.id, based_on=found.amount)

    @rule(store=stores, name=names, counted=st.integers(0, 9), stale=st.booleans())
    def count(self, store, name, counted, stale):
        found = levels.find_item(store, name)
        expected = (found.amount if found else 0) + stale
        kind = OpType.DEC if counted < expected else OpType.INC
        ops = [Op(kind, name, abs(counted - expected), expected)]
        self.do(2, movements.patch_stock, store, ops, reason="Stock Check", team="Check", on=DAY)
        if found and not stale:
            assert factories.amount(name, store) == counted

    @rule(number=st.integers(0, 30), by=users)
    def take_back(self, number, by):
        if number < len(self.sent):
            self.do(by, undo, Division.GFM, self.sent[number][2].operation)

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
