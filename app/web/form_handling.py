"""Handle every form: show, validate, apply once, reply.

Replies are pages, fragments for htmx, or JSON for scripts that ask for it by Accept.

The exceptions are the forms with passwords, in `app.accounts.pages`: a digest of what they send
must not be stored with a key.
"""

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

from flask import flash, jsonify, make_response, redirect, render_template, session
from flask.typing import ResponseReturnValue

from app.errors import Preview, QuartermasterError
from app.idempotency import Result
from app.web.forms import Form, UndoForm
from app.web.htmx import is_htmx, is_htmx_for, wants_fragment, wants_json
from app.web.submissions import apply_once, find_applied


def handle_form(
    form: Form,
    result_type: type[Result],
    action: Callable[[], Result],
    *,
    render: Callable[[], ResponseReturnValue],
    respond: Callable[[Result], ResponseReturnValue],
    prepare: Callable[[], object] | None = None,
    fail: Callable[[QuartermasterError], ResponseReturnValue] | None = None,
    reload_on: type[QuartermasterError] | None = None,
    reload_event: str = "",
    rebuild: Callable[[int], Result | None] | None = None,
) -> ResponseReturnValue:
    """Show a form; once it is submitted, run its action exactly once and reply to the result.

    `action` runs in a transaction under the form's key and returns a `result_type`, which is
    stored for replays; `respond` makes the reply from it. `prepare` and `rebuild` are those of
    `apply_once`. A form that is invalid or refused is rendered again as typed with status 422 or
    the error's own, unless `fail` replies to errors itself; a script that asks for JSON gets the
    error and those of the fields. After a `reload_on` error the page's list reloads too, by htmx's
    event `reload_event`.
    """
    if not form.is_submitted() or form.is_draft:
        return render()
    status = 422
    try:
        if form.validate():
            submission = form.submission()
            return respond(
                apply_once(submission, result_type, action, prepare=prepare, rebuild=rebuild)
            )
        if not form.csrf_token.errors:
            # A later release may refuse what an earlier one applied.
            result = find_applied(form.submission(), result_type, rebuild)
            if result is not None:
                return respond(result)
    except QuartermasterError as error:
        if fail:
            return fail(error)
        form.refuse(error)
        status = 200 if isinstance(error, Preview) else error.status
    if wants_json():
        raise form.failure()
    response = make_response(render(), status)
    if reload_on and isinstance(form.refusal, reload_on):
        response.headers["HX-Trigger"] = reload_event
    return response


def render_dialog(template: str, *, form: Form, default_back: str, **context: Any) -> str:
    """Render a form by a page of its own; for a dialog by the file of the same name with `_`."""
    folder, _, name = template.rpartition("/")
    layout = f"{folder}/_{name}" if is_htmx() else template
    return render_form(template, form=form, default_back=default_back, layout=layout, **context)


def render_form(
    template: str, *, form: Form, default_back: str, layout: str = "", **context: Any
) -> str:
    """Render a form as a dialog's content for htmx, else as a page of its own.

    `template` is its inputs, as templates/records/frame.html says. `back` is the page that the form
    was opened from, or `default_back`; `layout` replaces the frame.
    """
    layout = layout or ("records/dialog.html" if is_htmx() else "records/page.html")
    context = {"back": form.back_to or default_back, **context}
    return render_template(layout, template=template, form=form, **context)


def respond_done(
    message: str,
    *,
    back: str,
    reload_event: str = "",
    undo: str | None = None,
    undo_text: str = "Undo",
    warnings: Sequence[str] = (),
    alerts: Sequence[str] = (),
    details: Sequence[str] = (),
) -> ResponseReturnValue:
    """Reply that a change was made: by JSON, a message for htmx, or a redirect to `back`.

    `back` then shows the `alerts`, the message, and the `details` and `warnings` after it. `undo`
    is the address that takes the change back, on a button with `undo_text`; `reload_event` makes
    the page's list reload.
    """
    if wants_json():
        return jsonify(
            {"message": message, "undo": undo, "warnings": [*alerts, *details, *warnings]}
        )
    if not is_htmx():
        for alert in alerts:
            flash_message(alert, kind="bad")
        flash_message(message, undo=undo, undo_text=undo_text)
        for detail in details:
            flash_message(detail)
        for warning in warnings:
            flash_message(warning, kind="warn")
        return redirect(back, 303)
    context = {"message": message, "undo": undo, "undo_text": undo_text}
    response = make_response(render_template("components/_done.html", **context))
    if reload_event:
        response.headers["HX-Trigger"] = reload_event
    return response


def respond_with_page(
    message: str, page: str, *, kind: Literal["ok", "bad"] = "ok"
) -> ResponseReturnValue:
    """Reply that a change was made: the browser goes to a page, which shows the message."""
    if wants_json():
        return respond_done(message, back=page)
    flash_message(message, kind=kind)
    return ("", 200, {"HX-Redirect": page}) if is_htmx() else redirect(page, 303)


class Undone(NamedTuple):
    """The message about a change that was taken back; `undo` is the address that makes it again."""

    message: str
    undo: str | None = None
    undo_text: str = "Redo"


def handle_undo(
    form: UndoForm,
    result_type: type[Result],
    action: Callable[[], Result],
    *,
    render: Callable[[], ResponseReturnValue],
    describe: Callable[[Result], Undone],
    back: str,
    reload_event: str,
) -> ResponseReturnValue:
    """Undo a change after a confirmation, which `render` shows; a message's Undo posts at once.

    For htmx the reply is the message, which closes a dialog, and `reload_event` makes the
    page's list reload; else it redirects to `back`, also after a refusal.
    """

    def respond(result: Result) -> ResponseReturnValue:
        undone = describe(result)
        if wants_json() or not is_htmx() or is_htmx_for("dialog"):
            return respond_done(back=back, reload_event=reload_event, **undone._asdict())
        response = make_response(render_template("components/_message.html", **undone._asdict()))
        response.headers["HX-Trigger"] = reload_event
        return response

    def fail(error: QuartermasterError) -> ResponseReturnValue:
        if wants_fragment():
            raise error
        flash_message(f"Not undone. {error.message}", kind="bad")
        return redirect(back, 303)

    return handle_form(form, result_type, action, render=render, respond=respond, fail=fail)


def flash_message(
    message: str,
    *,
    undo: str | None = None,
    undo_text: str = "Undo",
    kind: Literal["ok", "warn", "bad"] = "ok",
) -> None:
    """Show a message on the next page, with a button that takes the change back."""
    entry = {"text": message, "undo": undo, "undo_text": undo_text, "kind": kind}
    # A form that is sent again after its reply was lost has this message waiting.
    if entry not in [waiting for _, waiting in session.get("_flashes", [])]:
        flash(entry)  # type: ignore[arg-type]
