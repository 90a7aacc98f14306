"""Tell htmx's requests from plain ones, and shape their replies."""

import json

from flask import request

CONFIG = json.dumps(
    {
        "includeIndicatorStyles": False,
        "allowEval": False,
        "allowScriptTags": False,
        "selfRequestsOnly": True,
        "historyCacheSize": 0,
        "refreshOnHistoryMiss": True,
        "timeout": 20_000,
        "defaultSettleDelay": 0,
        "scrollIntoViewOnBoost": False,
        "responseHandling": [
            {"code": "204", "swap": False},
            {"code": "[23]..", "swap": True},
            {"code": "[45]..", "swap": True},
        ],
    }
)
"""How htmx works under our Content-Security-Policy; error replies say where they belong."""


def is_htmx() -> bool:
    """Tell whether htmx asks; what it gets is a fragment."""
    return request.headers.get("HX-Request") == "true"


def is_htmx_for(target: str) -> bool:
    """Tell whether htmx asks for the element with this id."""
    return is_htmx() and request.headers.get("HX-Target") == target


def is_api_path() -> bool:
    """Tell whether the address is one of the API's, existing or not."""
    return request.path == "/api" or request.path.startswith("/api/")


def wants_json() -> bool:
    """Tell whether the caller reads JSON rather than pages."""
    if is_api_path():
        return True
    best = request.accept_mimetypes.best_match(["text/html", "application/json"])
    return best == "application/json"


def wants_fragment() -> bool:
    """Tell whether a script asks, which can renew its login session by itself."""
    return is_htmx() or wants_json()
