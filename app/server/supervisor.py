"""The supervisor of the worker processes: it starts, replaces and stops them."""

import asyncio
import logging
import multiprocessing
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from stat import S_ISSOCK
from typing import TYPE_CHECKING

from granian.constants import HTTPModes, Interfaces
from granian.log import LogLevels
from granian.server.embed import Server

from app.server.gateway import Gateway

if TYPE_CHECKING:
    from app.server.metrics import ProcessWatcher

STOP_SECONDS = 30.0
"""How long a worker may take for the requests that it has when it is stopped."""

STEADY_SECONDS = 60.0
"""A worker that has lived this long is replaced at once when it dies."""

MAX_CONNECTIONS = 1024
"""Connections that a worker has at once; a client that sends slowly keeps one."""

MAX_PAUSE_SECONDS = 30.0
STALL_SECONDS = 60.0
PARENT_CHECK_SECONDS = 1.0
_WATCHED = {signal.SIGTERM, signal.SIGINT, signal.SIGCHLD}

log = logging.getLogger(__name__)


class Slot:
    """A worker's process, or the time at which its next process starts."""

    def __init__(self, run: Callable[[], None]) -> None:
        self._run = run
        self._process: BaseProcess | None = None
        self._started = 0.0
        self._pause = 0.0
        self.due = 0.0

    @property
    def is_alive(self) -> bool:
        """Return whether its process runs."""
        return self._process is not None and self._process.is_alive()

    def start_if_due(self) -> None:
        """Start a process if none runs and the pause is over."""
        if self._process is not None or time.monotonic() < self.due:
            return
        self._process = multiprocessing.get_context("fork").Process(target=self._run)
        self._process.start()
        self._started = time.monotonic()

    def plan_restart(self) -> int | None:
        """Plan another process after a death, with a pause that doubles while it dies early.

        Returns the id of the process that died, None if none has.
        """
        process = self._process
        if process is None or process.is_alive():
            return None
        process.join()
        lived = time.monotonic() - self._started
        self._pause = (
            0.0 if lived >= STEADY_SECONDS else min(max(1.0, 2 * self._pause), MAX_PAUSE_SECONDS)
        )
        log.error(
            "Worker %s ended (exit code %s); the next starts in %.0f s",
            process.pid,
            process.exitcode,
            self._pause,
        )
        self.due = time.monotonic() + self._pause
        self._process = None
        return process.pid

    def stop(self, deadline: float) -> None:
        """Wait until the deadline for the process that was asked to stop; then kill it."""
        if self._process is None:
            return
        self._process.join(max(0.0, deadline - time.monotonic()))
        if self._process.is_alive():
            log.warning("Worker %s is killed: it took too long to stop", self._process.pid)
            self._process.kill()
            self._process.join()

    def request_stop(self) -> None:
        """Ask the process to end its requests and exit."""
        if self._process is not None:
            self._process.terminate()


def supervise(
    run: Callable[[], None],
    workers: int,
    *,
    beside: Callable[[], None] | None = None,
    watcher: "ProcessWatcher | None" = None,
) -> None:
    """Keep so many processes of `run`, and one of `beside`, alive until SIGTERM or SIGINT."""
    signal.pthread_sigmask(signal.SIG_BLOCK, _WATCHED)
    slots = [Slot(run) for _ in range(workers)]
    if beside is not None:
        slots.append(Slot(beside))
    while True:
        for slot in slots:
            dead = slot.plan_restart()
            if watcher and dead is not None:
                watcher.died(dead)
            slot.start_if_due()
        if watcher:
            watcher.count(sum(slot.is_alive for slot in slots[:workers]))
        due = [slot.due for slot in slots if not slot.is_alive]
        pause = max(0.0, min(due) - time.monotonic()) if due else MAX_PAUSE_SECONDS
        received = signal.sigtimedwait(_WATCHED, pause)
        if received is not None and received.si_signo != signal.SIGCHLD:
            break
    deadline = time.monotonic() + STOP_SECONDS
    for slot in slots:
        slot.request_stop()
    for slot in slots:
        slot.stop(deadline)


def supervisor_id() -> int:
    """Return the process id of the supervisor that started this process, even if it has ended."""
    parent = multiprocessing.parent_process()
    if parent is None or parent.pid is None:
        raise RuntimeError("Only a process that the supervisor has started has one.")
    return parent.pid


def serve(gateway: Gateway, host: str, port: int) -> None:
    """Serve in this process, a child of the supervisor, until SIGTERM or the supervisor's end."""
    supervisor = supervisor_id()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _WATCHED)
    # Ctrl+C reaches the whole group of processes; the supervisor passes it on.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asyncio.run(_serve(gateway, host, port, supervisor))


async def _serve(gateway: Gateway, host: str, port: int, supervisor: int) -> None:
    server = Server(
        gateway,
        address=host,
        port=port,
        interface=Interfaces.RSGI,
        http=HTTPModes.http1,
        websockets=False,
        backlog=MAX_CONNECTIONS,
        log_level=LogLevels.error,
    )
    loop = asyncio.get_running_loop()

    def stop() -> None:
        gateway.stop_receiving()
        server.stop()  # type: ignore[no-untyped-call]

    loop.add_signal_handler(signal.SIGTERM, stop)

    async def end_with_supervisor() -> None:
        while os.getppid() == supervisor:
            await asyncio.sleep(PARENT_CHECK_SECONDS)
        loop.call_later(STOP_SECONDS, os._exit, 1)
        stop()

    watching = asyncio.create_task(end_with_supervisor())
    server.on_startup(lambda: loop.call_later(0.1, disconnect_stalled_clients, port))
    await server.serve()
    watching.cancel()
    sys.stdout.flush()


def disconnect_stalled_clients(port: int) -> None:
    """Have the kernel end connections of this port whose clients read nothing for STALL_SECONDS.

    Connections inherit the limit from the listening socket, which granian doesn't expose.
    """
    for descriptor in map(int, os.listdir("/proc/self/fd")):  # noqa: PTH208 (numbers, not paths)
        try:
            is_socket = S_ISSOCK(os.fstat(descriptor).st_mode)
        except OSError:
            continue
        if not is_socket:
            continue
        with socket.socket(fileno=os.dup(descriptor)) as found:
            is_listening = found.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
            if is_listening and found.getsockname()[1] == port:
                milliseconds = int(STALL_SECONDS * 1000)
                found.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)
