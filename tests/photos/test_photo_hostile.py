"""Hostile files as uploads: none stored, no server error, memory bounded."""

import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image
from sqlalchemy import func, select

from app.db import db
from app.photos.models import Photo, PhotoUpload
from tests.photos import hostile
from tests.photos.photo_files import encoded, send

ROOT = Path(__file__).resolve().parents[2]


def test_hostile_files_are_refused_and_nothing_is_stored(app, call):
    wrong, sent = {}, 0
    for name, data, status in hostile.refused():
        reply = send(call, data)
        sent += 1
        if reply.status_code != status or not reply.json["error"]:
            wrong[name] = reply.status_code
    assert wrong == {}
    assert sent >= 40
    with app.app_context():
        for model in (Photo, PhotoUpload):
            assert db.session.execute(select(func.count()).select_from(model)).scalar_one() == 0
    folder = Path(app.config["QUARTERMASTER"].photo_store)
    assert [path for path in folder.rglob("*") if path.is_file()] == []


def test_data_hidden_in_a_picture_is_not_stored(app, call):
    for _, data in hostile.disguised():
        assert send(call, data).status_code == 201
    folder = Path(app.config["QUARTERMASTER"].photo_store)
    stored = [path.read_bytes() for path in folder.rglob("*.jpg")]
    assert len(stored) >= 10
    assert not any(hostile.PAYLOAD[:7] in data for data in stored)


def memory_taken(folder, files):
    """Prepare files in a process of their own; return its peak memory in megabytes."""
    folder.mkdir()
    for number, data in enumerate(files):
        (folder / f"{number:03}").write_bytes(data)
    command = [sys.executable, "-m", "tests.photos.hostile", str(folder)]
    measured = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return int(measured.stdout)


@pytest.mark.slow
def test_hostile_files_take_little_memory(tmp_path):
    files = [data for _, data, _ in hostile.refused()]
    files += [data for _, data in hostile.disguised()]
    assert memory_taken(tmp_path / "hostile", files) < 150


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "options", "megabytes"),
    [
        pytest.param("JPEG", {}, 150, marks=pytest.mark.thorough),
        ("JPEG", {"progressive": True, "subsampling": 0}, 350),
        pytest.param("PNG", {}, 300, marks=pytest.mark.thorough),
        ("WEBP", {"lossless": True, "method": 0}, 750),
    ],
    ids=["JPEG", "progressive JPEG", "PNG", "WebP"],
)
def test_the_largest_allowed_picture_takes_a_bounded_memory(tmp_path, kind, options, megabytes):
    largest = encoded(Image.new("RGB", (7300, 5470), (90, 90, 90)), kind, **options)
    assert memory_taken(tmp_path / "largest", [largest]) < megabytes
