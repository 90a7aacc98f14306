"""The page of a history: its filters and a list of rows, or the list alone for htmx."""

from collections.abc import Callable, Hashable, Mapping
from typing import Any

from flask import render_template
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from app import dates
from app.web import rendered
from app.web.htmx import is_htmx_for
from app.web.list_query import TypedQuery, requested_page


def show_history(
    name: str,
    query: TypedQuery,
    *key: Hashable,
    version: Hashable,
    load: Callable[[], Mapping[str, Any]],
    load_choices: Callable[[], Mapping[str, Any]],
) -> ResponseReturnValue:
    """Show a page of a history, or for htmx its list alone; 422 for wrong filters.

    The templates are `<name>/_history_main.html` and `<name>/_history_list.html`. `load` returns
    their context, `load_choices` the further context of the filters. The rendered part is kept for
    the same version, filters, day and `key`.
    """
    is_fragment = is_htmx_for("list")
    template = f"{name}/_history_{'list' if is_fragment else 'main'}.html"

    def load_all() -> dict[str, Any]:
        choices = {} if is_fragment else load_choices()
        return {"query": query, "is_fragment": is_fragment, **load(), **choices}

    if query.problems:
        # The template has escaped it.
        part = Markup(render_template(template, **load_all()))  # noqa: S704
    else:
        values = tuple(sorted(query.values.items()))
        part = rendered.cached(
            template,
            *(*key, values, requested_page(), dates.today()),
            version=version,
            load=load_all,
        )
    status = 422 if query.problems else 200
    if is_fragment:
        return part, status
    return render_template("components/history.html", query=query, main=part), status
