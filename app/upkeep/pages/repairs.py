"""The list of repairs, the page of one, and the forms that record and undo one."""

from collections.abc import Sequence

from flask import render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.attachments.queries import attachments_of
from app.attachments.rules import TOO_LARGE_TOGETHER
from app.attachments.services import PreparedFile, add_attachments, prepare_files
from app.divisions import SITES, Store
from app.fleet.queries import vehicles as vehicle_queries
from app.fleet.rules.plates import MAX_PLATE_LENGTH, MAX_PLATES, plate_key
from app.fleet.rules.versions import UPKEEP
from app.money import format_pence
from app.records.lists import list_view
from app.stock.queries import operations
from app.upkeep.acts.repairs import REPAIR, RepairResult, why_not_undone
from app.upkeep.forms.repairs import DEFECTS, RepairForm
from app.upkeep.pages.blueprint import DIVISIONS, bp, for_fleet
from app.upkeep.queries import off_road
from app.upkeep.queries import repairs as queries
from app.upkeep.rules.defect_texts import severity_label, severity_tone
from app.upkeep.rules.readings import NOT_USED
from app.upkeep.schemas.repairs import REPAIR_LIST
from app.upkeep.services import repairs as services
from app.versions import version_of
from app.web import access, caching, rights
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.form_handling import handle_form, respond_done
from app.web.limits import CostlyRequest, costly
from app.web.navigation import Screen

SCREENS = [Screen(division, "Repairs", "upkeep.repairs") for division in DIVISIONS]


list_view(bp, for_fleet, REPAIR_LIST, "/fleet/repairs")


@bp.get(REPAIR)
@for_fleet
@failure_message("Failed to load repairs")
def repair(number: int) -> ResponseReturnValue:
    """Show a repair with its costs, parts and defects."""
    (row,) = queries.repair_rows([queries.get_repair(number)])
    undoings = operations.undoings({part.operation_id for part in row.parts})
    unchanged = caching.not_modified(version_of(UPKEEP), sorted(undoings), dates.today())
    if unchanged is not None:
        return unchanged
    return render_template(
        "upkeep/repair.html",
        row=row,
        vehicle_id=off_road.vehicle_ids([row.repair.reg_key]).get(row.repair.reg_key),
        undoings=undoings,
        attachments=attachments_of(services.SUBJECT, [row.repair.id])[row.repair.id],
        may_see=lambda store: store.division in current_user().divisions,
        question=services.mileage_question(row.repair),
        not_used=NOT_USED,
        why_not_undone=why_not_undone(row.repair),
    )


@bp.route("/fleet/repairs/new", methods=["GET", "POST"])
@for_fleet
@access.redisplays_form
@costly(CostlyRequest.PHOTOS)
@failure_message("Update failed", too_large=TOO_LARGE_TOGETHER)
def record_repair() -> ResponseReturnValue:
    """Record a repair; `?reg=` names the vehicle, `?defect=` the ticked defects."""
    form = RepairForm(changeable_stores())
    if not form.is_submitted():
        form.reg.data = request.args.get("reg", "")[:MAX_PLATE_LENGTH].strip()
        form.finished_on.data = dates.today()
        form.reg.data = vehicle_queries.stored_plate(plate_key(form.reg.data)) or form.reg.data
        if not form.reg.data:
            return render_template("upkeep/choose_repair.html", plates=_plates())
        form.propose(queries.unrepaired_defects(plate_key(form.reg.data)))
    elif "add_part" in request.form:
        form.validate()
        form.add_part()
        return _render(form)

    prepared: list[PreparedFile] = []

    def prepare() -> None:
        prepared.extend(prepare_files(form.files.data, by=current_user().user_id))

    def action() -> RepairResult:
        by = current_user().user_id
        done = services.record_repair(form.values(), by=by, stamp=form.stamp())
        add_attachments(services.SUBJECT, done.id, prepared, by=by)
        return RepairResult(done.number)

    def respond(result: RepairResult) -> ResponseReturnValue:
        (row,) = queries.repair_rows([queries.get_repair(result.number)])
        return respond_done(
            f"Saved {row.repair.reference}: {format_pence(row.costs.total)} in all.",
            back=url_for("upkeep.repair", number=result.number),
        )

    return handle_form(
        form,
        RepairResult,
        action,
        prepare=prepare if form.files.data else None,
        render=lambda: _render(form),
        respond=respond,
        rebuild=_rebuild,
    )


def changeable_stores() -> Sequence[Store]:
    """Return the stores from which the user of this request may take parts."""
    return [
        Store(division, site)
        for division, sites in SITES.items()
        if rights.works_in(division)
        for site in sites
    ]


def _rebuild(repair_id: int) -> RepairResult:
    return RepairResult(queries.repair_by_id(repair_id).number)


def _plates() -> Sequence[str]:
    listed = vehicle_queries.plates(vehicle_queries.current_list(), limit=MAX_PLATES)
    return list(dict.fromkeys([*queries.plates_to_repair(), *listed]))


def _render(form: RepairForm) -> str:
    reg = form.reg.data or ""
    return render_template(
        "upkeep/record_repair.html",
        form=form,
        defects=queries.unrepaired_defects(plate_key(reg)),
        defects_name=DEFECTS,
        severity_label=severity_label,
        severity_tone=severity_tone,
        garages=queries.garages(),
        items=queries.item_names(form.stores.values()),
        back=form.back_to or url_for("upkeep.repairs"),
    )
