"""The documents: what they link to, name and list exists."""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from flask import Flask

from tests.architecture.test_house import ROOT, tracked

DOCUMENTS = sorted(path for path in tracked("*.md", "docs/**") if path.suffix == ".md")
LINK = re.compile(r"\]\(([^)\s]+)\)")
NAMED_PATH = re.compile(r"`((?:app|templates|static|widgets|migrations|tests|\.setup)/[\w./-]+)`")
NAME_IN_FILE = re.compile(r"`(\w+)(?:\(\))?` in `((?:app|widgets|tests)/[\w./-]+\.(?:py|ts|tsx))`")
CITED = re.compile(r"docs/domain\.md,[\s#*/]+(.{0,40})", re.DOTALL)
GENERATED = ("static/built", "widgets/generated")


def text_of(document: Path) -> str:
    return (ROOT / document).read_text()


def anchors(document: Path) -> set[str]:
    """Return the anchors of a document's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", text_of(document), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in headings}


def test_every_link_between_documents_leads_somewhere() -> None:
    broken = []
    for document in DOCUMENTS:
        for target in LINK.findall(text_of(document)):
            if "://" in target:
                continue
            name, _, anchor = target.partition("#")
            path = (ROOT / document).parent / name if name else ROOT / document
            is_found = path.exists() and (not anchor or anchor in anchors(path.resolve()))
            if not is_found:
                broken.append(f"{document}: {target}")
    assert broken == []


def test_every_file_that_a_document_names_exists() -> None:
    missing = [
        f"{document}: {name}"
        for document in DOCUMENTS
        for name in NAMED_PATH.findall(text_of(document))
        if not name.startswith(GENERATED) and not (ROOT / name).exists()
    ]
    assert missing == []


def test_every_name_that_a_document_places_in_a_file_is_defined_there() -> None:
    missing = []
    for document in DOCUMENTS:
        for name, file in NAME_IN_FILE.findall(text_of(document).replace("\n", " ")):
            defined = rf"(?:def|class|const|function|type) {name}\b|^{name}\b[^=\n]*="
            if not re.search(defined, (ROOT / file).read_text(), re.MULTILINE):
                missing.append(f"{document}: {name} in {file}")
    assert missing == []


def test_every_topic_that_code_cites_is_a_heading_of_the_rules() -> None:
    topics = re.findall(r"^## (.+)$", text_of(Path("docs/domain.md")), re.MULTILINE)
    unknown = []
    sources = tracked("app/*.py", "tests/*.py", "templates/*", "widgets/src/*", "static/css/*")
    for path in sources:
        for found in CITED.findall((ROOT / path).read_text()):
            cited = " ".join(re.sub(r"\n\s*(?:#|\*|//)?", " ", found).split())
            short = re.split(r"[.,;:)\"]", cited)[0]
            if not any(cited.startswith(topic) or topic.startswith(short) for topic in topics):
                unknown.append(f"{path}: {cited}")
    assert unknown == []


def commands_of(group: click.Group, prefix: str = "") -> Iterator[str]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands_of(command, f"{prefix}{name} ")
        else:
            yield f"{prefix}{name}"


def test_the_list_of_commands_has_every_command_and_no_other(shared_app: Flask) -> None:
    listed = set()
    for line in text_of(Path("docs/commands.md")).splitlines():
        cell = line.replace("\\|", "/").removeprefix("| ").partition(" | ")[0]
        for usage in re.findall(r"`([^`]+)`", cell) if line.startswith("| `") else ():
            group, *rest = usage.split()
            # 'users list/grant' is two commands; capitals and brackets are arguments.
            names = rest[0].split("/") if rest and rest[0][0].islower() else [""]
            listed |= {f"{group} {name}".strip() for name in names}
    makes = {name.removeprefix("make ") for name in listed if name.startswith("make ")}
    ours = {name for name in commands_of(shared_app.cli) if not name.startswith("db ")}
    assert {name for name in listed if not name.startswith("make ")} == ours | {"db upgrade"}
    phony = re.search(r"^\.PHONY: (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert phony is not None
    assert makes == set(phony[1].split())


@pytest.mark.parametrize("record", sorted(tracked("docs/decisions/0*.md")), ids=lambda p: p.stem)
def test_a_decision_has_the_parts_of_a_record(record: Path) -> None:
    text = text_of(record)
    assert text.startswith(f"# {record.name[:4]}: ")
    assert re.search(r"^- Status: \w+", text, re.MULTILINE)
    assert re.search(r"^- Date: \d{4}-\d\d-\d\d", text, re.MULTILINE)
    parts = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert parts == ["Context", "Decision", "Alternatives", "Consequences"]
    assert record.name in text_of(Path("docs/decisions/README.md"))
