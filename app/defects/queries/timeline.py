"""The timeline of a defect, newest first: from its events, sightings, notes and repairs."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from typing import Any, TypeVar

from sqlalchemy import Select, select

from app import dates
from app.accounts.queries import usernames
from app.attachments.models import Attachment
from app.db import db
from app.defects.models import Defect, DefectNote, DefectSighting, Repair, RepairedDefect
from app.defects.rules.fields import Closing
from app.events.queries import events_of
from app.events.rules import EventKind, StoredEvent
from app.fleet.models import CheckPhoto
from app.fleet.rules.findings import Severity, SightingAnswer
from app.money import count_of

M = TypeVar("M")

MAX_SIGHTINGS = 100
"""The most sightings of a defect that its page lists."""

MAX_CHECKS_WITH_PHOTOS = 12
"""How many of the last checks of a defect show their photos."""


class Happening(StrEnum):
    """The kind of an entry of the timeline."""

    REPORTED = "reported"
    SEEN = "seen"
    ASSESSED = "assessed"
    BOOKED = "booked"
    NOTED = "noted"
    FILED = "filed"
    UNFILED = "unfiled"
    REPAIRED = "repaired"
    UNREPAIRED = "unrepaired"
    CLOSED = "closed"


_REMARKS = (Happening.SEEN, Happening.NOTED, Happening.FILED, Happening.UNFILED)

_HAPPENINGS = {
    EventKind.DEFECT_ASSESSED: Happening.ASSESSED,
    EventKind.DEFECT_BOOKED: Happening.BOOKED,
    EventKind.DEFECT_CLOSED: Happening.CLOSED,
}


@dataclass(frozen=True)
class CheckPicture:
    """A photo of a check, by its place among them, and the check's day."""

    check_id: int
    position: int
    name: str


@dataclass(frozen=True)
class TimelineEntry:
    """Something that happened to a defect: `who` holds usernames, `by` the id of the first.

    `days` are the days of a sighting, or of several equal ones. `undone` is the number of the
    repair whose undo opened the defect. `pictures` come from a check that failed the part; another
    check may have photos of something else.
    """

    happening: Happening
    at: datetime
    by: int | None
    who: Sequence[str] = ()
    days: Sequence[date] = ()
    check_id: int | None = None
    answer: SightingAnswer | None = None
    severity: Severity | None = None
    is_before_repair: bool = False
    garage: str = ""
    booked_for: date | None = None
    closing: Closing | None = None
    repair: Repair | None = None
    undone: int | None = None
    text: str = ""
    pictures: Sequence[CheckPicture] = ()
    has_photos: bool = False

    @property
    def is_decision(self) -> bool:
        """Return whether somebody decided something, as opposed to saw or noted it."""
        return self.happening not in _REMARKS

    @property
    def is_plain(self) -> bool:
        """Return whether it is a sighting that tells nothing but its day."""
        return (
            self.happening is Happening.SEEN
            and self.answer is SightingAnswer.YES
            and not (self.text or self.severity or self.has_photos or self.is_before_repair)
        )


def timeline(defect: Defect) -> Sequence[TimelineEntry]:
    """Return the timeline of a defect, newest first."""
    sightings = _load(
        select(DefectSighting)
        .filter_by(defect_id=defect.id)
        .order_by(DefectSighting.id.desc())
        .limit(MAX_SIGHTINGS)
    )[::-1]
    notes = {
        note.id: note
        for note in _load(select(DefectNote).filter_by(defect_id=defect.id).order_by(DefectNote.id))
    }
    events = events_of("defect", [defect.id], kinds=[*_HAPPENINGS, EventKind.DEFECT_OPENED])
    decisions = [event for event in events if event.kind in _HAPPENINGS]
    decided = {(event.after or {}).get("noteId") for event in decisions}
    opened = next((event.after or {} for event in events if event not in decisions), {})
    repairs = select(RepairedDefect.repair_id).where(RepairedDefect.defect_id == defect.id)
    reversals = select(Repair.id).where(Repair.reverses_id.in_(repairs))
    # Two conditions by OR would let PostgreSQL read all repairs.
    of_defect = select(Repair).where(Repair.id.in_(repairs.union_all(reversals)))
    files = select(Attachment).filter_by(subject_kind="defect", subject_id=defect.id)
    pictures = _pictures(defect, sightings)
    entries = [
        TimelineEntry(
            Happening.REPORTED,
            defect.reported_at,
            defect.reported_by,
            days=[defect.day],
            check_id=defect.check_id,
            undone=opened.get("undoneRepair"),
            text=defect.detail,
            pictures=pictures.get(defect.check_id, ()),
        ),
        *(_seen(row, pictures.get(row.check_id, ())) for row in sightings),
        *(
            TimelineEntry(Happening.NOTED, note.noted_at, note.noted_by, text=note.text)
            for note in notes.values()
            if note.id not in decided
        ),
        *(_decided(event, defect, notes) for event in decisions),
        *(
            TimelineEntry(
                Happening.UNREPAIRED if repair.reverses_id else Happening.REPAIRED,
                repair.recorded_at,
                repair.recorded_by,
                repair=repair,
            )
            for repair in _load(of_defect.order_by(Repair.id))
        ),
        *_filed(_load(files.order_by(Attachment.position))),
    ]
    users = usernames(entry.by for entry in entries)
    named = [replace(entry, who=[users[entry.by]]) for entry in entries]
    # Entries of one moment stay in their order: what was reported comes first.
    return _merge_plain(sorted(named, key=lambda entry: entry.at)[::-1])


