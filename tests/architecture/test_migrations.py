"""Migrations that have landed stay as they are and depend on nothing that may change."""

import ast
import hashlib
from pathlib import Path

from alembic.script import ScriptDirectory

from app.revisions import MIGRATIONS, all_revisions

VERSIONS = Path(__file__).resolve().parents[2] / "migrations" / "versions"

LANDED = {
    "20261121_0200_4f1c0a7be2d9_accounts_and_stock.py": (
        "74cfb147db78f2d124ca75acddc43c583491d5d0aff6dbb903181fa11ad89b3a"
    ),
    "20261121_0500_8b3d52c9e014_undo_imported_history_and_name_search.py": (
        "845bf2087a9a57ddab74179606a1888a6b31b76faa521904faf22a8e3e499c4c"
    ),
    "20261121_0900_c27e6f10a4b8_directory_and_deliveries.py": (
        "6e3859cd26dd44dbf593a0c036dc78cc7a871169f36df54e7859443917aabcff"
    ),
    "20261121_1000_e5a90b7d31f2_fleet.py": (
        "dd46dfbb9270159a0e2eac831251fed5b5894e135317dbcb337277e0c53d8b6e"
    ),
    "20261121_1130_a91d4c6e70b5_assets_and_their_moves.py": (
        "760c9e9cb49e478f1467168471e6c1ea762b15cc07bc2eef6839f1fe68899bdd"
    ),
    "20261121_1300_b0c83f5d12e9_tokens_of_api_clients.py": (
        "3798d48ccae2893047b73e4b0f3d3d4b5ec656ca9ef837fa2aefa14499eb08fd"
    ),
    "20261122_0330_d7e3a1c59b46_name_imported_ledger_values.py": (
        "679771036d531c37623cd6508c768f1ab333519909a2c7cd1afd16c7fe75531b"
    ),
    "20261122_0900_1a7f5e20c3d8_summaries_of_the_ledger.py": (
        "c919bf8d1108e6ba4f91ffdfa115e26d75d992bf36646ade14b3a10a4e791a64"
    ),
    "20261122_0930_f4b92c6a17d3_searches_orders_and_counts_by_day.py": (
        "e617670b5239badca2e7186f1fc91e2586cbb610e13f8cff716600dea76751ad"
    ),
    "20261122_1100_c5d81e3f7a20_undo_of_moves_and_reviews.py": (
        "87405f7aec591ecd36db952dd5304316c6ecd18d5078aca39df4e9b4303776e9"
    ),
    "20261122_1140_e93b6d4c1a57_checks_to_review_and_of_a_person.py": (
        "87b8d7a1fb19970e5954b1fc90102d4087d6c3443e818020745997728f810f30"
    ),
    "20261122_1200_e82c6d49b1f7_expected_and_cancelled_deliveries.py": (
        "dcdebe293adcbe27bc5225b67b43289e63e17c7c6d38e3ecb840a548e9064b22"
    ),
    "20261122_1210_3e90b7f5c1d4_movements_of_an_item_and_a_user.py": (
        "3017d3e1b65a786df06e1e97877c45bb992f4d16b841689b63bf9c5a646f7d42"
    ),
    "20261122_1220_b17f0c9d4a86_items_at_zero.py": (
        "03ce34d6d12bade7d5c63386d34d6c0c9e4a8d848bca0fd191a584c8e05c700d"
    ),
    "20261122_1230_6b1e8d2f94ca_orders_of_the_stock_list.py": (
        "63ee6d7ce10c7a1b7ce7bdd1c2503d20df3a0ab23c4e8c89eace03de627fb718"
    ),
    "20261122_1300_2e9b7c04d1f6_audit_trail.py": (
        "5a26203f1115360c5f5cbaaaa9eda93fe6c6ba68bfa11826c483e3ce8b60dc45"
    ),
    "20261122_1500_5c8f1d3b07ea_total_prices_of_the_history.py": (
        "89779a0c7e57e90ef15136175a3e7611d2b3104046b14eb09384c13aaa6e2e23"
    ),
}
"""The SHA-256 of every migration file; add a line for each new migration, never change one."""


def imported_modules(source):
    """Return the names of all modules that some Python source imports."""
    modules = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            modules.add(node.module or "")
    return modules


def test_no_migration_imports_the_application():
    offenders = {
        file.name: sorted(found)
        for file in VERSIONS.glob("*.py")
        if (found := {m for m in imported_modules(file.read_text()) if m.split(".")[0] == "app"})
    }
    assert offenders == {}


def test_landed_migrations_are_never_edited():
    hashes = {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in VERSIONS.glob("*.py")
    }
    assert hashes == LANDED


def test_the_revisions_are_those_that_alembic_reads():
    scripts = ScriptDirectory(MIGRATIONS).walk_revisions()
    assert list(all_revisions()) == [script.revision for script in scripts][::-1]
