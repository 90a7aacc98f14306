"""Hostile photos and documents, by every form that takes files and by the calls for them."""

import hashlib
from collections.abc import Iterator
from io import BytesIO

from bs4 import BeautifulSoup

from app.diagnostics.services import CHECKS
from app.divisions import Division
from tests.attachments.files import NOT_PDF, pdf
from tests.photos.photo_files import jpeg
from tests.strangers.attack import Attacker
from tests.strangers.corpus import MARKER, TEMPLATE
from tests.strangers.test_hostile_input import addresses
from tests.strangers.world import SECRETS

SCRIPT = b"<script>alert(1)</script>"
PDF_SCRIPT = "</Title>" + "/OpenAction << /S /JavaScript /JS (app.alert(1)) >>"

FILES: dict[str, tuple[bytes, bool]] = {
    "page.pdf": (NOT_PDF, False),
    "page before.pdf": (pdf(before=SCRIPT), False),
    "page behind.pdf": (pdf() + SCRIPT * 200, False),
    "header late.pdf": (pdf(before=b" " * 1020), False),
    "header alone.pdf": (b"%PDF-1.7\n", False),
    "cut off.pdf": (pdf()[:-10], False),
    "empty.pdf": (b"", False),
    "program.exe": (b"MZ" + bytes(500), False),
    "archive.pdf": (b"PK\x03\x04" + bytes(500), False),
    "drawing.svg": (b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', False),
    "postscript.pdf": (b"%!PS-Adobe-3.0 EPSF-3.0\n%%EOF", False),
    "script inside.pdf": (pdf(PDF_SCRIPT), True),
    "picture and page.jpg": (jpeg() + SCRIPT, True),
    "picture and paper.pdf": (jpeg() + pdf(), True),
    f"{MARKER}.pdf": (pdf("a"), True),
    f"{TEMPLATE}.pdf": (pdf("b"), True),
    "../../../etc/passwd": (pdf("c"), True),
    "line%0D%0ASet-Cookie: qm=1%0D%0A%0D%0A<qm.pdf": (pdf("d"), True),
    "nothing\0here.pdf": (pdf("e"), True),
    "\u202efdp.exe": (pdf("f"), True),
    "x" * 5000: (pdf("g"), True),
    "//evil.example/a.pdf": (pdf("h"), True),
    "con:aux|nul?.pdf": (pdf("i"), True),
    ";filename=other.html": (pdf("j"), True),
}
"""By their names: files, and whether they are taken."""


def file_forms(attacker: Attacker) -> Iterator[tuple[str, str]]:
    """Yield the address of each form that takes photos and documents, and its input's name."""
    for path in addresses(attacker):
        reply = attacker.send("GET", path)
        if reply.mimetype == "text/html":
            page = BeautifulSoup(reply.text, "html.parser")
            for given in page.select("main form input[type=file][accept*=pdf]"):
                yield path, str(given["name"])


def test_a_hostile_file_is_refused_or_does_no_harm(attacker):
    forms = dict(file_forms(attacker))
    assert len(forms) > 1
    for path, given in forms.items():
        [form] = [each for each in attacker.forms_of(path) if each.method == "POST"]
        for number, (name, (data, is_taken)) in enumerate(FILES.items()):
            values = form.fields | {"key": f"{path} {number}", given: (BytesIO(data), name)}
            reply = attacker.send(
                "POST", form.action, name, data=values, content_type="multipart/form-data"
            )
            message = reply.get_data(as_text=True)
            if not is_taken:
                assert reply.status_code in (413, 415, 422), (path, name)
            assert "t a photo (JPEG" not in message or not is_taken, (path, name)
    for name, (data, _) in FILES.items():
        address = f"/api/documents/{hashlib.sha256(data).hexdigest()}"
        attacker.send("PUT", address, name, data=data, content_type="application/pdf")
    for path in addresses(attacker):
        attacker.send("GET", path, "with what was stored")
    assert attacker.found == []
    with attacker.app.app_context():
        assert [problem for check in CHECKS for problem in check.problems()] == []


def test_what_was_stored_of_it_runs_nowhere(attacker):
    made = []
    for number, (name, (data, is_taken)) in enumerate(FILES.items()):
        if is_taken:
            values = {
                "reg": SECRETS[Division.FLEET],
                "part": f"Part {number}",
                "title": "Broken",
                "severity": "",
                "detail": "",
                "day": "2026-01-15",
                "key": str(number),
            }
            reply = attacker.send(
                "POST",
                "/fleet/defects/new",
                name,
                data=values | {"files": (BytesIO(data), name)},
                content_type="multipart/form-data",
            )
            assert reply.status_code == 303, name
            page = attacker.send("GET", reply.headers["Location"], name)
            links = BeautifulSoup(page.text, "html.parser").select("a[href^='/attachments/']")
            made += [str(link["href"]) for link in links if "/remove" not in str(link["href"])]
    assert len(made) == sum(is_taken for _, is_taken in FILES.values())
    for address in made:
        reply = attacker.send("GET", address, address)
        assert reply.status_code == 200
        assert reply.headers["X-Content-Type-Options"] == "nosniff"
        assert "Set-Cookie" not in reply.headers
        if reply.mimetype != "image/jpeg":
            assert reply.mimetype == "application/pdf"
            assert reply.headers["Content-Disposition"].startswith("attachment; filename=")
            assert reply.headers["Content-Security-Policy"] == "sandbox; default-src 'none'"
        else:
            assert b"<script" not in reply.data
            assert b"%PDF" not in reply.data
    assert attacker.found == []
