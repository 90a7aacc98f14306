"""Files of a backup: flushed to the disk, readable by their owner only, checked when read."""

import gzip
import hashlib
import os
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from io import BufferedWriter
from pathlib import Path

from app.errors import Invalid

Advance = Callable[[int], None]
"""Called with the number of steps done since the last call."""

Bar = Callable[[str, int], AbstractContextManager[Advance]]
"""Shows the progress of some work, by its label and number of steps."""


class Damaged(Invalid):
    """A file of a backup is missing or has changed since the backup was made."""

    def __init__(self, name: str, how: str) -> None:
        super().__init__(f"{name} {how}.")


@contextmanager
def new_file(path: Path) -> Iterator[BufferedWriter]:
    """Create and open a file; when the block ends it is on the disk."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


@dataclass(frozen=True)
class LineCount:
    """The number of lines of a file, and their SHA-256."""

    count: int
    sha256: str


def write_lines(path: Path, lines: Iterable[bytes]) -> LineCount:
    """Write lines into a new file, compressed."""
    count, digest = 0, hashlib.sha256()
    with (
        new_file(path) as file,
        gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=file, mtime=0) as packed,
    ):
        for line in lines:
            packed.write(line)
            digest.update(line)
            count += 1
    return LineCount(count, digest.hexdigest())


def read_lines(folder: Path, name: str, expected: LineCount) -> Iterator[bytes]:
    """Read the lines of a file; raises Damaged, possibly only after the last one."""
    count, digest = 0, hashlib.sha256()
    try:
        with gzip.open(folder / name) as file:
            for line in file:
                yield line
                digest.update(line)
                count += 1
    except FileNotFoundError:
        raise Damaged(name, "is missing") from None
    except EOFError:
        raise Damaged(name, "is cut off") from None
    except (gzip.BadGzipFile, zlib.error):
        raise Damaged(name, "is damaged") from None
    if LineCount(count, digest.hexdigest()) != expected:
        raise Damaged(name, "is not the file that was written")


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
