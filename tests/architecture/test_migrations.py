"""Migrations that have landed stay as they are and depend on nothing that may change."""

import ast
import hashlib
from pathlib import Path

from alembic.script import ScriptDirectory

from app.revisions import MIGRATIONS, all_revisions
from tests.migration_steps import all_problems, problems

VERSIONS = Path(__file__).resolve().parents[2] / "migrations" / "versions"

LANDED = {
    "4f1c0a7be2d9": "74cfb147db78f2d124ca75acddc43c583491d5d0aff6dbb903181fa11ad89b3a",
    "8b3d52c9e014": "845bf2087a9a57ddab74179606a1888a6b31b76faa521904faf22a8e3e499c4c",
    "c27e6f10a4b8": "6e3859cd26dd44dbf593a0c036dc78cc7a871169f36df54e7859443917aabcff",
    "e5a90b7d31f2": "dd46dfbb9270159a0e2eac831251fed5b5894e135317dbcb337277e0c53d8b6e",
    "a91d4c6e70b5": "760c9e9cb49e478f1467168471e6c1ea762b15cc07bc2eef6839f1fe68899bdd",
    "b0c83f5d12e9": "3798d48ccae2893047b73e4b0f3d3d4b5ec656ca9ef837fa2aefa14499eb08fd",
    "d7e3a1c59b46": "679771036d531c37623cd6508c768f1ab333519909a2c7cd1afd16c7fe75531b",
    "1a7f5e20c3d8": "c919bf8d1108e6ba4f91ffdfa115e26d75d992bf36646ade14b3a10a4e791a64",
    "f4b92c6a17d3": "e617670b5239badca2e7186f1fc91e2586cbb610e13f8cff716600dea76751ad",
    "c5d81e3f7a20": "87405f7aec591ecd36db952dd5304316c6ecd18d5078aca39df4e9b4303776e9",
    "e93b6d4c1a57": "87b8d7a1fb19970e5954b1fc90102d4087d6c3443e818020745997728f810f30",
    "e82c6d49b1f7": "dcdebe293adcbe27bc5225b67b43289e63e17c7c6d38e3ecb840a548e9064b22",
    "3e90b7f5c1d4": "3017d3e1b65a786df06e1e97877c45bb992f4d16b841689b63bf9c5a646f7d42",
    "b17f0c9d4a86": "03ce34d6d12bade7d5c63386d34d6c0c9e4a8d848bca0fd191a584c8e05c700d",
    "6b1e8d2f94ca": "63ee6d7ce10c7a1b7ce7bdd1c2503d20df3a0ab23c4e8c89eace03de627fb718",
    "2e9b7c04d1f6": "5a26203f1115360c5f5cbaaaa9eda93fe6c6ba68bfa11826c483e3ce8b60dc45",
    "5c8f1d3b07ea": "eec6e4bcbbe13c7cbbb758a73f4f131d96abcb942c397b4cc4e3de4fa85bb6af",
    "a4d90c6e2f18": "8695f9aaedb3007e5d61d4374b8e8e297dcd9700487a89fc0489d9457165e01a",
    "9d2f6b8c1e47": "a3f7f3fae94e8ecc694069a75a9583ddc3ddcc5b3b2d1b2c061aa69b3d7f161e",
    "c41a7e95d0b3": "885ca85cec5db3f274598ac0e9b03a841db6c6c256b746e17fc3e7991e2fb328",
    "7e2c90b4f15d": "39270437fa7d1742a372f70c78ba98c04e6c3e927758088ad221db88a31c2f92",
    "9d41e7c35b08": "a3ec12bae21c2b028c7b6b3ff281462b0ebbcb8386bdd3400718add3d56e6a29",
    "6e05b8d2f7a1": "1ebd401f6ac63de01cc4aa956449a0cb5dab64ddcaf1bdef4fcc6dd02ca613bb",
    "b81d4f60a7c2": "b5de9eaf20fdfa740327165792bfbde3248517840297f25378a5571e517c812e",
    "1c9e73a5d804": "9cc2c5156afcb14006b387962dc89c4b466d83b5d85711102e275bc16a64eb96",
    "5a0f2e86c9d1": "5b2a0761004ece5b36a94ea8cb0ab9c5783f336703a3f77a12c9a2aacde96c15",
    "e37b90d1f6a4": "89154c2f1c83401740c2d95d1e0b79f1e2df12cae8b7e709f019a4298b7c96f7",
    "90c4a7d2e1b8": "3fdcb5a5215e0ba076a57246dfabe130b1bb6f46026a5fd57c885c990fe9cd2e",
    "4f7d0a92c6b3": "2cdb3324a7c1aff7989bd5fa1aab7552d5ea713d6a8b642b86d649d9907413ba",
    "7b1e5d9c3a42": "28c043da305328310fbeb8912a4842f7d439fa61a3565ce894ac2d2316ddbe80",
    "d6a0f48e2c95": "0b4c1c6e33350f7b398a5d3244ebb4529a30b5a83286675cc5ff9bb28c63d9d4",
    "c58e1d07b4a9": "1388bc65a81ee6cb446b572365512c0409305fc4568b746c4b03c67a4c29a502",
    "9e41b7d2c650": "dfc973b58de16324a8db8c90eaf8e8283f27ef828ee972b6ee862a5823d5641d",
    "e3a5c8d17f24": "d569549c3306e6f56b57f88d32846846d5e86b17bf4026160ad644a985da1155",
    "b5d03f91a6e8": "ef700631ac732d6667ae99c7a29c3e619f4db7553df0b69a74e436c38bbb1185",
    "f1a6c03e9b27": "d5dfeef8652d8f1f60bc8e22cee600d542046f0ad5478694c1e52a01608eb513",
    "c7e92b40d5f1": "a966d06a44bfe60d2795b84c844ea028626a6f424acdf87c5d21c7b33bbeff52",
    "d02b7e4c91fa": "ee7f8b8c4d53f2a0d8b29826c79856f6f6e773bc9b0a1bfedaddc795a272a8ab",
    "c35018f4fdf1": "ba949bea8cffd337e72d575f193ea554307073471a59150bfe19ac204f97cad5",
    "e84b7cad1001": "fb450cc4b832812c7735fdacb2663d030e678c0eccd2d4bd3787535a3cdc0d84",
    "b9f98139fdb7": "f9176e143a9cd5f4b9279c39753463acea2126ac78a04bcf6636ff5d207a9778",
    "f19a6c3e8b72": "7f0fb49556f4a7512144ff0145aa8e6062f31e69f5e6a9c03cdfc42c282b1188",
    "a3c9d5e71b48": "f3d39f8991d13ecee5a9b4b69d214d344ad1fa25db6e73b847fc1bc667b27c1f",
    "f60b1d28c9e7": "c9a57a55fe5ae1dbac4f45483d09bb4d444c07565e84b881cecd7a898661e79b",
    "7d2e94c0f8a1": "4ef2363672ca12664bb9ea77803b59c1dd7ab9a290f664372e74511771bc80a7",
    "3b6e1f5d9c24": "7fd6400e7deff25d963d9258aaa821d5c8b67d727869b15eb97cd99aea6d6b3f",
}
"""The SHA-256 of each revision's file; add a line for each new migration, never change one."""


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
    hashes = [
        (file.name.split("_")[2], hashlib.sha256(file.read_bytes()).hexdigest())
        for file in sorted(VERSIONS.glob("*.py"))
    ]
    assert hashes == list(LANDED.items())


