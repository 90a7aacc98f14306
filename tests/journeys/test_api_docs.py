"""The page of the JSON calls: Swagger UI, under a policy without inline scripts."""

import pytest
from playwright.sync_api import expect

from app.divisions import Division
from tests import factories
from tests.journeys.conftest import sign_in
from tests.person import PASSWORD

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.parametrize("product", ["sqlite"], indirect=True),
    pytest.mark.usefixtures("desk"),
]


@pytest.fixture
def desk(product):
    with product.app.app_context():
        factories.user("trader", Division.GPM)


@pytest.fixture
def page(new_context):
    page = new_context().new_page()
    page.problems = []
    page.on("console", lambda line: line.type == "error" and page.problems.append(line.text))
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    return page


def try_out(page, operation, body):
    """Run an operation of the page; return its block."""
    block = page.locator(f"[id$='{operation}']")
    block.locator(".opblock-summary-control").click()
    block.get_by_role("button", name="Try it out").click()
    block.locator("textarea").fill(body)
    block.get_by_role("button", name="Execute").click()
    return block


def show_only(page, tag):
    """Filter the calls by their tag: of a long list only what is in the window is drawn."""
    page.locator(".operation-filter-input").fill(tag)
    expect(page.locator(".opblock-tag")).to_have_count(1)


def live_response(block):
    return block.locator(".live-responses-table .response")


def test_calls_are_listed_and_tried_out_with_the_session_and_with_a_token(page, product):
    sign_in(page, "trader")
    page.goto("/api/docs")
    expect(page.get_by_role("heading", name="Quartermaster")).to_be_visible()
    show_only(page, "Directory")
    block = try_out(page, "directory_gpm_add_team", '{"name": "Night shift"}')
    expect(live_response(block)).to_contain_text("201")

    page.context.clear_cookies()
    reply = product.app.test_client().post(
        "/api/auth/login", json={"username": "trader", "password": PASSWORD}
    )
    page.get_by_role("button", name="Authorize").click()
    page.locator("#auth-bearer-value").fill(reply.json["accessToken"])
    form = page.locator("form", has=page.locator("#auth-bearer-value"))
    form.locator("button.authorize").click()
    page.locator(".dialog-ux").get_by_role("button", name="Close").first.click()

    block = try_out(page, "directory_gpm_add_supplier", '{"name": "Glassworks"}')
    expect(live_response(block)).to_contain_text("201")
    assert page.problems == []
