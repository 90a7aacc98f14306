"""Forms of imports: a file, its columns, mended cells, and the confirmation."""

import zlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from flask import request
from wtforms import BooleanField

from app.db import transaction
from app.errors import EditConflict, Invalid
from app.idempotency import Submission
from app.imports.queries import OpenDraft, header_hash
from app.imports.rules import TOO_LARGE
from app.imports.services.drafts import SheetFile, read_file
from app.imports.services.imports import HAS_CHANGED, Checked, check, keep_look
from app.records.targets import ANOTHER, Cells
from app.tables.columns import RECOGNISED, Choices, Plan
from app.tables.sheets import ENCODINGS, SEPARATORS
from app.web.form_fields import RevisionForm
from app.web.forms import Form

PASTED = "Pasted cells"


class StartForm(Form):
    """A file, or pasted cells."""

    too_large: ClassVar = f"{TOO_LARGE} Cells are pasted up to 500 KB."
    file: SheetFile | None = None

    def validate(self, extra_validators: Any = None) -> bool:
        """Read the file, before the transaction. Raises Invalid."""
        if not super().validate(extra_validators) or self.read_row() is None:
            return False
        sent, pasted = request.files.get("file"), request.form.get("cells", "")
        if sent and sent.filename:
            with sent.stream as stream:
                self.file = read_file(sent.filename, stream.read())
        elif pasted.strip():
            separator = "\t" if "\t" in pasted else ""
            self.file = read_file(PASTED, pasted.encode("utf-8", "replace"), separator=separator)
        else:
            raise Invalid("Choose a file, or paste cells.")
        return True

    def values(self, **_: Any) -> dict[str, Any]:
        """Return the file."""
        return {"file": self.file}

    def submission(self) -> Submission:
        """Return this submission with its file, for `exactly_once`."""
        submission = super().submission()
        digest = self.file.values["sha256"] if self.file else ""
        return replace(submission, body=(*submission.body, ("file", digest)))


class ColumnsForm(RevisionForm):
    """How a file is read, and our column for each of its columns.

    Without a `header` the file was read in another way, and its columns are chosen anew.
    """

    file: SheetFile | None = None
    choices = RECOGNISED
    header = ""

    def validate(self, extra_validators: Any = None) -> bool:
        """Check the choices against the file. Raises Invalid."""
        if not super().validate(extra_validators):
            return False
        draft: OpenDraft = self.read_row()
        read, sent = draft.row.options["sheet"], request.form
        offered = {"separator": [*SEPARATORS], "encoding": ENCODINGS, "sheet": read["sheets"]}
        reading = {name: sent[name] for name in offered if sent.get(name) in offered[name]}
        if any(read[name] != value for name, value in reading.items()):
            data = zlib.decompress(draft.row.file)
            self.file = read_file(draft.row.name, data, **reading)
            return True
        header = sent.get("header", type=int) or draft.plan.header
        self.choices = Choices(header=header)
        if header != draft.plan.header:
            if header not in (line for line, _ in draft.sheet):
                raise Invalid(f"Row {header} is empty. Name the row with the names of columns.")
            return True
        self.choices = self._chosen(draft)
        plan = draft.plan_with(self.choices)
        self._check(draft, plan)
        self.header = header_hash(plan.names)
        return True

    def _chosen(self, draft: OpenDraft) -> Choices:
        sent = request.form
        recognised = draft.plan_with(self.choices)
        pairs = zip(sent.getlist("name"), sent.getlist("column"), strict=False)
        columns = {name: ours if ours in draft.target.fields else "" for name, ours in pairs}
        found = dict(zip(recognised.names, recognised.columns, strict=True))
        is_recognised = columns == found and not recognised.repeated
        return replace(
            self.choices,
            columns={} if is_recognised else columns,
            day_first={"day": True, "month": False}.get(sent.get("days", "")),
            decimal=sent.get("decimal", "") if sent.get("decimal") in (".", ",") else "",
        )

    def _check(self, draft: OpenDraft, plan: Plan) -> None:
        for name, ours in plan.repeated.items():
            raise Invalid(f'"{name}" is a second column for {draft.label_of(ours)}. Leave one out.')
        for ours in draft.target.required:
            if ours not in plan.filled:
                raise Invalid(f"Choose which column is {draft.label_of(ours)}.")
        if plan.day_problem and self.choices.day_first is None:
            raise Invalid(f"{plan.day_problem} Choose the order of days.")

    def values(self, **_: Any) -> dict[str, Any]:
        """Return the choices, and the file if it was read in another way."""
        return {"file": self.file, "choices": self.choices, "header": self.header}


class MendForm(RevisionForm):
    """Cells of refused rows, and whether new rows are entries that they resemble."""

    cells: Mapping[str, Cells] = {}

    def validate(self, extra_validators: Any = None) -> bool:
        """Find the cells that differ from the file. Raises Invalid without any."""
        if not super().validate(extra_validators):
            return False
        look = self.read_row().look
        rows = look.refused if look else ()
        self.cells = {str(row["line"]): cells for row in rows if (cells := _mended(row))}
        if not self.cells:
            raise Invalid("Change a cell first, or say which rows are the same.")
        return True

    def values(self, **_: Any) -> dict[str, Any]:
        """Return the cells by row and column."""
        return {"cells": self.cells}


def _mended(row: Mapping[str, Any]) -> Cells:
    sent, line = request.form, row["line"]
    typed = {name: sent.get(f"cell-{line}-{name}") for name in row["errors"]}
    cells = {
        name: text.strip()
        for name, text in typed.items()
        if text is not None and text.strip() != row["cells"].get(name, "")
    }
    match sent.get(f"similar-{line}"), row["similar"]:
        case "same", {"key": key}:
            cells |= key
        case "another", {}:
            cells[""] = ANOTHER
    return cells


class ApplyForm(RevisionForm):
    """The confirmation that a file is applied, with all rows or without refused ones."""

    leaves_out = BooleanField("Leave out the refused rows")
    checked: Checked | None = None

    def validate(self, extra_validators: Any = None) -> bool:
        """Read the draft, which is refused to others than managers of its list."""
        return super().validate(extra_validators) and self.read_row() is not None

    def prepare(self) -> None:
        """Compare the file once more, before the transaction; raises EditConflict for changes."""
        draft: OpenDraft = self.read_row()
        self.checked = checked = check(draft)
        if checked.look.changed or self.revision.sent != draft.revision:
            with transaction():
                keep_look(draft, checked.look)
            raise EditConflict("import", HAS_CHANGED)
        checked.check_rows(leaves_out=bool(self.leaves_out.data))

    def values(self, **_: Any) -> dict[str, Any]:
        """Return the draft as it was checked."""
        return {"checked": self.checked}
