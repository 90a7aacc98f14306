"""Every page is HTML as its standard has it, by html-validate of widgets/node_modules."""

import json
import os
import re
import subprocess
from pathlib import Path
from urllib.parse import quote

import pytest
from flask import Flask

from tests.architecture.tree import ROOT, tracked
from tests.bench import data
from tests.pages_walk import pages
from tests.test_query_plans import fill, ids_of_stock

RULES = Path(__file__).with_name("html_rules.json")
"""What differs from the validator's own rules, and why.

`time`: its times have no microseconds, which the validator doesn't look at.
`aria-label-misuse`: a list may have a name, as a table has.
`no-implicit-button-type`: the button of a form submits it, as its type says by default.
`no-redundant-role`: a table that is shown as lines loses its native roles.
"""
VALIDATOR = ROOT / "widgets/node_modules/html-validate/bin/html-validate.mjs"
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


def write_pages(app: Flask, folder: Path) -> int:
    """Write every page of a filled product to a file; return how many there are."""
    fill(app)
    session = data.sign_in(app)
    client = app.test_client(use_cookies=False)
    requests = [page.request for page in pages(app, session, ids_of_stock(app))]
    requests += [("GET", path, b"", {"Accept": "text/html"}) for path in OF_NOBODY]
    for number, (method, path, _, headers) in enumerate(requests):
        sent = {name: value for name, value in headers.items() if name != "Accept-Encoding"}
        reply = client.open(path, method=method, headers=sent)
        if reply.mimetype == "text/html":
            name = f"{number:03d} {quote(path, safe='?=&')[:80]}.html"
            (folder / name).write_bytes(reply.get_data())
    return len(list(folder.iterdir()))


def faults_of(folder: Path) -> dict[str, set[tuple[str, str]]]:
    """Return the rules that each file breaks, each with where and how."""
    node = subprocess.run([ROOT / "widgets/node-path.sh"], capture_output=True, check=True)
    path = f"{node.stdout.decode().strip()}:{os.environ['PATH']}"
    command = ["node", VALIDATOR, "--config", RULES, "--formatter", "json", folder]
    # A file, since Node ends before a pipe has taken a long text.
    report = folder.with_suffix(".json")
    with report.open("w") as output:
        run = subprocess.run(
            command, stdout=output, stderr=subprocess.PIPE, env=os.environ | {"PATH": path}
        )
    assert run.returncode in (0, 1), run.stderr.decode()
    return {
        Path(file["filePath"]).name: {
            (fault["ruleId"], f"{fault['selector']}: {fault['message']}")
            for fault in file["messages"]
        }
        for file in json.loads(report.read_text())
        if file["messages"]
    }
