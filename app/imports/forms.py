"""Forms of imports: a file, its columns, mended cells, and the confirmation."""

import zlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from flask import request
from wtforms import BooleanField

from app.attachments.rules import visible_name
from app.db import transaction
from app.errors import EditConflict, Invalid
from app.idempotency import Submission
from app.imports.queries import OpenDraft, header_hash
from app.imports.services.drafts import read_file
from app.imports.services.imports import HAS_CHANGED, check, keep_look
from app.records.targets import Cells
from app.tables.columns import RECOGNISED, Choices, Plan
from app.tables.csv_files import escape
from app.tables.sheets import ENCODINGS, SEPARATORS
from app.web.form_fields import RevisionForm
from app.web.forms import Form


class _ReadForm(Form):
    """A form whose `result` is read from what was sent as it is validated."""

    result: Mapping[str, Any] = {}

    def values(self, **_: Any) -> dict[str, Any]:
        """Return the result."""
        return {**self.result}


class StartForm(_ReadForm):
    """A file, or pasted cells."""

    result: Mapping[str, Any] = {"file": None}
    too_large: ClassVar = "A file can have 24 MB, pasted cells 500 KB. Send more as a file."

    def validate(self, extra_validators: Any = None) -> bool:
        """Read the file, before the transaction. Raises Invalid."""
        if not super().validate(extra_validators) or self.read_row() is None:
            return False
        sent, pasted = request.files.get("file"), request.form.get("cells", "")
        if sent and sent.filename:
            with sent.stream as stream:
                file = read_file(visible_name(sent.filename) or "file", stream.read())
        elif pasted.strip():
            data, separator = pasted.encode("utf-8", "replace"), "\t" if "\t" in pasted else ""
            file = read_file("Pasted cells", data, separator=separator)
        else:
            raise Invalid("Choose a file, or paste cells.")
        self.result = {"file": file}
        return True

    def submission(self) -> Submission:
        """Return this submission with its file, for `exactly_once`."""
        submission = super().submission()
        digest = self.result["file"]["sha256"] if self.result["file"] else ""
        return replace(submission, body=(*submission.body, ("file", digest)))


class ColumnsForm(_ReadForm, RevisionForm):
    """How a file is read, and our column for each of its columns.

    Without a `header` the file was read in another way, and its columns are chosen anew.
    """

    result: Mapping[str, Any] = {"file": None, "choices": RECOGNISED, "header": ""}

    def validate(self, extra_validators: Any = None) -> bool:
        """Check the choices against the file. Raises Invalid."""
        if not super().validate(extra_validators):
            return False
        draft: OpenDraft = self.read_row()
        read, sent = draft.row.options["sheet"], request.form
        self.result = result = {**self.result}
        offered = {"separator": [*SEPARATORS], "encoding": ENCODINGS, "sheet": read["sheets"]}
        reading = {name: sent[name] for name in offered if sent.get(name) in offered[name]}
        if any(read[name] != value for name, value in reading.items()):
            data = zlib.decompress(draft.row.file)
            result["file"] = read_file(draft.row.name, data, **reading)
            return True
        header = sent.get("header", type=int) or draft.plan.header
        result["choices"] = choices = Choices(header=header)
        if header != draft.plan.header:
            if header not in (line for line, _ in draft.sheet):
                raise Invalid(f"Row {header} is empty. Name the row with the names of columns.")
            return True
        result["choices"] = choices = self._chosen(draft, choices)
        plan = draft.prepare(choices).plan
        self._check(draft, plan, choices)
        result["header"] = header_hash(plan.names)
        return True

    def _chosen(self, draft: OpenDraft, choices: Choices) -> Choices:
        sent = request.form
        recognised = draft.prepare(choices).plan
        pairs = zip(sent.getlist("name"), sent.getlist("column"), strict=False)
        columns = {name: ours if ours in draft.target.fields else "" for name, ours in pairs}
        found = dict(zip(recognised.names, recognised.columns, strict=True))
        is_recognised = columns == found and not recognised.repeated
        return replace(
            choices,
            columns={} if is_recognised else columns,
            day_first={"day": True, "month": False}.get(sent.get("days", "")),
            decimal=sent.get("decimal", "") if sent.get("decimal") in (".", ",") else "",
        )

    def _check(self, draft: OpenDraft, plan: Plan, choices: Choices) -> None:
        for name, ours in plan.repeated.items():
            raise Invalid(f'"{name}" is a second column for {draft.label_of(ours)}. Leave one out.')
        required = [ours for ours in draft.target.required if ours not in plan.filled]
        if required:
            are = "column is" if len(required) == 1 else "columns are"
            raise Invalid(f"Choose which {are} {', '.join(map(draft.label_of, required))}.")
        if plan.day_problem and choices.day_first is None:
            raise Invalid(f"{plan.day_problem} Choose the order of days.")


class MendForm(_ReadForm, RevisionForm):
    """Cells of refused rows, and whether new rows are entries that they resemble."""

    result: Mapping[str, Any] = {"cells": {}}

    def validate(self, extra_validators: Any = None) -> bool:
        """Find the cells that differ from the file. Raises Invalid without any."""
        if not super().validate(extra_validators):
            return False
        look = self.read_row().look
        if look is None:
            raise EditConflict("import", HAS_CHANGED)
        cells = {str(row["line"]): cells for row in look.refused if (cells := _mended(row))}
        self.result = {"cells": cells}
        if not cells:
            raise Invalid("Change a cell first, or say which rows are the same.")
        return True


def _mended(row: Mapping[str, Any]) -> Cells:
    sent, line = request.form, row["line"]
    typed = {name: sent.get(f"cell-{line}-{name}") for name in row["errors"]}
    cells = {
        # What people type is text, also with the ' that a file needs.
        name: text.strip() if text.startswith("'") else escape(text.strip())
        for name, text in typed.items()
        if text is not None and text.strip() != row["cells"].get(name, "").removeprefix("'")
    }
    match sent.get(f"similar-{line}"), row["similar"]:
        case "same", {"key": key}:
            cells |= key
        case "another", {}:
            cells[""] = "another"
    return cells


class ApplyForm(_ReadForm, RevisionForm):
    """The confirmation that a file is applied, with all rows or without refused ones."""

    result: Mapping[str, Any] = {"checked": None}
    leaves_out = BooleanField("Leave out the refused rows")

    def validate(self, extra_validators: Any = None) -> bool:
        """Read the draft, which is refused to others than managers of its list."""
        return super().validate(extra_validators) and self.read_row() is not None

    def prepare(self) -> None:
        """Compare the file once more, before the transaction; raises EditConflict for changes."""
        draft: OpenDraft = self.read_row()
        if draft.look and any(map(_mended, draft.look.refused)):
            raise Invalid("Save what is mended first.")
        checked = check(draft)
        self.result = {"checked": checked}
        if checked.look.changed or self.revision.sent != draft.revision:
            with transaction():
                keep_look(draft, checked.look)
            raise EditConflict("import", HAS_CHANGED)
        checked.check_rows(leaves_out=bool(self.leaves_out.data))
