"""Every act that people can make: its form fits its service, its page stands in the frame."""

import importlib
import io
import json
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from flask import Flask, g, request
from jinja2 import Environment, nodes

import app as product
from app import dates
from app.divisions import Division, Role
from app.events.services import ChangedSubject
from app.identity import SignedInUser
from app.records.acts import Act, Dialog

MOST_FIELDS = 16

WORKER = SignedInUser(
    session_id="",
    user_id=1,
    username="worker",
    roles={division: frozenset({Role.WORKER}) for division in Division},
    chosen=None,
    renewed_at=dates.utc_now(),
    renewable_until=dates.utc_now(),
)
"""Whoever sends a form: what some of them offer depends on the user's rights."""

STORE = {"division": "gfm", "site": "main"}
"""The path that it is sent to, as far as forms read it."""


def acts() -> Iterator[Any]:
    """Return each act with its feature, the blueprint of its page."""
    root = Path(product.__file__).parent
    for file in sorted([*root.glob("*/acts.py"), *root.glob("*/acts/*.py")]):
        names = file.relative_to(root).with_suffix("").parts
        for act in getattr(importlib.import_module(".".join(("app", *names))), "ACTS", ()):
            yield pytest.param(names[0], act, id=f"{names[0]}.{act.name}")


every_act = pytest.mark.parametrize(("feature", "act"), list(acts()))


def test_an_act_is_declared_in_few_fields():
    assert len(fields(Act)) <= MOST_FIELDS


@every_act
def test_a_service_takes_what_the_path_and_the_form_of_its_act_give(
    shared_app: Flask, feature: str, act: Act[Any]
) -> None:
    where = arguments(shared_app, feature, act)
    line = json.dumps(["Heart", "6", "0", "", "0", ""])
    sent = {"quantity": "1", "line": line, "file": (io.BytesIO(b"reg"), "a.csv")}
    with shared_app.test_request_context(method="POST", data=sent):
        g.user, request.view_args = WORKER, STORE
        form: Any = act.form()
        values = form.values()
    named = values if isinstance(values, dict) else {"values": values}
    taken = {"by", "revision", "stamp", "files"} & act.signature.parameters.keys()
    act.signature.bind(**dict.fromkeys(where), **named, **dict.fromkeys(taken))
    assert ("files" in taken) is act.takes_files
    assert "revision" in form or "revision" not in taken


@every_act
def test_a_thing_is_read_by_what_the_path_of_its_act_gives(
    shared_app: Flask, feature: str, act: Act[Any]
) -> None:
    read = act.on.read.__code__.co_varnames[: act.on.read.__code__.co_argcount]
    assert arguments(shared_app, feature, act) == set(read)


def arguments(shared_app: Flask, feature: str, act: Act[Any]) -> set[str]:
    """Return the names that the path of an act gives; division and site are those of a store."""
    rule = next(shared_app.url_map.iter_rules(f"{feature}.{act.name}"))
    if "site" not in rule.arguments:
        return rule.arguments
    return rule.arguments - {"division", "site"} | {"store"}


@every_act
def test_a_message_names_what_its_service_returns(feature: str, act: Act[Any]) -> None:
    result = act.signature.return_annotation
    message = act.outcome if isinstance(act.outcome, str) else ""
    named = {name.removeprefix("r.") for _, name, _, _ in Formatter().parse(message) if name}
    assert named <= {field.name for field in fields(result)} | set(dir(result))


def test_a_declared_dialog_names_its_record_and_what_its_act_shows():
    dialog = Dialog("Put off {label}", "Put off", "{row.subject_id}", danger=True)
    context = {"row": ChangedSubject(7), "label": "the {MOT}", "other": 1}
    assert dialog.fill_in(context) == Dialog("Put off the {MOT}", "Put off", "7", danger=True)


@every_act
def test_the_inputs_of_a_declared_dialog_are_those_that_a_person_sees(
    shared_app: Flask, feature: str, act: Act[Any]
) -> None:
    if act.dialog:
        with shared_app.test_request_context():
            g.user, request.view_args = WORKER, STORE
            form: Any = act.form()
            visible = {each.name for each in form.inputs}
        assert visible == {each.name for each in form} - {"key", "csrf_token", "revision", "files"}


@every_act
def test_the_page_of_an_act_stands_in_the_frame_which_says_that_an_act_is_over(
    shared_app: Flask, feature: str, act: Act[Any]
) -> None:
    env = shared_app.jinja_env
    tree = parsed(env, act.template_of(feature))
    parents = [base.template.value for base in tree.find_all(nodes.Extends)]
    if act.is_page:
        assert (parents != [], act.over) == (True, None)
    else:
        trees = [tree, *(parsed(env, parent) for parent in parents)]
        assert not any(parsed(env, parent).find(nodes.Extends) for parent in parents)
        names = {
            name.name for each in trees for name in each.find_all(nodes.Name) if name.ctx == "store"
        }
        assert {"heading", "about", "button"} <= names


def parsed(env: Environment, name: str) -> nodes.Template:
    assert env.loader
    return env.parse(env.loader.get_source(env, name)[0])
