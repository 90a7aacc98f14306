"""The OpenAPI description of the JSON calls, written from the code by apispec."""

import json
from collections.abc import Mapping
from threading import Lock
from typing import Any

import flask_smorest
from apispec import BasePlugin
from flask import Flask
from marshmallow import fields
from werkzeug.routing import Rule

from app import errors
from app.api.blueprint import Blueprint, IfMatch
from app.api.examples import ERRORS, example_of
from app.api.schemas import REQUEST_ID, WIDGET_PROPS, ErrorReply, combine
from app.divisions import Division
from app.errors import QuartermasterError
from app.revisions import VERSION
from app.web.policies import Policy, is_change, policy_of

TITLE = "Quartermaster"
ABOUT = (
    "Stock, deliveries, teams, services, keys, vehicles and their checks, assets and their moves. "
    "Sign in with `POST /api/auth/login` and send the access token as `Authorization: Bearer …`, "
    "or use a browser's session; its changes need the CSRF token.\n\n"
    "The format `one-line` is text without invisible characters. It is trimmed before its length "
    "is counted."
)

JsonObject = dict[str, Any]

_IDEMPOTENCY_KEY: JsonObject = {
    "in": "header",
    "name": "Idempotency-Key",
    "schema": {"type": "string", "minLength": 1, "maxLength": 100, "pattern": "^[!-~]+$"},
    "description": "A key of your own. Sent again with the same body, the change is made only "
    "once and its reply is repeated.",
    "example": "5f0c9a52-restock-monday",
}
_IF_MATCH: JsonObject = {
    "in": "header",
    "name": "If-Match",
    "schema": {"type": "string"},
    "example": '"gfm-main-17"',
}
_IF_MATCH_DESCRIPTIONS: Mapping[IfMatch, str] = {
    IfMatch.REQUIRED: "The ETag of the whole list that this replaces; not needed while the list "
    "is empty.",
    IfMatch.RECORD: "The ETag of the record that this changes. If it has changed since, the change "
    "is refused.",
    IfMatch.OPTIONAL: "The ETag of the list that this change is based on. If the list has changed "
    "since, the change is refused.",
}
_IF_NONE_MATCH: JsonObject = {
    "in": "header",
    "name": "If-None-Match",
    "schema": {"type": "string"},
    "description": "An ETag that you have; the reply is 304 while that version is current.",
    "example": '"gfm-main-17"',
}
_RETRY_AFTER: JsonObject = {
    "Retry-After": {"schema": {"type": "integer"}, "description": "Seconds to wait before retrying"}
}


