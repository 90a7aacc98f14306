"""What the guard checks of a request's body before anything else reads it."""

from flask import current_app, request

from app.errors import Malformed, Unsupported
from app.origin import is_api_path
from app.web.policies import Policy

MAX_FORM_BYTES = 1024 * 1024
MAX_ANONYMOUS_BYTES = 16 * 1024
_URL_ENCODED = "application/x-www-form-urlencoded"


def limit_body(policy: Policy | None) -> None:
    """Set the limit of what is read: strangers send no more than a sign-in."""
    if policy is not None and policy.public:
        request.max_content_length = MAX_ANONYMOUS_BYTES
    elif request.mimetype == _URL_ENCODED:
        request.max_content_length = MAX_FORM_BYTES


def check_form() -> None:
    """Refuse what no page reads; it is the first that reads a body."""
    is_form = request.mimetype in (_URL_ENCODED, "multipart/form-data")
    view = current_app.view_functions[request.endpoint or ""]
    is_taken = is_form or (request.mimetype == "application/json" and hasattr(view, "takes_json"))
    if not is_api_path() and request.mimetype and not is_taken:
        raise Unsupported("This page takes forms only. Programs use the calls under /api.")
    if is_form:
        check_texts(*(value for _, value in request.form.items(multi=True)))


def check_texts(*texts: str) -> None:
    """Refuse texts with a character that no database stores."""
    if any("\0" in text for text in texts):
        raise Malformed("The request holds a character that can't be stored (U+0000).")
