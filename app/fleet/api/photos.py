"""The calls for the photos of checks."""

from flask import Response

from app.api.blueprint import NOT_MODIFIED
from app.api.uploads import BINARY
from app.errors import NotFound
from app.fleet.api.scope import FLEET_AND_GPM, bp
from app.fleet.queries import photos as queries
from app.photos.models import Photo
from app.photos.services.photo_store import photo_store
from app.photos.services.photos import picture_file, thumbnail_file
from app.web.downloads import IMMUTABLE, file_response

_CHECK_PHOTO = "/checks/<row_id:check_id>/photos/<row_id:position>"


@bp.route(_CHECK_PHOTO, methods=["GET"])
@FLEET_AND_GPM
@bp.alt_response(304, description=NOT_MODIFIED, success=True)
@bp.response(200, BINARY, content_type="image/jpeg")
def check_photo(check_id: int, position: int) -> Response:
    """Read a photo of a check; the first has position 0."""
    photo = _get_check_photo(check_id, position)
    return file_response(
        photo_store(), picture_file(photo.hash), "image/jpeg", IMMUTABLE, size=photo.size
    )


@bp.route(f"{_CHECK_PHOTO}/thumbnail", methods=["GET"])
@FLEET_AND_GPM
@bp.alt_response(304, description=NOT_MODIFIED, success=True)
@bp.response(200, BINARY, content_type="image/jpeg")
def check_thumbnail(check_id: int, position: int) -> Response:
    """Read a photo of a check, at most 160 pixels long."""
    photo = _get_check_photo(check_id, position)
    return file_response(photo_store(), thumbnail_file(photo.hash), "image/jpeg", IMMUTABLE)


def _get_check_photo(check_id: int, position: int) -> Photo:
    photo = queries.check_photo(check_id, position)
    if photo is None:
        raise NotFound("There is no such photo.")
    return photo
