"""A release of the past: its code in a folder of its own, with scripts and styles built."""

import io
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from app.revisions import MIGRATIONS, all_revisions
from tests.serving import ROOT


def before_the_newest_migration() -> str:
    """Return the commit before the one that added the newest migration."""
    script = next(MIGRATIONS.glob(f"versions/*_{all_revisions()[-1]}_*.py"))
    added = _git("log", "--diff-filter=A", "--format=%H", "--", str(script.relative_to(ROOT)))
    # A migration that isn't committed yet comes after everything that is.
    return f"{added.split()[-1]}^" if added else "HEAD"


@contextmanager
def release(commit: str) -> Iterator[Path]:
    """Yield a folder with the code of a commit; it runs with the packages that are installed."""
    with TemporaryDirectory(prefix="qm-past-") as temporary:
        folder = Path(temporary)
        archive = subprocess.run(
            ["git", "archive", commit], cwd=ROOT, check=True, capture_output=True
        )
        with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
            files.extractall(folder, filter="data")
        (folder / "widgets" / "node_modules").symlink_to(ROOT / "widgets" / "node_modules")
        _build(folder)
        yield folder


def flask(root: Path, environment: dict[str, str], *command: str) -> None:
    """Run a command of the release in `root`."""
    subprocess.run(
        [sys.executable, "-m", "flask", *command],
        cwd=root,
        env=environment,
        check=True,
        stdout=subprocess.DEVNULL,
    )


def describe(commit: str) -> str:
    """Return the short hash and the subject of a commit."""
    return _git("log", "-1", "--format=%h %s", commit)


def _build(folder: Path) -> None:
    node = subprocess.run(
        [ROOT / "widgets" / "node-path.sh"], check=True, capture_output=True, text=True
    ).stdout.strip()
    subprocess.run(
        ["npm", "--prefix", "widgets", "--silent", "run", "build"],
        cwd=folder,
        env=os.environ | {"PATH": f"{node}:{os.environ['PATH']}"},
        check=True,
        stdout=subprocess.DEVNULL,
    )


def _git(*arguments: str) -> str:
    ended = subprocess.run(
        ["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return ended.stdout.strip()
