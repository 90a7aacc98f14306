"""Compare a file with its list, apply it, and take an import back."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from flask import current_app
from sqlalchemy import delete, select, update

from app import dates
from app.audit.rules import Event
from app.audit.services import record
from app.db import db, insert_rows, table_of
from app.errors import AlreadyUndone, Conflict, EditConflict, Invalid, QuartermasterError
from app.fields import Day, Moment, Pounds, WholeNumber
from app.imports.models import ImportDraft, ListImport, ListImportRow
from app.imports.queries import OpenDraft
from app.imports.rules import UNDO_LIFETIME, Look
from app.imports.services.drafts import lock_draft
from app.money import count_of, format_number
from app.records.targets import Cells, ComparedRow, Comparison, ImportTarget, RowState
from app.tables.columns import Prepared
from app.tables.csv_files import cell_reader, write_rows
from app.tables.sheets import Sheet

HAS_CHANGED = "The list has changed since you looked. Nothing was applied: look again."

_encode = json.JSONEncoder(ensure_ascii=False).encode


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
    revision = draft.revision + bool(look.changed)
    kept = replace(look, revision=revision)
    of_draft = (ImportDraft.id == draft.row.id, ImportDraft.revision == draft.revision)
    statement = update(ImportDraft).where(*of_draft).values(look=kept.dump(), revision=revision)
    db.session.execute(statement, execution_options={"synchronize_session": False})
    draft.row.revision = revision


def check(draft: OpenDraft) -> Checked:
    """Compare a draft with its list, and with the look at it that was kept."""
    file = {"name": draft.row.name, "sha256": draft.row.sha256}
    seen = (draft.look or Look()).rows
    return compare(draft.target, draft.prepared, file, seen=seen, revision=draft.revision)


def compare(
    target: ImportTarget[Any],
    prepared: Prepared,
    file: Mapping[str, str],
    *,
    seen: Sequence[str] = (),
    revision: int = 0,
    finds_similar: bool = True,
) -> Checked:
    """Compare a file with its list, row by row, and with the rows of a look that were `seen`."""
    version, plan = target.version(), prepared.plan
    try:
        compared = Comparison(target, prepared, finds_similar=finds_similar)
    except QuartermasterError as error:
        return Checked(target, file, Look(problem=error.message))
    ours = dict(zip(plan.names, plan.columns, strict=True))
    rows, states = [], []
    prices = [name for name, kind in target.fields.items() if isinstance(kind, Pounds)]
    kinds: Any = target.fields
    counted = [target.units, *prices] if target.units else []
    readers = [(name, cell_reader(kinds[name])) for name in counted]
    units, value = ([0, 0], [0, 0]) if readers else ([], [])
    for row in compared:
        entry = compared.entries.get(row.key, {})
        rows.append(_dump(target, row, entry, ours))
        states.append(row.state[0])
        after = {**entry, **{name: new for name, (_, new) in row.changes.items()}}
        for place, cells in enumerate((entry, after)):
            if readers and cells and row.state is not RowState.REFUSED:
                # An empty cell can mean one unit.
                number, pence = (read(cells.get(name, "")) for name, read in readers)
                units[place] += number
                value[place] += number * pence
    look = Look(
        rows,
        "".join(states),
        units,
        value,
        sums=prepared.sums,
        changed=[n for n, (row, old) in enumerate(zip(rows, seen, strict=False)) if row != old],
        reading="" if plan.is_literal else _describe_reading(prepared),
    )
    return Checked(target, file, look, compared.lines, compared.entries, version, revision)


def _describe_reading(prepared: Prepared) -> str:
    plan, kinds = prepared.plan, [prepared.fields.get(each) for each in prepared.plan.filled]
    day, number = "3 February" if plan.day_first else "2 March", "1,234.50"
    number = number if plan.decimal == "." else "1.234,50"
    has_days = any(isinstance(kind, Day | Moment) for kind in kinds)
    has_numbers = any(isinstance(kind, Pounds | WholeNumber) for kind in kinds)
    days = f"3/2/2026 is {day}. " if has_days else ""
    return days + (f"Numbers are like {number}." if has_numbers else "")


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
    texts = (cells.get(name, "") for name in (target.required[0], *target.key_columns))
    return " · ".join(dict.fromkeys(text for text in texts if text))


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
    lock_draft(target, draft_id, checked.revision).look = None
    return save(checked, by=by)


def save(checked: Checked, *, by: int) -> ImportResult:
    """Save the rows of a file that was checked; EditConflict if the list has changed since."""
    of, file, counts = checked.target, checked.file, checked.look.counts
    if of.version(locks=True) != checked.version:
        raise EditConflict("import", HAS_CHANGED)
    change = of.apply(checked.lines, by, file["name"])
    _outdate_looks(of.key)
    old = select(ListImport.id).where(ListImport.at < dates.utc_now() - UNDO_LIFETIME)
    db.session.execute(delete(ListImportRow).where(ListImportRow.import_id.in_(old)))
    db.session.execute(delete(ListImport).where(ListImport.id.in_(old)))
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


def _outdate_looks(list_key: str) -> None:
    """Give the drafts of a list their next revision, so that people look at them again."""
    of_list = update(ImportDraft).where(ImportDraft.list_key == list_key)
    statement = of_list.values(revision=ImportDraft.revision + 1)
    db.session.execute(statement, execution_options={"synchronize_session": False})


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
    target.version(locks=True)
    changed = select(ListImportRow.subject, ListImportRow.before, ListImportRow.after)
    rows = db.session.execute(changed.filter_by(import_id=import_id)).all()
    current = target.entries()
    stay = [_title(target, row.after) for row in rows if current.get(row.subject) != row.after]
    if stay:
        named = ", ".join(stay[:5]) + (", …" if len(stay) > 5 else "")
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
    kept = {name for name, meaning in target.empty_means.items() if meaning is None}

    def comparable(cells: Cells | None) -> Mapping[str, str]:
        # A file empties no such value.
        return {name: text for name, text in (cells or {}).items() if name not in kept}

    if any(comparable(current.get(row.subject)) != comparable(row.before) for row in rows):
        raise Conflict("Not all of it can be set back. Nothing was undone: mend the rows yourself.")
    _outdate_looks(target.key)
    made.undone_by, made.undone_at = by, dates.utc_now()
    record(Event.UNDO, f"import of {target.key}", by=by, file=made.name, rows=len(rows))
    summary = f"{count_of(len(rows), 'row')} set back"
    return ImportResult(made.id, made.name, summary, rows=len(rows))
