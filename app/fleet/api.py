"""The JSON calls of the fleet, under /api/fleet, /api/gpm and /api."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from flask import Response

from app import dates
from app.api.blueprint import ETAG_HEADER, Blueprint, IfMatch, change, raises, text_in_path
from app.api.changes import StoredReply, answers_made, find_once, request_stamp, run_once
from app.api.lists import ListPaging, if_match_versions, list_response, whole_list
from app.api.openapi import Api
from app.api.schemas import AddedReply, ListChangeReply
from app.divisions import Division
from app.errors import Throttled
from app.fleet.acts import DIVISIONS, FLEET_AND_GPM, fleet_call, prepare_check
from app.fleet.queries import check_form
from app.fleet.queries import checks as check_queries
from app.fleet.queries import vehicles as queries
from app.fleet.rules.check_answers import SubmittedCheck
from app.fleet.rules.checks import CheckOutcome
from app.fleet.rules.findings import DRIVE_REASON
from app.fleet.rules.templates import Template, template_values
from app.fleet.rules.vehicles import (
    CHECK_TEMPLATES,
    CHECKS,
    MAX_PLATE_LENGTH,
    UPKEEP,
    VAN_HISTORY,
    FleetList,
    VehicleState,
    clean_plate,
    plate_key,
)
from app.fleet.schemas import vehicles as schemas
from app.fleet.schemas.check_form import TemplateBody, TemplateReply
from app.fleet.schemas.checks import CheckBody, CheckReply, SubmittedReply
from app.fleet.schemas.lists import CHECK_LIST, VAN_LIST, VEHICLE_LIST, VehicleRow
from app.fleet.services import checks as check_services
from app.fleet.services import lists
from app.fleet.services import vehicles as services
from app.fleet.services.checks import CheckPlan, SubmitCheckResult
from app.fleet.services.lists import ReplaceTemplatesResult
from app.fleet.services.vehicles import PastEvent
from app.lists import Added, ListChange
from app.photos.acts import send_content, sends
from app.photos.services.contents import PHOTO
from app.records import calls as records
from app.records.calls import Changes, ListRequest, parameters_of
from app.records.record import Record
from app.versions import version_of
from app.web.access import current_user
from app.web.limits import CostlyRequest, costly

_ABOUT = ("Fleet", "Vehicles and their checks, which Fleet and GPM share.")

bp = Blueprint("fleet", *_ABOUT)
"""The calls that have the same address under each prefix."""

fleet_bp = Blueprint("fleet_history", *_ABOUT, feature="fleet")
"""The calls under /api/fleet alone."""


def register_calls(api: Api) -> None:
    """Serve the calls; the fleet's history has one address."""
    api.register_prefixed(bp, *DIVISIONS, None)
    api.register_prefixed(fleet_bp, Division.FLEET)


_PLATE = text_in_path("plate", limit=MAX_PLATE_LENGTH, example="LK19 VTE")


@dataclass(frozen=True)
class StoredCheck(StoredReply):
    """The reply to a submitted check, which is repeated when the check is sent again."""

    record_version: ClassVar[int] = 4

    @classmethod
    def upgrade_record(cls, version: int, values: dict[str, Any]) -> dict[str, Any]:
        """Return the reply of a result stored before it had an outcome, or a reason to drive.

        Of version 1 it has the check's id and warnings instead of the reply.
        """
        if version < 2:
            return vars(_stored(SubmitCheckResult(values["check_id"], values["warnings"])))
        outcome = {"outcome": CheckOutcome.WITHOUT_QUESTIONS.value, "outcomeText": ""}
        return {"values": {**outcome, "messages": [], DRIVE_REASON: None, **values["values"]}}


@fleet_call(bp, "/checks", bp.lists(CheckReply, parameters_of(CHECK_LIST)))
def checks(requested: ListRequest) -> Response:
    """List all checks, newest first, with the list's ETag if it is whole."""
    return records.list_response(requested, CHECK_LIST, CheckReply.write_all)


