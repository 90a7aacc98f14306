"""The product served as an installation runs it, for other programs to call."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from flask import Flask

from app import create_app
from tests.databases import Copies, settings_for
from tests.serving import serving


@dataclass
class Served:
    """The served product; `app` reads the same database."""

    address: str
    app: Flask


@contextmanager
def served(copies: Copies, folder: Path, fill: Callable[[Flask], object]) -> Iterator[Served]:
    """Serve a new, filled database."""
    url = copies.fresh()
    app = create_app(settings_for(url, folder))
    fill(app)
    with serving(url, folder) as port:
        yield Served(f"http://127.0.0.1:{port}", app)
