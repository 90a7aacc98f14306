"""The columns of lists that a person, or an address, hides.

The rows of a list are the same for everybody: the page hides columns by classes of its body.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from flask import Flask, current_app, g, render_template, request
from itsdangerous import BadData, URLSafeSerializer
from markupsafe import Markup

from app.errors import Invalid, NotFound
from app.web.access import current_user
from app.web.list_query import Heading
from app.web.navigation import referring_path

COLUMNS, ALL_COLUMNS = "columns", "all"
"""The argument that hides columns, as '-make,-model', and its value that hides none."""

FEW_COLUMNS = 5
"""The columns of a list that has no menu of them."""


class ColumnChoice(NamedTuple):
    """A column that may be hidden; `place` counts those of the table from 1."""

    name: str
    text: str
    place: int
    is_hidden: bool


def hidden_columns(path: str, args: Mapping[str, str]) -> Collection[str]:
    """Return the columns of a list that an address hides, else those that the user does."""
    if COLUMNS in args:
        return {name[1:] for name in args[COLUMNS].split(",") if name.startswith("-")}
    hidden: Collection[str] = current_user().preferences.get(COLUMNS, {}).get(path, ())
    return hidden


def write_hidden(names: Collection[str]) -> str:
    """Return hidden columns as addresses have them."""
    return ",".join(f"-{name}" for name in names) or ALL_COLUMNS


def columns_of_file(
    names: Sequence[str], listed: Collection[str]
) -> tuple[Sequence[str], Mapping[str, str]]:
    """Return a file's columns, or none and what the page shows that lets the user choose them.

    `names` are all that the file can have, `listed` those of the list. Raises Invalid for others.
    """
    path = request.path.removesuffix(".csv").removesuffix("/export")
    page = urlsplit(referring_path() or "")
    typed = dict(parse_qsl(page.query)) if page.path == path else {}
    hidden = hidden_columns(path, typed | request.args)
    on_screen = write_hidden([name for name in names if name in hidden or name not in listed])
    question = {"back": path, "on_screen": on_screen}
    requested = request.args.get(COLUMNS, "")
    if requested == ALL_COLUMNS or not (requested or any(name in hidden for name in names)):
        return names, question
    for name in requested.split(",") if requested else ():
        if name.removeprefix("-") not in {*names, *listed}:
            raise Invalid(f'There is no column "{name.removeprefix("-")[:40]}".', COLUMNS)
        if not name.startswith("-"):
            raise Invalid("Name the columns to leave out, each after a -, such as -make.", COLUMNS)
    kept = [name for name in names if name not in hidden] if requested else []
    if requested and not kept:
        raise Invalid("A file has at least one column. Leave out fewer.", COLUMNS)
    return kept, question


def column_choices(headings: Sequence[Heading]) -> Sequence[ColumnChoice]:
    """Return the columns that may be hidden, if there are more than a few; the first stays."""
    if not headings or len(headings) <= FEW_COLUMNS:
        return ()
    hidden = hidden_columns(request.path, request.args)
    return [
        ColumnChoice(each.name, each.text, place, each.name in hidden)
        for place, each in enumerate(headings, 1)
        if each.name
    ][1:]


def column_menu(headings: Sequence[Sequence[Any]]) -> Markup:
    """Return the menu of a list's columns, '' if none can be hidden; the page then hides some."""
    g.headings = [Heading(*each) for each in headings]
    choices = column_choices(g.headings)
    token = _signer().dumps([request.path, [each.name for each in choices]]) if choices else ""
    menu = render_template("components/column_menu.html", choices=choices, token=token)
    return Markup(menu)  # noqa: S704 (the template has escaped it)


def read_menu(token: str) -> tuple[str, Sequence[str]]:
    """Return the path of a list and the columns that its menu has; raises NotFound."""
    try:
        path, names = _signer().loads(token)
    except BadData:
        raise NotFound("There is no such list. Open it again.") from None
    return path, names


def _signer() -> URLSafeSerializer:
    return URLSafeSerializer(current_app.config["SECRET_KEY"], salt="quartermaster-columns")


def init_app(app: Flask) -> None:
    """Give templates what hides columns."""
    app.jinja_env.globals.update(column_choices=column_choices, column_menu=column_menu)
