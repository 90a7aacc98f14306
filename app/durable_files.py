"""Files that survive a power cut."""

import os
from pathlib import Path


def fsync_folder(folder: Path) -> None:
    """Flush to disk the list of a folder's files, after creating or renaming one."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
