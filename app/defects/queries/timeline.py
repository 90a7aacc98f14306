"""The timeline of a defect, newest first: from its events, sightings, notes and repairs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import select

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
from app.lists import grouped
from app.money import count_of

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

_DECISIONS = {
    EventKind.DEFECT_ASSESSED: Happening.ASSESSED,
    EventKind.DEFECT_BOOKED: Happening.BOOKED,
    EventKind.DEFECT_CLOSED: Happening.CLOSED,
}


@dataclass(frozen=True)
class TimelineEntry:
    """Something that happened to a defect: `who` holds usernames, `by` the id of the first.

    `days` are the days of a sighting, or of several equal ones. `undone` is the number of the
    repair whose undo opened the defect. `pictures` are photos of a check that failed the part;
    another check may have photos of something else.
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
    pictures: Sequence[Any] = ()
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
    events = events_of("defect", [defect.id], kinds=[*_DECISIONS, EventKind.DEFECT_OPENED])
    entries = [
        *_reported_and_seen(defect, events),
        *_noted_and_decided(defect, events),
        *_repaired(defect),
        *_filed(defect),
    ]
    users = usernames(entry.by for entry in entries)
    named = [replace(entry, who=[users[entry.by]]) for entry in entries]
    # Entries of one moment stay in their order: what was reported comes first.
    return _merge_plain(sorted(named, key=lambda entry: entry.at)[::-1])


def _reported_and_seen(defect: Defect, events: Sequence[StoredEvent]) -> Iterator[TimelineEntry]:
    row = DefectSighting
    newest = select(row).filter_by(defect_id=defect.id).order_by(row.id.desc())
    sightings = db.session.scalars(newest.limit(MAX_SIGHTINGS)).all()[::-1]
    pictures = _pictures(defect, sightings)
    opened = (event.after or {} for event in events if event.kind == EventKind.DEFECT_OPENED)
    yield TimelineEntry(
        Happening.REPORTED,
        defect.reported_at,
        defect.reported_by,
        days=[defect.day],
        check_id=defect.check_id,
        undone=next(opened, {}).get("undoneRepair"),
        text=defect.detail,
        pictures=pictures.get(defect.check_id, ()),
    )
    for sighting in sightings:
        photos = pictures.get(sighting.check_id, ())
        yield TimelineEntry(
            Happening.SEEN,
            sighting.recorded_at,
            sighting.seen_by,
            days=[sighting.day],
            check_id=sighting.check_id,
            answer=sighting.answer,
            severity=sighting.severity if sighting.severity is Severity.STOP else None,
            is_before_repair=sighting.is_before_repair,
            text=sighting.detail,
            pictures=photos if sighting.severity or sighting.detail else (),
            has_photos=bool(photos),
        )


def _noted_and_decided(defect: Defect, events: Sequence[StoredEvent]) -> Iterator[TimelineEntry]:
    of_defect = select(DefectNote).filter_by(defect_id=defect.id).order_by(DefectNote.id)
    notes = {note.id: note for note in db.session.scalars(of_defect)}
    decisions = [(event, event.after or {}) for event in events if event.kind in _DECISIONS]
    decided = {after.get("noteId") for _, after in decisions}
    for note in notes.values():
        if note.id not in decided:
            yield TimelineEntry(Happening.NOTED, note.noted_at, note.noted_by, text=note.text)
    for event, after in decisions:
        happening, own = _DECISIONS[EventKind(event.kind)], notes.get(after.get("noteId") or 0)
        is_closed = happening is Happening.CLOSED
        severity, booked_for = after.get("severity"), after.get("bookedFor")
        yield TimelineEntry(
            happening,
            event.at,
            event.actor_id,
            severity=Severity(severity) if severity else None,
            garage=after.get("garage") or "",
            booked_for=dates.parse_day(booked_for) if booked_for else None,
            closing=Closing(after["closing"]) if is_closed else None,
            text=own.text if own else defect.closing_reason * is_closed,
        )


def _repaired(defect: Defect) -> Iterator[TimelineEntry]:
    repairs = select(RepairedDefect.repair_id).where(RepairedDefect.defect_id == defect.id)
    reversals = select(Repair.id).where(Repair.reverses_id.in_(repairs))
    # Two conditions by OR would let PostgreSQL read all repairs.
    of_defect = select(Repair).where(Repair.id.in_(repairs.union_all(reversals)))
    for repair in db.session.scalars(of_defect.order_by(Repair.id)):
        happening = Happening.UNREPAIRED if repair.reverses_id else Happening.REPAIRED
        yield TimelineEntry(happening, repair.recorded_at, repair.recorded_by, repair=repair)


def _filed(defect: Defect) -> Iterator[TimelineEntry]:
    """Yield who added photos and documents, together or one by one, and who removed them."""
    of_defect = select(Attachment).filter_by(subject_kind="defect", subject_id=defect.id)
    files = db.session.scalars(of_defect.order_by(Attachment.position)).all()
    filed = (((Happening.FILED, row.added_at, row.added_by), row) for row in files)
    unfiled = (
        ((Happening.UNFILED, row.removed_at, row.removed_by), row)
        for row in files
        if row.removed_at is not None
    )
    for group, rows in grouped([*filed, *unfiled]).items():
        names = [row.name for row in rows if row.document_hash]
        photos = len(rows) - len(names)
        texts = [*names, *([count_of(photos, "photo")] if photos else [])]
        yield TimelineEntry(*group, text=", ".join(texts))


def _merge_plain(entries: Sequence[TimelineEntry]) -> list[TimelineEntry]:
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


def _pictures(
    defect: Defect, sightings: Sequence[DefectSighting]
) -> Mapping[int | None, Sequence[Any]]:
    seen = [row.check_id for row in sightings if row.check_id is not None]
    check_ids = {*seen[-MAX_CHECKS_WITH_PHOTOS:], *filter(None, [defect.check_id])}
    if not check_ids:
        return {}
    columns = (CheckPhoto.check_id, CheckPhoto.position, CheckPhoto.name)
    of_checks = select(*columns).where(CheckPhoto.check_id.in_(check_ids))
    rows = db.session.execute(of_checks.order_by(*columns[:2]))
    return grouped((row.check_id, row) for row in rows)
