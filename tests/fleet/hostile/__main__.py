"""Prepare every hostile file, and the largest pictures that are allowed; print what it took.

`python -m tests.fleet.hostile` prints the peak of memory in MB, beyond what the program had.
"""

import resource
from contextlib import suppress

from PIL import Image

from app.errors import QuartermasterError
from app.fleet.services.pictures import prepare
from tests.fleet import hostile
from tests.fleet.photo_files import encoded

LARGEST = (7300, 5470)


def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main() -> None:
    # Encoded in strips of one colour, so that making them takes no memory to speak of.
    flat = Image.new("L", LARGEST, 90)
    largest = [encoded(flat, "JPEG", progressive=True), encoded(flat, "PNG")]
    files = [data for _, data, _ in hostile.refused()]
    files += [data for _, data in hostile.disguised()]
    before = peak()
    for data in files + largest:
        with suppress(QuartermasterError):
            prepare(data)
    print(peak() - before)


if __name__ == "__main__":
    main()
