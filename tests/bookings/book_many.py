"""Processes that book, change, hand over and return the same few things at the same time."""

import json
import multiprocessing
import os
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

from flask import Flask
from sqlalchemy import select
from sqlalchemy.exc import DBAPIError, IntegrityError

from app import create_app, dates
from app.bookings.models import Booking
from app.bookings.queries.availability import IS_OCCUPYING
from app.bookings.queries.bookings import find_booking
from app.bookings.rules import BookingKind, BookingState, Condition, TimeSpan
from app.bookings.services import bookings, handover, placing
from app.db import db, table_of, transaction
from app.engines import is_retryable
from app.errors import QuartermasterError
from app.fleet.rules.check_answers import SubmittedCheck
from app.fleet.rules.findings import BookingStep, HandoverStep
from app.fleet.services.checks import CheckPlan, submit_check
from app.web.submissions import PAUSES
from tests.bookings.steps import LK, LM, LN, NINE, VANS, WORKER, requested
from tests.databases import settings_for

TRUCKS = ("TR19 UCK", "TR20 UCK")
KEYS = (LK, LM, LN, *(reg.replace(" ", "").lower() for reg in TRUCKS))
ASSETS = {"a-1": 1, "a-3": 3}
"""The bookable equipment by key, with its quantity."""

AT_A_TIME = 25
"""How many operations each process makes before the clock moves on."""


LATEST = datetime.max.replace(tzinfo=UTC)


def times_of(row: Any) -> Iterator[tuple[str, datetime, datetime]]:
    """Yield when a booking has its thing: what is reserved, and from the handover to the return."""
    if row.state in ("reserved", "out"):
        yield "reserved", row.starts_at, row.ends_at
    if row.state in ("out", "back"):
        yield "key", row.out_at, row.back_at or LATEST


def given_twice() -> list[Any]:
    """Return the things of which more are booked at a moment than there are, with the bookings.

    It knows nothing of the product but its rows, and goes through time with those of each thing.
    """
    with db.engine.connect() as connection:
        rows = connection.execute(select(table_of(Booking))).all()
    times = defaultdict(list)
    for row in rows:
        for way, start, end in times_of(row):
            if start < end:
                times[way, row.subject_key].append((start, end, row.units, row.number))
    wrong = []
    for (way, key), spans in times.items():
        at_once: list[tuple[datetime, datetime, int, int]] = []
        for span in sorted(spans):
            at_once = [*(each for each in at_once if each[1] > span[0]), span]
            if sum(units for _, _, units, _ in at_once) > ASSETS.get(key, 1):
                wrong.append((way, key, [each[3] for each in at_once]))
    return wrong


def reserved_twice() -> list[Any]:
    """Return the single things that are reserved twice, which the database itself refuses."""
    return [each for each in given_twice() if each[0] == "reserved" and each[1] != "a-3"]


