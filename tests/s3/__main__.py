"""`make s3`: the photo store's promises, and the product, on a real S3 server."""

import argparse
import logging
import os
import sys
import tempfile
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path

from app.photos.services.photo_store import open_store
from tests.bench.report import table
from tests.chaos.line import State, line_to
from tests.s3 import journey, promises
from tests.s3.swift import running_swift


def main() -> int:
    """Try all promises, print what was found, and return 1 if one is broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="try the promises with this in their names")
    chosen = parser.parse_args()
    logging.disable(logging.CRITICAL)
    with (
        tempfile.TemporaryDirectory(prefix="qm-s3-") as folder,
        running_swift() as swift,
        line_to(swift.port) as line,
    ):
        os.environ |= swift.settings()
        promises.make_bucket(swift)
        store = open_store(promises.STORE)
        os.environ |= swift.settings(line.port)
        behind = open_store(promises.STORE)
        tried: list[Callable[[], str]] = [
            partial(promises.file_is_stored_read_and_removed, store),
            partial(promises.missing_file_is_not_found, store),
            partial(promises.all_files_are_listed, store),
            partial(promises.conditional_write_is_refused, store),
            partial(promises.missing_bucket_is_out_of_reach, store),
            partial(promises.slow_line_only_takes_longer, behind, line),
            partial(promises.cut_line_is_out_of_reach, behind, line),
            partial(promises.hanging_line_is_out_of_reach, behind, line),
            partial(
                journey.photo_is_used_while_the_bucket_hangs_and_afterwards,
                swift,
                line,
                Path(folder),
            ),
        ]
        rows = []
        for promise in tried:
            line.become(State.GOOD)
            name = promise.func.__name__.replace("_", " ")  # type: ignore[attr-defined]
            if chosen.only not in name:
                continue
            try:
                rows.append((name, "yes", promise()))
            except Exception as error:
                at = traceback.extract_tb(error.__traceback__)[-1]
                found = f"{type(error).__name__} {error} (line {at.lineno}: {at.line})"
                rows.append((name, "NO", found))
    print(table(("promise", "kept", "found"), rows))
    return 0 if all(kept == "yes" for _, kept, _ in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
