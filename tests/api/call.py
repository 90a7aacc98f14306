"""A JSON call as the tests send it, and the prefixes under which calls are served."""

from dataclasses import dataclass, field
from typing import Any

from app.divisions import Division
from tests.api.filled import Send, SignedInUser

GFM, GPM, FLEET, ASSETS = Division

Served = dict[str, tuple[Division, ...]]

STOCK: Served = {"/gfm": (GFM,), "/gpm": (GPM,), "": (GFM, GPM)}
EITHER_STOCK: Served = {"/gfm": (GFM,), "/gpm": (GPM,)}
GFM_ALONE: Served = {"/gfm": (GFM,)}
GPM_STOCK: Served = {"/gpm": (GPM,), "": (GPM,)}
DESK: Served = {"/gpm": (GPM,), "": (GPM,)}
SHARED: Served = {"/fleet": (FLEET, GPM), "/gpm": (GPM, FLEET), "": (FLEET, GPM)}
SENDERS: Served = {"": (FLEET, GPM)}
REGISTER: Served = {"": (ASSETS,)}
ANYBODY: Served = {"": tuple(Division)}


@dataclass(frozen=True)
class Call:
    """A JSON call with an example request and its expected reply.

    `served` maps each prefix to the divisions that may use it; the first of them sends the
    example. `at` has the values of the path's parameters. `body` is JSON, bytes, or a function of
    the user's tokens. `replaces` marks the replacement of a whole list, which needs If-Match with
    the ETag of its path, or of `record`. `varies` marks a reply that differs every time.
    """

    method: str
    path: str
    served: Served
    status: int
    reply: Any
    body: Any = None
    at: dict[str, Any] = field(default_factory=dict)
    content_type: str = "application/json"
    replaces: bool = False
    record: str = ""
    query: str = ""
    varies: bool = False
    is_public: bool = False

    @property
    def reads(self) -> bool:
        return self.method in ("GET", "HEAD")

    def address(self, prefix: str) -> str:
        return f"/api{prefix}{self.path.format(**self.at)}"

    def if_match(self, prefix: str, send: Send) -> dict[str, str]:
        """Return the headers with the ETag that the call needs, if any."""
        address = f"/api{prefix}{(self.record or self.path).format(**self.at)}"
        return {"If-Match": send("GET", address).headers["ETag"]} if self.replaces else {}

    def options(self, who: SignedInUser) -> dict[str, Any]:
        """Return the test client's options for a user's request."""
        body = self.body(who) if callable(self.body) else self.body
        if isinstance(body, bytes):
            return {"data": body, "content_type": self.content_type}
        sent = {"query_string": self.query} if self.query else {}
        return sent if body is None else {**sent, "json": body}


def call_of(called: str, served: Served, reply: Any, *, status: int = 200, **options: Any) -> Call:
    """Return a call, such as 'GET /teams', that is served under these prefixes."""
    method, path = called.split()
    replaces = {"replaces": "record" in options}
    return Call(method, path, served, status, reply, **replaces | options)
