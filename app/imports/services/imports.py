"""Compare a file with its list, apply it, and take an import back."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from flask import current_app
from sqlalchemy import select, update

from app import dates
from app.audit.rules import Event
from app.audit.services import record
from app.db import db, insert_rows, table_of
from app.errors import AlreadyUndone, Conflict, EditConflict, Invalid, QuartermasterError
from app.fields import Pounds
from app.imports.models import ImportDraft, ListImport, ListImportRow
from app.imports.queries import OpenDraft
from app.imports.rules import Look
from app.imports.services.drafts import lock_draft
from app.money import count_of, format_number
from app.records.targets import Cells, ComparedRow, Comparison, ImportTarget, RowState
from app.tables.columns import Plan
from app.tables.csv_files import cell_reader, write_rows
from app.tables.sheets import Sheet

HAS_CHANGED = "The list has changed since you looked. Nothing was applied: look again."

_encode = json.JSONEncoder(ensure_ascii=False).encode

MAX_NAMED = 5
"""How many of the rows that stand against an undo its refusal names."""


@dataclass(frozen=True)
class Checked:
    """A file that was compared: with what it is applied by, if it can be.

    `file` is its name and hash, `lines` are those of the rows that aren't refused, `before` the
    list's entries, `version` that of the list, and `revision` that of its draft, if it has one.
    """

    target: ImportTarget[Any]
    file: Mapping[str, str]
    look: Look
    lines: Any = None
    before: Mapping[str, Cells] = field(default_factory=dict)
    version: Any = None
    revision: int = 0

    def check_rows(self, *, leaves_out: bool) -> None:
        """Check that rows can be applied, all or without the refused ones. Raises Invalid."""
        if self.look.problem:
            raise Invalid(self.look.problem)
        counts = self.look.counts
        refused = counts[RowState.REFUSED]
        if refused and not leaves_out:
            are_refused = count_of(refused, "row is", "rows are")
            raise Invalid(f"{are_refused} refused. Mend or leave out the refused rows.")
        if not counts[RowState.ADDED] + counts[RowState.CHANGED]:
            raise Invalid("There is nothing to apply: the list has all of it.")


def keep_look(draft: OpenDraft, look: Look) -> None:
    """Keep the comparison of a draft for the next page; a changed one gets the next revision."""
    values = {"look": look.dump(), "revision": draft.revision + bool(look.changed)}
    of_draft = (ImportDraft.id == draft.row.id, ImportDraft.revision == draft.revision)
    db.session.execute(update(ImportDraft).where(*of_draft).values(**values))


def check(draft: OpenDraft) -> Checked:
    """Compare a draft with its list, row by row, and with the look at it that was kept."""
    target, prepared = draft.target, draft.prepared
    seen = dict(enumerate(draft.look.rows if draft.look else ()))
    file, version = {"name": draft.row.name, "sha256": draft.row.sha256}, target.version()
    try:
        compared = Comparison(target, prepared)
    except QuartermasterError as error:
        return Checked(target, file, Look(problem=error.message))
    ours = dict(zip(prepared.plan.names, prepared.plan.columns, strict=True))
    rows, states, totals = [], [], _Totals(target)
    for row in compared:
        entry = compared.entries.get(row.key, {})
        rows.append(_dump(target, row, entry, ours))
        states.append(row.state[0])
        totals.add(row, entry)
    look = Look(
        rows,
        "".join(states),
        totals.units,
        totals.value,
        sums=prepared.sums,
        changed=[n for n, row in enumerate(rows) if seen.get(n, row) != row],
        reading="" if prepared.plan.is_literal else describe_reading(prepared.plan),
    )
    before, revision = compared.entries, draft.revision
    return Checked(target, file, look, compared.lines, before, version, revision)


def _dump(
    target: ImportTarget[Any], row: ComparedRow, entry: Cells, ours: Mapping[str, str]
) -> str:
    is_refused = row.state is RowState.REFUSED
    filled = {name: text for name, text in row.cells.items() if text}
    values = {
        "line": row.line,
        "state": row.state,
        "title": _title(target, {**entry, **filled}),
        "cells": filled if is_refused else {},
        "changes": {} if is_refused else row.changes,
        "errors": {ours.get(name, name): message for name, message in row.errors.items()},
        "similar": None,
    }
    if row.similar:
        key = {name: row.similar[name] for name in target.key_columns if name in row.similar}
        values["similar"] = {"title": _title(target, row.similar), "key": key}
    return _encode(values)


def _title(target: ImportTarget[Any], cells: Cells) -> str:
    texts = (cells.get(name, "") for name in (*target.required, *target.key_columns))
    return " · ".join(dict.fromkeys(text for text in texts if text))


class _Totals:
    """The units and the value of rows in their list, before and after; empty without units."""

    def __init__(self, target: ImportTarget[Any]) -> None:
        kinds = {name: kind for name, kind in target.fields.items() if kind}
        price = next((name for name, kind in kinds.items() if isinstance(kind, Pounds)), "")
        names = [target.units, price] if target.units else []
        self._readers = [(name, cell_reader(kinds[name])) for name in names]
        self.units, self.value = ([0, 0], [0, 0]) if names else ([], [])

    def add(self, row: ComparedRow, entry: Cells) -> None:
        """Add a row and its entry, {} for a new one."""
        if not self._readers or row.state is RowState.REFUSED:
            return
        # An empty cell can mean one unit.
        before = [read(entry.get(name, "")) if entry else 0 for name, read in self._readers]
        after = [
            old if entry and name not in row.changes else read(row.changes.get(name, ("", ""))[1])
            for old, (name, read) in zip(before, self._readers, strict=True)
        ]
        for place, (number, pence) in enumerate((before, after)):
            self.units[place] += number
            self.value[place] += number * pence


@dataclass(frozen=True)
class ImportResult:
    """An import that was applied or taken back, and its numbers in words."""

    id: int
    name: str
    summary: str
    notes: Sequence[str] = ()
    rows: int = 0
    has_undo: bool = False


def apply(target: str, draft_id: int, *, checked: Checked, by: int) -> ImportResult:
    """Apply a draft of a target that was checked; EditConflict if the list has changed since."""
    lock_draft(target, draft_id, checked.revision)
    return save(checked, by=by)


def save(checked: Checked, *, by: int) -> ImportResult:
    """Save the rows of a file that was checked; EditConflict if the list has changed since."""
    of, file, counts = checked.target, checked.file, checked.look.counts
    if of.version() != checked.version:
        raise EditConflict("import", HAS_CHANGED)
    change = of.apply(checked.lines, by, file["name"])
    _forget_looks(of.key)
    made = ListImport(list_key=of.key, counts=counts, user_id=by, at=dates.utc_now(), **file)
    db.session.add(made)
    db.session.flush()
    if of.remove:
        before = checked.before
        changed = [
            {"import_id": made.id, "subject": key, "before": before.get(key), "after": cells}
            for key, cells in of.entries().items()
            if before.get(key) != cells
        ]
        if changed:
            insert_rows(table_of(ListImportRow), changed)
    notes = getattr(change, "notes", ())
    has_undo = of.remove is not None
    return ImportResult(made.id, made.name, summary_of(counts), notes, has_undo=has_undo)


def describe_reading(plan: Plan) -> str:
    """Return how the days and numbers of a file are read, in words."""
    day = "3/2/2026 is 3 February" if plan.day_first else "3/2/2026 is 2 March"
    return f"{day}; numbers are like {'1,234.50' if plan.decimal == '.' else '1.234,50'}"


def _forget_looks(list_key: str) -> None:
    of_list = update(ImportDraft).where(ImportDraft.list_key == list_key)
    values = {"look": None, "revision": ImportDraft.revision + 1}
    db.session.execute(of_list.values(values), execution_options={"synchronize_session": False})


def summary_of(counts: Mapping[str, int]) -> str:
    """Return the numbers of an import in words."""
    words = [f"{format_number(counts[state])} {state}" for state in RowState]
    return ", ".join(words[:-1]) + (f", {words[-1]} and left out" if counts["refused"] else "")


def undo(import_id: int, *, by: int) -> ImportResult:
    """Take an import back: changed entries go back, added ones leave, all or none.

    Raises AlreadyUndone, and Conflict that names the entries that have changed since.
    """
    locked = select(ListImport).filter_by(id=import_id).with_for_update()
    made = db.session.execute(locked).scalar_one()
    target = current_app.extensions["targets"][made.list_key]
    if made.undone_at:
        raise AlreadyUndone
    if target.remove is None:
        raise Conflict(target.way_back)
    changed = select(ListImportRow.subject, ListImportRow.before, ListImportRow.after)
    rows = db.session.execute(changed.filter_by(import_id=import_id)).all()
    current = target.entries()
    stay = [row.subject for row in rows if current.get(row.subject) != row.after]
    if stay:
        named = ", ".join(stay[:MAX_NAMED]) + (", …" if len(stay) > MAX_NAMED else "")
        raise Conflict(f"Changed since: {named}. Nothing was undone.")
    added = [row.subject for row in rows if row.before is None]
    before = [row.before for row in rows if row.before is not None]
    if added:
        target.remove(added, by)
    if before:
        lines = ([cells[name] for name in before[0]] for cells in before)
        sheet = Sheet("".join(write_rows([*before[0]], lines)))
        restore = target.restore or target.apply
        restore(target.read(target.prepare(made.name, sheet)), by, made.name)
    current = target.entries()
    if any(current.get(row.subject) != row.before for row in rows):
        raise Conflict("Not all of it can be set back. Nothing was undone: mend the rows yourself.")
    _forget_looks(target.key)
    made.undone_by, made.undone_at = by, dates.utc_now()
    record(Event.UNDO, f"import of {target.key}", by=by, file=made.name, rows=len(rows))
    summary = f"{count_of(len(rows), 'row')} set back"
    return ImportResult(made.id, made.name, summary, rows=len(rows))
