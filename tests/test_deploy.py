"""The samples of docs/deploy name what the product has: settings, commands, limits, files."""

import re
import shlex
from pathlib import Path

import click
import pytest
from flask import Flask

from app.server.bodies import MAX_PAUSE_SECONDS
from app.server.supervisor import STALL_SECONDS, STOP_SECONDS
from tests.architecture.tree import ROOT, tracked

SAMPLES = ROOT / "docs" / "deploy"
UNITS = sorted(path for path in (SAMPLES / "systemd").rglob("*.*") if path.is_file())
GUIDE = (ROOT / "docs" / "deploy.md").read_text()
WRAPPER = r"(?:^(?:RELEASE=\S+ )?quartermaster|  /usr/local/bin/quartermaster)"
COMMAND = re.compile(rf"(?:\.venv/bin/flask|{WRAPPER}) (.+)")
NOT_THE_PRODUCTS = {"PATH", "POSTGRES_USER", "POSTGRES_PASSWORD", "POSTGRES_DB"}
NOT_THE_PRODUCTS |= {"POSTGRES_INITDB_ARGS", "RELEASE"}


def text_of(name: str) -> str:
    return (SAMPLES / name).read_text()


def numbers(pattern: str, text: str) -> set[float]:
    return {float(found) for found in re.findall(pattern, text, re.MULTILINE)}


def commands_in(text: str) -> list[list[str]]:
    """Return the words of each of the product's commands that a text has in lines of code."""
    lines = [line.strip() for line in text.splitlines() if line.startswith(("    ", "ExecStart"))]
    return [
        shlex.split(found[1], comments=True) for line in lines if (found := COMMAND.search(line))
    ]


def test_every_setting_in_the_samples_is_documented() -> None:
    documented = set(
        re.findall(r"`([A-Z][A-Z_]+)(?:=[^`]*)?`", (ROOT / "docs/settings.md").read_text())
    )
    compose, dockerfile = text_of("container/compose.yml"), text_of("container/Dockerfile")
    named = set(re.findall(r"^\s+([A-Z][A-Z_]+): ", compose, re.MULTILINE))
    named |= set(re.findall(r"\$\{([A-Z_]+)", compose))
    for line in re.findall(r"^ENV (.+)$", dockerfile, re.MULTILINE):
        named |= set(re.findall(r"([A-Z_]+)=", line))
    named |= set(re.findall(r"^    ([A-Z][A-Z_]+)=", GUIDE, re.MULTILINE))
    for unit in UNITS:
        named |= set(re.findall(r"^Environment=([A-Z_]+)", unit.read_text(), re.MULTILINE))
    assert named - NOT_THE_PRODUCTS - documented == set()


def test_every_command_in_the_samples_exists(shared_app: Flask) -> None:
    texts = [GUIDE, *(unit.read_text() for unit in UNITS)]
    typed = [words for text in texts for words in commands_in(text)]
    assert ["backup", "/var/backups/quartermaster", "--keep", "14"] in typed
    unknown = [" ".join(words) for words in typed if not is_command(shared_app.cli, words)]
    assert unknown == []


def is_command(group: click.Group, words: list[str]) -> bool:
    """Return whether the first words are a command that takes the options among the others."""
    context = click.Context(group)
    found = group.get_command(context, words[0])
    if isinstance(found, click.Group):
        return len(words) > 1 and is_command(found, words[1:])
    if found is None:
        return False
    options = {name for parameter in found.params for name in (*parameter.opts, "--help")}
    return all(word.partition("=")[0] in options for word in words[1:] if word.startswith("-"))


def test_proxies_have_the_limits_of_the_product(shared_app: Flask) -> None:
    mebibytes = {shared_app.config["MAX_CONTENT_LENGTH"] / 1024**2}
    nginx = text_of("proxy/nginx.conf")
    assert numbers(r"client_max_body_size (\d+)m;", nginx) == mebibytes
    assert numbers(r"max_size (\d+)MiB", text_of("proxy/Caddyfile")) == mebibytes
    assert numbers(r"client_body_timeout (\d+)s;", nginx) == {MAX_PAUSE_SECONDS}
    assert numbers(r"send_timeout (\d+)s;", nginx) == {STALL_SECONDS}


def test_a_stop_leaves_the_server_the_time_that_it_takes() -> None:
    web = text_of("systemd/quartermaster-web@.service")
    compose = text_of("container/compose.yml")
    assert min(numbers(r"^TimeoutStopSec=(\d+)", web)) > STOP_SECONDS
    assert min(numbers(r"stop_grace_period: (\d+)s", compose)) > STOP_SECONDS


def test_every_sample_is_explained() -> None:
    unnamed = [
        str(path)
        for path in tracked("docs/deploy/*")
        if path.name not in GUIDE and path.parent.name not in GUIDE
    ]
    assert unnamed == []


@pytest.mark.parametrize("timer", [u for u in UNITS if u.suffix == ".timer"], ids=lambda u: u.stem)
def test_a_timer_starts_a_unit(timer: Path) -> None:
    assert timer.with_suffix(".service") in UNITS
