"""Reads the files on their way into a list, and the imports of the last months."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from itertools import islice
from typing import Any

from sqlalchemy import Row, select

from app import dates
from app.accounts import queries as accounts
from app.db import db
from app.errors import existing
from app.imports.models import ImportDraft, ImportMapping, ListImport
from app.imports.rules import DRAFT_LIFETIME, UNDO_LIFETIME, Look, unpack
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
    def plan(self) -> Plan:
        """Return how its columns are read: as chosen, else as for the last file of this header."""
        plan = self.plan_with(self.choices)
        if self.choices.columns or plan.is_literal:
            return plan
        kept = db.session.get(ImportMapping, (self.target.key, header_hash(plan.names)))
        if kept is None:
            return plan
        columns = dict(zip(plan.names, kept.columns, strict=False))
        return self.plan_with(replace(self.choices, columns=columns))

    def plan_with(self, choices: Choices) -> Plan:
        """Return how its columns are read with these choices."""
        return self.target.prepare(self.row.name, self.sheet, choices).plan

    def label_of(self, column: str) -> str:
        """Return one of our columns as people read it."""
        headings = {each.name: each.heading for each in self.target.columns}
        return headings.get(column) or column.capitalize()

    @property
    def prepared(self) -> Prepared:
        """Return its rows with the list's columns."""
        mends = {int(line): cells for line, cells in self.row.mends.items()}
        return Prepared(self.row.name, self.sheet, self.plan, self.target.fields, mends)

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
    return existing(
        db.session.get(ListImport, import_id),
        "This import isn't there any more: imports are listed for 90 days.",
    )


def imports_of(keys: Collection[str]) -> Sequence[Row[Any]]:
    """Return the imports of some lists in the last months, the newest first.

    Each has its user's name, and the `draft_id` of its file while that waits.
    """
    since = dates.utc_now() - UNDO_LIFETIME
    waiting = select(ImportDraft.id).where(
        ImportDraft.sha256 == ListImport.sha256,
        ImportDraft.list_key == ListImport.list_key,
        ImportDraft.user_id == ListImport.user_id,
        ImportDraft.made_at > dates.utc_now() - DRAFT_LIFETIME,
    )
    statement = (
        select(
            ListImport,
            accounts.username_of(ListImport.user_id).label("who"),
            waiting.order_by(ImportDraft.id.desc()).limit(1).scalar_subquery().label("draft_id"),
        )
        .where(ListImport.list_key.in_(keys), ListImport.at > since)
        .order_by(ListImport.id.desc())
    )
    return db.session.execute(statement).all()
