"""A role that is taken away while work waits on a phone, and granted again."""

import pytest
from playwright.sync_api import expect

from app.accounts.services import users
from app.db import transaction
from app.divisions import Division, Role
from tests import factories
from tests.factories import GPM
from tests.journeys.phones import COUNT, ITEMS, OUTBOX, PERSON, STOCK, eventually, move

pytestmark = pytest.mark.parametrize("product", ["sqlite"], indirect=True)

WHY = (
    "You can look at GPM's data, but not change it. Ask an administrator if you need to change it."
)

IS_VIEW_ONLY = """() => new Promise((resolve) => {
  const opening = indexedDB.open("quartermaster-offline");
  opening.onsuccess = () => {
    const database = opening.result;
    const reading = database.transaction("references").objectStore("references");
    reading.get([Number(document.body.dataset.user), "stock:gpm/main"]).onsuccess = (event) => {
      database.close();
      resolve(Boolean(event.target.result.value.viewOnly));
    };
  };
})"""
"""Reads whether the phone has stored that its person may only look at the store."""


def amount(product) -> int:
    with product.app.app_context():
        return factories.amount(ITEMS[0], GPM)


def test_work_that_waits_is_refused_to_a_viewer_and_sent_once_they_work_again(phone, product):
    page = phone.open(STOCK)
    phone.cut()
    page = phone.open(STOCK)
    move(page, ITEMS[0], 2)
    phone.expect_unsent(1)
    with product.app.app_context(), transaction():
        users.grant(PERSON, [Division.GPM], [], [Role.VIEWER])
        users.revoke(PERSON, [Division.GPM], [], [Role.WORKER, Role.MANAGER])

    phone.restore()
    page = phone.open(OUTBOX)
    entry = page.get_by_role("listitem", name=ITEMS[0])
    expect(entry).to_contain_text(WHY)
    assert amount(product) == 10

    # Without a connection, the phone shows what it has read of the store since.
    page = phone.open(STOCK)
    eventually(lambda: page.evaluate(IS_VIEW_ONLY))
    phone.cut()
    page = phone.open(STOCK)
    expect(page.get_by_text(WHY)).to_be_visible()
    expect(page.get_by_role("rowheader", name=ITEMS[0])).to_be_visible()
    expect(page.get_by_role("button", name="Withdraw")).to_have_count(0)
    page = phone.open(COUNT)
    expect(page.get_by_role("heading", name="Stock check, Main")).to_be_visible()
    expect(page.get_by_text(WHY)).to_be_visible()

    with product.app.app_context(), transaction():
        users.grant(PERSON, [Division.GPM], [], [Role.WORKER])
    phone.restore()
    page = phone.open(OUTBOX)
    entry = page.get_by_role("listitem", name=ITEMS[0])
    entry.get_by_role("button", name="Send again").tap()
    phone.expect_all_sent()
    assert amount(product) == 8
