"""The calls for photos: uploaded by content, and read by their sender."""

from flask import Response, jsonify

from app.api import replies
from app.api.blueprint import NOT_MODIFIED, Blueprint, raises
from app.api.openapi import Api
from app.api.replies import Reply
from app.api.uploads import BINARY, EXAMPLE_HASH, SENT_HASH, body_of_types, sent_bytes
from app.db import transaction
from app.divisions import Division
from app.errors import NotFound, Throttled
from app.photos import queries
from app.photos.services import photos as services
from app.photos.services.photo_store import photo_store
from app.photos.services.photos import StoredPhoto, picture_file
from app.photos.services.pictures import MAX_BYTES, TOO_LARGE, prepare_picture
from app.web import access
from app.web.access import current_user
from app.web.caching import PRIVATE
from app.web.downloads import file_response
from app.web.limits import CostlyRequest, costly

bp = Blueprint("photos", "Photos", "What people photographed, sent before the record it is for.")

FLEET_AND_GPM = access.api_call(Division.FLEET, Division.GPM)

_MEDIA_TYPES = ("image/jpeg", "image/png", "image/webp")


def register_calls(api: Api) -> None:
    """Serve the calls under /api."""
    api.register_prefixed(bp, None)


class PhotoReply(Reply):
    """An uploaded photo; `id` is the SHA-256 of the sent bytes."""

    id = replies.text(EXAMPLE_HASH)
    size = replies.number(183204)
    width = replies.number(1600)
    height = replies.number(1200)


@bp.route("/photos/<sha256>", methods=["PUT"], parameters=[SENT_HASH])
@FLEET_AND_GPM
@bp.response(201, PhotoReply)
@bp.alt_response(200, schema=PhotoReply, description="It was already stored")
@bp.doc(**body_of_types(_MEDIA_TYPES))
@raises(Throttled)
@costly(CostlyRequest.PHOTOS)
def send_photo(sha256: str) -> Response:
    """Upload a photo by the SHA-256 of its bytes for a later record; repeating it is safe."""
    data = sent_bytes(
        sha256,
        what="photo",
        begins="image/",
        wrong_type="Send the photo itself, as image/jpeg, image/png or image/webp.",
        max_bytes=MAX_BYTES,
        too_large=TOO_LARGE,
    )
    by = current_user().user_id
    with transaction():
        photo = services.renew_upload(sha256, by=by)
    if photo is None or not services.is_stored(photo.hash):
        picture = prepare_picture(data)
        services.store_files(picture)
        with transaction():
            photo = services.save_photo(picture, by=by)
    return _photo_reply(photo)


@bp.route("/photos/<sha256>", methods=["GET"], parameters=[SENT_HASH])
@FLEET_AND_GPM
@bp.alt_response(304, description=NOT_MODIFIED, success=True)
@bp.response(200, BINARY, content_type="image/jpeg")
def sent_photo(sha256: str) -> Response:
    """Read a photo that you uploaded; HEAD shows whether it is there."""
    photo = queries.uploaded_photo(sha256, current_user().user_id)
    if photo is None:
        raise NotFound("There is no such photo.")
    return file_response(
        photo_store(), picture_file(photo.hash), "image/jpeg", PRIVATE, size=photo.size
    )


def _photo_reply(photo: StoredPhoto) -> Response:
    response = jsonify(id=photo.id, size=photo.size, width=photo.width, height=photo.height)
    response.status_code = 201 if photo.is_new else 200
    return response
