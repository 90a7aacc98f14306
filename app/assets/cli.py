"""`flask assets` and `flask moves`: import and export of the register, and of its moves."""

from flask.cli import AppGroup

from app.assets.acts import TARGETS
from app.records.commands import add_file_commands

assets = AppGroup("assets", help="Import and export the register of assets.")
moves = AppGroup("moves", help="Import and export the moves of assets.")

add_file_commands(
    assets,
    "assets",
    lambda: TARGETS["assets"],
    "Set the assets that FILE lists; others stay as they are. All of it, or nothing.",
)
add_file_commands(
    moves,
    "asset moves",
    lambda: TARGETS["moves"],
    "Add the moves in FILE (date,id,startPosition,endPosition) that aren't there. All or nothing.",
)
