"""`python -m tests.photos.hostile FOLDER` prepares all pictures of a folder one by one.

It prints its peak memory in megabytes, without that at its start.
"""

import sys
from contextlib import suppress
from pathlib import Path

from app.errors import QuartermasterError
from app.photos.services.photos import prepare_picture


def peak() -> int:
    # getrusage() would include the memory of the parent process.
    facts = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(facts["VmHWM"].split()[0]) // 1024


def main(folder: Path) -> None:
    before = peak()
    for path in sorted(folder.iterdir()):
        with suppress(QuartermasterError):
            prepare_picture(path.read_bytes())
    print(peak() - before)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
