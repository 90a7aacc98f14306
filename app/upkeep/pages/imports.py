"""Imports of CSV files by a form, of which a dry run writes nothing."""

from collections.abc import Callable

from flask.typing import ResponseReturnValue

from app.errors import QuartermasterError
from app.idempotency import Result
from app.tables.csv_files import FileErrors
from app.upkeep.forms.due import CsvForm
from app.web.form_handling import handle_form, respond_done

MAX_ERRORS = 20
"""How many errors of a file its form shows."""


class DryRun(QuartermasterError):
    """A file that was only checked; the message is what it would do."""

    status = 200


def handle_import(
    form: CsvForm,
    result_type: type[Result],
    action: Callable[[], Result],
    *,
    render: Callable[[str], str],
    describe: Callable[[Result], str],
    back: str,
) -> ResponseReturnValue:
    """Show the form, import its file once, and reply with what that did.

    `render` shows the form with what a dry run found, '' for none; `action` raises DryRun to take
    everything back.
    """

    def fail(error: QuartermasterError) -> ResponseReturnValue:
        if isinstance(error, DryRun):
            return render(error.message)
        if isinstance(error, FileErrors):
            error = error.shortened(MAX_ERRORS)
        form.refuse(error)
        return render(""), error.status

    return handle_form(
        form,
        result_type,
        action,
        render=lambda: render(""),
        respond=lambda result: respond_done(f"Imported: {describe(result)}.", back=back),
        fail=fail,
    )
