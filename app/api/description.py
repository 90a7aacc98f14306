"""What the JSON calls tell of themselves: /api/openapi.json, written from the code (design §5)."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, TypeVar

import click
import flask_smorest
from flask import Flask, Response, render_template
from flask_smorest.spec.plugins import FlaskPlugin
from marshmallow import Schema, fields

from app import errors
from app.api import reading
from app.api.examples import ERRORS, FIELDS, give_examples, has_example
from app.errors import QuartermasterError
from app.release import VERSION
from app.web import access
from app.web.access import Policy
from app.web.caching import not_modified_since_build
from app.web.error_pages import NO_SUCH_ROUTE

TITLE = "Quartermaster"
ABOUT = (
    "Stock, deliveries, teams, services, keys, vehicles and their checks, assets and their moves. "
    "Sign in with `POST /api/auth/login` and send the access token as `Authorization: Bearer …`, "
    "or use a browser's session, whose changes need its CSRF token.\n\n"
    "`one-line` is text without characters that can't be seen, trimmed, its length counted then."
)

Work = TypeVar("Work", bound=Callable[..., Any])
Documented = dict[str, Any]

_KEY: Documented = {
    "in": "header",
    "name": "Idempotency-Key",
    "schema": {"type": "string", "minLength": 1, "maxLength": 100, "pattern": "^[!-~]+$"},
    "description": "A key of your own: sent again with the same body, the change is made once "
    "and its reply repeated.",
    "example": "5f0c9a52-restock-monday",
}
_SEEN: Documented = {
    "in": "header",
    "name": "If-Match",
    "schema": {"type": "string"},
    "description": "The ETag of the whole list that this replaces; not needed while the list is "
    "empty.",
    "example": '"gfm-main-17"',
}
_BASE: Documented = {
    **_SEEN,
    "description": "The ETag of the list that this change is based on, where it is to be made to "
    "no other one.",
}
_HELD: Documented = {
    "in": "header",
    "name": "If-None-Match",
    "schema": {"type": "string"},
    "description": "An ETag that is held; 304 says that the list is still that one.",
    "example": '"gfm-main-17"',
}

KEYED: Documented = {"parameters": [_KEY]}
"""How a call is documented that takes an Idempotency-Key."""

BASED: Documented = {"parameters": [_KEY, _BASE]}
"""How a call is documented that changes a list, and may be based on one of its versions."""

MATCHED: Documented = {"parameters": [_KEY, _SEEN]}
"""How a call is documented that replaces a whole list."""

WHOLE_TAG: Documented = {
    "schema": {"type": "string"},
    "description": "The list's version, of a whole list alone",
}
NEXT_LINK: Documented = {
    "schema": {"type": "string"},
    "description": 'Where the next part is, rel="next"; none behind the last part',
}
NOT_CHANGED = "What If-None-Match names still holds"

_WAIT: Documented = {"schema": {"type": "integer"}, "description": "Seconds until it may work"}
_SECURITY: Mapping[str, Documented] = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "The accessToken of POST /api/auth/login",
    },
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": "session",
        "description": "The login session of a browser",
    },
    "csrf": {
        "type": "apiKey",
        "in": "header",
        "name": "X-CSRFToken",
        "description": "The token of our own pages, for changes by a browser's session",
    },
}
_READS = ("get", "head")


def init_app(app: Flask, blueprints: Iterable[flask_smorest.Blueprint]) -> None:
    """Serve these calls and their description, which is written when it is first asked for."""
    app.config.update(API_TITLE=TITLE, API_VERSION=VERSION, OPENAPI_VERSION="3.1.0")
    app.jinja_env.filters["marked"] = reading.marked
    served = list(blueprints)
    for blueprint in served:
        app.register_blueprint(blueprint)
    document = cache(lambda: json.dumps(describe(app, served), ensure_ascii=False))

    @app.get("/api/openapi.json")
    @access.public
    def openapi() -> Response:
        return not_modified_since_build() or Response(document(), mimetype="application/json")

    @app.get("/api/docs")
    @access.public
    def api_docs() -> Response | str:
        if (same := not_modified_since_build()) is not None:
            return same
        described = json.loads(document())
        return render_template(
            "api/docs.html",
            about=ABOUT,
            sections=reading.sections(described),
            failures=reading.failures(described),
            schemas=reading.schemas(described),
        )

    @app.cli.command("openapi")
    def write_openapi() -> None:
        """Write the OpenAPI description of the JSON calls, as /api/openapi.json has it."""
        click.echo(document())


class ErrorReply(Schema):
    """What is wrong; `fields` where single fields are, by their path in the body."""

    error = fields.String(required=True, metadata={"example": "Amount must be at least 1"})
    fields_ = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        data_key="fields",
        attribute="fields",
        metadata={"example": {"amount": "Amount must be at least 1"}},
    )
    code = fields.String(
        metadata={
            "enum": [NO_SUCH_ROUTE],
            "description": "Of a 404: that no such call is served here. Without it there is no "
            "such record",
        }
    )


class Api(flask_smorest.Api):  # type: ignore[misc]
    """The documented API; errors are answered by error_pages like everywhere."""

    DEFAULT_ERROR_RESPONSE_NAME = None
    ERROR_SCHEMA = ErrorReply

    def _register_error_handlers(self) -> None:
        pass


def raises(*failures: type[QuartermasterError]) -> Callable[[Work], Work]:
    """Declare how a call may fail beside what its policy, address, body and headers imply."""

    def declare(view: Work) -> Work:
        view.failures = failures  # type: ignore[attr-defined]
        return view

    return declare


def one_or_more(body: type[Schema]) -> Documented:
    """Return how a call is documented that takes an entry or a list of them, under a key."""
    schema = {"anyOf": [body, {"type": "array", "items": body}]}
    return KEYED | {"requestBody": {"content": {"application/json": {"schema": schema}}}}


def describe(app: Flask, blueprints: Iterable[flask_smorest.Blueprint]) -> Documented:
    """Return the OpenAPI description of these calls; to write it takes longer than all else."""
    api = Api(app, spec_kwargs={"info": {"description": ABOUT}})
    for name, scheme in _SECURITY.items():
        cookie = {"name": app.config["SESSION_COOKIE_NAME"]} if name == "session" else {}
        api.spec.components.security_scheme(name, {**scheme, **cookie})
    for failure, example in ERRORS.items():
        api.spec.components.response(failure.__name__, _failure(failure, example))
    titles: dict[str, str] = {}
    for blueprint in blueprints:
        blueprint.register_views_in_doc(api, app, api.spec, name=blueprint.name, parameters=None)
        if blueprint.title not in titles.values():
            api.spec.tag({"name": blueprint.title, "description": blueprint.description})
        titles[blueprint.name] = blueprint.title
    described: Documented = api.spec.to_dict()
    components = described["components"]
    _say_more_of_bodies(components, api.ma_plugin.converter.refs)
    components["schemas"].pop("PaginationMetadata", None)
    ours = {failure.__name__ for failure in ERRORS}
    components["responses"] = {n: s for n, s in components["responses"].items() if n in ours}
    for endpoint, path, method in _served(app, titles):
        operation = described["paths"][path][method]
        operation["tags"] = [titles[endpoint.partition(".")[0]]]
        operation["operationId"] = endpoint.removeprefix("api_").replace(".", "_")
        _complete(operation, app.view_functions[endpoint], path, method)
        give_examples(operation, components["schemas"])
    return described


def _served(app: Flask, names: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    known = set(names)
    for rule in app.url_map.iter_rules():
        if rule.endpoint.partition(".")[0] in known:
            for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
                yield rule.endpoint, FlaskPlugin.flaskpath2openapi(rule.rule), method.lower()


def _failure(failure: type[QuartermasterError], example: Mapping[str, Any]) -> Documented:
    waits = {"headers": {"Retry-After": _WAIT}} if failure in _WAITING else {}
    content = {"application/json": {"schema": ErrorReply, "example": example}}
    return {"description": (failure.__doc__ or "").strip(), "content": content, **waits}


_WAITING = (errors.Throttled, errors.Unavailable)


def _complete(operation: Documented, view: Any, path: str, method: str) -> None:
    """Add what a call's policy, address, body and headers imply: who may, and how it may fail."""
    policy: Policy = view.policy
    implied: set[type[QuartermasterError]] = {
        errors.Malformed,
        errors.Invalid,
        errors.Unavailable,
    }
    if not policy.public:
        implied.add(errors.SignInRequired)
        changes = () if method in _READS else ("csrf",)
        operation["security"] = [{"token": []}, {name: [] for name in ("session", *changes)}]
    else:
        operation["security"] = []
    if policy.divisions:
        implied.add(errors.Forbidden)
        owners = " or ".join(sorted(division.label for division in policy.divisions))
        operation["description"] = f"For people of {owners}."
    if "{" in path:
        implied.add(errors.NotFound)
    if "requestBody" in operation:
        implied |= {errors.TooLarge, errors.Unsupported}
    asked = operation.setdefault("parameters", [])
    if _KEY in asked:
        implied.add(errors.PreconditionFailed)
    if _SEEN in asked or _BASE in asked:
        implied |= {errors.Conflict, errors.PreconditionRequired}
    implied |= set(getattr(view, "failures", ()))
    responses = operation["responses"]
    responses.pop("422", None)
    if "304" in responses:
        asked.append(_HELD)
    for failure in sorted(implied, key=lambda failure: failure.status):
        reference = {"$ref": f"#/components/responses/{failure.__name__}"}
        responses.setdefault(str(failure.status), reference)


def _say_more_of_bodies(components: Documented, references: Mapping[Any, str]) -> None:
    """Add what the fields of a schema don't say: its rules, other names, examples."""
    schemas = components["schemas"]
    for (schema, *_), name in references.items():
        if (described := schemas.get(name)) is None:
            continue
        described["description"] = " ".join((schema.__doc__ or "").split())
        described |= getattr(schema, "constraints", {})
        for alias, known in getattr(schema, "aliases", {}).items():
            described["description"] += f" `{alias}` is read as `{known}`."
    for described in schemas.values():
        for name, field in described.get("properties", {}).items():
            # Without it the field may be missing, which isn't the same as null.
            if field.get("default", "") is None:
                del field["default"]
            if "example" not in field and has_example(name, field):
                field["example"] = FIELDS[name]
