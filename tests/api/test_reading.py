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
        "/api/inventory/{site} For people of GFM or GPM.",
    ]
    assert '"type": "dec"' in patched.pre.text


def test_an_address_that_takes_something_else_stands_by_itself(page):
    gpm = page.select_one("#stock_gpm_patch_inventory")
    assert [code.text for code in gpm.select("li code")] == ["/api/gpm/inventory/{site}"]
    assert "guildford" not in gpm.dl.text


def test_replies_stand_by_status_and_say_what_each_means(page):
    for call in page.select("details"):
        said = call.select("dl")[-1].find_all("dt", recursive=False)
        statuses = [dt.text for dt in said]
        assert statuses == sorted(statuses)
        for dt in said:
            assert len(dt.find_next_sibling("dd").text.split()) > 1
    patched = page.select_one("#stock_gfm_patch_inventory").text
    assert re.search(r"Forbidden\s+The user may not see or do this", patched)
    assert re.search(r"PatchConflictReply\s+Why no operation was applied", patched)


def test_what_stands_for_must_is_told_before_it_is_used(page):
    before = page.select_one("details").find_all_previous(string=re.compile(r"\*"))
    assert [text.strip() for text in before if "must be there" in text]


def test_no_value_is_written_as_python_writes_it(page):
    kinds = [kind.text for kind in page.select("dd > span.muted, dd > a")]
    assert "one of main, guildford, northern, null" in kinds
    assert not [kind for kind in kinds if re.search(r"\b(None|True|False)\b", kind)]


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
