"""The acts that import a CSV file; a dry run shows the file's effects, and writes nothing."""

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from typing import Any, ClassVar, get_type_hints

from flask import request
from wtforms import BooleanField

from app.errors import Invalid, Preview, QuartermasterError
from app.idempotency import Submission
from app.records.acts import Act, Dialog, Target
from app.tables.csv_files import FileErrors, FileLines, Upload
from app.web.forms import Form
from app.web.policies import Policy

MAX_ERRORS = 20
"""How many errors of a file its form shows."""

MAX_FILE_SIZE = 4 * 1024 * 1024


class CsvForm(Form):
    """An upload of a CSV file."""

    is_upload: ClassVar = True
    dry_run = BooleanField("Only check the file")

    def values(self, **_: Any) -> dict[str, Any]:
        """Return the file, and whether it is only checked."""
        return {"upload": self.upload, "dry_run": bool(self.dry_run.data)}

    def refuse(self, error: QuartermasterError) -> None:
        """Show the first errors of a file."""
        super().refuse(error.shortened(MAX_ERRORS) if isinstance(error, FileErrors) else error)

    @cached_property
    def upload(self) -> Upload:
        """Return the chosen file; raises Invalid for none and for one that is too large."""
        file = request.files.get("file")
        if file is None or not file.filename:
            raise Invalid("Choose a CSV file.")
        data = file.read(MAX_FILE_SIZE + 1)
        if len(data) > MAX_FILE_SIZE:
            raise Invalid("The file has more than 4 MB. Split it.")
        return Upload(file.filename[:80], data)

    def submission(self) -> Submission:
        """Return this submission with its file, for `exactly_once`."""
        submission = super().submission()
        digest = sha256(self.upload.data).hexdigest()
        return replace(submission, body=(*submission.body, ("file", digest)))


def import_act(
    name: str,
    path: str,
    policy: Policy,
    read: Callable[[Upload], FileLines[Any]],
    save: Callable[..., Any],
    on: Target[Any],
    what: str,
    columns: str,
) -> Act[Any]:
    """Return the act that saves the lines of an uploaded file, all or nothing.

    `save` takes the lines and the arguments of the path, and returns a change whose `summary` has
    its numbers in words. `what` ends its heading, and `columns` is the note about those of a file.
    """

    def run(upload: Upload, dry_run: bool, *, by: int, **where: Any) -> Any:
        change = save(read(upload), by=by, **where)
        if dry_run:
            raise Preview(f"The file is right: {change.summary}. Nothing was written.")
        return change

    # The result of a repeated submission is read back by this type.
    run.__annotations__["return"] = get_type_hints(save)["return"]
    dialog = Dialog(f"Import {what}", "Import", "All of the file or nothing.", columns)
    message, failure = "Imported: {r.summary}.", "Import failed"
    return Act(name, path, policy, CsvForm, run, message, on, dialog=dialog, failure=failure)
