"""What templates share: their components, and rendered parts of pages.

Parts are kept in each worker as long as their data are unchanged.
"""

import json
import re
import sys
from collections.abc import Callable, Hashable, Mapping
from functools import cached_property, partial, wraps
from threading import Lock
from typing import Any, NamedTuple, ParamSpec

from cachetools import LRUCache
from flask import Flask, current_app, g, render_template
from flask.typing import ResponseReturnValue
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from app.db import db
from app.engines import losses
from app.web.access import roles_here, view_only

MAX_BYTES = 8 * 1024 * 1024
"""The memory for the parts of one worker; the least recently used ones are dropped first."""

PART_OVERHEAD = 1000
"""An upper bound of the bytes that a part takes besides its texts."""

PERSONAL = (
    "csrf_meta_tag",
    "csrf_token",
    "g",
    "get_flashed_messages",
    "new_idempotency_key",
    "request",
    "session",
    "user",
)
"""Names that a part's template can't use: they belong to one request, the part to everybody."""

COMPONENTS = (
    "actions",
    "dialog",
    "filters",
    "forms",
    "attachments",
    "lists",
    "messages",
    "pager",
    "phrases",
    "rename",
    "stacked_bars",
    "widget",
)
"""The files of templates/components whose macros every template can call without an import."""

PAGE_PARTS = "\0"
"""What is between the parts of a kept page: no text has it."""

PERSONAL_CALLS = ("column_menu", "view_heading")
"""Functions of templates that a kept part calls anew for each request."""

_CALL = re.compile("\1(.*?)\1")
"""Such a call in a kept part, as JSON of its name and its arguments."""

Key = tuple[Hashable, ...]

Names = str | tuple[str, ...]
"""The name of a template, or several to take the first of that exists."""

Context = Mapping[str, Any]
Load = Callable[[], Context]

P = ParamSpec("P")


class _Part(NamedTuple):
    version: Hashable
    markup: Markup
    size: int


def cached(template: Names, *key: Hashable, version: Hashable, load: Load) -> Markup:
    """Return a template rendered with the result of `load`, which runs once for each version.

    `key` is everything else that the part depends on: the store, filters, the day. The user's roles
    there, which decide on the part's actions, are added to it.

    Read the version from the database in this request, and let `load` read the data: if the data
    change in between, the part is newer than its version, never older. Don't call it in
    `transaction()`, whose changes may not be committed. Errors of `load` are passed on.
    """
    parts: RenderedParts = current_app.extensions["rendered"]
    version = (losses(db.engine), version)
    view = g.get("saved_view")
    key = (*key, view_only(), roles_here(), view and view.id)
    markup = parts.find(template, key, version)
    if markup is None:
        markup = parts.render(template, key, version, load())
    return Markup(_CALL.sub(_call, markup))  # noqa: S704 (all of it is markup)


def _call(found: re.Match[str]) -> str:
    name, *arguments = json.loads(found[1])
    function: Any = current_app.jinja_env.globals[name]
    return str(function(*arguments))


def page(templates: Names, load: Load, *, is_kept: bool = True) -> str:
    """Return a page rendered with the result of `load`, once for all users if it `is_kept`.

    A kept page depends only on its address, on the users' roles, and on what the view gave
    `caching.not_modified` before, which names the page's versions.
    """
    if not is_kept:
        return render_template(templates if isinstance(templates, str) else [*templates], **load())
    parts = cached(templates, g.page_key, version=g.page_version, load=load).split(PAGE_PARTS)
    return render_template("components/kept.html", parts=parts) if len(parts) > 1 else parts[0]


class _Wrong(Exception):
    """A page has a problem, so it isn't kept; its only argument is the context."""


def kept(template: str) -> Callable[[Callable[P, Context]], Callable[P, ResponseReturnValue]]:
    """Return a decorator of views that return the context of a kept page, as `page` has it.

    A page with a `problem` is rendered for its request alone, with status 422.
    """

    def decorate(view: Callable[P, Context]) -> Callable[P, ResponseReturnValue]:
        @wraps(view)
        def show(*args: P.args, **kwargs: P.kwargs) -> ResponseReturnValue:
            def load() -> Context:
                context = view(*args, **kwargs)
                if context.get("problem"):
                    raise _Wrong(context)
                return context

            try:
                return page(template, load)
            except _Wrong as wrong:
                return render_template(template, **wrong.args[0]), 422

        return show

    return decorate


class RenderedParts:
    """The parts that one application has rendered, by template and key."""

    def __init__(self, app: Flask, max_bytes: int = MAX_BYTES) -> None:
        self._app = app
        self._lock = Lock()
        self._parts: LRUCache[Key, _Part] = LRUCache(max_bytes, lambda part: part.size)

    def find(self, template: Names, key: Key, version: Hashable) -> Markup | None:
        """Return the part of this version, if it is kept."""
        with self._lock:
            part = self._parts.get((template, *key))
        return part.markup if part is not None and part.version == version else None

    def render(
        self, template: Names, key: Key, version: Hashable, context: Mapping[str, Any]
    ) -> Markup:
        """Return a newly rendered part, which replaces the part of another version."""
        names = [template] if isinstance(template, str) else [*template]
        text = self._environment.select_template(names).render(context)
        markup = Markup(text)  # noqa: S704 (the template has escaped it)
        size = sys.getsizeof(markup) + len(repr(key)) + PART_OVERHEAD
        if size <= self._parts.maxsize:
            with self._lock:
                self._parts[(template, *key)] = _Part(version, markup, size)
        return markup

    def clear(self) -> None:
        """Drop all parts: the application is pointed at another database."""
        with self._lock:
            self._parts.clear()

    @cached_property
    def _environment(self) -> Environment:
        """Return the application's templates, in which any use of personal names is an error."""
        environment = self._app.jinja_env.overlay()
        refused = {name: StrictUndefined(name=name) for name in PERSONAL}
        environment.globals = {
            **self._app.jinja_env.globals,
            **refused,
            "frame": "components/page_parts.html",
            "PAGE_PARTS": PAGE_PARTS,
            **{name: partial(_keep_call, name) for name in PERSONAL_CALLS},
        }
        offer_components(environment)
        return environment


def _keep_call(name: str, *arguments: Any) -> Markup:
    return Markup(f"\1{json.dumps([name, *arguments])}\1")  # noqa: S704 (only `_call` reads it)


def offer_components(environment: Environment) -> None:
    """Make the macros of COMPONENTS globals; each knows the globals at the time of its loading."""
    for name in COMPONENTS:
        macros = vars(environment.get_template(f"components/{name}.html").module)
        environment.globals.update({k: v for k, v in macros.items() if not k.startswith("_")})


def init_app(app: Flask) -> None:
    """Give the application an empty cache."""
    app.extensions["rendered"] = RenderedParts(app)
