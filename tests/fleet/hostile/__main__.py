"""`python -m tests.fleet.hostile FOLDER` prepares each file of a folder, one after the other.

It prints how many megabytes that took at most, beyond what the program has at its start.
"""

import sys
from contextlib import suppress
from pathlib import Path

from app.errors import QuartermasterError
from app.fleet.services.pictures import prepare_picture


def peak() -> int:
    # What the operating system counts for a process begins with its parent's.
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
