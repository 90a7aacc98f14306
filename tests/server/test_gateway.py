"""The gateway on a small application: slow clients, refusals before a body, and large replies."""

import asyncio
import http.client
import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from flask import Flask, Response, request
from granian.constants import Interfaces
from granian.server.embed import Server

from app.logs import WAITED
from app.server import bodies, gateway, supervisor
from app.server.gateway import Gateway, wsgi_environ

LIMIT = 3 * 1024 * 1024
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
ANNOUNCED = b"POST /size HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nabc"
LARGE_REPLY = 40 * 1024 * 1024
"""More bytes than the buffers of a connection take."""

WITHIN = 5
"""Seconds in which a reply must come; what the tests hold back is held for longer."""


def small_application() -> Flask:
    app = Flask("small")
    app.config["MAX_CONTENT_LENGTH"] = LIMIT
    app.closed = threading.Semaphore(0)
    app.saved = []

    @app.route("/size", methods=["GET", "POST"])
    def size():
        return {"size": len(request.get_data())}

    @app.post("/refused")
    def refused():
        return "Please sign in.", 401

    @app.post("/save")
    def save():
        app.saved.append(request.form["amount"])
        return {}

    @app.get("/large")
    def large():
        def pieces():
            try:
                for _ in range(LARGE_REPLY // 65536):
                    yield b"x" * 65536
            finally:
                app.closed.release()

        return Response(pieces())

    @app.get("/headers")
    def headers():
        return dict(request.headers)

    @app.get("/path/<path:rest>")
    def path(rest):
        return {"path": rest, "query": request.args.get("q")}

    return app


@pytest.fixture(scope="module")
def app() -> Flask:
    return small_application()


@pytest.fixture(scope="module")
def port(app) -> Iterator[int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    started = threading.Event()
    running = {}

    async def serve():
        target = Gateway(app, max_body=LIMIT)
        server = Server(
            target,
            port=port,
            interface=Interfaces.RSGI,
            backlog=supervisor.MAX_CONNECTIONS,
            log_enabled=False,
        )
        running.update(server=server, loop=asyncio.get_running_loop())
        serving = asyncio.create_task(server.serve())
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            await asyncio.sleep(0.01)
        started.set()
        await serving

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert started.wait(WITHIN)
    yield port
    running["loop"].call_soon_threadsafe(running["server"].stop)
    thread.join(WITHIN)


def send(port, data, seconds=WITHIN) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), seconds)
    connection.sendall(data)
    return connection


def reply_to(port, method, path, body=None, headers=None, *, chunked=False):
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=WITHIN)) as client:
        client.request(method, path, body, headers or {}, encode_chunked=chunked)
        reply = client.getresponse()
        return reply.status, reply.read()


def headers_of(port, head) -> dict[str, str]:
    """Return the headers that the application has of a request."""
    with send(port, b"GET /headers HTTP/1.1\r\nConnection: close\r\n" + head) as connection:
        reply = b""
        while piece := connection.recv(65536):
            reply += piece
    return json.loads(reply.split(b"\r\n\r\n", 1)[1])


def status_of(connection) -> int:
    return int(connection.recv(65536).split(b" ")[1])


def test_bodies_that_never_arrive_stop_nobody(port):
    with ExitStack() as stack:
        for _ in range(200):
            stack.enter_context(send(port, ANNOUNCED))
        assert reply_to(port, "GET", "/size")[0] == 200
        assert reply_to(port, "POST", "/size", b"abc") == (200, b'{"size":3}\n')


@pytest.mark.parametrize("rest", [1, 1_000_000])
def test_a_body_that_is_cut_off_changes_nothing(port, app, rest):
    form = b"amount=1"
    head = (
        b"POST /save HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n"
        b"Content-Type: application/x-www-form-urlencoded\r\n\r\n"
    )
    with send(port, head % (len(form) + rest) + form) as connection:
        connection.shutdown(socket.SHUT_WR)
        reply = connection.recv(65536)
    assert reply.startswith(b"HTTP/1.1 400 ")
    assert b"The request arrived only in part. Send it again." in reply
    assert app.saved == []
    reply_to(port, "POST", "/save", b"amount=12", FORM)
    assert app.saved == ["12"]
    app.saved.clear()


def test_a_refusal_comes_before_a_large_body(port):
    head = "POST /{} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n"
    for path, size, status in [
        ("refused", 1_000_000, 401),
        ("nothing", 1_000_000, 404),
        ("large", 1_000_000, 405),
        ("size", LIMIT + 1, 413),
    ]:
        with send(port, head.format(path, size).encode()) as connection:
            assert (path, status_of(connection)) == (path, status)


@pytest.mark.parametrize("size", [1, 70_000, 1_500_000])
def test_a_body_is_the_same_with_and_without_its_size_announced(port, size):
    body = b"x" * size
    expected = 200, json.dumps({"size": size}, separators=(",", ":")).encode() + b"\n"
    assert reply_to(port, "POST", "/size", body) == expected
    pieces = [body[i : i + 50_000] for i in range(0, size, 50_000)]
    chunks = {"Transfer-Encoding": "chunked"}
    assert reply_to(port, "POST", "/size", iter(pieces), chunks, chunked=True) == expected


