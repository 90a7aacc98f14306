"""The acts on defects, from the report to the sign-off, and on repairs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import request, url_for

from app import dates
from app.accounts.history import last_change
from app.attachments.services import PreparedFile, add_attachments
from app.defects import forms
from app.defects.forms import DEFECTS, RepairForm
from app.defects.models import Defect, Repair
from app.defects.queries import defects as queries
from app.defects.queries import repairs
from app.defects.rules import defects as rules
from app.defects.rules.fields import DefectState
from app.defects.rules.repairs import RepairValues
from app.defects.services import decisions as services
from app.defects.services import repairs as repair_services
from app.defects.services.defects import SUBJECT
from app.defects.services.reports import ReportResult, report_by_hand
from app.divisions import STORES
from app.fleet.acts import for_fleet, plates
from app.fleet.queries import vehicles
from app.fleet.rules.findings import STOP
from app.fleet.rules.vehicles import MAX_PLATE_LENGTH, MAX_PLATES, plate_key
from app.idempotency import Stamp
from app.money import format_pence
from app.records.acts import Act, Outcome, Target, Then, new_record
from app.reference_numbers import ReferenceNumber, Series
from app.web import rights
from app.web.forms import UndoForm

DEFECT = "/fleet/defects/<int(max=999999999):number>"

MAX_OTHERS = 50
"""The most other defects that one can be a duplicate of in the form."""

_LOOK_AGAIN = "Close this, and look at the defect again."

ON_DEFECT = Target[Defect](
    read=queries.get_defect,
    page=lambda defect: url_for("defects.defect", number=defect.number),
    then=Then.OPEN,
    current=lambda _, defect: f"It is now: {rules.standing_of(defect, today=dates.today())}.",
    lost_race=lambda defect: f"{last_change(SUBJECT, defect.id)}. {_LOOK_AGAIN}",
)


def _fill_in_vehicle(form: forms.ReportDefectForm, _: None) -> None:
    form.reg.data = request.args.get("vehicle", "")[:MAX_PLATE_LENGTH]


def _describe_report(result: ReportResult) -> Outcome:
    page = url_for("defects.defect", number=result.number)
    return Outcome(result.message, page, is_bad=result.message.startswith(STOP))


def _over(*, repaired: str = "", unrepaired: str = "") -> Callable[[Defect], str]:
    """Return a function that says why a closed, repaired or unrepaired defect can't be changed."""

    def why_not(defect: Defect) -> str:
        is_repaired = defect.state is DefectState.REPAIRED
        return queries.closed_message(defect) or (repaired if is_repaired else unrepaired)

    return why_not


def _others(_: Any, defect: Defect) -> Mapping[str, Any]:
    defects = queries.open_defects([defect.reg_key]).get(defect.reg_key, ())
    return {
        "others": [row.reference for row in defects if row.number != defect.number][:MAX_OTHERS]
    }


def _repair(_: Any, defect: Defect) -> Mapping[str, Any]:
    seen = queries.seen_after_repair([defect]).get(defect.id)
    return {
        "repair": queries.standing_repair(defect),
        "seen": rules.seen_after_repair(seen) if seen else "",
    }


REPAIR = "/fleet/repairs/<row_id:number>"

ON_REPAIR = Target[Repair](
    read=repairs.get_repair,
    page=lambda repair: url_for("defects.repair", number=repair.number),
)


@dataclass(frozen=True)
class RepairResult:
    """A repair that was recorded or undone, by its number."""

    number: int


class RecordRepairForm(RepairForm):
    """A repair with parts from the stores in which the user of the request may work."""

    def __init__(self, **options: Any) -> None:
        super().__init__([each for each in STORES if rights.works_in(each.division)], **options)


def _record_repair(
    values: RepairValues, *, files: Sequence[PreparedFile], stamp: Stamp, by: int
) -> RepairResult:
    repair = repair_services.record_repair(values, by=by, stamp=stamp)
    add_attachments(repair_services.SUBJECT, repair.id, files, by=by)
    return RepairResult(repair.number)


def _fill_in_repair(form: RepairForm, _: None) -> None:
    reg = request.args.get("reg", "")[:MAX_PLATE_LENGTH].strip()
    form.reg.data = vehicles.stored_plate(plate_key(reg)) or reg
    form.finished_on.data = dates.today()
    if form.reg.data:
        form.propose(repairs.unrepaired_defects(plate_key(form.reg.data)))


