"""A day without a connection on a phone, from the first withdrawal to the ledger."""

from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import select

from app import dates
from app.bookings.models import Booking
from app.bookings.rules import BookingState
from app.db import db
from app.fleet.models import Check
from app.stock.models import LedgerEntry, StockOperation
from tests import factories
from tests.factories import GPM
from tests.journeys.checking import fill as fill_check
from tests.journeys.checking import pick, submit
from tests.journeys.phones import CHECK, COUNT, ITEMS, KEPT, OUTBOX, STOCK, count, move

pytestmark = pytest.mark.parametrize("product", ["sqlite"], indirect=True)

MINUTE = timedelta(minutes=1)


def take_step(page: Page, question: str, name: str) -> None:
    page.get_by_role("radiogroup", name=question).get_by_text(name, exact=True).tap()


def test_six_entries_outlive_a_flat_battery_and_arrive_once_each(phone, product):
    yesterday = dates.utc_now() - timedelta(days=1)
    page = phone.open(STOCK)
    phone.cut()
    page.context.clock.set_system_time(yesterday)
    phone.open(STOCK)
    expect(page.get_by_text("No connection")).to_be_visible()
    move(page, ITEMS[0], 2)
    expect(page.get_by_text(KEPT)).to_be_visible()
    move(page, ITEMS[1], 3)
    move(page, ITEMS[2], 5, "Depot", "Delivery")
    phone.expect_unsent(3)
    phone.open(COUNT)
    count(page, *ITEMS[10:], counted=7)
    phone.expect_unsent(4)
    phone.open(CHECK)
    fill_check(page)
    take_step(page, "Is this the handover of B-0001", "Handover")
    pick(page, "front.jpg", "rear.jpg", "left.jpg")
    submit(page)
    phone.expect_unsent(5)
    page.get_by_role("button", name="New check").tap()
    fill_check(page, "48350")
    take_step(page, "Is this the return of B-0001", "Return")
    submit(page)
    phone.expect_unsent(6)

    page = phone.profile.restart()
    phone.open(STOCK)
    expect(page.get_by_text("No connection")).to_be_visible()
    phone.expect_unsent(6)
    phone.open(OUTBOX)
    expect(page.get_by_role("heading", name="Withdraw 2 × ITEM 000")).to_be_visible()
    phone.restore()
    page.get_by_role("button", name="Send all now").tap()
    phone.expect_all_sent()

    with product.app.app_context():
        operations = db.session.scalars(
            select(StockOperation).where(StockOperation.made_at.is_not(None))
        ).all()
        assert len(operations) == 4
        assert all(abs(done.made_at - yesterday) < MINUTE for done in operations)
        lines = db.session.scalars(
            select(LedgerEntry)
            .where(LedgerEntry.operation_id.in_(done.id for done in operations))
            .order_by(LedgerEntry.id)
        ).all()
        assert {dates.london_day(line.effective_at) for line in lines} == {
            dates.london_day(yesterday)
        }
        moved = [(line.item_name, line.delta, line.team) for line in lines[:3]]
        assert moved == [
            (ITEMS[0], -2, "Kitchen"),
            (ITEMS[1], -3, "Kitchen"),
            (ITEMS[2], 5, "Depot"),
        ]
        assert [(line.item_name, line.delta) for line in lines[3:]] == [
            (name, -3) for name in ITEMS[10:]
        ]
        assert [factories.amount(name, GPM) for name in (*ITEMS[:3], ITEMS[10])] == [8, 7, 15, 7]
        checks = db.session.scalars(select(Check).order_by(Check.id)).all()
        assert [(check.day, len(check.photos)) for check in checks] == [
            (dates.london_day(yesterday), 3),
            (dates.london_day(yesterday), 0),
        ]
        assert all(abs(check.made_at - yesterday) < MINUTE for check in checks)
        [booking] = db.session.scalars(select(Booking)).all()
        assert [booking.out_check_id, booking.back_check_id] == [check.id for check in checks]
        assert booking.state is BookingState.BACK
