"""A small server with the calls of S3 that the photo store uses."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, quote, unquote, urlsplit
from xml.sax.saxutils import escape

from pytest import MonkeyPatch  # noqa: PT013

MODIFIED = "2026-01-15T12:00:00.000Z"


class Objects(ThreadingHTTPServer):
    """Objects by URL path; while `fails` is set every call gets 500.

    `meanwhile` gets the method of each call while it is being handled.
    """

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.kept: dict[str, bytes] = {}
        self.calls: list[str] = []
        self.fails = False
        self.meanwhile: Callable[[str], object] = lambda _: None


class _Handler(BaseHTTPRequestHandler):
    server: Objects

    def do_PUT(self) -> None:
        data = self.rfile.read(int(self.headers["Content-Length"]))
        if not self._refused():
            self.server.kept[self._path()] = data
            self._answer(200, b"", ETag='"1"')

    def do_GET(self) -> None:
        if self._refused():
            return
        if "list-type=2" in self.path:
            self._answer(200, self._listing(), Content_Type="application/xml")
        elif self._path() in self.server.kept:
            self._answer(200, self.server.kept[self._path()], ETag='"1"')
        else:
            self._answer(404, b"<Error><Code>NoSuchKey</Code></Error>")

    do_HEAD = do_GET  # noqa: N815

    def do_DELETE(self) -> None:
        if not self._refused():
            self.server.kept.pop(self._path(), None)
            self._answer(204, b"")

    def log_message(self, *_: object) -> None:
        """Log nothing."""

    def _path(self) -> str:
        return unquote(urlsplit(self.path).path)

    def _refused(self) -> bool:
        self.server.calls.append(f"{self.command} {self._path()}")
        self.server.meanwhile(self.command)
        if "AWS4-HMAC-SHA256" not in self.headers.get("Authorization", ""):
            self._answer(403, b"")
        elif self.server.fails:
            self._answer(500, b"")
        else:
            return False
        return True

    def _listing(self) -> bytes:
        """Return pages of two objects, as S3 returns pages of a thousand."""
        query = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
        bucket = self._path().rstrip("/")
        keys = sorted(key.removeprefix(f"{bucket}/") for key in self.server.kept)
        keys = [key for key in keys if key.startswith(query.get("prefix", ""))]
        keys = [key for key in keys if key > unquote(query.get("continuation-token", ""))]
        rows = "".join(
            f"<Contents><Key>{escape(key)}</Key><LastModified>{MODIFIED}</LastModified>"
            f"<Size>{len(self.server.kept[f'{bucket}/{key}'])}</Size><ETag>1</ETag></Contents>"
            for key in keys[:2]
        )
        more = "<IsTruncated>false</IsTruncated>"
        if len(keys) > 2:
            token = f"<NextContinuationToken>{quote(keys[1])}</NextContinuationToken>"
            more = f"<IsTruncated>true</IsTruncated>{token}"
        return f"<ListBucketResult>{more}{rows}</ListBucketResult>".encode()

    def _answer(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Last-Modified", "Thu, 15 Jan 2026 12:00:00 GMT")
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


@contextmanager
def bucket_server(monkeypatch: MonkeyPatch) -> Iterator[Objects]:
    """Serve objects where the AWS_* variables point."""
    with serving() as server:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{server.server_port}")
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "somebody")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "something")
        monkeypatch.setenv("AWS_REGION", "eu-west-2")
        yield server


@contextmanager
def serving() -> Iterator[Objects]:
    """Serve objects on an address of this machine until the block ends."""
    with Objects() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
