"""The calls for photos and documents: uploaded by content, and read by their sender."""

from flask import Response, jsonify

from app.api import replies
from app.api.blueprint import Blueprint, raises
from app.api.openapi import Api
from app.api.replies import Reply
from app.api.uploads import EXAMPLE_HASH, SENT_HASH, body_of_types, sent_bytes
from app.db import transaction
from app.divisions import Division
from app.errors import Throttled, existing
from app.photos.acts import send_content, sends
from app.photos.rules import DOCUMENT_TOO_LARGE, MAX_BYTES, PDF, TOO_LARGE
from app.photos.services.contents import (
    DOCUMENT,
    PHOTO,
    ContentKind,
    NewContent,
    StoredContent,
    read_document,
)
from app.photos.services.photos import prepare_picture
from app.web import access
from app.web.access import current_user
from app.web.caching import PRIVATE
from app.web.limits import CostlyRequest, costly

bp = Blueprint("photos", "Photos", "What people photographed, sent before the record it is for.")
documents = Blueprint("documents", "Documents", "PDF files, sent before the record they are for.")

FLEET_AND_GPM = access.api_call(Division.FLEET, Division.GPM)


def register_calls(api: Api) -> None:
    """Serve the calls under /api."""
    api.register_prefixed(bp, None)
    api.register_prefixed(documents, None)


class PhotoReply(Reply):
    """An uploaded photo; `id` is the SHA-256 of the sent bytes."""

    id = replies.text(EXAMPLE_HASH)
    size = replies.number(183204)
    width = replies.number(1600)
    height = replies.number(1200)


class DocumentReply(Reply):
    """An uploaded document; `id` is the SHA-256 of its bytes."""

    id = replies.text(EXAMPLE_HASH)
    size = replies.number(183204)
    media_type = replies.text(PDF)


@bp.route("/photos/<sha256>", methods=["PUT"], parameters=[SENT_HASH])
@FLEET_AND_GPM
@bp.response(201, PhotoReply)
@bp.alt_response(200, schema=PhotoReply, description="It was already stored")
@bp.doc(**body_of_types(["image/jpeg", "image/png", "image/webp"]))
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
    with transaction():
        photo = PHOTO.renew(sha256, by=current_user().user_id)
    if photo is None or not PHOTO.is_stored(photo.row.hash):
        photo = _save(PHOTO, prepare_picture(data))
    return _reply(PhotoReply, photo)


@sends(bp, "/photos/<sha256>", FLEET_AND_GPM, parameters=[SENT_HASH])
def sent_photo(sha256: str) -> Response:
    """Read a photo that you uploaded; HEAD shows whether it is there."""
    return _sent_file(PHOTO, sha256)


@documents.route("/documents/<sha256>", methods=["PUT"], parameters=[SENT_HASH])
@FLEET_AND_GPM
@documents.response(201, DocumentReply)
@documents.alt_response(200, schema=DocumentReply, description="It was already stored")
@documents.doc(**body_of_types([PDF]))
@raises(Throttled)
@costly(CostlyRequest.PHOTOS)
def send_document(sha256: str) -> Response:
    """Upload a PDF by the SHA-256 of its bytes for a later record; repeating it is safe."""
    data = sent_bytes(
        sha256,
        what="document",
        begins=PDF,
        wrong_type="Send the document itself, as application/pdf.",
        max_bytes=MAX_BYTES,
        too_large=DOCUMENT_TOO_LARGE,
    )
    return _reply(DocumentReply, _save(DOCUMENT, read_document(data)))


@sends(documents, "/documents/<sha256>", FLEET_AND_GPM, PDF, parameters=[SENT_HASH])
def sent_document(sha256: str) -> Response:
    """Read a document that you uploaded; HEAD shows whether it is there."""
    return _sent_file(DOCUMENT, sha256, "document.pdf")


def _save(kind: ContentKind, new: NewContent) -> StoredContent:
    kind.store(new)
    with transaction():
        return kind.save(new, by=current_user().user_id)


def _reply(reply: type[Reply], stored: StoredContent) -> Response:
    response = jsonify(reply.write(stored.row, id=stored.id))
    response.status_code = 201 if stored.is_new else 200
    return response


def _sent_file(kind: ContentKind, sha256: str, name: str = "") -> Response:
    row = kind.uploaded(sha256, current_user().user_id)
    row = existing(row, f"There is no such {kind.label.casefold()}.")
    return send_content(kind, row.hash, cache_control=PRIVATE, size=row.size, download_name=name)
