"""Other people's phones: unsent work is its person's, whoever is signed in."""

import pytest
from playwright.sync_api import Page, expect

from app.divisions import Division
from tests import factories
from tests.factories import GPM
from tests.journeys.conftest import sign_in_by_form, sign_out
from tests.journeys.phones import ITEMS, OUTBOX, PERSON, STOCK, Phone, eventually, move

pytestmark = pytest.mark.parametrize("product", ["sqlite"], indirect=True)

MOVES = "POST /gpm/inventory/main/items/"
OTHERS = f"{PERSON} has 2 entries here not sent."


@pytest.fixture(autouse=True)
def second(phone, product):
    """Somebody else of the division."""
    with product.app.app_context():
        factories.user("second", Division.GPM)


def amounts(product) -> list[int]:
    with product.app.app_context():
        return [factories.amount(name, GPM) for name in ITEMS[:2]]


def kept_twice(phone: Phone) -> Page:
    """Withdraw twice without a line."""
    phone.open(STOCK)
    phone.cut()
    page = phone.open(STOCK)
    for name in ITEMS[:2]:
        move(page, name, 2)
    phone.expect_unsent(2)
    return page


def test_somebody_else_on_the_phone_can_neither_open_send_nor_delete_what_waits(phone, product):
    page = kept_twice(phone)
    phone.proxy.plan(MOVES, "requests dropped", 99)
    phone.restore()
    phone.open(STOCK)
    phone.expect_unsent(2)
    sign_out(page)
    question = page.get_by_role("dialog", name="2 entries are not sent yet")
    question.get_by_role("button", name="Send now").tap()
    expect(question.get_by_role("status")).to_contain_text("2 entries are not sent.")
    with page.expect_download() as saving:
        question.get_by_role("button", name="Save as a file").tap()
    file = saving.value.path()
    question.get_by_role("button", name="Sign out").tap()
    expect(page.get_by_label("Username")).to_be_visible()

    phone.proxy.reset()
    sign_in_by_form(page, "second", f"/login?next={OUTBOX}")
    expect(page.get_by_text(OTHERS).first).to_be_visible()
    expect(page.get_by_role("button", name="Send")).to_have_count(0)
    expect(page.get_by_role("button", name="Discard")).to_have_count(0)
    expect(page.get_by_text(ITEMS[0])).to_have_count(0)
    page.get_by_label("File of unsent work").set_input_files(file)
    expect(page.get_by_role("alert")).to_contain_text(f"This file is {PERSON}'s.")
    phone.profile.sync_in_background("quartermaster-outbox")
    page.evaluate("dispatchEvent(new Event('online'))")
    sign_out(page)
    expect(page.get_by_label("Username")).to_be_visible()
    assert (phone.proxy.sent(MOVES), amounts(product)) == (0, [10, 10])

    sign_in_by_form(page, PERSON, f"/login?next={OUTBOX}")
    phone.expect_all_sent()
    assert amounts(product) == [8, 8]


def test_a_file_counts_once_though_it_is_sent_from_two_phones(phone, phones, product):
    page = kept_twice(phone)
    phone.open(OUTBOX)
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save all as a file").tap()
    file = saving.value.path().read_bytes()
    with phones.another(phone) as other:
        sign_in_by_form(other.page, PERSON, f"/login?next={OUTBOX}")
        named = {"name": "not-sent.json", "mimeType": "application/json", "buffer": file}
        other.page.get_by_label("File of unsent work").set_input_files(named)
        expect(other.page.get_by_text("2 entries loaded.")).to_be_visible()
        other.expect_all_sent()
    assert amounts(product) == [8, 8]
    phone.open(OUTBOX)
    phone.expect_all_sent()
    assert amounts(product) == [8, 8]


def test_a_sign_out_while_it_is_sent_books_nothing_in_the_next_persons_name(phone, product):
    page = kept_twice(phone)
    with phone.proxy.holding(MOVES) as arrived:
        phone.restore()
        phone.open(OUTBOX)
        assert arrived.wait(15)
        page = phone.profile.context.new_page()
        page.goto(STOCK)
        sign_out(page)
        page.get_by_role("dialog").get_by_role("button", name="Keep for me").tap()
        expect(page.get_by_label("Username")).to_be_visible()
        sign_in_by_form(page, "second", f"/login?next={OUTBOX}")
    eventually(lambda: phone.proxy.sent("GET /session") > 1)
    expect(page.get_by_text(OTHERS).first).to_be_visible()
    assert amounts(product) == [10, 10]
    sign_out(page)
    expect(page.get_by_label("Username")).to_be_visible()
    sign_in_by_form(page, PERSON, f"/login?next={OUTBOX}")
    phone.expect_all_sent()
    assert amounts(product) == [8, 8]
