"""The calls for photos: uploaded by content, and read by their sender or through their check."""

import hashlib
import re
from typing import Any

from flask import Response, jsonify, request
from marshmallow import fields
from werkzeug.exceptions import RequestEntityTooLarge

from app.api.blueprint import NOT_MODIFIED, raises
from app.api.schemas import Reply
from app.db import transaction
from app.errors import Invalid, NotFound, Throttled, TooLarge, Unsupported
from app.fleet.api.scope import FLEET_AND_GPM, bp, sender_bp
from app.fleet.models import Photo
from app.fleet.queries import photos as queries
from app.fleet.services import photos as services
from app.fleet.services.photo_store import PHOTO_MISSING, photo_store
from app.fleet.services.photos import StoredPhoto, picture_file, thumbnail_file
from app.fleet.services.pictures import MAX_BYTES, TOO_LARGE, prepare_picture
from app.web.access import current_user
from app.web.caching import PRIVATE
from app.web.limits import CostlyRequest, costly

IMMUTABLE = "private, max-age=31536000, immutable"

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
_CHECK_PHOTO = "/checks/<row_id:check_id>/photos/<row_id:position>"


class PhotoReply(Reply):
    """An uploaded photo; `id` is the SHA-256 of the sent bytes."""

    id = fields.String(metadata={"example": _EXAMPLE})
    size = fields.Integer(metadata={"example": 183204})
    width = fields.Integer(metadata={"example": 1600})
    height = fields.Integer(metadata={"example": 1200})


@sender_bp.route("/photos/<sha256>", methods=["PUT"], parameters=[_SENT_HASH])
@FLEET_AND_GPM
@sender_bp.response(201, PhotoReply)
@sender_bp.alt_response(200, schema=PhotoReply, description="It was already stored")
@sender_bp.doc(**_PHOTO_BODY)
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


@sender_bp.route("/photos/<sha256>", methods=["GET"], parameters=[_SENT_HASH])
@FLEET_AND_GPM
@sender_bp.alt_response(304, description=NOT_MODIFIED, success=True)
@sender_bp.response(200, _JPEG, content_type="image/jpeg")
def sent_photo(sha256: str) -> Response:
    """Read a photo that you uploaded; HEAD shows whether it is there."""
    photo = queries.uploaded_photo(sha256, current_user().user_id)
    if photo is None:
        raise NotFound(_NO_SUCH_PHOTO)
    return _image_response(picture_file(photo.hash), PRIVATE, photo.size)


@bp.route(_CHECK_PHOTO, methods=["GET"])
@FLEET_AND_GPM
@bp.alt_response(304, description=NOT_MODIFIED, success=True)
@bp.response(200, _JPEG, content_type="image/jpeg")
def check_photo(check_id: int, position: int) -> Response:
    """Read a photo of a check; the first has position 0."""
    photo = _get_check_photo(check_id, position)
    return _image_response(picture_file(photo.hash), IMMUTABLE, photo.size)


@bp.route(f"{_CHECK_PHOTO}/thumbnail", methods=["GET"])
@FLEET_AND_GPM
@bp.alt_response(304, description=NOT_MODIFIED, success=True)
@bp.response(200, _JPEG, content_type="image/jpeg")
def check_thumbnail(check_id: int, position: int) -> Response:
    """Read a photo of a check, at most 160 pixels long."""
    photo = _get_check_photo(check_id, position)
    return _image_response(thumbnail_file(photo.hash), IMMUTABLE)


def _get_check_photo(check_id: int, position: int) -> Photo:
    photo = queries.check_photo(check_id, position)
    if photo is None:
        raise NotFound(_NO_SUCH_PHOTO)
    return photo


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


def _image_response(file: str, cache_control: str, size: int | None = None) -> Response:
    """Reply with a stored file; its name is a hash of its content and so is its ETag."""
    if request.if_none_match.contains(file):
        response = Response(status=304)
    elif request.method == "HEAD":
        response = _head_response(file, size)
    else:
        response = Response(photo_store().get(file), mimetype="image/jpeg")
    response.set_etag(file)
    response.headers["Cache-Control"] = cache_control
    return response


def _head_response(file: str, size: int | None) -> Response:
    """Reply without reading the file, with its length if that is known."""
    if not photo_store().exists(file):
        raise NotFound(PHOTO_MISSING)
    # Werkzeug would send Content-Length: 0 for an empty list.
    response = Response(iter(()), mimetype="image/jpeg")
    if size is not None:
        response.content_length = size
    return response
