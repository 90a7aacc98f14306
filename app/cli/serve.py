"""The command `flask serve`: the product on the WSGI server granian."""

import socket

import click
from flask.cli import with_appcontext
from granian import Granian
from granian.constants import Interfaces
from granian.log import LogLevels


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
