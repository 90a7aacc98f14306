"""Acts: a change that people make is declared once; its page and its replies follow from that."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import cached_property
from typing import Any, Generic, TypeVar

from flask import Blueprint, request, url_for
from flask.typing import ResponseReturnValue

from app.attachments.rules import TOO_LARGE_TOGETHER
from app.attachments.services import PreparedFile, prepare_files
from app.errors import Conflict, EditConflict, Preview
from app.web import access
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.form_handling import (
    Undone,
    handle_form,
    handle_undo,
    render_form,
    respond_done,
    respond_with_page,
)
from app.web.forms import FileForm, Form
from app.web.htmx import is_htmx
from app.web.limits import CostlyRequest, costly
from app.web.policies import Policy

Row = TypeVar("Row")


@dataclass(frozen=True)
class Outcome:
    """The message about a change; `page`, else the target's, shows it, `undo` takes it back."""

    message: str
    page: str = ""
    is_bad: bool = False
    undo: str | None = None
    warnings: Sequence[str] = ()


class Then(Enum):
    """The place after a change: its page, or its form's origin.

    STAY closes a dialog. RETURN does so where an event reloads the page behind it, and else loads
    that page. From a page of its own, both open a page.
    """

    OPEN = auto()
    RETURN = auto()
    STAY = auto()


@dataclass(frozen=True)
class Target(Generic[Row]):
    """The thing that acts change.

    Attributes:
        read: Returns a record by the arguments of the path; raises NotFound.
        page: Returns the address to which a record's forms lead back.
        current: Describes a record's current values after somebody else changed it; '' if they
            equal the form's.
        lost_race: Returns who was first, for a form that comes too late.
        style: The style sheet of its pages.
        reload_event: The event of htmx at which lists of these records load again.
        respond: Replies to a change by its form, result and outcome, in place of a message.
    """

    read: Callable[..., Row]
    page: Callable[[Row], str]
    then: Then = Then.STAY
    current: Callable[[Any, Row], str] | None = None
    lost_race: Callable[[Row], str] | None = None
    style: str = ""
    reload_event: str = ""
    respond: Callable[[Any, Any, Outcome], ResponseReturnValue] | None = None


def new_record(endpoint: str, **options: Any) -> Target[None]:
    """Return the target of acts that make a record; their forms lead back to an endpoint."""
    return Target(lambda: None, lambda _: url_for(endpoint), **options)


@dataclass(frozen=True)
class Dialog:
    """The texts of an act's dialog, whose inputs are those of its form, in their order.

    The record, `row`, and what the act `shows` stand in braces in them.

    Attributes:
        about: The line below the heading.
        text: The sentences above the inputs.
        danger: Whether it takes something away.
    """

    heading: str
    button: str = "Save"
    about: str = ""
    text: str = ""
    danger: bool = False

    def fill_in(self, context: Mapping[str, Any]) -> "Dialog":
        """Return it with the values of a template's context in its texts."""
        texts = {name: text for name, text in vars(self).items() if name != "danger"}
        return replace(self, **{name: text.format(**context) for name, text in texts.items()})


@dataclass(frozen=True)
class Act(Generic[Row]):
    """A change that people make.

    Attributes:
        name: Names the endpoint, and the template unless that or a dialog is given.
        run: The service. It takes the arguments of the path and the values of the form by name, or
            as `values` if the form makes one record of them. It may also take `by` (the user's id),
            `revision` (of the displayed record), `stamp` and `files`. Its result is stored for
            replays.
        outcome: The message, in which `r` is the result, or a function from the result.
        offer: Fills in a new form; without it, one with a revision shows its record.
        over: Returns why a record can't be changed this way any more, '' if it can.
        shows: Returns the template's context beyond the form and the record.
        dialog: The texts of its dialog, for one that needs no template.
        failure: The message of an unexpected error.
        is_undo: Whether the Undo of a message posts here at once.
        rebuild: Returns a result by the id of the record that `run` made.
        is_page: Whether the template is a page of its own, not the inputs of a dialog.
    """

    name: str
    path: str
    policy: Policy
    form: type[Form]
    run: Callable[..., Any]
    outcome: str | Callable[[Any], Outcome]
    on: Target[Row]
    offer: Callable[[Any, Row], object] | None = None
    over: Callable[[Row], str] | None = None
    shows: Callable[[Any, Row], Mapping[str, Any]] | None = None
    dialog: Dialog | None = None
    failure: str = "Update failed"
    template: str = ""
    is_undo: bool = False
    rebuild: Callable[[int], Any] | None = None
    is_page: bool = False

    @cached_property
    def signature(self) -> inspect.Signature:
        """Return the signature of the service."""
        return inspect.signature(self.run)

    def template_of(self, feature: str) -> str:
        """Return the template of its inputs: one for all dialogs, or of its feature's folder."""
        return (
            "records/inputs.html" if self.dialog else f"{feature}/{self.template or self.name}.html"
        )

    @property
    def takes_files(self) -> bool:
        """Return whether its form has photos and documents."""
        return issubclass(self.form, FileForm)


