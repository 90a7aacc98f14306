"""The check of migrations for steps that would stop, or break, the release that is running.

`python -m tests.migration_steps` checks those that came after BASELINE. Each is written as SQL for
PostgreSQL, which squawk reads; docs/CONTRIBUTING.md, Migrate, says what to do instead.
"""

import importlib.util
import io
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlalchemy import Engine
from sqlalchemy.exc import CompileError

from app.revisions import MIGRATIONS, all_revisions

BASELINE = "2e9b7c04d1f6"
"""The last migration that isn't checked: before it, updates stopped the product."""

CHANGELOG = MIGRATIONS.parent / "docs" / "CHANGELOG.md"
SQUAWK = Path(sys.executable).with_name("squawk")
NOT_OURS = (
    # Matters of taste, or of env.py, which sets the time-outs.
    *("prefer-bigint-over-int", "prefer-bigint-over-smallint", "prefer-identity"),
    *("prefer-robust-stmts", "prefer-text-field", "prefer-timestamp-tz"),
    *("require-lock-timeout", "require-statement-timeout"),
)
BREAKING = {
    *("adding-not-nullable-field", "adding-required-field", "ban-drop-column"),
    *("ban-drop-function", "ban-drop-table", "changing-column-type"),
    *("renaming-column", "renaming-table"),
}
"""Rules against steps that break a release which still uses what they change."""

_CHANGES_TABLE = re.compile(r"^ALTER TABLE", re.MULTILINE)
_FILLS = re.compile(r"^(UPDATE|DELETE FROM) ", re.MULTILINE)
_RELEASES = re.compile(r"^## \[(\d+\.\d+\.\d+)\]", re.MULTILINE)
_UNUSED = re.compile(r"unused since (\d+\.\d+\.\d+)")


def problems(script: Path, releases: set[str] | None = None) -> Iterator[str]:
    """Yield what is wrong with a migration, if anything; `releases` are those that are out."""
    migration = load(script)
    accepted: dict[str, str] = getattr(migration, "accepted_steps", {})
    try:
        sql = as_sql(migration)
    except (AttributeError, TypeError, CompileError) as error:
        yield f"it has no SQL ({error}): read rows only if not op.get_context().as_sql"
        return
    found = dict(findings(sql))
    for rule, advice in found.items():
        if rule not in accepted:
            yield f"{rule}: {advice}"
        elif rule in BREAKING:
            release = _UNUSED.search(accepted[rule])
            if not release or release[1] not in (releases or released()):
                yield f"{rule}: accept it with 'unused since 1.2.3', a release that is out"
    yield from (f"{rule}: accepted, but not found" for rule in accepted.keys() - found.keys())


def load(script: Path) -> ModuleType:
    """Return the module of a migration."""
    specification = importlib.util.spec_from_file_location(script.stem, script)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def fill_again(engine: Engine, revision: str) -> None:
    """Run a migration that only fills rows on a database that has all of them."""
    script = next(MIGRATIONS.glob(f"versions/*_{revision}_*.py"))
    with engine.begin() as connection:
        context = MigrationContext.configure(connection)
        with Operations.context(context):
            load(script).upgrade()


def as_sql(migration: ModuleType) -> str:
    """Return the statements of a migration for PostgreSQL, in their transaction."""
    written = io.StringIO()
    options = {"as_sql": True, "output_buffer": written}
    context = MigrationContext.configure(dialect_name="postgresql", opts=options)
    with Operations.context(context):
        migration.upgrade()
    return f"BEGIN;\n\n{written.getvalue()}\n\nCOMMIT;\n"


def findings(sql: str) -> Iterator[tuple[str, str]]:
    """Yield the rules that some statements break, each with advice."""
    ended = subprocess.run(
        [SQUAWK, "--reporter", "json", "--pg-version", "13.0", "--exclude", ",".join(NOT_OURS)],
        input=sql,
        capture_output=True,
        text=True,
        check=False,
    )
    if ended.stderr.strip() and not ended.stdout.strip():
        raise RuntimeError(ended.stderr)
    for finding in json.loads(ended.stdout or "[]"):
        yield finding["rule_name"], f"{finding['message']} {finding.get('help') or ''}".strip()
    if _CHANGES_TABLE.search(sql) and _FILLS.search(sql):
        yield "fills-a-locked-table", "Fill rows in a migration of its own, which locks no table."


def released() -> set[str]:
    """Return the releases that the changelog has."""
    return set(_RELEASES.findall(CHANGELOG.read_text()))


def checked_migrations() -> list[Path]:
    """Return the migrations after BASELINE, oldest first."""
    revisions = all_revisions()
    due = revisions[revisions.index(BASELINE) + 1 :]
    return [next(MIGRATIONS.glob(f"versions/*_{revision}_*.py")) for revision in due]


def all_problems() -> list[str]:
    """Return what is wrong with the migrations after BASELINE."""
    return [f"{path.name}: {found}" for path in checked_migrations() for found in problems(path)]


if __name__ == "__main__":
    sys.exit("\n".join(all_problems()) or 0)
