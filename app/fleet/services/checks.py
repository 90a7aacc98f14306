"""Changes of checks: submitted once, reviewed once."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import select

from app import dates
from app.db import advisory_lock, db
from app.errors import Conflict, NotFound
from app.fleet.models import Check, CheckPhoto
from app.fleet.queries import checks as queries
from app.fleet.queries.people import usernames
from app.fleet.queries.photos import sent_hashes
from app.fleet.queries.templates import template_of
from app.fleet.queries.vehicles import spelling_of
from app.fleet.rules import checks as rules
from app.fleet.rules.plates import plate_key
from app.fleet.services import photos
from app.fleet.services.pictures import Picture
from app.fleet.services.vehicles import record_check
from app.versions import increment_version

LIST = "checks"
"""The list of the data versions that a change of a check raises."""


@dataclass(frozen=True)
class SentPhoto:
    """A photo of a check: one sent before, by its id, or a picture that comes with it."""

    name: str
    id: str
    picture: Picture | None = None


@dataclass(frozen=True)
class Draft:
    """A check as it is sent; its cost is in pence, and plate and mileage may be in its items."""

    reg: str | None
    odometer: rules.Value
    day: date
    items: dict[str, Any]
    notes: str = ""
    cost: int = 0
    form_type: str = ""
    photos: Sequence[SentPhoto] = ()


@dataclass(frozen=True)
class Submitted:
    """A check that was taken, and what its sender should look at again."""

    check_id: int
    warnings: list[str]


@dataclass(frozen=True)
class Reviewed:
    """A check that has been reviewed."""

    check_id: int


def submit_check(draft: Draft, *, by: int) -> Submitted:
    """Take a check, and move its vehicle's last update and odometer to it.

    Raises Invalid for all that is wrong with it, and for photos of somebody else.
    """
    template = template_of(draft.form_type)
    reading = rules.read_check(draft.reg, draft.odometer, draft.items, template)
    key = plate_key(reading.reg)
    # Checks of one vehicle are numbered in the order in which each sees the reading before it.
    advisory_lock(f"checks of {key}")
    photo_hashes = _photo_hashes(draft.photos, by)
    notes = draft.notes or rules.find_notes(draft.items)
    label = template.label if template else ""
    reg = spelling_of(key) or reading.reg
    submitter = usernames([by])[by]
    check = Check(
        reg=reg,
        reg_key=key,
        day=draft.day,
        odometer=reading.odometer,
        items=draft.items,
        notes=notes,
        cost=draft.cost,
        form_type=draft.form_type,
        form_label=label,
        has_damage=rules.says_damage(draft.items),
        search_key=rules.search_key(
            [reg, key, str(reading.odometer), notes, submitter, label], draft.items, draft.day
        ),
        submitted_by=by,
        submitted_at=dates.utc_now(),
        photos=[
            CheckPhoto(photo_hash=hash_, position=position, name=sent.name)
            for position, (sent, hash_) in enumerate(zip(draft.photos, photo_hashes, strict=True))
        ],
    )
    db.session.add(check)
    db.session.flush()
    before = record_check(
        check.reg, on=check.day, odometer=check.odometer, check_id=check.id, by=by
    )
    warning = rules.warning_of(queries.last_reading(check, before), check.odometer)
    check.odometer_fell = warning is not None
    db.session.flush()
    increment_version(LIST)
    return Submitted(check.id, [warning] if warning else [])


def review_check(check_id: int, *, remark: str, by: int) -> Reviewed:
    """Mark a check as reviewed; raises Conflict where somebody has done it already."""
    check = db.session.execute(
        select(Check).filter_by(id=check_id).with_for_update()
    ).scalar_one_or_none()
    if check is None:
        raise NotFound(queries.NO_SUCH_CHECK)
    if check.reviewed_at is not None:
        who = usernames([check.reviewed_by])[check.reviewed_by]
        raise Conflict(rules.say_reviewed_before(who, check.reviewed_at))
    check.reviewed_by = by
    check.reviewed_at = dates.utc_now()
    check.remark = remark
    db.session.flush()
    increment_version(LIST)
    return Reviewed(check.id)


def _photo_hashes(sent: Sequence[SentPhoto], by: int) -> list[str]:
    ids = [photo.id for photo in sent]
    pictures = {photo.picture.hash: photo.picture for photo in sent if photo.picture}
    # Two checks with the same pictures, however they come, must not wait for each other.
    photos.hold_all({*pictures, *sent_hashes(ids, by).values()})
    for picture in pictures.values():
        photos.keep(picture, by=by)
    return photos.claimed(ids, by=by)
