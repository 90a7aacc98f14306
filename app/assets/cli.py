"""`flask assets`: import and export of the register."""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path

from flask.cli import AppGroup

from app import money
from app.assets.queries.register import stream_register
from app.assets.schemas.register import ASSET_LIST, read_assets
from app.assets.services.register import set_assets
from app.cli.commands import progress_bar
from app.records.commands import exports, imports
from app.records.record import csv_lines

assets = AppGroup("assets", help="Import and export the register of assets.")


@imports(assets)
def import_assets(file: Path, saving: AbstractContextManager[None]) -> str:
    """Set the assets that FILE lists; others stay as they are. All of it, or nothing."""
    updates = read_assets(file)
    with saving:
        change = set_assets(updates, by=None, progress=progress_bar("Importing"))
    without_id = sum(not update.id for update in updates)
    new_ids = f". {money.format_number(without_id)} got an ID" if without_id else ""
    return f"{change.summary}{new_ids}"


@exports(assets, "assets")
def export_assets() -> Iterable[str]:
    """Write the register as CSV, to standard output or a file."""
    return csv_lines(ASSET_LIST.columns, stream_register())
