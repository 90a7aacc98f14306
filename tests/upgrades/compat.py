"""`make compat`: the last release's tests of its services, on the tables of this one.

`make compat FROM=<commit>` names another release, `TESTS=` other tests of it.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from app.revisions import MIGRATIONS
from tests.upgrades.past import before_the_newest_migration, describe, release

TESTS = ("stock", "fleet", "assets")
SUBJECTS = ("services", "transfers", "undo")


def service_tests(past: Path) -> list[Path]:
    """Return the tests of the services of stock, fleet and assets."""
    return sorted(
        path
        for feature in TESTS
        for subject in SUBJECTS
        for path in (past / "tests" / feature).glob(f"test_*{subject}.py")
    )


def use_our_tables(past: Path) -> list[str]:
    """Give a release the migrations of this one; return the names of those that are new to it."""
    versions = past / "migrations" / "versions"
    present = {path.name for path in versions.iterdir()}
    new = sorted(path for path in MIGRATIONS.glob("versions/*.py") if path.name not in present)
    for script in new:
        shutil.copy(script, versions)
    return [script.stem for script in new]


def main() -> int:
    """Run the tests; return the status of pytest."""
    parser = argparse.ArgumentParser(prog="make compat")
    parser.add_argument("--from", dest="commit", default="")
    parser.add_argument("tests", nargs="*", type=Path)
    given = parser.parse_args()
    commit = given.commit or before_the_newest_migration()
    with release(commit) as past:
        new = use_our_tables(past)
        print(f"Tests of {describe(commit)}")
        print(f"on the tables after {', '.join(new) or 'no further migration'}", flush=True)
        # Releases up to 1.0.0 run these tests on both engines without being told.
        has_option = "--thorough" in (past / "tests" / "conftest.py").read_text()
        options = ["--thorough"] if has_option else []
        tests = [past / path for path in given.tests] or service_tests(past)
        command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "worksteal"]
        return subprocess.run(
            [*command, *options, *tests],
            cwd=past,
            env=os.environ | {"PYTHONPATH": str(past)},
            check=False,
        ).returncode


if __name__ == "__main__":
    sys.exit(main())
