"""Reads the files on their way into a list, and the imports of the last months."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from itertools import islice
from typing import Any

from sqlalchemy import ColumnElement, func, select

from app import dates
from app.accounts import queries as accounts
from app.db import db
from app.errors import existing
from app.imports.models import ImportDraft, ImportMapping, ListImport
from app.imports.rules import DRAFT_LIFETIME, ROWS_PER_PAGE, UNDO_LIFETIME, Look, unpack
from app.paging import Page, load_page
from app.records.targets import ImportTarget, refused_lines
from app.tables.columns import Choices, Plan, Prepared, column_key
from app.tables.sheets import Sheet

NO_SUCH_DRAFT = "This import isn't there any more: a file waits 24 hours. Bring it again."


@dataclass(frozen=True)
class OpenDraft:
    """A file on its way into the list of a target."""

    target: ImportTarget[Any]
    row: ImportDraft

    @property
    def revision(self) -> int:
        """Return the revision of the draft."""
        return self.row.revision

    @property
    def place(self) -> Mapping[str, Any]:
        """Return what its addresses have."""
        return {"target": self.target.key, "draft_id": self.row.id}

    @cached_property
    def sheet(self) -> Sheet:
        """Return its table."""
        return Sheet(unpack(self.row.sheet), **self.row.options["sheet"])

    @cached_property
    def choices(self) -> Choices:
        """Return what was chosen of its columns."""
        return Choices(**self.row.options["choices"])

    @cached_property
    def prepared(self) -> Prepared:
        """Return its rows, read as chosen, else as the last file of this header."""
        prepared = self.prepare(self.choices)
        plan = prepared.plan
        if not (self.choices.columns or plan.is_literal):
            kept = db.session.get(ImportMapping, (self.target.key, header_hash(plan.names)))
            if kept:
                columns = dict(zip(plan.names, kept.columns, strict=False))
                prepared = self.prepare(replace(self.choices, columns=columns))
        mends = {int(line): cells for line, cells in self.row.mends.items()}
        return replace(prepared, mends=mends)

    @property
    def plan(self) -> Plan:
        """Return how its columns are read."""
        return self.prepared.plan

    def prepare(self, choices: Choices) -> Prepared:
        """Return its rows as the file has them, read with these choices."""
        return self.target.prepare(self.row.name, self.sheet, choices)

    def label_of(self, column: str) -> str:
        """Return one of our columns as people read it."""
        headings = {each.name: each.heading for each in self.target.columns}
        return headings.get(column) or column.capitalize()

    @property
    def samples(self) -> Sequence[Sequence[str]]:
        """Return the first three filled cells of each of its columns."""
        first: list[list[str]] = [[] for _ in self.plan.names]
        for _, row in islice((each for each in self.sheet if each[0] > self.plan.header), 200):
            for cells, cell in zip(first, row, strict=False):
                if cell.strip() and len(cells) < 3:
                    cells.append(cell)
        return first

    @property
    def look(self) -> Look | None:
        """Return its comparison with the list, None before it was compared."""
        return Look.load(self.row.look) if self.row.look else None

    @property
    def refused(self) -> Iterator[str]:
        """Yield its refused rows as CSV, with why they are refused."""
        look = self.look or Look()
        why = {
            row["line"]: row["errors"] or {"": f"Is it {row['similar']['title']}?"}
            for row in look.refused
        }
        return refused_lines(self.prepared, why)


def header_hash(names: Sequence[str]) -> str:
    """Return the hash by which headers are equal."""
    return sha256("\n".join(map(column_key, names)).encode()).hexdigest()


def find_draft(target: ImportTarget[Any], draft_id: int, *, by: int, is_manager: bool) -> OpenDraft:
    """Return a person's draft, for a manager anybody's. Raises NotFound."""
    since = dates.utc_now() - DRAFT_LIFETIME
    statement = select(ImportDraft).where(
        ImportDraft.id == draft_id,
        ImportDraft.list_key == target.key,
        ImportDraft.made_at > since,
        *([] if is_manager else [ImportDraft.user_id == by]),
    )
    row = db.session.execute(statement).scalar_one_or_none()
    return OpenDraft(target, existing(row, NO_SUCH_DRAFT))


def get_import(import_id: int) -> ListImport:
    """Return an import of the last months. Raises NotFound."""
    statement = select(ListImport).where(ListImport.id == import_id, _is_listed())
    found = db.session.execute(statement).scalar_one_or_none()
    return existing(found, "This import isn't there any more: imports are listed for 90 days.")


def _is_listed() -> ColumnElement[bool]:
    return ListImport.at > dates.utc_now() - UNDO_LIFETIME


def imports_page(keys: Collection[str], number: int) -> Page[Any]:
    """Return a page of the imports of some lists with their users' names, the newest first."""
    listed = (ListImport.list_key.in_(keys), _is_listed())
    who = accounts.username_of(ListImport.user_id).label("who")
    statement = select(ListImport, who).where(*listed).order_by(ListImport.id.desc())
    return load_page(
        number,
        total=db.session.scalar(select(func.count(ListImport.id)).where(*listed)) or 0,
        per_page=ROWS_PER_PAGE,
        load=lambda limit, offset: db.session.execute(statement.limit(limit).offset(offset)).all(),
    )


def waiting_drafts(by: int, keys: Collection[str]) -> Sequence[Any]:
    """Return a person's files and those for some lists, with their users' names; newest first."""
    who = accounts.username_of(ImportDraft.user_id).label("who")
    is_visible = (ImportDraft.user_id == by) | ImportDraft.list_key.in_(keys)
    since = dates.utc_now() - DRAFT_LIFETIME
    statement = select(ImportDraft, who).where(is_visible, ImportDraft.made_at > since)
    return db.session.execute(statement.order_by(ImportDraft.id.desc()).limit(ROWS_PER_PAGE)).all()
