"""Faults of the line, the browser and the clock: nothing is lost, doubled, or called sent early."""

import threading
from contextlib import suppress
from datetime import timedelta

import pytest
from playwright.sync_api import Error, Page, expect
from sqlalchemy import select, update

from app import dates
from app.db import db, transaction
from app.fleet.models import Check
from app.idempotency import IdempotencyKey, delete_expired_keys
from app.stock.models import LedgerEntry
from tests import factories
from tests.chaos.line import State
from tests.chaos.load import generator
from tests.factories import GPM
from tests.journeys.checking import fill as fill_check
from tests.journeys.checking import pick, submit
from tests.journeys.phones import (
    CHECK,
    ITEMS,
    KEPT,
    OUTBOX,
    STOCK,
    Phone,
    eventually,
    fill_move,
    move,
    open_move,
    save_move,
)
from tests.serving import serving

pytestmark = pytest.mark.parametrize("product", ["sqlite"], indirect=True)

ITEM = ITEMS[0]
MOVES = "POST /gpm/inventory/main/items/"
TITLE = f"Withdraw 2 × {ITEM}"


def amount(product) -> int:
    with product.app.app_context():
        return factories.amount(ITEM, GPM)


def entry(page: Page, title: str = TITLE):
    return page.get_by_role("listitem", name=title)


def kept(phone: Phone) -> Page:
    """Withdraw 2 without a line, then show what isn't sent."""
    phone.open(STOCK)
    phone.cut()
    page = phone.open(STOCK)
    move(page, ITEM, 2)
    page = phone.open(OUTBOX)
    expect(entry(page)).to_be_visible()
    return page


def test_an_entry_whose_reply_is_lost_three_times_counts_once_even_after_90_days(phone, product):
    page = kept(phone)
    phone.proxy.plan(MOVES, "replies dropped", 99)
    phone.restore()
    for tries in range(1, 4):
        entry(page).get_by_role("button", name="Send now").click()
        expect(entry(page)).to_contain_text("the server did not reply")
        eventually(lambda least=tries: phone.proxy.counts["replies dropped"] >= least)
    assert amount(product) == 8
    with product.app.app_context():
        with transaction():
            db.session.execute(
                update(IdempotencyKey).values(created_at=dates.utc_now() - timedelta(days=90))
            )
            delete_expired_keys()
        assert db.session.scalars(select(IdempotencyKey)).all() == []
    phone.proxy.reset()
    # The page may send it by itself meanwhile.
    with suppress(Error):
        entry(page).get_by_role("button", name="Send now").click(timeout=1000)
    expect(page.get_by_text(f"Sent: {TITLE}")).to_be_visible()
    phone.expect_all_sent()
    assert amount(product) == 8


def test_a_phone_that_dies_while_a_photo_is_sent_sends_the_check_once(phone, product):
    phone.open(STOCK)
    phone.cut()
    page = phone.open(CHECK)
    fill_check(page)
    pick(page, "front.jpg", "rear.jpg", "left.jpg")
    submit(page)
    phone.expect_unsent(1)
    with phone.proxy.holding("PUT /api/photos/") as arrived:
        phone.restore()
        phone.open(OUTBOX)
        assert arrived.wait(15)
        page = phone.profile.restart()
    phone.open(OUTBOX)
    phone.expect_all_sent()
    with product.app.app_context():
        [check] = db.session.scalars(select(Check)).all()
        assert len(check.photos) == 3


UPDATE = """async () => {
  const registration = await navigator.serviceWorker.getRegistration();
  const changed = new Promise((resolve, reject) => {
    navigator.serviceWorker.addEventListener("controllerchange", resolve);
    setTimeout(() => reject(new Error("no other worker came")), 15_000);
  });
  await registration.update();
  await changed;
}"""
"""Looks for another service worker, and waits until it answers for this page."""


@pytest.mark.thorough
def test_an_update_of_the_service_worker_while_it_sends_loses_and_doubles_nothing(phone, product):
    page = kept(phone)
    [cache] = page.evaluate("caches.keys()")
    version = cache.rpartition("-")[2].encode()
    with phone.proxy.holding(MOVES) as arrived:
        phone.restore()
        phone.open(OUTBOX)
        assert arrived.wait(15)
        phone.proxy.change_request = as_new
        phone.proxy.change_reply = lambda request, reply: (
            reply.replace(version, version[::-1]) if request.startswith(b"GET /sw.js") else reply
        )
        page.evaluate(UPDATE)
        assert len(page.evaluate("caches.keys()")) == 2
    phone.expect_all_sent()
    assert (amount(product), phone.proxy.sent(MOVES)) == (8, 1)
    phone.cut()
    phone.open(STOCK)
    expect(page.get_by_text("No connection")).to_be_visible()


def as_new(request: bytes) -> bytes:
    """Return a request for the whole reply, not compressed."""
    for header in (b"Accept-Encoding", b"If-None-Match", b"If-Modified-Since"):
        request = request.replace(header + b":", b"X-" + header + b":")
    return request


