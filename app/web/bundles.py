"""Static files: the URLs of built bundles, and WhiteNoise that serves them."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any
from wsgiref.headers import Headers

from flask import Flask
from whitenoise import WhiteNoise

from app.revisions import VERSION

_BUILT = "/static/built/"
_HASHED = re.compile(r"-[A-Z0-9]{8}\.\w+$")


class BundleUrls:
    """Maps an entry point such as 'lists.js' to the URLs of its bundle and its imports."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, str] = _read(folder / "manifest.json")
        self._imports: dict[str, list[str]] = _read(folder / "imports.json")

    def url(self, entry: str) -> str:
        """Return the URL of an entry point's bundle; raises KeyError if it wasn't built."""
        return _BUILT + self._files[entry]

    def text(self, entry: str) -> str:
        """Return the text of an entry point's bundle, for one with an address of its own."""
        return (self._folder / self._files[entry]).read_text()

    def import_urls(self, entry: str) -> list[str]:
        """Return the URLs of the files that an entry point's bundle imports."""
        return [_BUILT + name for name in self._imports[entry]]


def init_app(app: Flask, root: Path) -> None:
    """Serve static files, hashed ones as immutable, and give templates `bundle_url`."""
    static = root / "static"
    bundles = BundleUrls(static / "built")
    app.extensions["build"] = build_id(root)
    app.extensions["bundles"] = bundles
    app.jinja_env.globals.update(bundle_url=bundles.url, import_urls=bundles.import_urls)
    app.wsgi_app = WhiteNoise(  # type: ignore[method-assign]
        app.wsgi_app,
        root=static,
        prefix="static/",
        immutable_file_test=lambda _path, url: bool(_HASHED.search(url)),
        max_age=3600,
        allow_all_origins=False,
        add_headers_function=_shorten,
    )


def _shorten(headers: Headers, _path: str, url: str) -> None:
    """Remove the charset from a bundle's type: modules and the page have the same one anyway."""
    if url.startswith(_BUILT):
        headers["Content-Type"] = (headers["Content-Type"] or "").partition(";")[0]


def _read(file: Path) -> Any:
    return json.loads(file.read_text()) if file.exists() else {}


def build_id(root: Path) -> str:
    """Return a hash of the sources of all pages, so that no cached page survives a deployment."""
    digest = hashlib.sha256(VERSION.encode())
    sources = [*root.glob("app/**/*.py"), *root.glob("templates/**/*.html")]
    for path in [*sorted(sources), root / "static/built/manifest.json"]:
        if path.exists():
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
