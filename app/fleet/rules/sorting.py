"""The orders of the lists of vehicles and checks; pure."""

from app.sorting import SortColumn, SortColumns, SortKind, SortOrder

VEHICLE_ORDERS = SortColumns(
    {
        "reg": SortColumn("Reg", indexed=True),
        "make": SortColumn("Make / Model"),
        "classification": SortColumn("Classification", indexed=True),
        "status": SortColumn("Status", indexed=True),
        "location": SortColumn("Location", indexed=True),
        "update": SortColumn("Last Update", SortKind.DAY),
    },
    SortOrder("reg"),
)

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
