"""The calls can be read in a browser, without a script and on a slow line."""

import re

import pytest
from bs4 import BeautifulSoup

KB = 1024


@pytest.fixture(scope="module")
def client(shared_app):
    return shared_app.test_client()


@pytest.fixture(scope="module")
def page(client):
    return BeautifulSoup(client.get("/api/docs").text, "html.parser")


def test_every_call_stands_once_with_all_its_addresses(page, client):
    paths = client.get("/api/openapi.json").json["paths"]
    operations = sum(method != "parameters" for said in paths.values() for method in said)
    addresses = page.select("details li code")
    assert len(addresses) == operations
    assert {code.text for code in addresses} == set(paths)
    patched = page.select_one("#stock_gfm_patch_inventory")
    assert patched.summary.b.text == "PATCH"
    assert [li.text.split("\n")[0] for li in patched.select("li")] == [
        "/api/gfm/inventory/{site} For people of GFM.",
        "/api/gpm/inventory/{site} For people of GPM.",
        "/api/inventory/{site} For people of GFM or GPM.",
    ]
    assert '"type": "dec"' in patched.pre.text


def test_every_body_reply_and_error_that_is_named_is_explained(page):
    named = {link["href"] for link in page.select("main a[href^='#']")}
    there = {f"#{element['id']}" for element in page.select("[id]")}
    assert named <= there


def test_it_needs_no_script_and_nothing_inline(page):
    assert not page.select("[style], style, script:not([src]), [onclick]")
    assert page.select_one("script")["src"].startswith("/static/built/boot")


def test_it_is_light_and_an_unchanged_one_lighter(client):
    reply = client.get("/api/docs", headers={"Accept-Encoding": "br"})
    assert reply.headers["Content-Encoding"] == "br"
    assert len(reply.data) <= 20 * KB
    for path in ("/api/docs", "/api/openapi.json"):
        tag = client.get(path).headers["ETag"]
        assert client.get(path, headers={"If-None-Match": tag}).status_code == 304


def test_code_in_a_text_is_shown_as_code_and_nothing_else_as_markup(shared_app):
    marked = shared_app.jinja_env.filters["marked"]
    assert str(marked("send `<b>` & <i>")) == "send <code>&lt;b&gt;</code> &amp; &lt;i&gt;"
    assert re.fullmatch(r"plain", str(marked("plain")))
