"""Connections to PostgreSQL that notice a server which no longer answers.

The kernel notices a dead machine. It doesn't notice a server whose processes are frozen, and
neither does the server's own `statement_timeout`. A commit waits for ever if a synchronous standby
is away, or if another server was promoted meanwhile. A thread that waits for either is lost to the
product.
"""

import socket
import time
from collections.abc import Mapping
from typing import Any, ClassVar, NoReturn

import psycopg
from psycopg.abc import RV, PQGen
from psycopg.errors import _WaitTimeout as StillWaiting

WATCH_SECONDS = 4.0
"""After a reply has taken so long, and each time after that, the server is asked for a sign."""

SIGN_SECONDS = 3.0
"""How long a server may take for a sign of life."""

COMMIT_SECONDS = 8.0
"""How long a commit may take; it is a matter of milliseconds."""

_SIGN_OF_LIFE_REQUEST = (8).to_bytes(4) + (80_877_103).to_bytes(4)
"""PostgreSQL's SSLRequest, which a server answers before it asks for the user."""

_DEFAULT_PORT = "5432"

Server = tuple[str, str]
"""Host and port, as connections name them."""


class WatchedConnection(psycopg.Connection[Any]):
    """A connection that is closed when its server gives no sign, or a commit takes too long.

    Whether that commit has taken effect is unknown; who sends the change again under its key
    finds out.
    """

    given_up: ClassVar[dict[Server, float]] = {}
    """When this process last gave a server up."""

    _is_committing = False

    def commit(self) -> None:
        """Commit the transaction."""
        self._is_committing = True
        try:
            super().commit()
        finally:
            self._is_committing = False

    def wait(self, gen: PQGen[RV], interval: float = 0.1, timeout: float | None = None) -> RV:
        """Wait for a reply of the server for as long as that is alive."""
        if timeout is not None:
            return super().wait(gen, interval, timeout)
        ends = time.monotonic() + COMMIT_SECONDS if self._is_committing else float("inf")
        while True:
            try:
                return super().wait(gen, interval, min(WATCH_SECONDS, ends - time.monotonic()))
            except StillWaiting:
                if time.monotonic() >= ends:
                    self._give_up("A commit took too long. Is a synchronous standby away?")
                if not gives_sign(self.info.hostaddr or self.info.host, self.info.port):
                    self._give_up("The database server doesn't answer.")

    def try_last(self) -> None:
        """Have new connections try this server after all others."""
        self.given_up[self.info.host, str(self.info.port)] = time.monotonic()

    def _give_up(self, reason: str) -> NoReturn:
        self.try_last()
        self.close()
        raise psycopg.OperationalError(reason)


def gives_sign(host: str, port: int) -> bool:
    """Return whether a server answers a new connection, by address or in a folder of sockets."""
    is_local = host.startswith("/")
    try:
        with (
            socket.socket(socket.AF_UNIX)
            if is_local
            else socket.create_connection((host, port), SIGN_SECONDS) as probe
        ):
            probe.settimeout(SIGN_SECONDS)
            if is_local:
                probe.connect(f"{host}/.s.PGSQL.{port}")
            probe.sendall(_SIGN_OF_LIFE_REQUEST)
            return probe.recv(1) != b""
    except OSError:
        return False


def connect(parameters: Mapping[str, Any]) -> WatchedConnection:
    """Connect to the first suitable one of several servers, to those given up lately last."""
    servers = _servers(parameters)
    chosen = dict(parameters)
    if len(servers) > 1:
        servers.sort(key=lambda server: WatchedConnection.given_up.get(server, 0.0))
        chosen["host"] = ",".join(host for host, _ in servers)
        chosen["port"] = ",".join(port for _, port in servers)
    connection = WatchedConnection.connect(**chosen)
    found = (connection.info.host, str(connection.info.port))
    if found in servers:
        # The servers before it took their time, or were no leader.
        now = time.monotonic()
        WatchedConnection.given_up.update(dict.fromkeys(servers[: servers.index(found)], now))
    return connection


def _servers(parameters: Mapping[str, Any]) -> list[Server]:
    hosts = str(parameters.get("host", "")).split(",")
    ports = str(parameters.get("port", "")).split(",")
    if len(ports) == 1:
        ports *= len(hosts)
    return [(host, port or _DEFAULT_PORT) for host, port in zip(hosts, ports, strict=True)]