def test_the_revisions_are_those_that_alembic_reads():
    scripts = ScriptDirectory(MIGRATIONS).walk_revisions()
    assert list(all_revisions()) == [script.revision for script in scripts][::-1]


STOPPING_STEPS = {
    """op.add_column("item", sa.Column("shelf", sa.String(20), nullable=False))""": (
        "adding-required-field"
    ),
    """op.drop_column("item", "unit")""": "ban-drop-column",
    """op.drop_table("place_key")""": "ban-drop-table",
    """op.alter_column("item", "unit", new_column_name="measure")""": "renaming-column",
    """op.rename_table("item", "article")""": "renaming-table",
    """op.alter_column("item", "unit", type_=sa.Text())""": "changing-column-type",
    """op.alter_column("item", "unit", nullable=False)""": "adding-not-nullable-field",
    """op.create_check_constraint("ck_item_unit", "item", "unit <> ''")""": (
        "constraint-missing-not-valid"
    ),
    """op.create_unique_constraint("uq_item_unit", "item", ["unit"])""": (
        "disallowed-unique-constraint"
    ),
    """op.create_index("ix_item_unit", "item", ["unit"])""": "require-concurrent-index-creation",
    """op.drop_index("ix_item_at_zero", "item")""": "require-concurrent-index-deletion",
    """op.add_column("item", sa.Column("x", sa.Text())); op.execute("UPDATE item SET x = ''")""": (
        "fills-a-locked-table"
    ),
    """op.get_bind().execute(sa.text("SELECT 1")).all()""": "it has no SQL",
}
"""Steps of a migration, each with what is said against it."""

