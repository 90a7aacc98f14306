"""Checks and their templates."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

from flask import Response

from app import dates
from app.api.calls import Blueprint, run_once
from app.api.description import KEYED, MATCHED, WHOLE_TAG
from app.api.lists import if_match_versions, list_part, whole_list
from app.db import db, transaction
from app.divisions import Division
from app.errors import QuartermasterError
from app.fleet.api.scope import policy
from app.fleet.queries import checks as queries
from app.fleet.queries.checks import CheckFilter
from app.fleet.queries.photos import sent_hashes
from app.fleet.queries.templates import form_templates, template_of
from app.fleet.rules.checks import read_check
from app.fleet.rules.forms import FormTemplate
from app.fleet.rules.plates import LONGEST_PLATE, clean_plate
from app.fleet.schemas import checks as schemas
from app.fleet.schemas.checks import PhotoSaid
from app.fleet.schemas.templates import TemplateBody, TemplateReply, template_json
from app.fleet.services import checks as services
from app.fleet.services import photos
from app.fleet.services import templates as template_services
from app.fleet.services.checks import Draft, SentPhoto
from app.fleet.services.pictures import Picture, PixelBudget, prepare
from app.versions import version_of
from app.web.access import current_user

_PLATE: dict[str, Any] = {
    "in": "path",
    "name": "plate",
    "required": True,
    "schema": {
        "type": "string",
        "format": "one-line",
        "minLength": 1,
        "maxLength": LONGEST_PLATE,
    },
    "example": "LK19 VTE",
}


def add_calls(blueprint: Blueprint, division: Division | None) -> None:  # noqa: ARG001
    """Add the calls to a blueprint; they are the same under every prefix."""
    _add_check_calls(blueprint)
    _add_template_calls(blueprint)


def _add_check_calls(blueprint: Blueprint) -> None:
    @blueprint.route("/checks", methods=["GET"])
    @policy
    @blueprint.lists(schemas.CheckReply)
    def checks(paging: dict[str, Any]) -> Response:
        """List all checks, newest first, with the list's ETag where it is whole."""
        return _list(CheckFilter(), paging)

    @blueprint.route("/entries/<plate>", methods=["GET"], parameters=[_PLATE])
    @policy
    @blueprint.lists(schemas.CheckReply)
    def entries(paging: dict[str, Any], plate: str) -> Response:
        """List the checks of one vehicle, newest first; none where it has none."""
        return _list(CheckFilter(vehicle=clean_plate(plate)), paging)

    @blueprint.route("/checks", methods=["POST"])
    @policy
    @blueprint.arguments(schemas.CheckBody)
    @blueprint.response(201, schemas.SubmittedReply)
    @blueprint.doc(**KEYED)
    def submit_check(body: dict[str, Any]) -> dict[str, Any]:
        """Submit a check; its vehicle's last update and odometer follow it."""
        draft = _draft(body)
        by = current_user().user_id
        done = run_once(
            services.Submitted, lambda: services.submit_check(draft, by=by), of=services.LIST
        )
        return schemas.submitted_json(queries.check(done.check_id), done.warnings)


def _add_template_calls(blueprint: Blueprint) -> None:
    @blueprint.route("/check-templates", methods=["GET"])
    @policy
    @blueprint.lists(TemplateReply)
    def check_templates(paging: dict[str, Any]) -> Response:
        """List the check forms in their order, with the list's ETag where it is whole."""
        version = version_of(template_services.LIST)
        forms = form_templates()
        if "limit" in paging:
            first = int(paging["cursor"] or 0)
            last = first + paging["limit"]
            following = str(last) if len(forms) > last else None
            return list_part(map(template_json, forms[first:last]), paging["limit"], following)
        return whole_list(template_services.LIST, version, lambda: map(template_json, forms))

    @blueprint.route("/check-templates", methods=["POST"])
    @policy
    @blueprint.arguments(TemplateBody(many=True))
    @blueprint.response(200, TemplateReply(many=True), headers={"ETag": WHOLE_TAG})
    @blueprint.doc(**MATCHED)
    def replace_check_templates(wanted: Sequence[FormTemplate]) -> Response:
        """Make these the check forms; an empty list brings the built-in ones back."""
        versions = if_match_versions(template_services.LIST)
        done = run_once(
            template_services.TemplatesReplaced,
            lambda: template_services.replace_templates(wanted, versions=versions),
            of=template_services.LIST,
            reads_match=True,
        )
        return whole_list(template_services.LIST, done.version, lambda: iter(done.templates))


def _list(shown: CheckFilter, paging: dict[str, Any]) -> Response:
    if "limit" in paging:
        limit: int = paging["limit"]
        found = queries.check_part(shown, limit + 1, int(paging["cursor"] or 0))
        following = str(found[limit - 1].id) if len(found) > limit else None
        return list_part(map(schemas.check_json, found[:limit]), limit, following)

    def rows() -> Iterator[dict[str, Any]]:
        return map(schemas.check_json, queries.all_checks(shown))

    return whole_list(services.LIST, version_of(services.LIST), rows)


def _draft(body: dict[str, Any]) -> Draft:
    """Return what a body says; its pictures are made ready before the database is held.

    All else is judged before: to make pictures ready takes long.
    """
    read_check(body["reg"], body["odometer"], body["items"], template_of(body["_formType"]))
    return Draft(
        reg=body["reg"],
        odometer=body["odometer"],
        day=body.get("date") or dates.today(),
        items=body["items"],
        notes=body["notes"],
        cost=body["costGBP"],
        form_type=body["_formType"],
        photos=_photos(body["photos"], current_user().user_id),
    )


def _photos(said: Sequence[PhotoSaid], by: int) -> list[SentPhoto]:
    ids = [sha256(photo.data).hexdigest() if photo.data else photo.id for photo in said]
    known = sent_hashes(ids, by)
    come = {id_ for id_, photo in zip(ids, said, strict=True) if photo.data}
    photos.check_sent(ids, {*known, *come})
    there = {id_ for id_ in come & known.keys() if _is_there(id_, by)}
    # Others need the connection while pictures are made ready.
    db.session.remove()
    budget = PixelBudget()
    sent = [
        SentPhoto(photo.name, id_, _picture(photo.data, number, budget))
        if photo.data and id_ not in there
        else SentPhoto(photo.name, id_)
        for number, (id_, photo) in enumerate(zip(ids, said, strict=True), start=1)
    ]
    for photo in sent:
        if photo.picture:
            photos.store(photo.picture)
    return sent


def _is_there(sent_hash: str, by: int) -> bool:
    """Tell whether a picture was made ready before, and keep it from being swept."""
    with transaction():
        kept = photos.send_again(sent_hash, by=by)
    return kept is not None and photos.is_there(kept)


def _picture(data: bytes, number: int, budget: PixelBudget) -> Picture:
    try:
        return prepare(data, budget)
    except QuartermasterError as error:
        error.message = f"Photo {number}: {error.message}"
        error.fields = {f"photos.{number - 1}.dataUri": error.message}
        raise
