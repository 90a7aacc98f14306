"""The command `flask serve`: the product on the WSGI server granian."""

import ctypes
import socket
from functools import partial

import click
from flask import current_app
from flask.cli import with_appcontext

from app.server import supervisor
from app.server.gateway import Gateway

_ARENA_MAX, _MMAP_THRESHOLD, _TRIM_THRESHOLD = -8, -3, -1
"""Parameters of mallopt, as malloc.h of the GNU C library numbers them."""
LARGE_BLOCK = 1024 * 1024


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(1, 65535))
@click.option("--workers", default=2, show_default=True, type=click.IntRange(1, 64))
@with_appcontext
def serve(host: str, port: int, workers: int) -> None:
    """Serve the product until Ctrl+C."""
    reason = why_unusable(host, port)
    if reason:
        raise click.ClickException(
            f"{host}:{port} can't be used ({reason}); choose another with --port "
            f"(make run PORT={port + 1})."
        )
    return_freed_memory()
    click.echo(f"Quartermaster is at http://{host}:{port}  (Ctrl+C stops it)")
    application = current_app._get_current_object()  # type: ignore[attr-defined]
    gateway = Gateway(application, max_body=application.config["MAX_CONTENT_LENGTH"])
    supervisor.supervise(partial(supervisor.serve, gateway, host, port), workers)


def why_unusable(host: str, port: int) -> str:
    """Return why an address can't be listened on, '' if it can.

    Workers share their port, so binding alone succeeds beside another server's. It is asked by
    connecting, too.
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
    """Have the GNU C library give large blocks back to the system when they are freed.

    Otherwise it raises what it takes for large with each larger block that it sees, and every
    thread keeps as much as the largest photo or list that it has ever handled.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return
    mallopt(_ARENA_MAX, 1)
    mallopt(_MMAP_THRESHOLD, LARGE_BLOCK)
    mallopt(_TRIM_THRESHOLD, 2 * LARGE_BLOCK)