METHODS = ("GET", "POST")


def serve(pages: Blueprint, *acts: Act[Any]) -> None:
    """Register the pages of acts."""
    for act in acts:
        pages.add_url_rule(act.path, act.name, view_of(act), methods=METHODS)


def view_of(act: Act[Any]) -> Callable[..., ResponseReturnValue]:
    """Return the view of an act, which is named after it."""

    def view(**where: Any) -> ResponseReturnValue:
        return _Request(act, where).reply()

    view.__name__ = act.name
    too_large = TOO_LARGE_TOGETHER if act.takes_files else act.form.too_large
    view = failure_message(act.failure, too_large=too_large)(view)
    view = act.policy(access.redisplays_form(view))
    return costly(CostlyRequest.PHOTOS)(view) if act.takes_files else view


class _Request:
    def __init__(self, act: Act[Any], where: Mapping[str, Any]) -> None:
        self.act = act
        self.where = where
        self.form: Any = act.form()
        self.form.read_row = lambda: act.on.read(**where)
        self.files: list[PreparedFile] = []

    def reply(self) -> ResponseReturnValue:
        call = (self.form, self.act.signature.return_annotation, self.run)
        reload_event = self.act.on.reload_event
        if self.act.is_undo:
            return handle_undo(
                *call,
                render=self.render,
                describe=self.describe,
                back=self.form.back_to or self.page(),
                reload_event=reload_event,
            )
        has_files = self.act.takes_files and self.form.files.data
        return handle_form(
            *call,
            render=self.render,
            respond=self.respond,
            prepare=self.prepare if has_files else self.form.prepare,
            reload_on=Conflict if reload_event else None,
            reload_event=reload_event,
            rebuild=self.act.rebuild,
        )

    def prepare(self) -> None:
        self.files[:] = prepare_files(self.form.files.data, by=current_user().user_id)

    def run(self) -> Any:
        sent = {
            "by": lambda: current_user().user_id,
            "revision": lambda: self.form.revision.sent,
            "stamp": self.form.stamp,
            "files": lambda: self.files,
        }
        taken = {name: sent[name]() for name in self.act.signature.parameters if name in sent}
        values = self.form.values()
        named = values if isinstance(values, dict) else {"values": values}
        return self.act.run(**self.where, **named, **taken)

    def render(self) -> str:
        act, form, row = self.act, self.form, self.act.on.read(**self.where)
        over = act.over(row) if act.over else ""
        has_conflict = isinstance(form.refusal, EditConflict)
        if has_conflict and over and act.on.lost_race:
            form.form_errors[:] = [act.on.lost_race(row)]
        if act.offer and not form.is_submitted():
            act.offer(form, row)
        elif "revision" in form and row is not None and not form.is_submitted():
            form.process(obj=row)
        if has_conflict or not form.is_submitted():
            form.rebase(row)
        context = {
            "row": row,
            "preview": form.refusal if isinstance(form.refusal, Preview) else None,
            "style": act.on.style,
            "over": over,
            "has_conflict": has_conflict,
            "current": act.on.current(form, row) if has_conflict and act.on.current else None,
            "takes_files": act.takes_files,
            "failure": act.failure,
            **(act.shows(form, row) if act.shows else {}),
        }
        template = act.template_of(request.blueprint or "")
        context |= {"default_back": act.on.page(row), "layout": template if act.is_page else ""}
        context["texts"] = act.dialog and act.dialog.fill_in(context)
        return render_form(template, form=form, **context)

    def respond(self, result: Any) -> ResponseReturnValue:
        outcome = self.outcome_of(result)
        if self.act.on.respond:
            return self.act.on.respond(self.form, result, outcome)
        then, reload_event = self.act.on.then, self.act.on.reload_event
        page = (then is Then.RETURN and self.form.back_to) or outcome.page or self.page()
        if then is Then.OPEN or (then is Then.RETURN and is_htmx() and not reload_event):
            return respond_with_page(outcome.message, page, kind="bad" if outcome.is_bad else "ok")
        return respond_done(
            outcome.message,
            back=page,
            reload_event=reload_event,
            undo=outcome.undo,
            warnings=outcome.warnings,
        )

    def describe(self, result: Any) -> Undone:
        outcome = self.outcome_of(result)
        return Undone(outcome.message, outcome.undo)

    def outcome_of(self, result: Any) -> Outcome:
        outcome = self.act.outcome
        return Outcome(outcome.format(r=result)) if isinstance(outcome, str) else outcome(result)

    def page(self) -> str:
        return self.act.on.page(self.act.on.read(**self.where))
