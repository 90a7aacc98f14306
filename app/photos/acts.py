"""What all calls and pages that send stored photos and documents share."""

from collections.abc import Callable
from typing import Any, TypeVar

from flask import Response

from app.api.blueprint import NOT_MODIFIED, Blueprint
from app.api.uploads import BINARY
from app.photos.rules import JPEG
from app.photos.services.contents import ContentKind
from app.photos.services.photo_store import photo_store
from app.web.downloads import IMMUTABLE, file_response
from app.web.policies import Policy

View = TypeVar("View", bound=Callable[..., Response])


def sends(
    bp: Blueprint, path: str, policy: Policy, media_type: str = JPEG, **options: Any
) -> Callable[[View], View]:
    """Return a decorator that serves a call whose reply is a file of this type."""

    def declare(view: View) -> View:
        view = bp.response(200, BINARY, content_type=media_type)(view)
        view = bp.alt_response(304, description=NOT_MODIFIED, success=True)(view)
        served: View = bp.route(path, methods=["GET"], **options)(policy(view))
        return served

    return declare


def send_content(
    kind: ContentKind,
    content_hash: str,
    part: str = "data",
    cache_control: str = IMMUTABLE,
    **options: Any,
) -> Response:
    """Reply with a file of a stored content; `options` are those of `file_response`."""
    name = kind.file(content_hash, part)
    return file_response(photo_store(), name, kind.media_type, cache_control, **options)
