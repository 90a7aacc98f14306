"""Files that are damaged by chance or on purpose: a table or a refusal, and nothing else."""

import io
import os
import resource
import struct
import zipfile
from pathlib import Path
from random import Random

import pytest

from app.divisions import Division
from app.errors import Invalid
from app.tables import workbook
from app.tables.sheets import read_sheet
from tests import factories
from tests.imports.test_import_calls import XLSX, send
from tests.imports.test_import_pages import bring, choose
from tests.person import Caller
from tests.test_samples import FOLDER, SAMPLES
from tests.test_sheets import ods, xlsx

PARTS = [
    *(b"\0", b'"', b"\n", b"\r", b",", b";", b"\t", b"|", b"\xc3", b"\x80", b"\xff\xfe"),
    *("\ufeff", "\u202e", "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16")),
    *("٣", "²", "½", "\u2028", "\x0b", "\x1c", "𝟚", "K", "ﬁ"),
    *("99999", "2958466", "99999.5", "1e400", "NaN", "inf", "-0", "(5", "5-", "--5", "1,2,3.4"),
    *("31/02/2026", "0/0/00", "99/99/9999", "0000-00-00", "2026-13-45T99:99", "1 Foo 2026"),
    *("=cmd|'/C calc'!A0", "@SUM(A1)", "'", "Total", "#N/A", "£", "6 Packs", "£1 per Pack", "%"),
]
"""Bytes and texts that readers of tables stumble over."""


def mutated(random, data):
    """Return a file with some of its bytes removed, doubled, replaced or recoded."""
    for _ in range(random.choice([1, 1, 2, 3, 10])):
        at, length = random.randrange(len(data) + 1), random.choice([0, 1, 1, 3, 40])
        part = random.choice(PARTS)
        part = part if isinstance(part, bytes) else part.encode()
        part = random.choice([part, part, bytes([random.randrange(256)]), data[at : at + 90]])
        data = data[:at] + part + data[at + length :]
    if random.random() < 0.1:
        codec = random.choice(["utf-16", "utf-16-le", "utf-16-be", "cp1252"])
        data = data.decode("utf-8", "replace").encode(codec, "replace")
    return data[: random.randrange(len(data) + 1)] if random.random() < 0.1 else data


def originals():
    """Return the samples as they are and as workbooks, each with the list that it is for."""
    texts = [((FOLDER / each[0][0]).read_bytes(), each[0][1]) for each in SAMPLES]
    books = [(ods(*[row for _, row in read_sheet(data)]), key) for data, key in texts]
    return texts, books


def test_a_mutated_file_is_imported_or_refused_whole(pytestconfig, app, in_app, signed_in):
    boss = signed_in("boss", *Division, division=Division.ASSETS)
    caller = Caller(boss)
    in_app(factories.vehicle, "LK19 VTE")
    texts, books = originals()
    count = 20_000 if pytestconfig.option.thorough else 300
    for number in range(count):
        random = Random(number)  # noqa: S311 (each file can be made again)
        # A workbook takes a process of its own.
        data, list_key = random.choice(books if number % 50 == 49 else texts)
        data = mutated(random, data)
        key = "gfm-main-stock" if list_key == "stock" else list_key
        target = app.extensions["targets"][key]
        before = in_app(target.version)
        if number % 10:
            leaves_out = random.randrange(2)
            path = f"/api{target.call}/import?leaveOutRefused={leaves_out}"
            kind = XLSX if number % 50 == 49 else "text/csv"
            reply = send(caller, path, data, kind=kind)
            assert reply.status_code in (200, 422), (number, reply.text)
            refused = reply.json.get("refused", [])
            assert reply.status_code == 422 or leaves_out or refused == [], number
            changes = reply.status_code == 200 and reply.json["added"] + reply.json["changed"]
        else:
            page = bring(boss, data, key)
            page = choose(boss, page, {}) if page.path.endswith("/columns") else page
            assert page.status in (200, 422), (number, page.text)
            changes = False
        assert (in_app(target.version) != before) == bool(changes), number
    assert workbook_processes() == []


