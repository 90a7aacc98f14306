"""One language: identifiers use the terms of docs/glossary.md."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import Environment

from tests.architecture.tree import ROOT, tracked

BANNED = frozenset(
    {
        *("said", "say", "says", "told", "tell", "tells", "asked", "ask", "asks"),
        *("heard", "meant", "shown", "known", "held", "hold", "holds"),
        *("come", "came", "gone", "stayed", "there", "wanted"),
    }
)
"""Words that everyday sentences need and identifiers don't: each hides the field's term."""

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_SCRIPT_TEXT = re.compile(
    r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|>[^<>{}=;]*<""",
    re.DOTALL,
)
_CLASS_VALUE = re.compile(r'\bclass="([^"{]*)"')
_CLASS_SELECTOR = re.compile(r"\.(-?[A-Za-z_][\w-]*)")
_CSS_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def words(name: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(name)}


def python_names(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.FunctionDef(name=name) if not name.startswith("test_"):
                yield name
            case ast.ClassDef(name=name) | ast.Name(id=name) | ast.Attribute(attr=name):
                yield name
            case ast.arg(arg=name) | ast.keyword(arg=str(name)) | ast.alias(asname=str(name)):
                yield name


@pytest.mark.parametrize("folder", ["app", "tests", "migrations/env.py", "wsgi.py"])
def test_python_identifiers_use_the_terms_of_the_glossary(folder):
    pattern = folder if folder.endswith(".py") else f"{folder}/*.py"
    found = {
        f"{path}: {name}"
        for path in tracked(pattern)
        for name in python_names((ROOT / path).read_text())
        if words(name) & BANNED
    }
    assert sorted(found) == []


def test_a_class_name_means_one_thing():
    places = defaultdict(list)
    for path in tracked("app/*.py"):
        for node in ast.walk(ast.parse((ROOT / path).read_text())):
            # Every schema may have marshmallow's inner class Meta.
            if isinstance(node, ast.ClassDef) and node.name != "Meta":
                places[node.name].append(str(path))
    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}


def test_script_identifiers_use_the_terms_of_the_glossary():
    found = {
        f"{path}: {name}"
        for path in tracked("widgets/src/*.ts", "widgets/src/*.tsx", "widgets/*.mjs")
        for name in _NAME.findall(_SCRIPT_TEXT.sub(" ", (ROOT / path).read_text()))
        if words(name) & BANNED
    }
    assert sorted(found) == []


def test_template_names_and_classes_use_the_terms_of_the_glossary():
    environment = Environment(autoescape=True)
    found = set()
    for path in tracked("templates/*.html"):
        source = (ROOT / path).read_text()
        names = [text for _, kind, text in environment.lex(source) if kind == "name"]
        names += [name for value in _CLASS_VALUE.findall(source) for name in value.split()]
        found |= {f"{path}: {name}" for name in names if words(name) & BANNED}
    assert sorted(found) == []


def test_css_classes_use_the_terms_of_the_glossary():
    found = {
        f"{path}: .{name}"
        for path in tracked("static/css/*.css")
        for name in _CLASS_SELECTOR.findall(_CSS_COMMENT.sub("", (ROOT / path).read_text()))
        if words(name) & BANNED
    }
    assert sorted(found) == []


def test_no_text_cites_a_document_that_is_not_in_the_repository():
    cites = re.compile(r"\b(?:design|seed|specification) ?§|(?<!-)\bseed(?:'s)?\b", re.IGNORECASE)
    here = Path(__file__).relative_to(ROOT)
    found = {
        f"{path}:{number}"
        for path in tracked(
            "app/*.py", "templates/*", "widgets/src/*", "static/*.css", "tests/*.py"
        )
        if path != here
        for number, line in enumerate((ROOT / path).read_text().splitlines(), 1)
        if cites.search(line)
    }
    assert sorted(found) == []


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("whatWasSaid", {"what", "was", "said"}),
        ("MOST_ASKED", {"most", "asked"}),
        ("threshold", {"threshold"}),
        ("HTTPError", {"http", "error"}),
    ],
)
def test_a_name_is_split_into_its_words(name, parts):
    assert words(name) == parts


def test_a_banned_word_in_a_python_name_is_found():
    source = "def f(asked, *, x=1):\n    told = asked.shown\n    return g(held=told)\n"
    found = {name for name in python_names(source) if words(name) & BANNED}
    assert found == {"asked", "told", "shown", "held"}
