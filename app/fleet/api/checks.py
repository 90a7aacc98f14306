"""JSON calls of checks and their photos."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from flask import Response

from app.api.blueprint import ETAG_HEADER, NOT_MODIFIED, IfMatch, change, raises, text_in_path
from app.api.changes import StoredReply, answers_made, find_once, request_stamp, run_once
from app.api.lists import ListPaging, if_match_versions, list_response, whole_list
from app.api.uploads import BINARY
from app.db import transaction
from app.errors import NotFound, Throttled
from app.fleet.acts import FLEET_AND_GPM
from app.fleet.api.scope import bp
from app.fleet.queries import check_form, check_values
from app.fleet.queries import checks as check_queries
from app.fleet.rules.checks import CheckOutcome
from app.fleet.rules.templates import Template, template_values
from app.fleet.rules.vehicles import CHECK_TEMPLATES, CHECKS, MAX_PLATE_LENGTH, clean_plate
from app.fleet.schemas import checks as schemas
from app.fleet.schemas.check_form import TemplateBody, TemplateReply
from app.fleet.schemas.lists import CHECK_LIST
from app.fleet.services import checks as services
from app.fleet.services import templates as template_services
from app.fleet.services.checks import CheckPlan, SubmitCheckResult, SubmittedCheck
from app.fleet.services.templates import ReplaceTemplatesResult
from app.photos.models import Photo
from app.photos.services import photos
from app.photos.services.contents import PHOTO
from app.photos.services.photo_store import photo_store
from app.photos.services.photos import Picture
from app.records import calls as records
from app.records.calls import ListRequest, parameters_of
from app.web.access import current_user
from app.web.downloads import IMMUTABLE, file_response
from app.web.limits import CostlyRequest, costly

_PLATE = text_in_path("plate", limit=MAX_PLATE_LENGTH, example="LK19 VTE")

_VERSION_OF_REPLIES = 2
"""The version of StoredCheck from which it holds the whole reply."""


@dataclass(frozen=True)
class StoredCheck(StoredReply):
    """The reply to a submitted check, which is repeated when the check is sent again."""

    record_version: ClassVar[int] = 3

    @classmethod
    def upgrade_record(cls, version: int, values: dict[str, Any]) -> dict[str, Any]:
        """Return the reply of a result stored before it had an outcome.

        Of version 1 it has the check's id and warnings instead of the reply.
        """
        if version < _VERSION_OF_REPLIES:
            return {"values": _reply(values["check_id"], values["warnings"], [])}
        outcome = {"outcome": CheckOutcome.WITHOUT_QUESTIONS.value, "outcomeText": ""}
        return {"values": {**outcome, "messages": [], **values["values"]}}


@bp.route("/checks", methods=["GET"])
@FLEET_AND_GPM
@bp.lists(schemas.CheckReply, parameters_of(CHECK_LIST))
def checks(requested: ListRequest) -> Response:
    """List all checks, newest first, with the list's ETag if it is whole."""
    return records.list_response(requested, CHECK_LIST, schemas.CheckReply.write_all)


@bp.route("/entries/<plate>", methods=["GET"], parameters=[_PLATE])
@FLEET_AND_GPM
@bp.lists(schemas.CheckReply)
def entries(paging: ListPaging, plate: str) -> Response:
    """List the checks of one vehicle, newest first; the list may be empty."""
    of_vehicle = CHECK_LIST.parse({"vehicle": clean_plate(plate)}, in_call=True)
    requested = ListRequest(of_vehicle, paging)
    return records.list_response(requested, CHECK_LIST, schemas.CheckReply.write_all)


def _find_submitted() -> dict[str, Any] | None:
    made = find_once(StoredCheck, list_name=CHECKS, rebuild=_rebuild)
    return made.values if made else None