def _offers_of_repair(form: RepairForm, _: None) -> Mapping[str, Any]:
    if not (form.reg.data or form.is_submitted()):
        listed = vehicles.plates(vehicles.current_list(), limit=MAX_PLATES)
        return {"plates": list(dict.fromkeys([*repairs.plates_to_repair(), *listed]))}
    return {
        "defects": repairs.unrepaired_defects(plate_key(form.reg.data or "")),
        "defects_name": DEFECTS,
        "severity_label": rules.severity_label,
        "severity_tone": rules.severity_tone,
        "garages": repairs.garages(),
        "items": repairs.item_names(form.stores.values()),
    }


def _describe_repair(result: RepairResult) -> Outcome:
    (row,) = repairs.repair_rows([repairs.get_repair(result.number)])
    message = f"Saved {row.repair.reference}: {format_pence(row.total)} in all."
    return Outcome(message, url_for("defects.repair", number=result.number))


def reverse_repair(number: int, *, by: int) -> Repair:
    """Take a repair back; its parts go back into stores in which the user may work."""
    repair = repairs.get_repair(number)
    if not repairs.why_not_reversed(repair):
        rights.check_works_in(repairs.stock_divisions(repair))
    return repair_services.reverse_repair(number, by=by)


def _undo_repair(number: int, *, by: int) -> RepairResult:
    return RepairResult(reverse_repair(number, by=by).number)


def why_not_undone(repair: Repair) -> str:
    """Return why the user of this request can't undo a repair, '' if they can."""
    return repairs.why_not_reversed(repair) or rights.why_not_works_in(
        repairs.stock_divisions(repair)
    )


def _describe_undo(result: RepairResult) -> Outcome:
    reversal = repairs.get_repair(result.number)
    undone = repairs.repair_by_id(reversal.reverses_id or 0)
    defects = repairs.repaired_defects([undone.id]).get(undone.id, ())
    by = ReferenceNumber(Series.REPAIR, result.number)
    return Outcome(f"Undone: {undone.reference}, by {by}.", warnings=repairs.signed_off(defects))


def _undone(_: Any, repair: Repair) -> Mapping[str, Any]:
    (row,) = repairs.repair_rows([repair])
    return {"costs": row, "signed_off": repairs.signed_off(row.defects)}


ACTS = (
    Act(
        "report_defect",
        "/fleet/defects/new",
        for_fleet,
        forms.ReportDefectForm,
        report_by_hand,
        _describe_report,
        new_record("defects.defects", then=Then.OPEN),
        offer=_fill_in_vehicle,
        shows=plates,
    ),
    Act(
        "assess_defect",
        f"{DEFECT}/assess",
        for_fleet.by_managers,
        forms.AssessDefectForm,
        services.assess_defect,
        "Assessed: {r.reference}.",
        ON_DEFECT,
        offer=lambda form, defect: form.process(obj=defect),
        over=queries.closed_message,
        shows=lambda *_: {"meanings": rules.SEVERITY_MEANINGS},
    ),
    Act(
        "book_defect",
        f"{DEFECT}/book",
        for_fleet,
        forms.BookDefectForm,
        services.book_defect,
        "Booked in: {r.reference}.",
        ON_DEFECT,
        offer=lambda form, defect: form.process(obj=defect),
        over=_over(repaired="It is repaired and waits for its sign-off."),
        shows=lambda *_: {"garages": repairs.garages()},
    ),
    Act(
        "note_defect",
        f"{DEFECT}/note",
        for_fleet,
        forms.NoteDefectForm,
        services.note_defect,
        "Noted: {r.reference}.",
        ON_DEFECT,
    ),
    Act(
        "close_defect",
        f"{DEFECT}/close",
        for_fleet.by_managers,
        forms.CloseDefectForm,
        services.close_defect,
        "Closed: {r.reference}.",
        ON_DEFECT,
        over=_over(repaired="It is repaired. Sign it off, or assess it again if it isn’t mended."),
        shows=_others,
    ),
    Act(
        "sign_off_defect",
        f"{DEFECT}/sign-off",
        for_fleet.by_managers,
        forms.SignOffForm,
        services.sign_off_defect,
        "Signed off: {r.reference}.",
        ON_DEFECT,
        over=_over(
            unrepaired="It isn’t repaired yet. Record the repair first, or close it with a reason."
        ),
        shows=_repair,
    ),
    Act(
        "record_repair",
        "/fleet/repairs/new",
        for_fleet,
        RecordRepairForm,
        _record_repair,
        _describe_repair,
        new_record("defects.repairs"),
        offer=_fill_in_repair,
        shows=_offers_of_repair,
        rebuild=lambda repair_id: RepairResult(repairs.repair_by_id(repair_id).number),
        is_page=True,
    ),
    Act(
        "undo_repair",
        f"{REPAIR}/undo",
        for_fleet.by_managers,
        UndoForm,
        _undo_repair,
        _describe_undo,
        ON_REPAIR,
        over=why_not_undone,
        shows=_undone,
    ),
)
