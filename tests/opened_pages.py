"""Every page of a filled product, opened once for all tests of what it reads and shows."""

import pickle
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import make_url, text

from app import dates
from app.assets.services import moves
from app.bookings.models import Booking
from app.bookings.rules import BookingKind, BookingState
from app.db import db, transaction
from app.deliveries import services as deliveries
from app.divisions import Division
from app.fleet.rules.vehicles import plate_key
from app.fleet.services import checks
from app.stock.rules.operations import Change
from app.versions import forget_values
from tests import factories
from tests.attachments.files import invoice
from tests.bench import data
from tests.bench.data import Size
from tests.bench.recording import Statement, record
from tests.databases import MadeOnce, filled_once
from tests.factories import MAIN
from tests.pages_walk import pages
from tests.silent_changes import written_directly

SIZE = Size(
    listed=150,
    movements=400,
    gpm_movements=150,
    deliveries=250,
    delivered=25,
    keys=150,
    vehicles=120,
    checks=200,
    upkeep=250,
    assets=150,
)
"""More of everything than a page shows."""


@dataclass(frozen=True)
class OpenedPage:
    """A page that was opened, the statements that it took, and its reply.

    `view` is the name of its view, or the path of a call.
    """

    view: str
    division: Division
    path: str
    statements: list[Statement]
    mimetype: str
    text: str


def opened_pages(request: pytest.FixtureRequest, app: Flask) -> list[OpenedPage]:
    """Return all pages of the application's database, which is filled with SIZE.

    All workers of a run open those on SQLite once.
    """
    filled_once(request, app, "much", partial(fill, app))
    url = app.config["QUARTERMASTER"].database_url
    if make_url(url).get_backend_name() != "sqlite":
        return list(open_pages(app))
    made_once: MadeOnce = request.getfixturevalue("made_once")

    def make(folder: Path) -> None:
        (folder / "pages").write_bytes(pickle.dumps(list(open_pages(app))))

    found: list[OpenedPage] = pickle.loads(  # noqa: S301 (our own)
        (made_once("opened", make) / "pages").read_bytes()
    )
    return found


def open_pages(app: Flask) -> Iterator[OpenedPage]:
    """Open each page of the application as it is now."""
    session = data.sign_in(app)
    for page in list(pages(app, session, stored_ids(app))):
        # What a worker remembers hides the statements by which it was read.
        forget_values()
        app.extensions["rendered"].clear()
        opened = record(app, page.request)
        statements = opened.statements()
        yield OpenedPage(
            page.view, page.division, page.path, statements, opened.mimetype, opened.reply
        )


def fill(app: Flask, size: Size = SIZE) -> None:
    data.fill(app, size)
    with app.app_context():
        renamed = [Change(number, name=f"Former {number}") for number in range(5, 15)]
        factories.record(MAIN, *renamed, by=None)
        with transaction():
            checks.review_check(2, remark="", by=1)
            moves.move_assets([3, 4], "Attic", by=1)
            for delivery in range(size.delivered + 2, size.deliveries, 4):
                deliveries.cancel(Division.GPM, delivery, cancel_reason="", by=1)
        factories.apply_draft(factories.draft("id,item\nLAMP-1,Lamp\n", by=1), by=1)
        factories.draft("id,item\nLAMP-2,Lamp\n", by=1)
        for defect in range(1, 41):
            factories.attach([invoice()], by=1, to=defect)
        factories.view(1)
        with written_directly(), transaction():
            db.session.add_all(reserved(n, size.vehicles) for n in range(size.upkeep))
    with app.app_context(), db.engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            # With few rows the planner would sort and filter where it wouldn't with many.
            connection.execute(text("ANALYZE"))
            connection.execute(
                text("UPDATE pg_class SET reltuples = reltuples * 10000 WHERE reltuples > 0")
            )


def reserved(number: int, vehicles: int) -> Booking:
    """Return a booking: B-0001 and half of the others begin after today."""
    days = number // vehicles + 1
    start = dates.start_of_day(dates.today() + timedelta(days=-days if number % 2 else days))
    reg = data.plate(number % vehicles)
    return Booking(
        number=number + 1,
        kind=BookingKind.VEHICLE,
        subject_key=plate_key(reg),
        subject=reg,
        is_single=True,
        starts_at=start,
        ends_at=start + timedelta(hours=8),
        state=BookingState.BACK if number % 2 else BookingState.RESERVED,
        for_name="k.lee",
        created_by=1,
        created_at=start,
        look_at="" if number else "The check counts, the handover doesn't.",
    )


def stored_ids(app: Flask) -> dict[Division, dict[str, int]]:
    """Return an item and an operation that can be undone of each store, and an attachment."""
    statement = text(
        "SELECT min(item.id) AS item_id, max(operation_id) AS operation_id FROM item "
        "JOIN stock_site ON stock_site.id = item.site_id "
        "JOIN ledger_entry ON ledger_entry.item_id = item.id AND imported_amount IS NULL "
        "WHERE division = :division AND site = 'main' AND removed_at IS NULL"
    )
    with app.app_context(), db.engine.connect() as connection:
        ids: dict[Division, dict[str, int]] = {
            division: dict(connection.execute(statement, {"division": division}).mappings().one())
            for division in (Division.GFM, Division.GPM)
        }
        newest = connection.execute(text("SELECT max(id) FROM attachment")).scalar_one()
        return ids | {Division.FLEET: {"attachment_id": newest}}
