"""Submit, review and remove vehicle checks.

A check is submitted in steps, since its photos take long and must not hold up the database:
`prepare_check` in app/fleet/acts.py judges it and decodes its photos, and `submit_check` saves both
in one transaction.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from sqlalchemy import delete, select

from app import dates
from app.accounts.queries import usernames
from app.audit.rules import Event
from app.audit.services import record
from app.day_counts import change_counts
from app.db import db
from app.divisions import Division
from app.errors import AlreadyUndone, Conflict, NotFound, existing
from app.events.rules import EventKind, Values
from app.events.services import record_event
from app.fleet.models import Check, CheckPhoto, VehicleEvent
from app.fleet.queries import checks as queries
from app.fleet.queries.check_form import odometer_before, templates_by_key
from app.fleet.queries.vehicles import lock_vehicle
from app.fleet.rules import checks as rules
from app.fleet.rules.check_answers import SubmittedCheck
from app.fleet.rules.check_findings import describe_outcome, failures, find_outcome, fits_outcome
from app.fleet.rules.checks import CheckOutcome
from app.fleet.rules.findings import DriveReason, Findings
from app.fleet.rules.templates import Template
from app.fleet.rules.vehicles import CHECKS, VAN_HISTORY
from app.fleet.services.upkeep import Rank, check_submitted, upkeep
from app.fleet.services.vehicles import record_check
from app.idempotency import UNSTAMPED, Stamp
from app.lists import batches
from app.photos.services import photos
from app.photos.services.contents import PHOTO, StoredContent
from app.photos.services.photos import Picture
from app.versions import increment_version


@dataclass(frozen=True)
class CheckPlan:
    """A submitted check that is valid, with the vehicle and the whole miles that it is about.

    `uploads` are stored hashes by the ids of its photos, `pictures` its new photos in the store.
    """

    check: SubmittedCheck
    reg: str
    odometer: int
    template: Template | None
    uploads: Mapping[str, str]
    pictures: Sequence[Picture] = ()


@dataclass(frozen=True)
class SubmitCheckResult:
    """A saved check, the warnings for its sender, and its consequences."""

    check_id: int
    warnings: list[str]
    messages: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class ReviewResult:
    """A reviewed check; `number` counts its reviews, undone ones included."""

    check_id: int
    number: int = 1


@dataclass(frozen=True)
class UndoReviewResult:
    """A check whose review was undone."""

    check_id: int


def plan_check(check: SubmittedCheck, *, by: int) -> CheckPlan:
    """Judge a submitted check by its template and return the plan for saving it.

    Raises Invalid with every problem by field, or for photos of other senders or with lost files.
    Call it outside a transaction: the photo store may be slow.
    """
    template = templates_by_key().get(check.form_type)
    reg, odometer = rules.parse_readings(check.reg, check.odometer, check.items, template)
    ids = [photo.id for photo in check.photos]
    new_ids = {photo.id for photo in check.photos if photo.data is not None}
    uploads = PHOTO.uploaded_hashes(ids, by) if ids else {}
    kept = {id_ for id_, hash_ in uploads.items() if id_ in new_ids or PHOTO.is_stored(hash_)}
    photos.check_uploaded(ids, kept | new_ids)
    return CheckPlan(check, reg, odometer, template, uploads)


def renew_uploads(plan: CheckPlan, *, by: int) -> list[StoredContent]:
    """Renew earlier uploads of the photos that come with their content once more."""
    new_ids = {photo.id for photo in plan.check.photos if photo.data is not None}
    resent = {id_: hash_ for id_, hash_ in plan.uploads.items() if id_ in new_ids}
    PHOTO.lock(set(resent.values()))
    renewed = (PHOTO.renew(id_, by=by) for id_ in resent)
    return [photo for photo in renewed if photo]


def submit_check(plan: CheckPlan, *, by: int, stamp: Stamp = UNSTAMPED) -> SubmitCheckResult:
    """Save a check, and update its vehicle; raises Invalid for a removed photo."""
    check, template = plan.check, plan.template
    vehicle = lock_vehicle(plan.reg)
    key = vehicle.reg_key
    check_photos = _use_photos(plan, by)
    notes = check.notes or rules.find_notes(check.items)
    label = template.label if template else ""
    searched = [vehicle.reg, key, str(plan.odometer), notes, usernames([by])[by], label]
    answered = upkeep().check_answers(key, check.answers)
    findings = Findings(
        failures(check.items, template, check.notes),
        {number: check.answers[number] for number in answered.parts},
        answered.parts,
        check.booking,
    )
    outcome = find_outcome(findings, check.items, template)
    fits = fits_outcome(check.outcome_text, outcome)
    now = dates.utc_now()
    is_off_road = upkeep().was_off_road(key, min(stamp.made_at or now, dates.end_of_day(check.day)))
    row = Check(
        reg=vehicle.reg,
        reg_key=key,
        day=check.day,
        odometer=plan.odometer,
        items=check.items,
        notes=notes,
        cost=check.cost,
        form_type=check.form_type,
        form_label=label,
        has_damage=rules.reports_damage(check.items),
        outcome=outcome,
        outcome_text=check.outcome_text if fits else _describe_outcome(outcome, findings, key),
        drive_reason=(check.drive_reason or DriveReason.UNANSWERED) if is_off_road else None,
        search_key=rules.search_key(searched, check.items, check.day),
        submitted_by=by,
        submitted_at=now,
        photos=check_photos,
        **vars(stamp),
    )
    db.session.add(row)
    db.session.flush()
    warning = _odometer_warning(row, record_check(row))
    row.odometer_fell = warning is not None
    db.session.flush()
    after = {"vehicle": key, "day": str(row.day), "odometer": row.odometer, "outcome": outcome}
    _record(EventKind.CHECK_SUBMITTED, row, by, after=after)
    increment_version(CHECKS)
    change_counts({(queries.counted_in(row, is_reviewed=False), row.day): 1})
    replies = sorted(reply for _, reply in check_submitted.send(row, findings=findings, by=by))
    warnings, sentences = [warning] if warning else [], list[str]()
    for rank, texts in replies:
        (warnings if rank is Rank.NOT_TAKEN else sentences).extend(texts)
    sentences += answered.ignored
    if check.drive_reason and not is_off_road:
        sentences.append(f"{row.reg} wasn't off the road: why it is driven was left out.")
    return SubmitCheckResult(row.id, warnings, _messages(row, sentences))


def rebuild_check(check_id: int) -> SubmitCheckResult:
    """Return the result of a submitted check from its row, once the stored one was deleted."""
    row = db.session.get_one(Check, check_id)
    warnings = []
    if row.odometer_fell:
        # A reading that a list set isn't known any more.
        warnings = [_odometer_warning(row) or "Lower than the last reading."]
    return SubmitCheckResult(row.id, warnings, _messages(row))


def review_check(check_id: int, *, remark: str, by: int) -> ReviewResult:
    """Mark a check as reviewed; raises NotFound, and Conflict if it is reviewed already."""
    check = _lock_check(check_id)
    if check.reviewed_at is not None:
        username = usernames([check.reviewed_by])[check.reviewed_by]
        raise Conflict(rules.already_reviewed_message(username, check.reviewed_at))
    check.reviewed_by = by
    check.reviewed_at = dates.utc_now()
    check.remark = remark
    number = len(check.undone_reviews or ()) + 1
    _record(EventKind.CHECK_REVIEWED, check, by, after={"review": number})
    _count_review(check, is_reviewed=True)
    return ReviewResult(check.id, number)


def undo_review(check_id: int, number: int, *, by: int) -> UndoReviewResult:
    """Take a check's review back, and keep it among its undone reviews.

    `number` is the review's (ReviewResult), so that a later review stays. Raises NotFound, and
    AlreadyUndone.
    """
    check = _lock_check(check_id)
    undone = check.undone_reviews or []
    if number <= len(undone):
        raise AlreadyUndone
    if check.reviewed_at is None or number > len(undone) + 1:
        raise NotFound("There is no such review. Load the list again.")
    review = {
        "reviewed_by": check.reviewed_by,
        "reviewed_at": check.reviewed_at.isoformat(),
        "remark": check.remark,
        "undone_by": by,
        "undone_at": dates.utc_now().isoformat(),
    }
    check.undone_reviews = [*undone, review]
    check.reviewed_by = check.reviewed_at = None
    check.remark = ""
    _record(EventKind.CHECK_REVIEW_UNDONE, check, by, before={"review": number})
    _count_review(check, is_reviewed=False)
    record(Event.UNDO, f"review of check {check.id}", by=by)
    return UndoReviewResult(check.id)


def _record(kind: EventKind, check: Check, by: int, **values: Values) -> None:
    record_event(kind, "check", check.id, division=Division.FLEET, by=by, **values)


def _describe_outcome(outcome: CheckOutcome, findings: Findings, reg_key: str) -> str:
    is_nil = outcome is CheckOutcome.NIL
    open_defects = upkeep().open_defects([reg_key]).get(reg_key, ()) if is_nil else ()
    has_others = any(defect.number not in findings.answers for defect in open_defects)
    return describe_outcome(outcome, findings, has_others=has_others)


def _odometer_warning(check: Check, of_vehicle: int | None = None) -> str | None:
    """Return the warning for an odometer that fell, or None.

    It is compared with the last accepted reading, else with the vehicle's, else with the last
    check's.
    """
    if reading := upkeep().reading_before(check):
        of_vehicle = reading.miles
    elif of_vehicle is None:
        of_vehicle = odometer_before(check)
    return rules.odometer_warning(of_vehicle, check.odometer)


def _messages(check: Check, sentences: Sequence[str] = ()) -> list[str]:
    """Return the sentences for the sender of a check; a nil-defect report is confirmed."""
    confirmed = [check.outcome_text] if check.outcome is CheckOutcome.NIL else []
    return [*sentences, *confirmed]


def _lock_check(check_id: int) -> Check:
    statement = select(Check).filter_by(id=check_id).with_for_update()
    return existing(db.session.execute(statement).scalar_one_or_none(), queries.NO_SUCH_CHECK)


def _count_review(check: Check, *, is_reviewed: bool) -> None:
    db.session.flush()
    increment_version(CHECKS)
    before, after = (
        queries.counted_in(check, is_reviewed=each) for each in (not is_reviewed, is_reviewed)
    )
    change_counts({(before, check.day): -1, (after, check.day): 1})


def _use_photos(plan: CheckPlan, by: int) -> list[CheckPhoto]:
    ids = [photo.id for photo in plan.check.photos]
    hashes = photos.use_photos(ids, plan.pictures, plan.uploads, by=by) if ids else []
    return [
        CheckPhoto(photo_hash=hash_, position=position, name=photo.name)
        for position, (photo, hash_) in enumerate(zip(plan.check.photos, hashes, strict=True))
    ]


def remove_checks(check_ids: Sequence[int]) -> None:
    """Delete checks with their entries in the vehicles' history; their photos wait for the sweep.

    Nothing may refer to them any more.
    """
    changes: Counter[tuple[str, date]] = Counter()
    for ids in batches(check_ids):
        columns = (Check.day, Check.has_damage, Check.cost, Check.odometer_fell, Check.reviewed_at)
        for row in db.session.execute(select(*columns).where(Check.id.in_(ids))):
            counted_in = queries.counted_in(row, is_reviewed=row.reviewed_at is not None)
            changes[counted_in, row.day] -= 1
        db.session.execute(delete(VehicleEvent).where(VehicleEvent.check_id.in_(ids)))
        db.session.execute(delete(CheckPhoto).where(CheckPhoto.check_id.in_(ids)))
        db.session.execute(delete(Check).where(Check.id.in_(ids)))
    if changes:
        change_counts(changes)
        increment_version(CHECKS)
        increment_version(VAN_HISTORY)