class _CallPlugin(BasePlugin):
    def __init__(self, app: Flask, operation_prefixes: Mapping[str, str]) -> None:
        self.app = app
        self.operation_prefixes = operation_prefixes
        self.schemas: JsonObject = {}

    def init_spec(self, spec: Any) -> None:
        """Remember the schemas of the description, the source of examples."""
        self.schemas = spec.components.schemas

    def schema_helper(
        self,
        name: str,  # noqa: ARG002 (apispec's signature)
        definition: JsonObject,  # noqa: ARG002
        schema: Any = None,
        **_: Any,
    ) -> JsonObject:
        """Describe a schema: its meaning, aliases, rules between fields, and example."""
        if schema is None:
            return {}
        description = " ".join((schema.__doc__ or "").split())
        for alias, field in getattr(schema, "aliases", {}).items():
            description += f" `{alias}` is read as `{field}`."
        documented = {"description": description, **getattr(schema, "constraints", {})}
        documented |= combine(getattr(schema, "field_rules", ()))
        if (example := getattr(schema, "example", None)) is not None:
            documented["example"] = example
        return documented

    def operation_helper(
        self, path: str | None = None, operations: Any = None, *, rule: Any = None, **_: Any
    ) -> None:
        """Complete the operations of one route."""
        blueprint_name, _, view_name = rule.endpoint.rpartition(".")
        with self.app.app_context():
            policy = policy_of(rule.endpoint, rule.defaults)
        if policy is None:
            raise LookupError(f"{rule.endpoint} declares no policy")
        view = self.app.view_functions[rule.endpoint]
        for method, operation in operations.items():
            operation["operationId"] = f"{self.operation_prefixes[blueprint_name]}_{view_name}"
            self._add_access(operation, policy, rule, method)
            self._add_headers(operation, view)
            self._add_errors(operation, view, policy, path or "")
            self._add_examples(operation)

    def _add_access(self, operation: JsonObject, policy: Policy, rule: Rule, method: str) -> None:
        if policy.public:
            operation["security"] = []
            return
        token = () if method in ("get", "head") else ("csrf",)
        operation["security"] = [{"token": []}, {name: [] for name in ("session", *token)}]
        if policy.divisions:
            owners = " or ".join(sorted(division.label for division in policy.divisions))
            changes = is_change(policy, method.upper(), rule.methods or ())
            people = f"{policy.role}s" if changes else "people"
            operation["description"] = f"For {people} of {owners}."

    def _add_headers(self, operation: JsonObject, view: Any) -> None:
        parameters = operation.setdefault("parameters", [])
        if_match: IfMatch | None = getattr(view, "if_match", None)
        if if_match is not None:
            parameters.insert(0, _IDEMPOTENCY_KEY)
        if if_match and if_match in _IF_MATCH_DESCRIPTIONS:
            parameters.insert(1, {**_IF_MATCH, "description": _IF_MATCH_DESCRIPTIONS[if_match]})
        if _has_status(operation, 304):
            parameters.append(_IF_NONE_MATCH)

    def _add_errors(self, operation: JsonObject, view: Any, policy: Policy, path: str) -> None:
        headers = {p["name"] for p in operation["parameters"] if isinstance(p, dict)}
        failures: set[type[QuartermasterError]] = {
            errors.Malformed,
            errors.Invalid,
            errors.Unavailable,
            *getattr(view, "failures", ()),
        }
        if not policy.public:
            failures.add(errors.SignInRequired)
        if policy.divisions:
            failures.add(errors.Forbidden)
        if "{" in path:
            failures.add(errors.NotFound)
        if "requestBody" in operation:
            failures |= {errors.TooLarge, errors.Unsupported}
        if "Idempotency-Key" in headers:
            failures.add(errors.PreconditionFailed)
        if "If-Match" in headers:
            failures |= {errors.Conflict, errors.PreconditionRequired}
        responses = operation["responses"]
        # flask-smorest's own reply to invalid arguments; ours is Invalid.
        responses.pop(422, None)
        for failure in sorted(failures, key=lambda failure: failure.status):
            if not _has_status(operation, failure.status):
                responses[failure.status] = failure.__name__

    def _add_examples(self, operation: JsonObject) -> None:
        replies = [reply for reply in operation["responses"].values() if isinstance(reply, dict)]
        for part in (operation.get("requestBody", {}), *replies):
            content = part.get("content", {}).get("application/json", {})
            if "schema" in content:
                content.setdefault("example", example_of(content["schema"], self.schemas))


def _has_status(operation: JsonObject, status: int) -> bool:
    return any(str(key) == str(status) for key in operation["responses"])


def _add_json_schema(self: Any, field: Any, **_: Any) -> JsonObject:  # noqa: ARG001
    """Add the JSON Schema that a field's class declares beyond the keywords of metadata."""
    return dict(getattr(field, "json_schema", {}))


def _omit_null_default(self: Any, field: Any, ret: JsonObject, **_: Any) -> JsonObject:  # noqa: ARG001
    """Remove a default of null: the field may then be absent, which isn't the same."""
    if ret.get("default", "") is None:
        del ret["default"]
    return {}


def _describe_tuple(self: Any, field: Any, **_: Any) -> JsonObject:
    if not isinstance(field, fields.Tuple):
        return {}
    entries = [self.field2property(entry) for entry in field.tuple_fields]
    size = len(entries)
    return {"type": "array", "prefixItems": entries, "minItems": size, "maxItems": size}


