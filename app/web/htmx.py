"""Tell apart requests of htmx, of scripts and of plain browsers; redirect each in its way."""

from flask import Flask, Response, request

from app.origin import is_api_path


def is_htmx() -> bool:
    """Return whether htmx sent the request, and so expects a fragment."""
    return request.headers.get("HX-Request") == "true"


def is_htmx_for(target: str) -> bool:
    """Return whether htmx will swap the response into the element with this id."""
    return is_htmx() and request.headers.get("HX-Target") == target


def wants_json() -> bool:
    """Return whether the client expects JSON."""
    if is_api_path():
        return True
    best = request.accept_mimetypes.best_match(["text/html", "application/json"])
    return best == "application/json"


def wants_fragment() -> bool:
    """Return whether a script sent the request; scripts can renew their login session."""
    return is_htmx() or wants_json()


def init_app(app: Flask) -> None:
    """Name the address of a redirect in a header for scripts, which can't read it otherwise.

    The script widgets/src/forms/page-form.ts sends forms that are pages of their own, so that
    nothing typed is lost, and shows the page that it gets in reply.
    """

    @app.after_request
    def name_redirect(response: Response) -> Response:
        if request.headers.get("X-Page-Form") == "true" and response.location:
            response.headers["X-Redirect"] = response.location
            del response.headers["Location"]
            response.status_code = 204
            response.set_data(b"")
        return response
