"""Rendered parts are kept per version and key, within bounds, and hold nothing personal."""

import pytest
from jinja2 import UndefinedError

from app.web import rendered
from app.web.rendered import RenderedParts

PART = "errors/_alert.html"

pytestmark = pytest.mark.usefixtures("context")


def show(message, *key, version=1):
    return rendered.cached(PART, *key, version=version, load=lambda: {"message": message})


def test_a_part_is_loaded_again_only_for_another_version():
    first = show("First")
    assert "First" in first
    assert show("Second") == first
    assert "Second" in show("Second", version=2)
    assert "First" not in show("First", version=2)


def test_an_earlier_version_does_not_appear_again():
    show("Old", version=1)
    show("New", version=2)
    assert "Newest" in show("Newest", version=1)


def test_each_key_and_template_has_a_part_of_its_own():
    show("One", "gfm", "main")
    assert "Two" in show("Two", "gpm", "main")
    assert "One" in show("Three", "gfm", "main")
    other = rendered.cached(
        "components/_message.html", "gfm", "main", version=1, load=lambda: {"message": "Four"}
    )
    assert "Four" in other


def test_a_part_is_escaped_once():
    assert "Fish &amp; chips" in show("Fish & chips")
    assert "Fish &amp; chips" in show("Fish & chips")


def test_an_error_while_loading_leaves_nothing_behind():
    with pytest.raises(ZeroDivisionError):
        rendered.cached(PART, version=1, load=lambda: 1 / 0)
    assert "Loaded" in show("Loaded")


@pytest.mark.parametrize(
    "template", ["components/_header.html", "components/_done.html", "base.html"]
)
def test_a_template_that_shows_something_personal_is_refused(template):
    load = {"message": "Saved.", "undo": "/undo", "problems": ()}.copy
    with pytest.raises(UndefinedError):
        rendered.cached(template, version=1, load=load)


def test_what_was_used_longest_ago_is_dropped_first(app):
    parts = RenderedParts(app, max_bytes=3000)
    for key in ("a", "b", "c"):
        parts.render(PART, (key,), 1, {"message": key})
        parts.find(PART, ("a",), 1)
    kept = [key for key in ("a", "b", "c") if parts.find(PART, (key,), 1) is not None]
    assert kept == ["a", "c"]


def test_a_part_above_the_bound_is_rendered_but_not_kept(app):
    parts = RenderedParts(app, max_bytes=4000)
    assert "x" * 5000 in parts.render(PART, (), 1, {"message": "x" * 5000})
    assert parts.find(PART, (), 1) is None
    parts.render(PART, ("y" * 5000,), 1, {"message": "short"})
    assert parts.find(PART, ("y" * 5000,), 1) is None


def test_another_database_has_none_of_the_parts(app):
    show("Here")
    app.extensions["rendered"].clear()
    assert "Elsewhere" in show("Elsewhere")
