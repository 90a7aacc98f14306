"""The page that shows the description to people, before its script has run."""

import re


def test_anybody_may_read_it(client):
    reply = client.get("/api/docs")
    assert reply.status_code == 200
    assert reply.mimetype == "text/html"
    assert 'data-csrf-token=""' in reply.text
    assert "Set-Cookie" not in reply.headers


def test_its_policy_allows_neither_inline_code_nor_other_hosts(client):
    policies = client.get("/api/docs").headers.getlist("Content-Security-Policy")
    assert len(policies) == 1
    directives = dict(part.split(" ", 1) for part in policies[0].split("; "))
    assert directives["script-src"] == directives["style-src"] == "'self'"
    assert directives["img-src"] == "'self' data:"
    assert directives["default-src"] == "'none'"


def test_its_script_and_style_are_served_by_us(client):
    urls = re.findall(r'(?:src|href)="(/static/built/[^"]+)"', client.get("/api/docs").text)
    assert [url.rpartition(".")[2] for url in urls] == ["css", "js"]
    for url in urls:
        with client.get(url) as reply:
            assert reply.status_code == 200
            assert "immutable" in reply.headers["Cache-Control"]


def test_somebody_who_is_signed_in_can_try_out_changes(trader):
    page = trader.client.get("/api/docs")
    token = re.search(r'data-csrf-token="([^"]+)"', page.text)
    assert token is not None
    assert page.headers["Cache-Control"] == "no-store"
    reply = trader.client.post(
        "/api/gpm/teams", json={"name": "Kitchen"}, headers={"X-CSRFToken": token[1]}
    )
    assert reply.status_code == 201, reply.json