class Api(flask_smorest.Api):  # type: ignore[misc]
    """The documented API. Errors are answered by `app.web.error_pages`, like everywhere.

    Blueprints are served from the start; their views are described on the first request for the
    description, since that takes longer than all the rest of the start.
    """

    DEFAULT_ERROR_RESPONSE_NAME = None
    ERROR_SCHEMA = ErrorReply

    def __init__(self, app: Flask) -> None:
        app.config.update(API_TITLE=TITLE, API_VERSION=VERSION, OPENAPI_VERSION="3.1.0")
        self._operation_prefixes: dict[str, str] = {}
        self._undescribed: list[tuple[Blueprint, str, list[JsonObject]]] = []
        self._lock = Lock()
        self._document = ""
        plugin = _CallPlugin(app, self._operation_prefixes)
        super().__init__(
            app, spec_kwargs={"info": {"description": ABOUT}, "extra_plugins": [plugin]}
        )
        for add in (_add_json_schema, _omit_null_default, _describe_tuple):
            self.ma_plugin.converter.add_attribute_function(add)

    def register_blueprint(
        self,
        blp: Blueprint,
        *,
        parameters: list[JsonObject] | None = None,
        operation_prefix: str | None = None,
        **options: Any,
    ) -> None:
        """Serve a blueprint and remember to describe it.

        `parameters` describes variables in the paths of its routes, `operation_prefix` begins the
        ids of its operations.
        """
        name: str = options.get("name") or blp.name
        self._app.register_blueprint(blp, **options)
        self._operation_prefixes[name] = operation_prefix or name.removeprefix("api_")
        self._undescribed.append((blp, name, parameters or []))

    def register_prefixed(
        self,
        blueprint: Blueprint,
        *divisions: Division | None,
        parameters: list[JsonObject] | None = None,
    ) -> None:
        """Serve a blueprint under /api/DIVISION for each division, and under /api for None."""
        for division in divisions:
            label = division.value if division else "any"
            self.register_blueprint(
                blueprint,
                name=f"{blueprint.name}_{label}",
                operation_prefix=f"{blueprint.feature}_{label}",
                url_prefix=f"/api/{division.value}" if division else "/api",
                url_defaults={"division": division} if blueprint.passes_division else {},
                parameters=parameters,
            )

    def document(self) -> str:
        """Return the description as JSON text."""
        with self._lock:
            if not self._document:
                self._describe_views()
                self._document = json.dumps(self.spec.to_dict(), ensure_ascii=False)
        return self._document

    def document_with_widgets(self) -> str:
        """Return the description, with the props of the widgets among its schemas."""
        self.document()
        for props in WIDGET_PROPS:
            if props.__name__ not in self.spec.components.schemas:
                self.spec.components.schema(props.__name__, schema=props)
        return json.dumps(self.spec.to_dict(), ensure_ascii=False)

    def _describe_views(self) -> None:
        titles: set[str] = set()
        for blueprint, name, parameters in self._undescribed:
            if blueprint.title not in titles:
                titles.add(blueprint.title)
                self.spec.tag({"name": blueprint.title, "description": blueprint.description})
            blueprint.register_views_in_doc(
                self, self._app, self.spec, name=name, parameters=parameters
            )

    def _leave(self) -> None:
        """Leave this to us: errors to `app.web.error_pages`, headers and parts to our calls."""

    _register_error_handlers = _register_etag_headers = _register_pagination_header = _leave

    def _register_responses(self) -> None:
        for name, scheme in _security_schemes(self._app).items():
            self.spec.components.security_scheme(name, scheme)
        for failure, example in ERRORS.items():
            error = {**example, "code": failure.code, "requestId": REQUEST_ID}
            content = {"schema": ErrorReply, "example": error}
            response = {
                "description": (failure.__doc__ or "").strip(),
                "content": {"application/json": content},
            }
            if failure in (errors.Throttled, errors.Unavailable):
                response["headers"] = _RETRY_AFTER
            self.spec.components.response(failure.__name__, response)


def _security_schemes(app: Flask) -> dict[str, JsonObject]:
    return {
        "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "The accessToken of POST /api/auth/login",
        },
        "session": {
            "type": "apiKey",
            "in": "cookie",
            "name": app.config["SESSION_COOKIE_NAME"],
            "description": "The login session of a browser",
        },
        "csrf": {
            "type": "apiKey",
            "in": "header",
            "name": "X-CSRFToken",
            "description": "The token of our pages, for changes by a browser's session",
        },
    }
