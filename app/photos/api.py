"""The calls for photos: uploaded by content, and read by their sender."""

import hashlib
import re
from typing import Any

from flask import Response, jsonify, request
from marshmallow import fields
from werkzeug.exceptions import RequestEntityTooLarge

from app.api.blueprint import NOT_MODIFIED, Blueprint, raises
from app.api.openapi import Api
from app.api.schemas import Reply
from app.db import transaction
from app.divisions import Division
from app.errors import Invalid, NotFound, Throttled, TooLarge, Unsupported
from app.photos import queries
from app.photos.services import photos as services
from app.photos.services.photo_store import photo_store
from app.photos.services.photos import StoredPhoto, picture_file
from app.photos.services.pictures import MAX_BYTES, TOO_LARGE, prepare_picture
from app.web import access
from app.web.access import current_user
from app.web.caching import PRIVATE
from app.web.limits import CostlyRequest, costly
from app.web.stored_files import file_response

bp = Blueprint("photos", "Photos", "What people photographed, sent before the record it is for.")

FLEET_AND_GPM = access.api_call(Division.FLEET, Division.GPM)

_HASH = re.compile(r"[0-9a-f]{64}")
_NO_SUCH_PHOTO = "There is no such photo."
_JPEG: dict[str, Any] = {"type": "string", "format": "binary"}
_PHOTO_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {kind: {"schema": _JPEG} for kind in ("image/jpeg", "image/png", "image/webp")},
    }
}
_EXAMPLE = hashlib.sha256(b"front.jpg").hexdigest()
_SENT_HASH: dict[str, Any] = {
    "in": "path",
    "name": "sha256",
    "required": True,
    "schema": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
    "example": _EXAMPLE,
}


def register_calls(api: Api) -> None:
    """Serve the calls under /api."""
    api.register_prefixed(bp, None)


class PhotoReply(Reply):
    """An uploaded photo; `id` is the SHA-256 of the sent bytes."""

    id = fields.String(metadata={"example": _EXAMPLE})
    size = fields.Integer(metadata={"example": 183204})
    width = fields.Integer(metadata={"example": 1600})
    height = fields.Integer(metadata={"example": 1200})


@bp.route("/photos/<sha256>", methods=["PUT"], parameters=[_SENT_HASH])
@FLEET_AND_GPM
@bp.response(201, PhotoReply)
@bp.alt_response(200, schema=PhotoReply, description="It was already stored")
@bp.doc(**_PHOTO_BODY)
@raises(Throttled)
@costly(CostlyRequest.PHOTOS)
def send_photo(sha256: str) -> Response:
    """Upload a photo by the SHA-256 of its bytes for a later check; repeating it is safe."""
    _check_hash(sha256)
    data = _request_data()
    if hashlib.sha256(data).hexdigest() != sha256:
        raise Invalid("The photo arrived damaged. Send it again.")
    by = current_user().user_id
    with transaction():
        photo = services.renew_upload(sha256, by=by)
    if photo is None or not services.is_stored(photo.hash):
        picture = prepare_picture(data)
        services.store_files(picture)
        with transaction():
            photo = services.save_photo(picture, by=by)
    return _photo_reply(photo)


@bp.route("/photos/<sha256>", methods=["GET"], parameters=[_SENT_HASH])
@FLEET_AND_GPM
@bp.alt_response(304, description=NOT_MODIFIED, success=True)
@bp.response(200, _JPEG, content_type="image/jpeg")
def sent_photo(sha256: str) -> Response:
    """Read a photo that you uploaded; HEAD shows whether it is there."""
    photo = queries.uploaded_photo(sha256, current_user().user_id)
    if photo is None:
        raise NotFound(_NO_SUCH_PHOTO)
    return file_response(
        photo_store(), picture_file(photo.hash), "image/jpeg", PRIVATE, size=photo.size
    )


def _check_hash(text: str) -> None:
    if not _HASH.fullmatch(text):
        raise Invalid("The address must end with the photo's SHA-256, in 64 lower-case hex digits.")


def _request_data() -> bytes:
    if not request.mimetype.startswith("image/"):
        raise Unsupported("Send the photo itself, as image/jpeg, image/png or image/webp.")
    request.max_content_length = MAX_BYTES
    try:
        return request.get_data()
    except RequestEntityTooLarge:
        raise TooLarge(TOO_LARGE) from None


def _photo_reply(photo: StoredPhoto) -> Response:
    response = jsonify(id=photo.id, size=photo.size, width=photo.width, height=photo.height)
    response.status_code = 201 if photo.is_new else 200
    return response
