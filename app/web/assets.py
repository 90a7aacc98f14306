"""The built scripts and styles: their hashed names, and WhiteNoise that serves them."""

import hashlib
import json
import re
from pathlib import Path

from flask import Flask
from whitenoise import WhiteNoise

from app.web.headers import add_to_static

_HASHED = re.compile(r"-[A-Z0-9]{8}\.\w+$")


class Manifest:
    """Maps an entry such as 'lists.js' to its built address and to what it imports."""

    def __init__(self, path: Path) -> None:
        text = path.read_text() if path.exists() else "{}"
        self._addresses: dict[str, str] = json.loads(text)
        self.build = hashlib.sha256(text.encode()).hexdigest()[:12]

    def url(self, entry: str) -> str:
        """Return an entry's address; KeyError when it wasn't built."""
        return "/static/built/" + self._addresses[entry]


def init_app(app: Flask, static: Path) -> None:
    """Serve `static` with far-future caching for hashed names, and offer asset_url to templates."""
    manifest = Manifest(static / "built" / "manifest.json")
    app.extensions["build"] = manifest.build
    app.jinja_env.globals["asset_url"] = manifest.url
    app.wsgi_app = WhiteNoise(  # type: ignore[method-assign]
        app.wsgi_app,
        root=static,
        prefix="static/",
        immutable_file_test=lambda _path, url: bool(_HASHED.search(url)),
        add_headers_function=add_to_static,
        max_age=3600,
    )
