"""`make look`: photograph every screen and state, check them, and end with 1 if a check failed."""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from tests.databases import memory_folder, sqlite_copies
from tests.journeys.conftest import launched, running
from tests.look.album import write_index
from tests.look.data import DATA
from tests.look.screens import chosen
from tests.look.visit import Visit

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".test/look"


def table_of(faults: list[tuple[str, str, str]]) -> str:
    """Return faults as aligned lines; those of one view stand together."""
    width = [max(len(fault[column]) for fault in faults) for column in range(2)]
    return "\n".join(
        f"{view:<{width[0]}}  {check:<{width[1]}}  {found}" for view, check, found in sorted(faults)
    )


def main() -> int:
    arguments = argparse.ArgumentParser(prog="python -m tests.look")
    arguments.add_argument("--only", default="", help="words within the names of screens: a,b")
    arguments.add_argument("--data", choices=DATA, help="one set of data instead of all")
    arguments.add_argument("--readme", action="store_true", help="make the README's pictures alone")
    options = arguments.parse_args()
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    with (
        tempfile.TemporaryDirectory(prefix="qm-look-", dir=memory_folder()) as folder,
        sqlite_copies(Path(folder)) as copies,
        running(copies, Path(folder)) as emptied,
        launched() as browser,
    ):
        visit = Visit(emptied(), browser, FOLDER)
        if options.readme:
            visit.photograph_for_readme(ROOT / "docs")
            return 0
        for data in [options.data] if options.data else DATA:
            visit.look_at(data, chosen(options.only))
    visit.check_html()
    table = table_of(visit.faults) if visit.faults else ""
    index = write_index(FOLDER, visit.photographs, table)
    print(table or "Nothing failed.")
    print(f"{len(visit.photographs)} pictures, {len(visit.faults)} faults: {index}")
    return 1 if visit.faults else 0


if __name__ == "__main__":
    sys.exit(main())