class Booker:
    """Somebody who does at random what people do with bookings."""

    def __init__(self, number: int) -> None:
        self.random = random.Random(number)  # noqa: S311 (nothing secret)
        self.made: list[int] = []
        self.outcomes: Counter[str] = Counter()

    def work(self, now: datetime) -> None:
        """Do one thing; it is done again after a deadlock as often as a request is."""
        ways = {self.book: 40, self.change: 15, self.cancel: 5, self.hand_over: 20}
        (way,) = self.random.choices([*ways, self.take_back], [*ways.values(), 20])
        action: Callable[[], Any] = way(now)
        for attempt in range(len(PAUSES) + 1):
            try:
                with dates.as_of(now), transaction():
                    result = action()
            except QuartermasterError as error:
                is_backstop = isinstance(error.__cause__, IntegrityError)
                self.outcomes["backstop" if is_backstop else type(error).__name__] += 1
                return
            except DBAPIError as error:
                if not is_retryable(error) or attempt == len(PAUSES):
                    raise
                self.outcomes["retried"] += 1
            else:
                self.outcomes[way.__name__] += 1
                self.made += result.numbers if way == self.book else ()
                return

    def period(self, now: datetime) -> TimeSpan:
        start = now + timedelta(minutes=15 * self.random.randrange(80))
        return TimeSpan(start, start + timedelta(minutes=15 * self.random.randrange(1, 8)))

    def one_of(self, *states: BookingState, before: datetime | None = None) -> Booking | None:
        """Return some booking in one of these states, as it is when the work begins."""
        statement = select(Booking).where(IS_OCCUPYING, Booking.state.in_(states))
        if before:
            statement = statement.where(Booking.starts_at <= before)
        rows = db.session.scalars(statement.order_by(Booking.id.desc()).limit(40)).all()
        db.session.remove()
        return self.random.choice(rows) if rows else None

    def book(self, now: datetime) -> Callable[[], Any]:
        what: dict[str, Any] = self.random.choice(
            [
                *[{"class_name": "Van"}] * 4,
                *[{"key": key} for key in KEYS],
                {"key": "a-1", "kind": BookingKind.ASSET},
                {"key": "a-3", "kind": BookingKind.ASSET, "units": self.random.randrange(1, 4)},
            ]
        )
        things = [requested(self.period(now), **what)]
        if self.random.random() < 0.1:
            things.append(requested(self.period(now), self.random.choice(KEYS)))

        return lambda: bookings.book(things, by=WORKER)

    def change(self, now: datetime) -> Callable[[], Any]:
        row = self.one_of(BookingState.RESERVED, BookingState.OUT)
        period = self.period(now) if self.random.random() < 0.7 else None
        if period and row and row.state is BookingState.OUT:
            period = TimeSpan(row.starts_at, max(period.end, row.starts_at + timedelta(minutes=15)))
        key = self.random.choice(KEYS) if self.random.random() < 0.3 else ""
        revision = row.revision if row else 0
        number = row.number if row else 0
        values = {"period": period, "reg": key, "revision": revision, "by": WORKER}
        return lambda: bookings.change_booking(number, **values)

    def cancel(self, _now: datetime) -> Callable[[], Any]:
        row = self.one_of(BookingState.RESERVED)
        number = row.number if row else 0
        return lambda: bookings.cancel_booking(number, reason="Not needed", by=WORKER)

    def hand_over(self, now: datetime) -> Callable[[], Any]:
        row = self.one_of(BookingState.RESERVED, before=now + timedelta(minutes=75))
        return self.step(row, HandoverStep.OUT, now)

    def take_back(self, now: datetime) -> Callable[[], Any]:
        return self.step(self.one_of(BookingState.OUT), HandoverStep.BACK, now)

    def step(self, row: Booking | None, step: HandoverStep, now: datetime) -> Callable[[], Any]:
        """Return the step by a check, now and then of another vehicle, or without one."""
        number, miles = row.number if row else 0, self.random.randrange(1000, 2000)
        if row is None or row.kind is BookingKind.ASSET or self.random.random() < 0.4:
            odometer = miles if self.random.random() < 0.5 else None
            values: dict[str, Any] = {"odometer": odometer, "reason": "Phone", "by": WORKER}
            if step is HandoverStep.OUT:
                return lambda: handover.hand_over(number, **values)
            return lambda: handover.take_back(number, condition=Condition.FINE, **values)
        reg = row.subject if self.random.random() < 0.8 else self.random.choice(VANS)
        damage = {"Damage": f"Scratch {miles}"} if self.random.random() < 0.3 else {}
        check = SubmittedCheck(
            reg, miles, dates.london_day(now), damage, booking=BookingStep(number, step)
        )
        return lambda: submit_check(CheckPlan(check, reg, miles, None, {}), by=WORKER)


def race(app: Flask, number: int, operations: int, gate: Barrier) -> None:
    """Do things at the same time as other processes, whose clocks agree; print what was done."""
    booker = Booker(number)
    try:
        with app.app_context():
            for done in range(0, operations, AT_A_TIME):
                gate.wait(120)
                # The others go on meanwhile, so it is looked up at many moments.
                assert number or not reserved_twice()
                for _ in range(min(AT_A_TIME, operations - done)):
                    booker.work(NINE + done // AT_A_TIME * timedelta(hours=3))
    except BaseException:
        gate.abort()
        raise
    # Written at once, so that no other process writes into it.
    line = json.dumps({"made": booker.made, "outcomes": booker.outcomes})
    os.write(sys.stdout.fileno(), f"{line}\n".encode())


def main(url: str, instance: str, operations: str, workers: str, lock: str) -> None:
    """Start `workers` processes, forked from one that has loaded the application.

    With `lock` 'unlocked' nothing locks the bookings of a subject.
    """
    fork = multiprocessing.get_context("fork")
    app = create_app(settings_for(url, Path(instance)))
    if lock == "unlocked":
        placing.advisory_lock = lambda *_: None  # type: ignore[attr-defined]
    with app.app_context():
        find_booking(0)
        db.session.remove()
        db.engine.dispose()
    gate = fork.Barrier(int(workers))
    processes = [
        fork.Process(target=race, args=(app, number, int(operations), gate))
        for number in range(int(workers))
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    sys.exit(any(process.exitcode for process in processes))


if __name__ == "__main__":
    main(*sys.argv[1:])