@fleet_call(bp, "/entries/<plate>", bp.lists(CheckReply), parameters=[_PLATE])
def entries(paging: ListPaging, plate: str) -> Response:
    """List the checks of one vehicle, newest first; the list may be empty."""
    of_vehicle = CHECK_LIST.parse({"vehicle": clean_plate(plate)}, in_call=True)
    requested = ListRequest(of_vehicle, paging)
    return records.list_response(requested, CHECK_LIST, CheckReply.write_all)


def _find_submitted() -> dict[str, Any] | None:
    made = find_once(StoredCheck, list_name=CHECKS, rebuild=_rebuild)
    return made.values if made else None


@bp.route("/checks", methods=["POST"])
@FLEET_AND_GPM
@bp.response(201, SubmittedReply)
@answers_made(_find_submitted)
@bp.arguments(CheckBody)
@raises(Throttled)
@change()
@costly(CostlyRequest.PHOTOS)
def submit_check(check: SubmittedCheck) -> dict[str, Any]:
    """Submit a check; it updates its vehicle's last update and odometer."""
    by, stamp = current_user().user_id, request_stamp(CHECKS)
    plans: list[CheckPlan] = []
    # An accepted check isn't judged again when it is sent again: its template may have changed.
    return run_once(
        StoredCheck,
        lambda: _stored(check_services.submit_check(plans[0], by=by, stamp=stamp)),
        list_name=CHECKS,
        prepare=lambda: plans.append(prepare_check(check, by=by)),
        rebuild=_rebuild,
    ).values


@fleet_call(bp, "/check-templates", bp.lists(TemplateReply))
def check_templates(paging: ListPaging) -> Response:
    """List the check forms in order, with the list's ETag if it is whole."""
    return list_response(
        paging,
        CHECK_TEMPLATES,
        rows=_numbered_templates,
        rows_after=_numbered_templates,
        key=lambda row: str(row[0]),
        write=lambda row: template_values(row[1]),
    )


@bp.route("/check-templates", methods=["POST"])
@FLEET_AND_GPM
@bp.arguments(TemplateBody(many=True))
@bp.response(200, TemplateReply(many=True), headers=dict(ETAG_HEADER))
@change(if_match=IfMatch.REQUIRED)
def replace_check_templates(new: Sequence[Template]) -> Response:
    """Replace the check forms by these; an empty list restores the built-in ones."""
    versions = if_match_versions(CHECK_TEMPLATES)
    result = run_once(
        ReplaceTemplatesResult,
        lambda: lists.replace_templates(new, versions=versions),
        list_name=CHECK_TEMPLATES,
    )
    return whole_list(CHECK_TEMPLATES, result.version, lambda: result.templates)


def _numbered_templates(
    after: str = "", limit: int | None = None
) -> Sequence[tuple[int, Template]]:
    return list(enumerate(check_form.check_templates()))[int(after or -1) + 1 :][:limit]


def _rebuild(check_id: int) -> StoredCheck:
    return _stored(check_services.rebuild_check(check_id))


def _stored(result: SubmitCheckResult) -> StoredCheck:
    check = check_queries.get_check(result.check_id)
    # A repeated reply doesn't show a review since then.
    return StoredCheck(SubmittedReply.write(check, reviewed=None, **vars(result)))


_CHECK_PHOTO = "/checks/<row_id:check_id>/photos/<row_id:position>"


@sends(bp, _CHECK_PHOTO, FLEET_AND_GPM)
def check_photo(check_id: int, position: int) -> Response:
    """Read a photo of a check; the first has position 0."""
    photo = check_queries.check_photo(check_id, position)
    return send_content(PHOTO, photo.hash, size=photo.size)


@sends(bp, f"{_CHECK_PHOTO}/thumbnail", FLEET_AND_GPM)
def check_thumbnail(check_id: int, position: int) -> Response:
    """Read a photo of a check, at most 160 pixels long."""
    return send_content(PHOTO, check_queries.check_photo(check_id, position).hash, "thumbnail")


