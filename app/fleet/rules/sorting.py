"""The orders of the list of checks; pure."""

from app.sorting import SortColumn, SortColumns, SortKind, SortOrder

UNREVIEWED = "unreviewed"

CHECK_ORDERS = SortColumns(
    {
        "date": SortColumn("Date", SortKind.DAY, indexed=True),
        "reg": SortColumn("Reg"),
        "odometer": SortColumn("Odometer", SortKind.NUMBER),
        "by": SortColumn("Submitted by"),
        "notes": SortColumn("Notes"),
        "photos": SortColumn("Photos", SortKind.NUMBER),
        "cost": SortColumn("Repair/Expense", SortKind.NUMBER),
        "flags": SortColumn("Flags", SortKind.FLAG),
        UNREVIEWED: SortColumn("Review", SortKind.STATE, indexed=True),
    },
    SortOrder("date", descending=True),
)
