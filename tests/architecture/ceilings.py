"""Sizes of the product that may only fall, and the command that lowers their ceilings.

`python -m tests.architecture.ceilings` lowers each ceiling in ceilings.json to what is reached.
"""

import ast
import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

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
        "views with several functions": sorted(
            f"{path}: {name}" for path, text in texts.items() for name in crowded_views(text)
        ),
    }


def is_page(path: Path) -> bool:
    return len(path.parts) > 2 and path.parts[2] in ("pages", "pages.py")


def crowded_views(text: str) -> list[str]:
    """Return the names of the views in which more than one function is defined."""
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
        "views with several functions": [
            view
            for view in before["views with several functions"]
            if view in now["views with several functions"]
        ],
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(lowered(ceilings(), measured()), indent=2) + "\n")
