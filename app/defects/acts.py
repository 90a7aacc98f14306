"""The acts on defects, repairs and times off the road."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from flask import request, url_for

from app import dates
from app.accounts.history import last_change
from app.defects import forms
from app.defects.models import Defect, OffRoad, Repair
from app.defects.queries import defects as queries
from app.defects.queries import off_road as off_road_queries
from app.defects.queries import repairs
from app.defects.rules import defects as rules
from app.defects.rules import off_road as off_road_rules
from app.defects.rules.fields import DefectState
from app.defects.schemas.defects import ALIASES, IMPORTED_FILE, REQUIRED, read_defects
from app.defects.services import decisions as services
from app.defects.services import off_road
from app.defects.services import repairs as repair_services
from app.defects.services.defects import SUBJECT
from app.defects.services.repairs import RepairResult
from app.defects.services.reports import ReportResult, report_by_hand
from app.divisions import Division
from app.fleet.acts import fill_in_vehicle, for_fleet, plates
from app.fleet.queries import vehicles
from app.fleet.rules.findings import STOP, Severity
from app.fleet.rules.vehicles import MAX_PLATE_LENGTH, MAX_PLATES, UPKEEP, plate_key
from app.mileage.rules import NOT_USED
from app.money import format_pence
from app.records.acts import Act, Dialog, Outcome, Target, Then, new_record
from app.records.targets import ImportTarget
from app.versions import version_of
from app.web import rights
from app.web.forms import Form, UndoForm
from app.web.policies import Policy

DEFECT = "/fleet/defects/<int(max=999999999):number>"
REPAIR = "/fleet/repairs/<row_id:number>"
TIME = "/fleet/off-road/<row_id:time_id>"

MAX_OTHERS = 50
"""The most other defects that one can be a duplicate of in the form."""


def _current_time(_: Any, time: OffRoad) -> str:
    expected = dates.format_day(time.expected_back) if time.expected_back else "not known yet"
    detail = "; ".join(time.detail.splitlines()) or "–"
    return f"It is now: {time.reason.label}, {detail}, {expected}."


ON_DEFECT = Target[Defect](
    read=queries.get_defect,
    page=lambda defect: url_for("defects.defect", number=defect.number),
    then=Then.OPEN,
    current=lambda _, defect: f"It is now: {rules.standing_of(defect, today=dates.today())}.",
    lost_race=lambda defect: (
        f"{last_change(SUBJECT, defect.id)}. Close this, and look at the defect again."
    ),
)

ON_REPAIR = Target[Repair](
    read=repairs.get_repair, page=lambda repair: url_for("defects.repair", number=repair.number)
)

ON_TIME = Target[OffRoad](
    read=off_road_queries.get_time,
    page=lambda time: url_for("defects.vehicle_off_road", reg=time.reg),
    then=Then.RETURN,
    current=_current_time,
)

ON_RETURN = replace(ON_TIME, page=lambda _: url_for("defects.off_road"), current=None)


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
    others = [row.reference for row in defects if row.number != defect.number]
    return {"others": others[:MAX_OTHERS]}


def _repair(_: Any, defect: Defect) -> Mapping[str, Any]:
    seen = queries.seen_after_repair([defect]).get(defect.id)
    times = off_road_queries.current_times([defect.reg_key]).values()
    rows = off_road_queries.board_rows([*times], dates.today())
    return {
        "repair": queries.standing_repair(defect),
        "seen": rules.seen_after_repair(seen) if seen else "",
        "may_return": any(row.is_ready and [*row.defects] == [defect] for row in rows),
        **_other_defects(defect),
    }


def _other_defects(row: Defect | OffRoad) -> Mapping[str, Any]:
    defects = queries.open_defects([row.reg_key]).get(row.reg_key, ())
    others = [each for each in defects if each.severity is not Severity.STOP]
    return {"other_defects": others, "severity_label": rules.severity_label}


def _fill_in_repair(form: forms.RepairForm, _: None) -> None:
    reg = request.args.get("reg", "")[:MAX_PLATE_LENGTH].strip()
    form.reg.data = vehicles.stored_plate(plate_key(reg)) or reg
    form.finished_on.data = dates.today()
    if form.reg.data:
        form.propose(repairs.unrepaired_defects(plate_key(form.reg.data)))


def _offers_of_repair(form: forms.RepairForm, _: None) -> Mapping[str, Any]:
    if not (form.reg.data or form.is_submitted()):
        listed = vehicles.plates(limit=MAX_PLATES)
        return {"plates": list(dict.fromkeys([*repairs.plates_to_repair(), *listed]))}
    return {
        "defects": repairs.unrepaired_defects(plate_key(form.reg.data or "")),
        "severity_label": rules.severity_label,
        "severity_tone": rules.severity_tone,
        "garages": repairs.garages(),
        "items": repairs.item_names(form.stores.values()),
    }


def _describe_repair(result: RepairResult) -> Outcome:
    (row,) = repairs.repair_rows([repairs.get_repair(result.number)])
    message = f"Saved {row.repair.reference}: {format_pence(row.total)} in all."
    question = repair_services.mileage_question(row.repair)
    warnings = [f"{question} {NOT_USED}"] if question else []
    return Outcome(message, url_for("defects.repair", number=result.number), warnings=warnings)


def reverse_repair(number: int, *, by: int) -> RepairResult:
    """Take a repair back; its parts go back into stores in which the user may work."""
    repair = repairs.get_repair(number)
    if not repairs.why_not_reversed(repair):
        rights.check_works_in(repairs.stock_divisions(repair))
    return repair_services.reverse_repair(number, by=by)


def why_not_undone(repair: Repair) -> str:
    """Return why the user of this request can't undo a repair, '' if they can."""
    why = repairs.why_not_reversed(repair)
    return why or rights.why_not_works_in(repairs.stock_divisions(repair))


