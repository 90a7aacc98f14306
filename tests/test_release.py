"""The release: one number in setup.cfg, displayed everywhere."""

import configparser
import re
from pathlib import Path

import pytest
from flask import Flask

from app import create_app
from app.revisions import VERSION
from tests.databases import settings_for

ROOT = Path(__file__).resolve().parents[1]


def test_the_number_is_the_one_of_setup_cfg_and_of_the_newest_entry_of_the_changelog() -> None:
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg")
    assert setup["metadata"]["version"] == VERSION, "run make install"
    changelog = (ROOT / "docs/CHANGELOG.md").read_text()
    releases = re.findall(r"^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$", changelog, re.MULTILINE)
    assert releases[0] == VERSION


def test_the_description_of_the_api_shows_it(shared_app: Flask) -> None:
    described = shared_app.test_client().get("/api/openapi.json").json
    assert described is not None
    assert described["info"]["version"] == VERSION


@pytest.mark.parametrize(
    ("url", "database"),
    [
        ("sqlite:///{folder}/none.db", r"SQLite 3(\.\d+)+"),
        ("postgresql+psycopg://nobody@127.0.0.1:1/none", r"psycopg 3(\.\d+)+"),
    ],
)
def test_flask_version_shows_it_without_a_database(tmp_path: Path, url: str, database: str) -> None:
    app = create_app(settings_for(url.format(folder=tmp_path), tmp_path))
    result = app.test_cli_runner().invoke(args=["version"])
    assert result.exit_code == 0
    number = re.escape(VERSION)
    expected = rf"Quartermaster {number}, Python 3(\.\d+)+, Flask 3(\.\d+)+, {database}\n"
    assert re.fullmatch(expected, result.output)
    assert not (tmp_path / "none.db").exists()
