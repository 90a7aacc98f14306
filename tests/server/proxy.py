"""A reverse proxy before several hosts of the product, as an application for test clients."""

import http.client
import itertools
from collections.abc import Iterator
from contextlib import closing, contextmanager

from flask import Flask, Response, request

CLIENT = "198.51.100.7"
METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "date", "server"}


class Proxy(Flask):
    """Passes each request on to the next of its hosts, unless one is chosen."""

    def __init__(self, *ports: int) -> None:
        super().__init__("proxy", static_folder=None)
        self._ports = ports
        self._turns = itertools.cycle(ports)
        self._chosen: int | None = None
        self.add_url_rule("/", "pass_on", self._pass_on, defaults={"path": ""}, methods=METHODS)
        self.add_url_rule("/<path:path>", "pass_on", self._pass_on, methods=METHODS)

    @contextmanager
    def through(self, number: int) -> Iterator[None]:
        """Pass requests on to one host, by its place among the ports."""
        self._chosen = self._ports[number]
        try:
            yield
        finally:
            self._chosen = None

    def _pass_on(self, path: str) -> Response:  # noqa: ARG002 (the query comes with it)
        port = self._chosen or next(self._turns)
        headers = dict(request.headers.items()) | {"X-Forwarded-For": CLIENT}
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as host:
            host.request(request.method, request.full_path, request.get_data(), headers)
            reply = host.getresponse()
            passed = [pair for pair in reply.getheaders() if pair[0].lower() not in HOP_BY_HOP]
            return Response(reply.read(), reply.status, passed)