@bp.route("/checks", methods=["POST"])
@FLEET_AND_GPM
@bp.response(201, schemas.SubmittedReply)
@answers_made(_find_submitted)
@bp.arguments(schemas.CheckBody)
@raises(Throttled)
@change()
@costly(CostlyRequest.PHOTOS)
def submit_check(check: SubmittedCheck) -> dict[str, Any]:
    """Submit a check; it updates its vehicle's last update and odometer."""
    by, stamp = current_user().user_id, request_stamp(CHECKS)
    prepared: list[tuple[CheckPlan, Sequence[Picture]]] = []

    def prepare() -> None:
        plan = services.plan_check(check, by=by)
        pictures: Sequence[Picture] = []
        if plan.has_new_photos:
            with transaction():
                renewed = services.renew_uploads(plan, by=by)
            # The transaction returned its connection, so others can use it meanwhile.
            pictures = photos.prepare_photos(check.photos, renewed)
        prepared.append((plan, pictures))

    def submit() -> StoredCheck:
        plan, pictures = prepared[0]
        return _stored(services.submit_check(plan, pictures, by=by, stamp=stamp))

    # An accepted check isn't judged again when it is sent again: its template may have changed.
    return run_once(StoredCheck, submit, list_name=CHECKS, prepare=prepare, rebuild=_rebuild).values


@bp.route("/check-templates", methods=["GET"])
@FLEET_AND_GPM
@bp.lists(TemplateReply)
def check_templates(paging: ListPaging) -> Response:
    """List the check forms in order, with the list's ETag if it is whole."""
    return list_response(
        paging,
        CHECK_TEMPLATES,
        rows=lambda: list(enumerate(check_form.check_templates())),
        rows_after=_templates_after,
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
        lambda: template_services.replace_templates(new, versions=versions),
        list_name=CHECK_TEMPLATES,
    )
    return whole_list(CHECK_TEMPLATES, result.version, lambda: result.templates)


def _templates_after(after: str, limit: int) -> Sequence[tuple[int, Template]]:
    """Return templates with their positions, after the position `after`."""
    start = int(after) + 1 if after else 0
    return list(enumerate(check_form.check_templates()))[start : start + limit]


def _rebuild(check_id: int) -> StoredCheck:
    return _stored(services.rebuild_check(check_id))


def _stored(result: SubmitCheckResult) -> StoredCheck:
    return StoredCheck(_reply(result.check_id, result.warnings, result.messages))


def _reply(check_id: int, warnings: Sequence[str], messages: Sequence[str]) -> dict[str, Any]:
    check = check_queries.get_check(check_id)
    # A repeated reply doesn't show a review since then.
    return schemas.SubmittedReply.write(check, reviewed=None, warnings=warnings, messages=messages)


_CHECK_PHOTO = "/checks/<row_id:check_id>/photos/<row_id:position>"


@bp.route(_CHECK_PHOTO, methods=["GET"])
@FLEET_AND_GPM
@bp.alt_response(304, description=NOT_MODIFIED, success=True)
@bp.response(200, BINARY, content_type="image/jpeg")
def check_photo(check_id: int, position: int) -> Response:
    """Read a photo of a check; the first has position 0."""
    photo = _get_check_photo(check_id, position)
    return file_response(
        photo_store(), PHOTO.file(photo.hash), "image/jpeg", IMMUTABLE, size=photo.size
    )


@bp.route(f"{_CHECK_PHOTO}/thumbnail", methods=["GET"])
@FLEET_AND_GPM
@bp.alt_response(304, description=NOT_MODIFIED, success=True)
@bp.response(200, BINARY, content_type="image/jpeg")
def check_thumbnail(check_id: int, position: int) -> Response:
    """Read a photo of a check, at most 160 pixels long."""
    photo = _get_check_photo(check_id, position)
    return file_response(
        photo_store(), PHOTO.file(photo.hash, "thumbnail"), "image/jpeg", IMMUTABLE
    )


def _get_check_photo(check_id: int, position: int) -> Photo:
    photo = check_values.check_photo(check_id, position)
    if photo is None:
        raise NotFound("There is no such photo.")
    return photo