changes = Changes(bp, FLEET_AND_GPM, FleetList.VEHICLES)


@fleet_call(bp, "/vehicles", bp.lists(schemas.ListedVehicleReply, parameters_of(VEHICLE_LIST)))
def vehicles(requested: ListRequest) -> Response:
    """List the vehicles (or the vans if there are none) by registration, whole with an ETag."""
    return _list_vehicles(requested, VEHICLE_LIST)


@changes("/vehicles", ListChangeReply, schemas.VehicleBody(many=True), replaces=True)
def replace_vehicles(
    new: list[VehicleState], *, versions: Collection[int] | None, by: int
) -> ListChange:
    """Replace the list of vehicles by this one; removed vehicles keep their history."""
    return lists.replace_vehicles(FleetList.VEHICLES, new, versions=versions, by=by)


@fleet_call(bp, "/vans", bp.lists(schemas.ListedVehicleReply, parameters_of(VAN_LIST)))
def vans(requested: ListRequest) -> Response:
    """List the vans by registration, with an ETag if it is whole."""
    return _list_vehicles(requested, VAN_LIST)


@changes.of(FleetList.VANS)("/vans", ListChangeReply, schemas.VehicleBody(many=True), replaces=True)
def replace_vans(
    new: list[VehicleState], *, versions: Collection[int] | None, by: int
) -> ListChange:
    """Replace the list of vans by this one; removed vans keep their history."""
    return lists.replace_vehicles(FleetList.VANS, new, versions=versions, by=by)


@fleet_call(bp, "/van-history", bp.lists(schemas.VanEventReply))
def van_history(paging: ListPaging) -> Response:
    """List where vans were, newest first, with the list's ETag if it is whole."""
    return list_response(
        paging,
        VAN_HISTORY,
        rows=queries.van_history,
        rows_after=lambda after, limit: queries.van_history(limit, int(after or 0)),
        write=schemas.VanEventReply.write,
        version=lambda: version_of(VAN_HISTORY) + version_of(FleetList.VANS),
    )


@changes.of(VAN_HISTORY)(
    "/van-history", AddedReply, schemas.EventBody, status=201, takes_several=True
)
def record_van_history(events: Sequence[PastEvent], *, by: int) -> Added:
    """Add one or more entries to the history; a van's latest one also updates the van."""
    return services.record_van_history(events, by=by)


@fleet_call(
    bp, "/plates", bp.lists({"type": "array", "items": {"type": "string", "example": "LK19 VTE"}})
)
def plates(paging: ListPaging) -> Response:
    """List the registrations of the vehicles, or of the vans if there are no vehicles."""
    return list_response(
        paging,
        "plates",
        rows=queries.plates,
        rows_after=queries.plates,
        key=plate_key,
        write=str,
        version=lambda: queries.list_version(FleetList.VEHICLES),
    )


@fleet_call(fleet_bp, "/history", fleet_bp.response(200, schemas.FleetHistoryReply))
def fleet_history() -> dict[str, Any]:
    """Return the history of each vehicle, newest first."""
    source = queries.current_list()
    events = queries.events_by_vehicle(source)
    vehicles = [
        {"reg": each.reg, "history": schemas.EventReply.write_all(events.get(each.reg_key, ()))}
        for each in queries.all_vehicles(source)
    ]
    return {"vehicles": vehicles}


def _list_vehicles(requested: ListRequest, record: Record[VehicleRow]) -> Response:
    def version() -> str:
        # It changes with what upkeep knows and by the day too; If-Match compares the list alone.
        day = dates.today().toordinal()
        return f"{queries.list_version(FleetList(record.list_name))}.{version_of(UPKEEP)}.{day}"

    def write(rows: Sequence[VehicleRow]) -> Iterable[dict[str, Any]]:
        for vehicle, standing in rows:
            about = {"roadworthy": standing.is_roadworthy, **vars(standing)}
            yield schemas.ListedVehicleReply.write(vehicle, **about)

    return records.list_response(requested, record, write, version)
