"""`make upgrade-check`: the last release serves while the tables are upgraded beneath it.

Then both releases serve, as they do while hosts are updated one after the other, and at last the
new one alone. No request may fail. `make upgrade-check FROM=<commit>` names another release.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
from sqlalchemy import make_url

from tests.chaos.http import send
from tests.databases import memory_folder, postgresql_copies
from tests.serving import ROOT, environment, serving
from tests.upgrades.load import Replies, load
from tests.upgrades.past import before_the_newest_migration, describe, flask, release

SECONDS_OF_LOAD = 3.0


@contextmanager
def empty_sqlite(folder: Path) -> Iterator[str]:
    """Yield the address of a SQLite database that isn't there yet."""
    yield f"sqlite:///{folder}/upgraded.db"


@contextmanager
def empty_postgresql(folder: Path) -> Iterator[str]:
    """Yield the address of an empty database on a temporary PostgreSQL server."""
    with postgresql_copies(folder) as copies:
        migrated = make_url(copies.fresh())
        socket = str(migrated.query["host"])
        with psycopg.connect(host=socket, user="postgres", autocommit=True) as admin:
            admin.execute("CREATE DATABASE upgraded")
        yield migrated.set(database="upgraded").render_as_string()


def ready(port: int) -> str:
    """Return what /readyz answers."""
    reply = send(port, "GET", "/readyz")
    return f"{reply.status} {reply.json['schema']}"


def upgrade_under_load(url: str, past: Path, folder: Path) -> list[str]:
    """Upgrade a database that the last release serves; return the requests that failed."""
    (folder / "photos").mkdir()
    now = environment(url, folder)
    then = environment(url, folder, past)
    flask(past, then, "db", "upgrade")
    flask(past, then | {"APP_ENV": "development"}, "demo", "load")
    parts: list[tuple[str, Replies]] = []

    with ExitStack() as new:
        with serving(url, folder, root=past) as port:
            with load([port]) as replies:
                time.sleep(SECONDS_OF_LOAD)
                begun = time.monotonic()
                flask(ROOT, now, "db", "upgrade")
                took = time.monotonic() - begun
                time.sleep(SECONDS_OF_LOAD)
            parts.append((f"last release, upgraded within {took:.1f} s", replies))
            print(f"  /readyz of the last release on the new tables: {ready(port)}")
            (folder / "new").mkdir()
            other = new.enter_context(serving(url, folder / "new"))
            with load([port, other]) as replies:
                time.sleep(SECONDS_OF_LOAD)
            parts.append(("both releases in turn", replies))
        with load([other]) as replies:
            time.sleep(SECONDS_OF_LOAD)
        parts.append(("new release", replies))
    flask(ROOT, now, "verify")
    for part, replies in parts:
        print(f"  {part}: {replies}")
    return [f"{part}: {failure}" for part, replies in parts for failure in replies.failures]


def main() -> int:
    """Try the upgrade on both engines; return 1 if a request failed."""
    parser = argparse.ArgumentParser(prog="make upgrade-check")
    parser.add_argument("--from", dest="commit", default="")
    commit = parser.parse_args().commit or before_the_newest_migration()
    print(f"From {describe(commit)}", flush=True)
    failed = []
    with release(commit) as past:
        for name, empty in (("SQLite", empty_sqlite), ("PostgreSQL", empty_postgresql)):
            print(name)
            with (
                TemporaryDirectory(prefix="qm-upgrade-", dir=memory_folder()) as temporary,
                empty(Path(temporary)) as url,
            ):
                (Path(temporary) / "served").mkdir()
                failed += upgrade_under_load(url, past, Path(temporary) / "served")
    for failure in failed[:20]:
        print(f"FAILED {failure}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
