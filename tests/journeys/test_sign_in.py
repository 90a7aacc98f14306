"""Signing in and staying signed in, in a real browser."""

from datetime import timedelta

import pytest
from playwright.sync_api import expect
from sqlalchemy import text

from app import dates
from app.db import db, transaction
from app.divisions import Division
from tests import factories
from tests.journeys.conftest import PHONE, sign_in, sign_in_by_form, sign_out
from tests.person import PASSWORD

pytestmark = pytest.mark.parametrize("product", ["sqlite"], indirect=True)


@pytest.fixture(autouse=True)
def keeper(product):
    with product.app.app_context():
        factories.user("keeper", Division.GFM)
        factories.item("Red heart", 10)


def let_pass(product, **time):
    """Make every login session older."""
    with product.app.app_context(), transaction():
        then = (dates.utc_now() - timedelta(**time)).replace(tzinfo=None)
        db.session.execute(text("UPDATE login_session SET renewed_at = :then"), {"then": str(then)})


def test_access_that_ran_out_is_renewed_in_the_middle_of_a_withdrawal(product, new_context):
    page = new_context().new_page()
    sign_in(page, path="/inventory/main")
    page.get_by_role("link", name="Withdraw Red heart").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Team").fill("Kitchen")
    let_pass(product, minutes=31)
    dialog.get_by_role("button", name="Withdraw").click()
    expect(dialog).to_be_hidden()
    expect(page.locator(".amount").last).to_have_text("9")
    assert product.amount("Red heart") == 9


def test_a_session_that_was_ended_leads_to_the_sign_in_and_back(product, new_context):
    page = new_context().new_page()
    sign_in(page, path="/inventory/main?q=red")
    with product.app.app_context(), transaction():
        db.session.execute(
            text("UPDATE login_session SET revoked_at = :now"), {"now": "2026-01-01 00:00:00"}
        )
    page.get_by_role("link", name="Withdraw Red heart").click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    page.get_by_label("Username").fill("keeper")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("main").get_by_role("searchbox")).to_have_value("red")


@PHONE
def test_changing_the_password_leads_to_the_sign_in(new_context, width):
    page = new_context(width).new_page()
    sign_in_by_form(page, path="/change-password")
    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_label("New password", exact=True).fill("a new good password")
    page.get_by_label("Confirm new password").fill("a new good password")
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_text("Password changed. You are signed out everywhere.")).to_be_visible()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()


def test_logout_leads_to_the_sign_in_and_the_back_button_shows_nothing(new_context):
    page = new_context().new_page()
    sign_in(page, path="/inventory/main")
    sign_out(page)
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    expect(page.get_by_text("Red heart")).to_have_count(0)