def workbook_processes():
    """Return the processes that this one started to read workbooks."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
        except OSError:
            continue
        if int(parent) == os.getpid() and b"workbook.py" in command:
            found.append(folder.name)
    return found


def protected_xlsx():
    """Return an empty compound file with the stream in which a protected workbook is."""
    free, end = 0xFFFFFFFF, 0xFFFFFFFE

    def entry(name, kind, child, start, size):
        text = name.encode("utf-16-le") + b"\0\0"
        head = struct.pack("<HBBIII", len(text), kind, 1, free, free, child)
        return text.ljust(64, b"\0") + head + bytes(36) + struct.pack("<IQ", start, size)

    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    header += struct.pack("<5H6x", 0x3E, 3, 0xFFFE, 9, 6)
    header += struct.pack("<9I", 0, 1, 1, 0, 4096, end, 0, end, 0)
    header += struct.pack("<109I", 0, *[free] * 108)
    sectors = struct.pack("<128I", 0xFFFFFFFD, end, *range(3, 10), end, *[free] * 118)
    folder = entry("Root Entry", 5, 1, end, 0) + entry("EncryptedPackage", 2, free, 2, 4096)
    return header + sectors + folder.ljust(512, b"\0") + bytes(4096)


def protected_ods():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        file.writestr(
            "META-INF/manifest.xml",
            "<manifest:manifest "
            'xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
            '<manifest:file-entry manifest:full-path="content.xml" manifest:size="10">'
            '<manifest:encryption-data manifest:checksum="x"/>'
            "</manifest:file-entry></manifest:manifest>",
        )
        file.writestr("content.xml", os.urandom(200))
    return buffer.getvalue()


def sheet_of(rows):
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    return xlsx(f'<worksheet xmlns="{main}"><sheetData>{rows}</sheetData></worksheet>')


def text_cell(text):
    return f'<c t="inlineStr"><is><t>{text}</t></is></c>'


def repeated_cell():
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(ods(["x"]))) as before, zipfile.ZipFile(buffer, "w") as after:
        for name in before.namelist():
            content = before.read(name).decode()
            for tag, repeated in (("row", "rows"), ("cell", "columns")):
                attribute = f"table:number-{repeated}-repeated='16384'"
                content = content.replace(f"table-{tag}", f"table-{tag} {attribute}", 1)
            after.writestr(name, content)
    return buffer.getvalue()


def zip_bomb():
    buffer = io.BytesIO()
    before = zipfile.ZipFile(io.BytesIO(sheet_of(f"<row>{text_cell('A')}</row>")))
    with before, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as after:
        for name in before.namelist():
            after.writestr(name, before.read(name).replace(b">A<", b">" + b"A" * 70_000_000 + b"<"))
    return buffer.getvalue()


TOO_LARGE = "too large or damaged"
REFUSED = [
    (protected_xlsx, "protected by a password"),
    (protected_ods, "protected by a password"),
    (lambda: sheet_of('<row r="1048576"><c r="XFD1048576"><v>2</v></c></row>'), TOO_LARGE),
    (lambda: sheet_of('<row r="2000"><c r="A1"/><c r="XFD2000"><v>2</v></c></row>' * 2), TOO_LARGE),
    (zip_bomb, TOO_LARGE),
    (repeated_cell, TOO_LARGE),
]


def test_a_hostile_workbook_is_refused_in_little_time():
    for number, (make, message) in enumerate(REFUSED):
        data = make()
        before = seconds_of_children()
        with pytest.raises(Invalid, match=message):
            read_sheet(data)
        assert seconds_of_children() - before < 2, number
    assert workbook_processes() == []


def seconds_of_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def test_a_sheet_that_repeats_a_long_text_is_refused(monkeypatch):
    data = sheet_of(f"<row>{text_cell('long') * 9}</row>")
    assert workbook.read(data, "")[1] == ",".join(["long"] * 9) + "\r\n"
    monkeypatch.setattr(workbook, "MAX_TEXT", 30)
    with pytest.raises(MemoryError):
        workbook.read(data, "")


def test_a_row_of_zeros_and_a_far_row_are_read():
    data = sheet_of(
        '<row r="1"><c r="A1"><v>0</v></c></row><row r="200000"><c r="A200000"><v>2</v></c></row>'
    )
    assert list(read_sheet(data)) == [(1, ["0"]), (200_000, ["2"])]