def test_a_body_over_its_limit_is_refused_though_its_size_was_not_announced(port):
    pieces = iter([b"x" * 1_000_000] * 4)
    chunks = {"Transfer-Encoding": "chunked"}
    assert reply_to(port, "POST", "/size", pieces, chunks, chunked=True)[0] == 413


@pytest.mark.parametrize(
    ("name", "value"), [("MAX_PAUSE_SECONDS", 0.05), ("GRACE_SECONDS", -1000.0)]
)
def test_a_body_that_is_too_slow_is_given_up(port, monkeypatch, name, value):
    monkeypatch.setattr(bodies, name, value)
    with send(port, ANNOUNCED) as connection:
        reply = connection.recv(65536)
    assert reply.startswith(b"HTTP/1.1 408 ")
    assert b"The request arrived too slowly. Send it again." in reply


def test_readers_that_stall_stop_nobody_and_keep_nothing_open(port, app):
    with ExitStack() as stack:
        for _ in range(12):
            stack.enter_context(send(port, b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        for _ in range(12):
            assert app.closed.acquire(timeout=30), "the reply is made though nobody reads it"
        assert reply_to(port, "GET", "/size")[0] == 200


def test_a_reader_that_stalls_for_long_is_disconnected(port, monkeypatch):
    monkeypatch.setattr(supervisor, "STALL_SECONDS", 0.5)
    supervisor.disconnect_stalled_clients(port)
    with send(port, b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n", 30) as connection:
        threading.Event().wait(3)
        with pytest.raises(ConnectionResetError):
            while connection.recv(1024 * 1024):
                pass


def test_the_limit_of_stalls_leaves_no_descriptor_open(port):
    descriptors = Path("/proc/self/fd")
    before = len(list(descriptors.iterdir()))
    supervisor.disconnect_stalled_clients(port)
    assert len(list(descriptors.iterdir())) == before


def test_a_large_reply_is_whole(port):
    status, body = reply_to(port, "GET", "/large")
    assert (status, len(body)) == (200, LARGE_REPLY)


def test_too_many_that_wait_are_refused_at_once(port, monkeypatch):
    monkeypatch.setattr(gateway, "MAX_WAITING", -gateway.THREADS)
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=WITHIN)) as client:
        client.request("GET", "/size")
        reply = client.getresponse()
        assert (reply.status, reply.getheader("Retry-After")) == (503, "2")


def test_an_application_learns_how_long_its_request_waited_for_a_thread():
    waited, is_free = [], threading.Event()

    def application(environ, start_response):
        waited.append(environ[WAITED])
        is_free.wait(WITHIN)
        start_response("200 OK", [])
        return []

    async def run():
        pool = gateway.Pool("test")
        queued = asyncio.gather(*(pool.run(application, {}) for _ in range(gateway.THREADS + 1)))
        await asyncio.sleep(0)
        # The last one has begun to wait, and can't go on before.
        asyncio.get_running_loop().call_later(0.05, is_free.set)
        await queued
        pool.close()

    # A thread of its own: the browser of journeys leaves its loop running in this one.
    with ThreadPoolExecutor(1) as own:
        own.submit(asyncio.run, run()).result()
    assert waited[-1] > 0.04


def test_repeated_headers_are_joined_and_names_with_an_underscore_left_out(port):
    headers = headers_of(
        port,
        b"Host: LocalHost\r\nCookie: a=1\r\nCookie: b=2\r\nX-Forwarded-For: 1.1.1.1\r\n"
        b"X-Forwarded-For: 2.2.2.2\r\nX_Forwarded_Proto: https\r\n\r\n",
    )
    assert headers["Host"] == "localhost"
    assert headers["Cookie"] == "a=1; b=2"
    assert headers["X-Forwarded-For"] == "1.1.1.1,2.2.2.2"
    assert "X-Forwarded-Proto" not in headers


@pytest.mark.parametrize("value", [b"\xe9", "é".encode()])
def test_a_header_that_is_not_ascii_is_not_taken_for_none(port, value):
    headers = headers_of(port, b"Host: localhost\r\nIdempotency-Key: " + value + b"\r\n\r\n")
    assert headers["Idempotency-Key"] == gateway.UNREADABLE


def test_a_path_and_query_arrive_decoded(port):
    status, body = reply_to(port, "GET", "/path/caf%C3%A9/%2F?q=%E2%82%AC")
    assert (status, json.loads(body)) == (200, {"path": "café//", "query": "€"})


def test_an_application_that_fails_outside_its_own_handlers_is_a_500():
    class Scope:
        method, path, query_string = "GET", "/", ""
        http_version, scheme = "1.1", "http"
        server, client, headers = "localhost:80", "127.0.0.1:1", {}

    replies = []

    class Protocol:
        def response_bytes(self, status, _headers, _body):
            replies.append(status)

    def broken(_environ, _start):
        raise RuntimeError("broken")

    async def call():
        target = Gateway(broken, max_body=1)
        target.__rsgi_init__(asyncio.get_running_loop())
        await target.__rsgi__(Scope(), Protocol())
        target.__rsgi_del__(asyncio.get_running_loop())

    assert wsgi_environ(Scope())["SERVER_NAME"] == "localhost"
    thread = threading.Thread(target=lambda: asyncio.run(call()))
    thread.start()
    thread.join()
    assert replies == [500]
