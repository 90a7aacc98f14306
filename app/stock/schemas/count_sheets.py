"""The count sheet: a site's items as CSV to be filled in and loaded back into the count."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from marshmallow import fields

from app import money, names
from app.api.calls import Reply
from app.errors import Invalid
from app.stock.rules import operations as rules
from app.stock.rules.operations import ItemState
from app.stock.schemas.files import parse_amount, parse_name
from app.tables.csv_files import Source, Table, escape, text_of, write_rows

_REQUIRED = ("item", "counted")
_OPTIONAL = ("category", "unitPrice", "unit", "expected")
COLUMNS = ("item", "category", "unitPrice", "unit", "expected", "counted")


class SheetLine(Reply):
    """A counted item."""

    id = fields.String(metadata={"example": "HAND WARMER UNION JACK"})
    expected = fields.Integer()
    counted = fields.Integer()


class FoundItem(Reply):
    """An item that the list doesn't have."""

    name = fields.String()
    qty = fields.Integer()
    category = fields.String()
    unitPrice = fields.Float()  # noqa: N815 (the seed's name)


class SheetReply(Reply):
    """What a filled-in sheet says; lines left empty aren't in it."""

    lines = fields.List(fields.Nested(SheetLine))
    found = fields.List(fields.Nested(FoundItem))


def write_sheet(rows: Iterable[Any]) -> Iterator[str]:
    """Yield a count sheet line by line, `counted` left empty."""
    return write_rows(
        COLUMNS,
        (
            (
                escape(row.name),
                escape(row.category),
                money.plain_pounds(row.unit_price),
                escape(row.unit),
                str(row.amount),
                "",
            )
            for row in rows
        ),
    )


def read_sheet(source: Source, present: Mapping[str, ItemState]) -> dict[str, Any]:
    """Return the lines that were counted, and the items among them that the list doesn't have.

    `present` are the site's items by key. A sheet without the expected amount is taken to
    expect what there is now. Raises FileErrors that names every row and column that is wrong.
    """
    table = Table(source, _REQUIRED, _OPTIONAL, refusal="Nothing was loaded.")
    lines: list[dict[str, Any]] = []
    found: list[dict[str, Any]] = []
    seen: dict[str, int] = {}
    for cells in table:
        name = cells.read("item", parse_name, "")
        counted = cells.read("counted", _amount_or_nothing)
        expected = cells.read("expected", _amount_or_nothing)
        if counted is None or not name:
            continue
        key = names.key(name)
        if key in seen:
            cells.refuse("item", f'"{name}" stands in row {seen[key]} already')
        seen.setdefault(key, cells.line)
        item = present.get(key)
        if item is not None:
            seen_amount = item.amount if expected is None else expected
            lines.append({"id": item.name, "expected": seen_amount, "counted": counted})
        elif expected is not None:
            cells.refuse("item", f'"{name}" is no longer in stock')
        elif counted:
            category = text_of("Category", rules.LONGEST_CATEGORY)
            price = cells.read("unitPrice", lambda text: money.parse_pounds(text or "0"), 0)
            found.append(
                {
                    "name": name,
                    "qty": counted,
                    "category": cells.read("category", category, ""),
                    "unitPrice": price / 100,
                }
            )
    table.check()
    if not lines and not found:
        raise Invalid("Nothing is filled in: write the counts into the column counted.")
    return {"lines": lines, "found": found}


def _amount_or_nothing(text: str) -> int | None:
    return parse_amount(text) if text.strip() else None
