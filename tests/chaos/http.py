"""Requests over real connections, and the account that sends them."""

import http.client
import json
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from tests.person import PASSWORD

USERNAME = "chaos"

ConnectionFailed = (OSError, http.client.HTTPException)
"""What is raised when no whole reply arrives."""


@dataclass(frozen=True)
class Reply:
    """A whole reply."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def send(
    port: int,
    method: str,
    path: str,
    body: bytes = b"",
    headers: Mapping[str, str] = {},
    *,
    seconds: float = 60,
) -> Reply:
    """Send a request on a connection of its own; raises ConnectionFailed."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=seconds)) as connection:
        connection.request(method, path, body or None, {"Connection": "close", **headers})
        reply = connection.getresponse()
        content = reply.read()
        return Reply(reply.status, {k.lower(): v for k, v in reply.getheaders()}, content)


@dataclass
class Account:
    """The account of the load, signed in at a server's port."""

    port: int

    def __post_init__(self) -> None:
        self.sign_in()

    def sign_in(self) -> None:
        """Get a new access token."""
        body = json.dumps({"username": USERNAME, "password": PASSWORD}).encode()
        reply = send(
            self.port, "POST", "/api/auth/login", body, {"Content-Type": "application/json"}
        )
        if reply.status != 200:
            raise RuntimeError(f"sign-in was answered by {reply.status}: {reply.body!r}")
        self._token = reply.json["accessToken"]

    def headers(self, **more: str) -> dict[str, str]:
        """Return what every request of the account carries."""
        return {"Authorization": f"Bearer {self._token}", "Accept": "application/json", **more}
