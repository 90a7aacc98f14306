"""The command `flask serve`: the product on the WSGI server granian."""

import ctypes
import socket

import click
from flask.cli import with_appcontext
from granian import Granian
from granian.constants import Interfaces
from granian.log import LogLevels

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
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise click.ClickException(
                f"{host}:{port} can't be used ({error.strerror}); choose another with --port "
                f"(make run PORT={port + 1})."
            ) from None
    return_freed_memory()
    click.echo(f"Quartermaster is at http://{host}:{port}  (Ctrl+C stops it)")
    Granian(
        "wsgi:app",
        address=host,
        port=port,
        workers=workers,
        interface=Interfaces.WSGI,
        blocking_threads=4,
        respawn_failed_workers=True,
        websockets=False,
        log_level=LogLevels.warning,
    ).serve()


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
