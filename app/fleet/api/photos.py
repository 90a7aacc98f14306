"""Photos, sent each by its content, and read through their checks."""

import hashlib
import re
from typing import Any

from flask import Response, jsonify, request
from marshmallow import fields
from werkzeug.exceptions import RequestEntityTooLarge

from app.api.calls import Blueprint, Reply
from app.api.description import NOT_CHANGED
from app.db import transaction
from app.divisions import Division
from app.errors import Invalid, NotFound, TooLarge, Unsupported
from app.fleet.api.scope import policy
from app.fleet.models import Photo
from app.fleet.queries import photos as queries
from app.fleet.services import photos as services
from app.fleet.services.photo_store import GONE, photo_store
from app.fleet.services.photos import KeptPhoto, picture_file, thumbnail_file
from app.fleet.services.pictures import MOST_BYTES, TOO_LARGE, prepare
from app.web.access import current_user
from app.web.caching import PRIVATE

FOR_GOOD = "private, max-age=31536000, immutable"

_HASH = re.compile(r"[0-9a-f]{64}")
_UNKNOWN = "There is no such photo."
_JPEG: dict[str, Any] = {"type": "string", "format": "binary"}
_SENT: dict[str, Any] = {
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
_NUMBER = "row_id"


class PhotoReply(Reply):
    """A photo as it was kept; `id` is the hash it was sent under."""

    id = fields.String(metadata={"example": _EXAMPLE})
    size = fields.Integer()
    width = fields.Integer()
    height = fields.Integer()


def add_calls(blueprint: Blueprint, division: Division | None) -> None:
    """Add the calls to a blueprint; those of the sender stand without a prefix alone."""
    if division is None:
        _add_sending(blueprint)
    _add_reading(blueprint)


def _add_sending(blueprint: Blueprint) -> None:
    @blueprint.route("/photos/<sha256>", methods=["PUT"], parameters=[_SENT_HASH])
    @policy
    @blueprint.response(201, PhotoReply)
    @blueprint.alt_response(200, schema=PhotoReply, description="It was there already")
    @blueprint.doc(**_SENT)
    def send_photo(sha256: str) -> Response:
        """Send a photo by the SHA-256 of its bytes, for a check to name; the same again is safe."""
        _require_hash(sha256)
        data = _body()
        if hashlib.sha256(data).hexdigest() != sha256:
            raise Invalid("The photo arrived damaged. Send it again.")
        by = current_user().user_id
        with transaction():
            kept = services.send_again(sha256, by=by)
        if kept is None or not services.is_there(kept):
            picture = prepare(data)
            services.store(picture)
            with transaction():
                kept = services.keep(picture, by=by)
        return _reply(kept)

    @blueprint.route("/photos/<sha256>", methods=["GET"], parameters=[_SENT_HASH])
    @policy
    @blueprint.alt_response(304, description=NOT_CHANGED, success=True)
    @blueprint.response(200, _JPEG, content_type="image/jpeg")
    def sent_photo(sha256: str) -> Response:
        """Read what one has sent oneself; HEAD tells whether it is there."""
        photo = queries.sent_photo(sha256, current_user().user_id)
        if photo is None:
            raise NotFound(_UNKNOWN)
        return _image(picture_file(photo.hash), PRIVATE, photo.size)


def _add_reading(blueprint: Blueprint) -> None:
    path = f"/checks/<{_NUMBER}:check_id>/photos/<{_NUMBER}:position>"

    @blueprint.route(path, methods=["GET"])
    @policy
    @blueprint.alt_response(304, description=NOT_CHANGED, success=True)
    @blueprint.response(200, _JPEG, content_type="image/jpeg")
    def check_photo(check_id: int, position: int) -> Response:
        """Read a photo of a check; the first has position 0."""
        photo = _photo_of(check_id, position)
        return _image(picture_file(photo.hash), FOR_GOOD, photo.size)

    @blueprint.route(f"{path}/thumbnail", methods=["GET"])
    @policy
    @blueprint.alt_response(304, description=NOT_CHANGED, success=True)
    @blueprint.response(200, _JPEG, content_type="image/jpeg")
    def check_thumbnail(check_id: int, position: int) -> Response:
        """Read a photo of a check at most 160 pixels long."""
        return _image(thumbnail_file(_photo_of(check_id, position).hash), FOR_GOOD)


def _photo_of(check_id: int, position: int) -> Photo:
    photo = queries.check_photo(check_id, position)
    if photo is None:
        raise NotFound(_UNKNOWN)
    return photo


def _require_hash(text: str) -> None:
    if not _HASH.fullmatch(text):
        raise Invalid("The address must end with the photo's SHA-256, in 64 lower-case hex digits.")


def _body() -> bytes:
    if not request.mimetype.startswith("image/"):
        raise Unsupported("Send the photo itself, as image/jpeg, image/png or image/webp.")
    request.max_content_length = MOST_BYTES
    try:
        return request.get_data()
    except RequestEntityTooLarge:
        raise TooLarge(TOO_LARGE) from None


def _reply(kept: KeptPhoto) -> Response:
    response = jsonify(id=kept.id, size=kept.size, width=kept.width, height=kept.height)
    response.status_code = 201 if kept.is_new else 200
    return response


def _image(file: str, cached: str, size: int | None = None) -> Response:
    """Answer with a stored file; its name is made of its content, and so is its tag."""
    if request.if_none_match.contains(file):
        response = Response(status=304)
    elif request.method == "HEAD":
        response = _facts(file, size)
    else:
        response = Response(photo_store().get(file), mimetype="image/jpeg")
    response.set_etag(file)
    response.headers["Cache-Control"] = cached
    return response


def _facts(file: str, size: int | None) -> Response:
    """Answer for a stored file without reading it; its length is said where it is known."""
    if not photo_store().exists(file):
        raise NotFound(GONE)
    # An empty list of parts would get a length of 0.
    response = Response(iter(()), mimetype="image/jpeg")
    if size is not None:
        response.content_length = size
    return response
