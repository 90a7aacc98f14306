"""Concurrent changes of stock: amounts stay right, and nothing is applied twice."""

import subprocess
import sys
import threading
import time
from collections import Counter

import pytest

from app.db import transaction
from app.errors import Conflict
from app.stock.queries import books
from app.stock.rules.items import ItemState
from app.stock.rules.movements import StockLine
from app.stock.services import items as services
from app.stock.services import movements
from tests import factories
from tests.factories import DAY, MAIN
from tests.fleet.threads import run_at_once
from tests.person import Person

pytestmark = pytest.mark.differs_by_engine


@pytest.mark.slow
def test_8_processes_share_100_items_without_losing_or_inventing_one(
    app, in_app, database_url, tmp_path
):
    in_app(factories.user, "keeper")
    item = in_app(factories.item, "Red heart", 100)
    command = [sys.executable, "-m", "tests.stock.withdraw_many"]
    arguments = [database_url, str(tmp_path), str(item), "20", "8"]
    printed = subprocess.check_output([*command, *arguments], text=True)
    seen: Counter[str] = Counter()
    for pair in printed.split():
        status, count = pair.split("=")
        seen[status] += int(count)
    assert seen == {"303": 100, "409": 60}
    with app.app_context():
        assert factories.amount("Red heart") == 0
        assert list(books.ledger_problems()) == []


def test_the_same_form_sent_5_times_at_once_withdraws_once(app, in_app, person, amount):
    in_app(factories.user, "keeper")
    item = in_app(factories.item, "Red heart", 10)
    person.sign_in("keeper", follow=False)
    path = f"/inventory/main/items/{item}/action"
    sent = person.open(path).fields() | {"quantity": "3", "team": "Kitchen"}
    cookie = person.client.get_cookie("session").value

    def send():
        tab = Person(app)
        tab.client.set_cookie("session", cookie)
        return tab.post(path, sent).text

    replies = run_at_once([send] * 5)
    assert all("Red heart: withdrew 3, 7 left." in text for text in replies)
    assert amount("Red heart") == 7


def test_two_people_adding_the_same_name_at_once_make_one_item(app, in_app):
    by = in_app(factories.user, "keeper")

    def add(number):
        with app.app_context():
            try:
                with transaction():
                    new = ItemState(None, "Red heart", number + 1)
                    services.add_item(MAIN, new, based_on=None, by=by)
            except Conflict as conflict:
                return conflict.message
            return "added"

    messages = run_at_once([lambda n=n: add(n) for n in range(4)])
    assert messages.count("added") == 1
    assert all(text == "added" or "name" in text.lower() for text in messages)
    with app.app_context():
        assert list(books.ledger_problems()) == []


def test_concurrent_guesses_are_throttled_like_consecutive_ones(app, in_app):
    in_app(factories.user, "keeper")

    def guess():
        return Person(app).sign_in("keeper", "wrong password").status

    assert Counter(run_at_once([guess] * 12)) == {422: 5, 429: 7}


def test_a_bulk_update_that_waited_for_a_withdrawal_names_the_line_it_is_short_of(
    app, in_app, amount
):
    by = in_app(factories.user, "keeper")
    in_app(factories.items, [("Tin", 5), ("Red heart", 5)])

    def withdraw():
        lines = [StockLine("Tin", 1), StockLine("Red heart", 3)]
        with app.app_context():
            try:
                with transaction():
                    movements.withdraw(MAIN, lines, team="Kitchen", on=DAY, by=by)
                    # Hold the locks until the other one waits for them.
                    time.sleep(0.3)
            except Conflict as conflict:
                return conflict.fields
            return "withdrawn"

    results = run_at_once([withdraw] * 2)
    refusal = {"lines.1.name": 'Not enough stock: "Red heart" has 2'}
    assert sorted(results, key=str) == sorted(["withdrawn", refusal], key=str)
    assert (amount("Tin"), amount("Red heart")) == (4, 2)


def test_an_addition_that_waited_for_a_rename_does_not_change_the_renamed_item(app, in_app):
    by = in_app(factories.user, "keeper")
    item = in_app(factories.item, "Red heart", 5)
    locked = threading.Event()

    def rename():
        with app.app_context(), transaction():
            services.edit_item(MAIN, item, name="Blue heart", revision=0, by=by)
            locked.set()
            time.sleep(0.3)

    def add():
        locked.wait(5)
        with app.app_context(), transaction():
            new = ItemState(None, "Red heart", 50)
            services.add_item(MAIN, new, based_on=5, by=by)

    run_at_once([rename, add])
    with app.app_context():
        assert (factories.amount("Blue heart"), factories.amount("Red heart")) == (5, 50)
        assert list(books.ledger_problems()) == []
