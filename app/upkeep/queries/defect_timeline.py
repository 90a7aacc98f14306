"""What happened to a defect, newest first: from its events, sightings, notes and repairs."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import select

from app import dates
from app.accounts.queries import usernames
from app.attachments.models import Attachment
from app.db import db
from app.events.queries import events_of
from app.events.rules import EventKind, StoredEvent
from app.fleet.models import CheckPhoto
from app.fleet.rules.findings import Severity, SightingAnswer
from app.upkeep.models.defects import Defect, DefectNote, DefectSighting
from app.upkeep.models.repairs import Repair, RepairedDefect
from app.upkeep.rules.kinds import Closing
from app.upkeep.rules.words import count_of

MAX_SIGHTINGS = 100
"""The most sightings of a defect that its page lists."""

MAX_CHECKS_WITH_PHOTOS = 12
"""How many of the last checks of a defect show their photos."""


class Happening(StrEnum):
    """What an entry of the timeline tells."""

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


DECISIONS = frozenset(Happening) - {
    Happening.SEEN,
    Happening.NOTED,
    Happening.FILED,
    Happening.UNFILED,
}

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
    """Something that happened to a defect; `who` holds usernames.

    `days` are those of a sighting, or of several that tell the same. `undone` is the number of the
    repair whose undo opened the defect. `pictures` are those of a check that failed the part;
    another check may have photos of something else.
    """

    happening: Happening
    at: datetime
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
    pictures: Sequence[CheckPicture] = field(default_factory=tuple)
    has_photos: bool = False

    @property
    def is_decision(self) -> bool:
        """Return whether somebody decided something, as opposed to saw or noted it."""
        return self.happening in DECISIONS

    @property
    def is_plain(self) -> bool:
        """Return whether it is a sighting that tells nothing but its day."""
        return (
            self.happening is Happening.SEEN
            and self.answer is SightingAnswer.YES
            and not (self.text or self.severity or self.has_photos or self.is_before_repair)
        )


def timeline(defect: Defect) -> Sequence[TimelineEntry]:
    """Return what happened to a defect, newest first."""
    sightings = _sightings(defect.id)
    notes = {note.id: note for note in _notes(defect.id)}
    recorded = events_of("defect", [defect.id], kinds=[*_HAPPENINGS, EventKind.DEFECT_OPENED])
    events = [event for event in recorded if event.kind in _HAPPENINGS]
    undone = next(
        ((event.after or {}).get("undoneRepair") for event in recorded if event not in events), None
    )
    repairs = _repairs(defect.id)
    files = _files(defect.id)
    pictures = _pictures(defect, sightings)
    people = [defect.reported_by, defect.closed_by]
    people += [row.seen_by for row in sightings]
    people += [note.noted_by for note in notes.values()]
    people += [event.actor_id for event in events]
    people += [repair.recorded_by for repair in repairs]
    people += [by for row in files for by in (row.added_by, row.removed_by)]
    users = usernames(people)
    noted = {(event.after or {}).get("noteId") for event in events}
    entries = [
        _reported(defect, users, pictures, undone),
        *(_seen(row, users, pictures) for row in sightings),
        *(
            TimelineEntry(Happening.NOTED, note.noted_at, [users[note.noted_by]], text=note.text)
            for note in notes.values()
            if note.id not in noted
        ),
        *(_decided(event, defect, notes, users) for event in events),
        *(_repaired(repair, users) for repair in repairs),
        *_filed(files, users),
    ]
    # Entries of one moment stay in their order: what was reported comes first.
    return _merge_plain(sorted(entries, key=lambda entry: entry.at)[::-1])


def _reported(
    defect: Defect,
    users: Mapping[int | None, str],
    pictures: Mapping[int | None, Sequence[CheckPicture]],
    undone: int | None,
) -> TimelineEntry:
    """Return who reported a defect, or the number of the repair whose undo opened it."""
    return TimelineEntry(
        Happening.REPORTED,
        defect.reported_at,
        [users[defect.reported_by]],
        [defect.day],
        check_id=defect.check_id,
        undone=undone,
        text=defect.detail,
        pictures=pictures.get(defect.check_id, ()),
    )


def _repaired(repair: Repair, users: Mapping[int | None, str]) -> TimelineEntry:
    happening = Happening.UNREPAIRED if repair.reverses_id else Happening.REPAIRED
    return TimelineEntry(happening, repair.recorded_at, [users[repair.recorded_by]], repair=repair)


def _filed(files: Sequence[Attachment], users: Mapping[int | None, str]) -> Iterator[TimelineEntry]:
    """Yield who added photos and documents, together or one by one, and who removed them."""
    added: defaultdict[tuple[datetime, int | None], list[Attachment]] = defaultdict(list)
    removed: defaultdict[tuple[datetime, int | None], list[Attachment]] = defaultdict(list)
    for row in files:
        added[row.added_at, row.added_by].append(row)
        if row.removed_at is not None:
            removed[row.removed_at, row.removed_by].append(row)
    for happening, groups in ((Happening.FILED, added), (Happening.UNFILED, removed)):
        for (at, by), rows in groups.items():
            yield TimelineEntry(happening, at, [users[by]], text=_name_files(rows))


def _name_files(files: Sequence[Attachment]) -> str:
    """Return documents by name and the number of photos: 'invoice.pdf, 2 photos'."""
    names = [row.name for row in files if row.document_hash]
    photos = len(files) - len(names)
    return ", ".join([*names, *([count_of(photos, "photo")] if photos else [])])


def _seen(
    row: DefectSighting,
    users: Mapping[int | None, str],
    pictures: Mapping[int | None, Sequence[CheckPicture]],
) -> TimelineEntry:
    photos = pictures.get(row.check_id, ())
    has_failed = bool(row.severity or row.detail)
    return TimelineEntry(
        Happening.SEEN,
        row.recorded_at,
        [users[row.seen_by]],
        [row.day],
        check_id=row.check_id,
        answer=row.answer,
        severity=row.severity if row.severity is Severity.STOP else None,
        is_before_repair=row.is_before_repair,
        text=row.detail,
        pictures=photos if has_failed else (),
        has_photos=bool(photos),
    )


def _decided(
    event: StoredEvent,
    defect: Defect,
    notes: Mapping[int, DefectNote],
    users: Mapping[int | None, str],
) -> TimelineEntry:
    after: Mapping[str, Any] = event.after or {}
    happening = _HAPPENINGS[EventKind(event.kind)]
    note = notes.get(after.get("noteId") or 0)
    severity, booked_for = after.get("severity"), after.get("bookedFor")
    return TimelineEntry(
        happening,
        event.at,
        [users[event.actor_id]],
        severity=Severity(severity) if severity else None,
        garage=after.get("garage") or "",
        booked_for=dates.parse_day(booked_for) if booked_for else None,
        closing=Closing(after["closing"]) if happening is Happening.CLOSED else None,
        text=note.text if note else defect.closing_reason * (happening is Happening.CLOSED),
    )


def _merge_plain(entries: Sequence[TimelineEntry]) -> list[TimelineEntry]:
    """Return the entries with those next to each other that tell a day alone as one."""
    merged: list[TimelineEntry] = []
    for entry in entries:
        last = merged[-1] if merged else None
        if last and last.is_plain and entry.is_plain:
            merged[-1] = TimelineEntry(
                Happening.SEEN,
                last.at,
                list(dict.fromkeys([*last.who, *entry.who])),
                list(dict.fromkeys([*entry.days, *last.days])),
                answer=last.answer,
            )
        else:
            merged.append(entry)
    return merged


def _sightings(defect_id: int) -> Sequence[DefectSighting]:
    statement = (
        select(DefectSighting)
        .filter_by(defect_id=defect_id)
        .order_by(DefectSighting.id.desc())
        .limit(MAX_SIGHTINGS)
    )
    return db.session.execute(statement).scalars().all()[::-1]


def _notes(defect_id: int) -> Iterable[DefectNote]:
    statement = select(DefectNote).filter_by(defect_id=defect_id).order_by(DefectNote.id)
    return db.session.execute(statement).scalars()


def _repairs(defect_id: int) -> Sequence[Repair]:
    """Return the repairs of a defect, and the rows that take them back."""
    repairs = select(RepairedDefect.repair_id).where(RepairedDefect.defect_id == defect_id)
    reversals = select(Repair.id).where(Repair.reverses_id.in_(repairs))
    # Two conditions by OR would let PostgreSQL read all repairs.
    statement = select(Repair).where(Repair.id.in_(repairs.union_all(reversals)))
    return db.session.execute(statement.order_by(Repair.id)).scalars().all()


def _files(defect_id: int) -> Sequence[Attachment]:
    """Return the photos and documents of a defect, also the removed ones."""
    statement = select(Attachment).filter_by(subject_kind="defect", subject_id=defect_id)
    return db.session.execute(statement.order_by(Attachment.position)).scalars().all()


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
