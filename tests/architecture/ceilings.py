"""Sizes of the product that may only fall, and the command that lowers their ceilings.

`python -m tests.architecture.ceilings` lowers each ceiling in ceilings.json to what is reached.
"""

import ast
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from app.fields import camel_case
from tests.architecture.tree import ROOT, tracked

FILE = ROOT / "tests/architecture/ceilings.json"
BASE = "app/*.py"
"""The modules that belong to no package."""

STEP = 100
"""Ceilings of lines are multiples of it, so that a small change needs no other ceiling."""

BY_HAND = {
    "lists": re.compile(r"\b(?:ListQuery|Sorting)\("),
    "dialogs": re.compile(r"\b(?:handle_form|render_dialog|handle_undo)\("),
    "exports": re.compile(r"\bcsv_download\("),
}
"""What the pages of a feature call where no record or act does it for them."""

ROUTES = {"route", "get", "post"}

EXEMPT = {"records", "demo"}
"""The packages that may repeat names of fields: what reads them, and the demo's own files."""


def ceilings() -> dict[str, Any]:
    return json.loads(FILE.read_text())


@cache
def measured() -> dict[str, Any]:
    """Return the sizes as they are, in the shape of the file."""
    texts = {path: (ROOT / path).read_text() for path in tracked("app/*.py")}
    lines: Counter[str] = Counter()
    for path, text in texts.items():
        package = f"app/{path.parts[1]}" if len(path.parts) > 2 else BASE
        for name in ("app", package):
            lines[name] += len(text.splitlines())
    pages = "\n".join(text for path, text in texts.items() if is_page(path))
    return {
        "lines": dict(sorted(lines.items())),
        "modules of app/web": sum(
            path.parent == Path("app/web") and path.stem != "__init__" for path in texts
        ),
        "made by hand": {name: len(call.findall(pages)) for name, call in BY_HAND.items()},
        "repeated names of fields": repeated_names(texts),
        "views with several functions": sorted(
            f"{path}: {name}" for path, text in texts.items() for name in crowded_views(text)
        ),
    }


def is_page(path: Path) -> bool:
    return len(path.parts) > 2 and path.parts[2] in ("pages", "pages.py")


def crowded_views(text: str) -> list[str]:
    """Return the names of the views in which more than one function is defined."""
    if not any(f".{name}(" in text for name in ROUTES):
        return []
    return [
        node.name
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef)
        and any(_is_route(decorator) for decorator in node.decorator_list)
        and sum(isinstance(inner, ast.FunctionDef) for inner in ast.walk(node)) > 2
    ]


def _is_route(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else None
    return isinstance(called, ast.Attribute) and called.attr in ROUTES


def repeated_names(texts: Mapping[Path, str]) -> list[str]:
    """Return the modules that repeat the JSON name or the label of a state's field, with it.

    Names and labels of one word are left out: other things are called so too.
    """
    trees = {path: list(ast.walk(ast.parse(text))) for path, text in texts.items()}
    declared: dict[str, set[Path]] = {}
    for path, nodes in trees.items():
        for node in nodes:
            for text in _texts_of_field(node):
                declared.setdefault(text, set()).add(path)
    found = set()
    for path, nodes in trees.items():
        if path.parts[1] in EXEMPT:
            continue
        words = {node.value for node in nodes if isinstance(node, ast.Constant)}
        words |= {node.id for node in nodes if isinstance(node, ast.Name)}
        found |= {
            f"{path}: {text}" for text in declared if text in words and path not in declared[text]
        }
    return sorted(found)


def _texts_of_field(node: ast.AST) -> Iterator[str]:
    """Yield the JSON name and the label that an attribute of a state declares, of several words."""
    if not (isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Call)):
        return
    if not (isinstance(node.value.func, ast.Name) and node.value.func.id == "attribute"):
        return
    field = node.value.args[0]
    named = {each.arg: each.value for each in field.keywords} if isinstance(field, ast.Call) else {}
    given = {name: each.value for name, each in named.items() if isinstance(each, ast.Constant)}
    json_name = given.get("json") or camel_case(ast.unparse(node.target))
    if json_name != json_name.lower():
        yield json_name
    if " " in (label := given.get("label", "")):
        yield label


def lowered(before: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    """Return the ceilings that fit what is reached, none of them higher than before."""
    lines = {
        name: min(ceiling, -(-now["lines"].get(name, 0) // STEP) * STEP)
        for name, ceiling in before["lines"].items()
    }
    return {
        "lines": {name: ceiling for name, ceiling in lines.items() if ceiling},
        "modules of app/web": min(before["modules of app/web"], now["modules of app/web"]),
        "made by hand": {
            name: min(ceiling, now["made by hand"][name])
            for name, ceiling in before["made by hand"].items()
        },
        **{
            name: [each for each in before[name] if each in now[name]]
            for name in ("repeated names of fields", "views with several functions")
        },
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(lowered(ceilings(), measured()), indent=2) + "\n")