HARMLESS_STEPS = """
    op.create_table("shelf", sa.Column("id", sa.Integer(), primary_key=True))
    op.create_index("ix_shelf", "shelf", ["id"])
    op.add_column("item", sa.Column("shelf", sa.String(20), nullable=False, server_default=""))
    op.add_column("item", sa.Column("rack", sa.String(20)))
    op.execute("ALTER TABLE item ADD CONSTRAINT ck_item_rack CHECK (rack <> '') NOT VALID")
    with op.get_context().autocommit_block():
        op.drop_index("ix_item_rack", "item", if_exists=True, postgresql_concurrently=True)
        op.create_index("ix_item_rack", "item", ["rack"], postgresql_concurrently=True)
    op.execute("INSERT INTO data_version (list, version) VALUES ('shelves', 0)")
"""


def planted(folder, steps, accepted=None):
    """Write a migration of these steps; return its path.

    Each has a name of its own: Python may keep what it compiled for two seconds and the same size.
    """
    script = folder / f"planted_{len(list(folder.glob('*.py')))}.py"
    lines = "\n".join(f"    {step.strip()}" for step in steps.split(";"))
    body = steps if steps.startswith("\n") else lines
    script.write_text(
        f"import sqlalchemy as sa\nfrom alembic import op\naccepted_steps = {accepted or {}}\n"
        f"def upgrade():\n{body}\n"
    )
    return script


def test_migrations_neither_stop_nor_break_the_release_that_is_running():
    assert all_problems() == []


def test_each_step_that_stops_or_breaks_the_running_release_is_found(tmp_path):
    advice = {steps: list(problems(planted(tmp_path, steps))) for steps in STOPPING_STEPS}
    missed = [s for s, rule in STOPPING_STEPS.items() if not any(rule in p for p in advice[s])]
    assert missed == []


def test_steps_that_the_running_release_does_not_notice_are_free(tmp_path):
    assert list(problems(planted(tmp_path, HARMLESS_STEPS))) == []


def test_what_a_release_still_uses_is_not_dropped(tmp_path):
    def dropping(reason):
        accepted = {"ban-drop-column": reason}
        script = planted(tmp_path, 'op.drop_column("item", "unit")', accepted)
        return list(problems(script, {"1.0.0", "1.1.0"}))

    assert dropping("unused since 1.1.0") == []
    refusal = ["ban-drop-column: accept it with 'unused since 1.2.3', a release that is out"]
    assert dropping("unused since 1.2.0") == refusal
    assert dropping("nobody needs it") == refusal


def test_an_accepted_step_has_to_be_there(tmp_path):
    small = {"require-concurrent-index-creation": "place_key has a few hundred rows"}
    index = 'op.create_index("ix_place_key_notes", "place_key", ["notes"])'
    assert list(problems(planted(tmp_path, index, small))) == []
    stale = list(problems(planted(tmp_path, 'op.execute("SELECT 1")', small)))
    assert stale == ["require-concurrent-index-creation: accepted, but not found"]
