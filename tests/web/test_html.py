"""Every page is HTML as its standard has it, by html-validate of widgets/node_modules."""

import re
from pathlib import Path
from urllib.parse import quote

import pytest
from flask import Flask

from tests.architecture.tree import ROOT, tracked
from tests.look.html import faults_of
from tests.opened_pages import opened_pages

OF_NOBODY = ["/login", "/nowhere"]


@pytest.mark.slow
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_every_page_is_valid_html(request, app, tmp_path):
    assert write_pages(request, app, tmp_path) > 80
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


def write_pages(request: pytest.FixtureRequest, app: Flask, folder: Path) -> int:
    """Write every page of a filled product, in one of its orders; return how many there are."""
    in_an_order = {
        (page.division, re.sub(r"sort=[^&]*", "sort=", page.path)): (page.path, page.text)
        for page in opened_pages(request, app)
        if page.mimetype == "text/html"
    }
    client, html = app.test_client(), {"Accept": "text/html"}
    of_nobody = [(path, client.get(path, headers=html).text) for path in OF_NOBODY]
    for number, (path, text) in enumerate([*in_an_order.values(), *of_nobody]):
        name = f"{number:03d} {quote(path, safe='?=&')[:80]}.html"
        (folder / name).write_text(text, encoding="utf-8")
    return len(list(folder.iterdir()))