@pytest.mark.thorough
def test_two_tabs_and_the_worker_that_all_see_the_line_return_send_once(phone, product):
    page = kept(phone)
    other = phone.profile.context.new_page()
    other.goto(STOCK)
    phone.restore()
    for tab in (page, other):
        # One that the server's page replaces at this moment sees the line by itself.
        with suppress(Error):
            tab.evaluate("dispatchEvent(new Event('online'))")
    phone.profile.sync_in_background("quartermaster-outbox")
    outbox = phone.profile.context.new_page()
    outbox.goto(OUTBOX)
    # A page that is replaced by the server's meanwhile leaves a failed try, which is made again.
    expect(outbox.get_by_text("Nothing waits here.")).to_be_visible(timeout=20_000)
    assert amount(product) == 8


def test_the_worker_sends_with_all_pages_closed(phone, product):
    page = kept(phone)
    page.goto("about:blank")
    phone.restore()
    phone.profile.sync_in_background("quartermaster-outbox")
    eventually(lambda: amount(product) == 8)
    phone.open(OUTBOX)
    phone.expect_all_sent()


@pytest.mark.thorough
def test_withdrawals_on_a_slow_line_that_is_cut_at_any_moment_count_once_each(phone, product):
    moments = generator("cuts on a slow line")
    for name in ITEMS[1:3]:
        phone.line.become(State.SLOW)
        page = phone.open(STOCK)
        open_move(page, name).get_by_label("Quantity").wait_for()
        fill_move(page, 2)
        cut = threading.Timer(moments.uniform(0, 6), phone.cut)
        cut.start()
        expect(page.get_by_role("dialog")).to_have_count(0)
        cut.join()
    phone.restore()
    phone.open(OUTBOX)
    phone.expect_all_sent()
    with product.app.app_context():
        assert [factories.amount(name, GPM) for name in ITEMS[1:3]] == [8, 8]


def test_a_captive_portal_is_no_line(phone, product):
    phone.open(STOCK)
    phone.line.become(State.PORTAL)
    page = phone.open(STOCK)
    expect(page.get_by_text("No connection")).to_be_visible()
    move(page, ITEM, 2)
    expect(page.get_by_text(KEPT)).to_be_visible()
    phone.open(OUTBOX)
    entry(page).get_by_role("button", name="Send now").click()
    expect(page.get_by_text("Not sent: No connection")).to_be_visible()
    assert amount(product) == 10
    phone.restore()
    entry(page).get_by_role("button", name="Send now").click()
    phone.expect_all_sent()
    assert amount(product) == 8


def is_uncontrolled(page: Page) -> bool:
    """Load a page again, and return whether it came without a service worker."""
    page.reload()
    return page.evaluate("navigator.serviceWorker.controller === null")


def test_a_switched_off_worker_removes_itself_and_what_waits_is_sent(phone, product, tmp_path):
    kept(phone)
    with serving(product.database, tmp_path, settings={"OFFLINE": "off"}) as port:
        phone.proxy.target, before = port, phone.proxy.target
        try:
            phone.restore()
            page = phone.open(OUTBOX)
            phone.expect_all_sent()
            # The page looks for another worker too, once it has loaded.
            page.evaluate("navigator.serviceWorker.getRegistration().then((it) => it?.update())")
            eventually(lambda: page.evaluate("caches.keys()") == [])
            eventually(lambda: is_uncontrolled(page))
        finally:
            phone.proxy.target = before
    assert amount(product) == 8


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (
            "IDBFactory.prototype.open = () => { throw new DOMException('', 'SecurityError'); }",
            "keeps nothing",
        ),
        (
            """const put = IDBObjectStore.prototype.put;
            IDBObjectStore.prototype.put = function (...values) {
              if (this.name === "entries") throw new DOMException("", "QuotaExceededError");
              return put.apply(this, values);
            }""",
            "is full",
        ),
    ],
    ids=["blocked", "full"],
)
def test_a_browser_that_keeps_nothing_says_so_and_sends_while_there_is_a_line(
    phone, product, script, message
):
    phone.profile.context.add_init_script(script)
    page = phone.open(STOCK)
    move(page, ITEM, 2)
    expect(page.locator("#live")).to_contain_text(ITEM)
    assert amount(product) == 8
    open_move(page, ITEM).get_by_label("Quantity").wait_for()
    phone.cut()
    fill_move(page, 3)
    expect(page.get_by_role("alert")).to_contain_text(message)
    assert amount(product) == 8
    phone.restore()
    save_move(page)
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert amount(product) == 5


@pytest.mark.thorough
def test_a_clock_that_is_wrong_by_a_day_changes_no_day(phone, product):
    context = phone.profile.context
    context.clock.set_system_time(dates.utc_now() + timedelta(days=1))
    phone.open(STOCK)
    phone.profile.wait_until_ready(hours=-24)
    kept(phone)
    phone.restore()
    phone.open(OUTBOX)
    phone.expect_all_sent()
    with product.app.app_context():
        [line] = db.session.scalars(select(LedgerEntry).where(LedgerEntry.team == "Kitchen")).all()
        assert dates.london_day(line.effective_at) == dates.today()
