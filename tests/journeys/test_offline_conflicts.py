"""What comes back from the books to the phone that has kept it, and what its person chooses."""

import pytest
from playwright.sync_api import expect
from sqlalchemy import select

from app.audit.models import AuditEntry
from app.db import db
from tests import factories
from tests.factories import GPM
from tests.journeys.phones import COUNT, ITEMS, KEPT, OUTBOX, STOCK, apply_count, count, move

pytestmark = pytest.mark.parametrize("product", ["sqlite"], indirect=True)


def set_amounts(product, amounts):
    with product.app.app_context():
        factories.items(list(amounts.items()), store=GPM)


def amounts(product):
    with product.app.app_context():
        return [factories.amount(name, GPM) for name in ITEMS[:6]]


def test_withdrawals_that_the_books_lack_come_back_as_choices(phone, product):
    page = phone.open(STOCK)
    phone.cut()
    phone.open(STOCK)
    for name in ITEMS[:3]:
        move(page, name, 5)
    phone.expect_unsent(3)
    set_amounts(product, dict.fromkeys(ITEMS[:3], 2))
    phone.restore()
    page = phone.open(OUTBOX)
    first, second, third = (page.get_by_role("listitem", name=name) for name in ITEMS[:3])
    for entry in (first, second, third):
        expect(entry).to_contain_text("but the books say 2.")
    assert amounts(product)[:3] == [2, 2, 2]

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

    assert amounts(product)[:3] == [0, 1, 2]
    with product.app.app_context():
        trail = db.session.scalars(select(AuditEntry)).all()
        assert any("Put back on its shelf" in str(entry.detail) for entry in trail)


def test_a_count_of_lines_that_moved_meanwhile_is_reviewed_and_applied(phone, product):
    page = phone.open(STOCK)
    phone.cut()
    phone.open(COUNT)
    count(page, *ITEMS[:6], counted=7)
    expect(page.get_by_text(KEPT)).to_be_visible()
    phone.expect_unsent(1)
    set_amounts(product, {ITEMS[0]: 9, ITEMS[1]: 12, ITEMS[2]: 3})
    phone.restore()
    page = phone.open(OUTBOX)
    expect(page.get_by_text("Not sent: somebody changed 3 of these lines.")).to_be_visible()
    page.get_by_role("listitem").get_by_role("button", name="Choose").tap()
    chosen = ["Keep what I counted (7)", "Keep the difference (−3 → 9)", "Keep what I counted (7)"]
    for name, choice in zip(ITEMS, chosen, strict=False):
        page.get_by_role("group", name=name).get_by_role("button", name=choice).tap()
    apply_count(page)
    expect(page.locator("#alerts")).to_contain_text("Stock check")
    phone.expect_all_sent()
    assert amounts(product) == [7, 9, 7, 7, 7, 7]
