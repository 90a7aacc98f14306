"""The command `flask serve`: the product on the WSGI server granian."""

import ctypes
import logging
import os
import socket
from collections.abc import Callable
from functools import partial
from tempfile import TemporaryDirectory

import click
from flask import current_app
from flask.cli import with_appcontext

from app import logs
from app.db import db
from app.server import supervisor
from app.server.gateway import Gateway

_ARENA_MAX, _MMAP_THRESHOLD, _TRIM_THRESHOLD = -8, -3, -1
"""Parameters of mallopt, as malloc.h of the GNU C library numbers them."""
LARGE_BLOCK = 1024 * 1024

log = logging.getLogger(__name__)


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(1, 65535))
@click.option("--workers", default=2, show_default=True, type=click.IntRange(1, 64))
@click.option(
    "--metrics-port",
    envvar="METRICS_PORT",
    default=0,
    type=click.IntRange(0, 65535),
    help="Port of /metrics for Prometheus. [default: METRICS_PORT, else none]",
)
@click.option("--metrics-host", default="127.0.0.1", show_default=True, help="Address of /metrics.")
@with_appcontext
def serve(host: str, port: int, workers: int, metrics_port: int, metrics_host: str) -> None:
    """Serve the product until Ctrl+C."""
    reason = why_unusable(host, port)
    if reason:
        raise click.ClickException(
            f"{host}:{port} can't be used ({reason}); choose another with --port "
            f"(make run PORT={port + 1})."
        )
    reason = why_unusable(metrics_host, metrics_port) if metrics_port else ""
    if metrics_port == port:
        reason = "it serves the product"
    if reason:
        raise click.ClickException(
            f"{metrics_host}:{metrics_port} can't serve /metrics ({reason}); choose another with "
            "--metrics-port."
        )
    return_freed_memory()
    start = f"Quartermaster is at http://{host}:{port}  (Ctrl+C stops it)"
    (log.info if logs.writes_json() else click.echo)(start)
    application = current_app._get_current_object()  # type: ignore[attr-defined]
    gateway = Gateway(application, max_body=application.config["MAX_CONTENT_LENGTH"])
    run = partial(supervisor.serve, gateway, host, port)
    if metrics_port:
        supervise_with_metrics(run, workers, metrics_host, metrics_port)
    else:
        supervisor.supervise(run, workers)


def supervise_with_metrics(run: Callable[[], None], workers: int, host: str, port: int) -> None:
    """Supervise workers that count their requests, and a process that serves the sums."""
    application = current_app._get_current_object()  # type: ignore[attr-defined]
    with TemporaryDirectory(prefix="quartermaster-metrics-") as folder:
        # prometheus_client shares values among processes if this is set when it is imported.
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        from app.server import metrics

        metrics.begin(db.engine)
        supervisor.supervise(
            run,
            workers,
            beside=partial(metrics.listen, application, host, port),
            watcher=metrics.ProcessWatcher(),
        )


def why_unusable(host: str, port: int) -> str:
    """Return why nothing can listen on an address, '' if it is free.

    Workers share their port, so binding succeeds even beside another server; connecting tells.
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        return error.strerror or "unknown host"
    with socket.socket(family) as probe:
        probe.settimeout(2)
        if probe.connect_ex(address) == 0:
            return "Another server answers there"
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
        except OSError as error:
            return error.strerror or "it can't be bound"
    return ""


def return_freed_memory() -> None:
    """Have the GNU C library return large blocks to the system when they are freed.

    Otherwise its threshold for large blocks grows with each one, and every thread keeps as much
    memory as its largest photo or list.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return
    mallopt(_ARENA_MAX, 1)
    mallopt(_MMAP_THRESHOLD, LARGE_BLOCK)
    mallopt(_TRIM_THRESHOLD, 2 * LARGE_BLOCK)
