"""The calls for documents: uploaded by content, and read by their sender."""

from flask import Response, jsonify

from app.api import replies
from app.api.blueprint import NOT_MODIFIED, Blueprint, raises
from app.api.openapi import Api
from app.api.replies import Reply
from app.api.uploads import BINARY, EXAMPLE_HASH, SENT_HASH, body_of_types, sent_bytes
from app.db import transaction
from app.divisions import Division
from app.documents import queries, services
from app.documents.rules import MAX_BYTES, PDF, TOO_LARGE
from app.errors import NotFound, Throttled
from app.photos.services.photo_store import photo_store
from app.web import access
from app.web.access import current_user
from app.web.caching import PRIVATE
from app.web.downloads import file_response
from app.web.limits import CostlyRequest, costly

bp = Blueprint("documents", "Documents", "PDF files, sent before the record they are for.")

FLEET_AND_GPM = access.api_call(Division.FLEET, Division.GPM)


def register_calls(api: Api) -> None:
    """Serve the calls under /api."""
    api.register_prefixed(bp, None)


class DocumentReply(Reply):
    """An uploaded document; `id` is the SHA-256 of its bytes."""

    id = replies.text(EXAMPLE_HASH)
    size = replies.number(183204)
    media_type = replies.text(PDF)


@bp.route("/documents/<sha256>", methods=["PUT"], parameters=[SENT_HASH])
@FLEET_AND_GPM
@bp.response(201, DocumentReply)
@bp.alt_response(200, schema=DocumentReply, description="It was already stored")
@bp.doc(**body_of_types([PDF]))
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
        too_large=TOO_LARGE,
    )
    document = services.read_document(data)
    services.store_file(document)
    with transaction():
        stored = services.save_document(document, by=current_user().user_id)
    response = jsonify(id=stored.id, size=stored.size, mediaType=stored.media_type)
    response.status_code = 201 if stored.is_new else 200
    return response


@bp.route("/documents/<sha256>", methods=["GET"], parameters=[SENT_HASH])
@FLEET_AND_GPM
@bp.alt_response(304, description=NOT_MODIFIED, success=True)
@bp.response(200, BINARY, content_type=PDF)
def sent_document(sha256: str) -> Response:
    """Read a document that you uploaded; HEAD shows whether it is there."""
    document = queries.uploaded_document(sha256, current_user().user_id)
    if document is None:
        raise NotFound("There is no such document.")
    return file_response(
        photo_store(),
        services.document_file(document.hash),
        document.media_type,
        PRIVATE,
        size=document.size,
        download_name="document.pdf",
    )
