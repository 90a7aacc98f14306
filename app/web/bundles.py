"""The built scripts and styles: their hashed names, and WhiteNoise that serves them."""

import hashlib
import json
import re
from pathlib import Path

from flask import Flask
from whitenoise import WhiteNoise

_HASHED = re.compile(r"-[A-Z0-9]{8}\.\w+$")


class Manifest:
    """Maps an entry such as 'lists.js' to its built address and to what it imports."""

    def __init__(self, path: Path) -> None:
        text = path.read_text() if path.exists() else "{}"
        self._addresses: dict[str, str] = json.loads(text)

    def url(self, entry: str) -> str:
        """Return an entry's address; KeyError when it wasn't built."""
        return "/static/built/" + self._addresses[entry]


def init_app(app: Flask, root: Path) -> None:
    """Serve static files, hashed names cached for good, and offer bundle_url to templates."""
    static = root / "static"
    manifest = Manifest(static / "built" / "manifest.json")
    app.extensions["build"] = build_of(root)
    app.jinja_env.globals["bundle_url"] = manifest.url
    app.wsgi_app = WhiteNoise(  # type: ignore[method-assign]
        app.wsgi_app,
        root=static,
        prefix="static/",
        immutable_file_test=lambda _path, url: bool(_HASHED.search(url)),
        max_age=3600,
        allow_all_origins=False,
    )


def build_of(root: Path) -> str:
    """Return a hash of all that shapes a page, so that no tag outlives a deployment."""
    digest = hashlib.sha256()
    sources = [*root.glob("app/**/*.py"), *root.glob("templates/**/*.html")]
    for path in [*sorted(sources), root / "static/built/manifest.json"]:
        if path.exists():
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
