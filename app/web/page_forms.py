"""Forms that are pages of their own, sent by a script so that nothing typed is lost.

The script (widgets/src/forms/page-form.ts) shows the page it gets in reply. It can't read where a
redirect leads, so that is a header.
"""

from flask import Flask, Response, request


def init_app(app: Flask) -> None:
    """Name the address of a redirect in a header, for the script alone."""

    @app.after_request
    def name_redirect(response: Response) -> Response:
        if request.headers.get("X-Page-Form") == "true" and response.location:
            response.headers["X-Redirect"] = response.location
            del response.headers["Location"]
            response.status_code = 204
            response.set_data(b"")
        return response
