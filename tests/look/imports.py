"""The files of assets that wait and were imported when their screens are looked at."""

from tests import factories

PAGES = {
    "import a list": "/import/assets",
    "columns of a file": "/import/assets/2/columns",
    "look at a file": "/import/assets/2/look",
    "look at a file again": "/import/assets/2/apply",
    "imports": "/imports",
    "undo of an import": "/imports/1/undo",
}
"""The pages of imports."""


def bring_assets(item: str, *, by: int) -> None:
    """Import a file of assets, and bring one with all kinds of rows."""
    text = f"Asset Tag,Item,Serial,Purchase date,Price\nLAMP-1,{item},,2026-02-03,1.00\n"
    factories.apply_draft(factories.draft(text, by=by), by=by)
    changed = text.replace("1.00", "2.00") + f"LAMP-2,{item},,32/13/2026,x\n,{item},,,\n"
    name = f"{item[:100]}.xlsx"
    factories.draft(changed, by=by, name=name)
