"""Every page is HTML as its standard has it, by html-validate of widgets/node_modules."""

import re
from pathlib import Path
from urllib.parse import quote

import pytest
from flask import Flask

from tests.architecture.tree import ROOT, tracked
from tests.bench import data
from tests.look.html import faults_of
from tests.pages_walk import pages
from tests.test_query_plans import fill, stored_ids

OF_NOBODY = ["/login", "/nowhere"]


@pytest.mark.slow
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_every_page_is_valid_html(app, tmp_path):
    assert write_pages(app, tmp_path) > 80
    assert faults_of(tmp_path) == {}


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_fault_is_found(app, tmp_path):
    (tmp_path / "wrong.html").write_text(
        '<!DOCTYPE html><html lang="en"><head><title>A</title></head><body><select aria-label="B">'
        "<option>C</option></select><button><p>D</p></button>"
        '<time datetime="2026-01-01T10:00:00.123456Z">now</time></body></html>'
    )
    found = faults_of(tmp_path)["wrong.html"]
    assert {rule for rule, _ in found} == {"attribute-allowed-values", "element-permitted-content"}


def test_attributes_of_htmx_are_data():
    bare = re.compile(r"(?<![\w-])hx-\w")
    assert [path for path in tracked("templates/*") if bare.search((ROOT / path).read_text())] == []


def test_the_bundle_of_htmx_keeps_what_templates_use():
    # What else htmx can do is left out by widgets/htmx.mjs, so that it would do nothing.
    kept = {"get", "post", "target", "trigger", "include", "sync", "encoding", "indicator", "boost"}
    kept |= {"swap", "swap-oob", "push-url", "replace-url"}
    texts = [(ROOT / path).read_text() for path in tracked("templates/*")]
    used = {name for text in texts for name in re.findall(r"data-hx-([\w-]+)", text)}
    assert used <= kept
    triggers = [t for text in texts for t in re.findall(r"data-hx-trigger\W+([^\"']+)", text)]
    assert triggers
    left_out = re.compile(r"\b(load|every|revealed|throttle)\b|\[")
    assert [trigger for trigger in triggers if left_out.search(trigger)] == []


def write_pages(app: Flask, folder: Path) -> int:
    """Write every page of a filled product, in one of its orders; return how many there are."""
    fill(app)
    session = data.sign_in(app)
    client = app.test_client(use_cookies=False)
    in_an_order = {
        (page.division, re.sub(r"sort=[^&]*", "sort=", page.path)): page.request
        for page in pages(app, session, stored_ids(app))
    }
    requests = list(in_an_order.values())
    requests += [("GET", path, b"", {"Accept": "text/html"}) for path in OF_NOBODY]
    for number, (method, path, _, headers) in enumerate(requests):
        sent = {name: value for name, value in headers.items() if name != "Accept-Encoding"}
        reply = client.open(path, method=method, headers=sent)
        if reply.mimetype == "text/html":
            name = f"{number:03d} {quote(path, safe='?=&')[:80]}.html"
            (folder / name).write_bytes(reply.get_data())
    return len(list(folder.iterdir()))
