"""Commands of due items."""

from flask.cli import AppGroup

from app.due.acts import TARGETS
from app.records.commands import add_file_commands

due = AppGroup("due", help="Import and export what is due.")

add_file_commands(
    due,
    "due",
    lambda: TARGETS["due"],
    "Add or change the items in FILE (reg,kind,due_on,due_miles,label). All or nothing.",
)
