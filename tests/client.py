"""The client of tests: errors as JSON come without their request's id, which is always new."""

from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse


class ComparableReply(TestResponse):
    """A reply whose `json` leaves out the id of the request; `get_json()` has it."""

    @property
    def json(self) -> Any:
        body = self.get_json()
        if self.status_code >= 400 and isinstance(body, dict):
            return {name: value for name, value in body.items() if name != "requestId"}
        return body


class ComparingClient(FlaskClient):
    """A client whose replies compare well."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.response_wrapper = type(
            "Reply", (ComparableReply, self.application.response_class), {}
        )
