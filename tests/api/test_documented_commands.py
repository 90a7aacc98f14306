"""The commands of docs/api.md work as written, and print what the page shows."""

import os
import re
import subprocess
from collections.abc import Iterator
from functools import partial

import pytest
from flask import Flask

from app.api.schemas import REQUEST_ID
from tests.api.served import Served, served
from tests.databases import Copies, filled_once
from tests.demo.test_demo import load
from tests.photos import photo_files
from tests.serving import ROOT

BLOCK = re.compile(r"^```(sh|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def demo(
    request: pytest.FixtureRequest, sqlite: Copies, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    def fill(app: Flask) -> None:
        filled_once(request, app, "demo", partial(load, app))

    with served(sqlite, tmp_path_factory.mktemp("documented"), fill) as product:
        yield product


def steps() -> list[tuple[str, str]]:
    """List the commands of the page, each with what it prints."""
    found: list[tuple[str, str]] = []
    for kind, text in BLOCK.findall((ROOT / "docs/api.md").read_text()):
        if kind == "sh":
            found.append((text, ""))
        else:
            found[-1] = (found[-1][0], text)
    return found


def test_every_command_prints_its_documented_output(demo, tmp_path):
    (tmp_path / "front.jpg").write_bytes(photo_files.jpeg())
    mark = "---- next ----"
    script = f"echo '{mark}'\n".join(commands for commands, _ in steps())
    run = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "SERVER": demo.address},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stderr == ""
    printed_lines = re.sub(r'"requestId":"[0-9a-f]{32}"', f'"requestId":"{REQUEST_ID}"', run.stdout)
    assert printed_lines.split(f"{mark}\n") == [printed for _, printed in steps()]
    assert demo.app.test_cli_runner().invoke(args=["ledger", "verify"]).exit_code == 0
