"""Keep files on their way into a list, with what was chosen and mended."""

import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any

from sqlalchemy import delete, select

from app import dates
from app.db import advisory_lock, db
from app.errors import EditConflict, Invalid
from app.imports import rules
from app.imports.models import ImportDraft, ImportMapping
from app.records.targets import Cells
from app.tables.columns import RECOGNISED, Choices
from app.tables.sheets import MAX_BYTES, read_sheet


def read_file(name: str, data: bytes, **reading: str) -> Mapping[str, Any]:
    """Read a file as `read_sheet` does; return its values of an ImportDraft. Raises Invalid."""
    if len(data) > MAX_BYTES:
        raise Invalid(rules.TOO_LARGE)
    sheet = read_sheet(data, **reading)
    rows = rules.check_size(sheet)
    read = {each: value for each, value in vars(sheet).items() if each != "text"}
    options = {"sheet": read, "choices": asdict(RECOGNISED), "rows": rows}
    packed = {"file": zlib.compress(data, 1), "sheet": rules.pack(sheet.text)}
    about = {"name": name[: rules.MAX_NAME_LENGTH], "sha256": sha256(data).hexdigest()}
    return {**about, **packed, "options": options}


@dataclass(frozen=True)
class DraftChange:
    """A draft that was made or changed, and the number of its rows or mended cells."""

    id: int
    list_key: str
    name: str
    number: int = 0

    @property
    def place(self) -> Mapping[str, Any]:
        """Return what the addresses of the draft have."""
        return {"target": self.list_key, "draft_id": self.id}


def keep_file(target: str, *, file: Mapping[str, Any], by: int) -> DraftChange:
    """Keep a person's file on its way into a list; those too old, or beyond MAX_DRAFTS, go."""
    now = dates.utc_now()
    db.session.execute(delete(ImportDraft).where(ImportDraft.made_at < now - rules.DRAFT_LIFETIME))
    own = select(ImportDraft.id).filter_by(user_id=by).order_by(ImportDraft.id.desc())
    oldest = db.session.scalars(own.offset(rules.MAX_DRAFTS - 1)).all()
    db.session.execute(delete(ImportDraft).where(ImportDraft.id.in_(oldest)))
    draft = ImportDraft(user_id=by, list_key=target, mends={}, made_at=now, **file)
    db.session.add(draft)
    db.session.flush()
    return DraftChange(draft.id, draft.list_key, draft.name, file["options"]["rows"])


def choose_columns(
    target: str,
    draft_id: int,
    *,
    file: Mapping[str, Any] | None,
    choices: Choices,
    header: str,
    revision: int,
) -> DraftChange:
    """Set what was chosen of a draft's columns, for everybody who brings a file with this header.

    A `file` is the same one read in another way. Raises EditConflict.
    """
    draft = lock_draft(target, draft_id, revision)
    for name, value in file.items() if file else ():
        setattr(draft, name, value)
    draft.options = {**draft.options, "choices": asdict(choices)}
    draft.look, draft.mends = None, {} if file else draft.mends
    if header:
        advisory_lock(f"columns of {header}")
        key = {"list_key": draft.list_key, "header": header}
        db.session.execute(delete(ImportMapping).filter_by(**key))
        if choices.columns:
            db.session.add(ImportMapping(**key, columns=[*choices.columns.values()]))
    return DraftChange(draft.id, draft.list_key, draft.name)


def mend(target: str, draft_id: int, *, cells: Mapping[str, Cells], revision: int) -> DraftChange:
    """Replace cells of a draft, by the numbers of their rows and our columns."""
    draft = lock_draft(target, draft_id, revision)
    draft.mends = {
        **draft.mends,
        **{line: {**draft.mends.get(line, {}), **mended} for line, mended in cells.items()},
    }
    draft.look = None
    return DraftChange(draft.id, draft.list_key, draft.name, sum(map(len, cells.values())))


def lock_draft(target: str, draft_id: int, revision: int) -> ImportDraft:
    """Lock a draft of a target, and give it its next revision; raises EditConflict."""
    statement = select(ImportDraft).filter_by(id=draft_id, list_key=target).with_for_update()
    draft = db.session.execute(statement).scalar_one_or_none()
    if draft is None or draft.revision != revision:
        raise EditConflict("import")
    draft.revision += 1
    return draft
