"""What comes back from the books to the phone that has kept it, and what its person chooses."""

import pytest
from playwright.sync_api import expect
from sqlalchemy import select

from app.audit.models import AuditEntry
from app.db import db
from tests import factories
from tests.factories import GPM
from tests.journeys.phones import ITEMS, OUTBOX, STOCK, move

pytestmark = pytest.mark.parametrize("product", ["sqlite"], indirect=True)


def test_withdrawals_that_the_books_lack_come_back_as_choices(phone, product):
    page = phone.open(STOCK)
    phone.cut()
    phone.open(STOCK)
    for name in ITEMS[:3]:
        move(page, name, 5)
    phone.expect_unsent(3)
    with product.app.app_context():
        factories.items([(name, 2) for name in ITEMS[:3]], store=GPM)
    phone.restore()
    page = phone.open(OUTBOX)
    first, second, third = (page.get_by_role("listitem", name=name) for name in ITEMS[:3])
    for entry in (first, second, third):
        expect(entry).to_contain_text("but the books say 2.")
    first.get_by_role("button", name="Book 2 and a difference of 3").tap()
    expect(first).to_have_count(0)
    second.get_by_role("button", name="Edit").or_(second.get_by_role("link", name="Edit")).tap()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Quantity")).to_have_value("5")
    dialog.get_by_label("Quantity").fill("1")
    dialog.get_by_role("button", name="Withdraw").tap()
    phone.expect_unsent(1)
    phone.open(OUTBOX)
    third.get_by_role("button", name="Discard").tap()
    page.get_by_role("dialog").get_by_label("Reason").fill("Put back on its shelf")
    page.get_by_role("dialog").get_by_role("button", name="Discard").tap()
    phone.expect_all_sent()

    with product.app.app_context():
        assert [factories.amount(name, GPM) for name in ITEMS[:3]] == [0, 1, 2]
        trail = db.session.scalars(select(AuditEntry)).all()
        assert any("Put back on its shelf" in str(entry.detail) for entry in trail)