def _filed(files: Sequence[Attachment]) -> Iterator[TimelineEntry]:
    """Yield who added photos and documents, together or one by one, and who removed them."""
    groups: defaultdict[tuple[Happening, datetime, int | None], list[Attachment]]
    groups = defaultdict(list)
    for row in files:
        groups[Happening.FILED, row.added_at, row.added_by].append(row)
    for row in files:
        if row.removed_at is not None:
            groups[Happening.UNFILED, row.removed_at, row.removed_by].append(row)
    for (happening, at, by), rows in groups.items():
        yield TimelineEntry(happening, at, by, text=_name_files(rows))


def _name_files(files: Sequence[Attachment]) -> str:
    """Return documents by name and the number of photos: 'invoice.pdf, 2 photos'."""
    names = [row.name for row in files if row.document_hash]
    photos = len(files) - len(names)
    return ", ".join([*names, *([count_of(photos, "photo")] if photos else [])])


def _seen(row: DefectSighting, photos: Sequence[CheckPicture]) -> TimelineEntry:
    has_failed = bool(row.severity or row.detail)
    return TimelineEntry(
        Happening.SEEN,
        row.recorded_at,
        row.seen_by,
        days=[row.day],
        check_id=row.check_id,
        answer=row.answer,
        severity=row.severity if row.severity is Severity.STOP else None,
        is_before_repair=row.is_before_repair,
        text=row.detail,
        pictures=photos if has_failed else (),
        has_photos=bool(photos),
    )


def _decided(event: StoredEvent, defect: Defect, notes: Mapping[int, DefectNote]) -> TimelineEntry:
    after: Mapping[str, Any] = event.after or {}
    happening = _HAPPENINGS[EventKind(event.kind)]
    note = notes.get(after.get("noteId") or 0)
    severity, booked_for = after.get("severity"), after.get("bookedFor")
    return TimelineEntry(
        happening,
        event.at,
        event.actor_id,
        severity=Severity(severity) if severity else None,
        garage=after.get("garage") or "",
        booked_for=dates.parse_day(booked_for) if booked_for else None,
        closing=Closing(after["closing"]) if happening is Happening.CLOSED else None,
        text=note.text if note else defect.closing_reason * (happening is Happening.CLOSED),
    )


def _merge_plain(entries: Sequence[TimelineEntry]) -> list[TimelineEntry]:
    """Return the entries, with adjacent ones that tell only a day combined."""
    merged: list[TimelineEntry] = []
    for entry in entries:
        last = merged[-1] if merged else None
        if last and last.is_plain and entry.is_plain:
            merged[-1] = replace(
                last,
                who=list(dict.fromkeys([*last.who, *entry.who])),
                days=list(dict.fromkeys([*entry.days, *last.days])),
                check_id=None,
            )
        else:
            merged.append(entry)
    return merged


def _load(statement: Select[M]) -> Sequence[M]:
    return db.session.execute(statement).scalars().all()


def _pictures(
    defect: Defect, sightings: Sequence[DefectSighting]
) -> Mapping[int | None, Sequence[CheckPicture]]:
    """Return the photos of the check that opened a defect and of the last that saw it."""
    seen = [row.check_id for row in sightings if row.check_id is not None]
    check_ids = {*seen[-MAX_CHECKS_WITH_PHOTOS:], *filter(None, [defect.check_id])}
    if not check_ids:
        return {}
    statement = (
        select(CheckPhoto.check_id, CheckPhoto.position, CheckPhoto.name)
        .where(CheckPhoto.check_id.in_(check_ids))
        .order_by(CheckPhoto.check_id, CheckPhoto.position)
    )
    found: defaultdict[int | None, list[CheckPicture]] = defaultdict(list)
    for row in db.session.execute(statement):
        found[row.check_id].append(CheckPicture(*row))
    return found
