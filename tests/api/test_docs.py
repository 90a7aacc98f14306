"""The page that shows the description to people, before its script has run; and docs/api.md."""

import re
from collections import defaultdict
from typing import Any

from tests.architecture.tree import ROOT


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


BY_PREFIX = re.compile(r"^/api/(?:gfm|gpm|fleet)(?=/)")


def table_of_filters(description: dict[str, Any]) -> str:
    """Return the table of the filters and orders that the list calls have by their definitions."""
    lists: dict[tuple[str, str], list[str]] = defaultdict(list)
    for path, calls in description["paths"].items():
        parameters = calls.get("get", {}).get("parameters", ())
        sent = {each["name"]: each["schema"] for each in parameters if each["in"] == "query"}
        orders = [name for name in sent.pop("sort", {}).get("enum", ()) if name[0] != "-"]
        filters = [name for name in sent if name not in ("limit", "cursor")]
        if "limit" in sent and (filters or orders):
            lists[", ".join(filters), ", ".join(orders)].append(path)
    rows = []
    for (filters, orders), paths in lists.items():
        plain = {BY_PREFIX.sub("/api", path) for path in paths} & set(paths) or set(paths)
        rows.append(
            f"| {', '.join(f'`{path}`' for path in sorted(plain))} | {filters} | {orders} |"
        )
    return "\n".join(["| list | filters | `sort` |", "| --- | --- | --- |", *sorted(rows)])


def test_the_document_lists_the_filters_of_each_list_call(shared_app):
    table = table_of_filters(shared_app.test_client().get("/api/openapi.json").json)
    assert table in (ROOT / "docs/api.md").read_text(), f"docs/api.md, Lists:\n{table}"