def _describe_undo(result: RepairResult) -> Outcome:
    reversal = repairs.get_repair(result.number)
    undone = repairs.repair_by_id(reversal.reverses_id or 0)
    defects = repairs.repaired_defects([undone.id]).get(undone.id, ())
    message = f"Undone: {undone.reference}, by {reversal.reference}."
    return Outcome(message, warnings=repairs.signed_off(defects))


def _undone(_: Any, repair: Repair) -> Mapping[str, Any]:
    (row,) = repairs.repair_rows([repair])
    return {"costs": row, "signed_off": repairs.signed_off(row.defects)}


def objection_url(objection: off_road_rules.Objection) -> str:
    """Return the address of an objection to a vehicle's return."""
    if objection.defect is None:
        return url_for("due.due")
    return url_for("defects.defect", number=objection.defect)


def _describe_off_road(result: off_road.OffRoadResult) -> Outcome:
    again = "was off the road already. The reason was added."
    return Outcome(f"{result.reg} {again if result.was_off_road else 'is off the road.'}")


def _objections(form: forms.ReturnForm, time: OffRoad) -> Mapping[str, Any]:
    key, is_over = time.reg_key, time.until is not None
    return {
        "lasts": off_road_rules.describe_days(time.since, time.until, dates.today()),
        "reason": time.reason.label,
        "objections": () if is_over else off_road_queries.objections_to([key])[key],
        "objection_url": objection_url,
        **({} if is_over else _other_defects(time)),
        "is_refused": isinstance(form.refusal, off_road_rules.NotRoadworthy),
    }


def _on_defect(
    path: str, policy: Policy, form: type[Form], run: Callable[..., Any], done: str, **options: Any
) -> Act[Defect]:
    path, outcome = f"{DEFECT}/{path}", f"{done}: {{r.reference}}.{{r.news}}"
    return Act(run.__name__, path, policy, form, run, outcome, **{"on": ON_DEFECT} | options)


_TARGET = ImportTarget(
    key="defects",
    label="Open defects",
    call="/fleet/defects",
    division=Division.FLEET,
    columns=IMPORTED_FILE,
    required=REQUIRED,
    aliases=ALIASES,
    new_rows=lambda file: [line.row.line for line in services.new_defects(file)],
    read=read_defects,
    check=services.lines_to_judge,
    version=partial(version_of, UPKEEP),
    current=queries.stream_open_defects,
    apply=lambda file, by, *_: services.import_defects(file, by=by),
    way_back="A defect can be closed on its page.",
)
TARGETS = {_TARGET.key: _TARGET}

ACTS = (
    Act(
        "report_defect",
        "/fleet/defects/new",
        for_fleet,
        forms.ReportDefectForm,
        report_by_hand,
        _describe_report,
        new_record("defects.defects", then=Then.OPEN),
        offer=fill_in_vehicle("vehicle"),
        shows=plates,
    ),
    _on_defect(
        "assess",
        for_fleet.by_managers,
        forms.AssessDefectForm,
        services.assess_defect,
        "Assessed",
        over=queries.closed_message,
        shows=lambda *_: {"meanings": rules.SEVERITY_MEANINGS},
    ),
    _on_defect(
        "book",
        for_fleet,
        forms.BookDefectForm,
        services.book_defect,
        "Booked in",
        over=_over(repaired="It is repaired and waits for its sign-off."),
        shows=lambda *_: {"garages": repairs.garages()},
    ),
    _on_defect("note", for_fleet, forms.NoteDefectForm, services.note_defect, "Noted"),
    _on_defect(
        "close",
        for_fleet.by_managers,
        forms.CloseDefectForm,
        services.close_defect,
        "Closed",
        over=_over(repaired="It is repaired. Sign it off, or assess it again if it isn’t mended."),
        shows=_others,
    ),
    _on_defect(
        "sign-off",
        for_fleet.by_managers,
        forms.SignOffForm,
        services.sign_off_defect,
        "Signed off",
        on=replace(ON_DEFECT, then=Then.RETURN),
        over=_over(
            unrepaired="It isn’t repaired yet. Record the repair first, or close it with a reason."
        ),
        shows=_repair,
    ),
    Act(
        "record_repair",
        "/fleet/repairs/new",
        for_fleet,
        forms.RepairForm,
        repair_services.record_repair,
        _describe_repair,
        new_record("defects.repairs", then=Then.RETURN),
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
        reverse_repair,
        _describe_undo,
        ON_REPAIR,
        over=why_not_undone,
        shows=_undone,
    ),
    Act(
        "take_off_road",
        "/fleet/off-road/new",
        for_fleet,
        forms.TakeOffRoadForm,
        off_road.report_off_road,
        _describe_off_road,
        new_record("defects.off_road", then=Then.RETURN),
        offer=fill_in_vehicle("reg"),
        shows=plates,
    ),
    Act(
        "change_off_road",
        f"{TIME}/change",
        for_fleet,
        forms.ChangeOffRoadForm,
        off_road.change_time,
        "Saved: {r.reg}.",
        ON_TIME,
        dialog=Dialog("Change why it is off the road", about="{row.reg}"),
        shows=lambda form, time: form.keep_reason(time.reason) or {},
    ),
    Act(
        "return_to_road",
        f"{TIME}/return",
        for_fleet.by_managers,
        forms.ReturnForm,
        off_road.end_time,
        "{r.reg} is back on the road.",
        ON_RETURN,
        over=off_road_queries.returned_message,
        shows=_objections,
    ),
)
