"""A vehicle's record as a CSV file."""

from collections.abc import Iterable, Iterator, Sequence

from app import dates
from app.money import plain_pounds
from app.tables.csv_files import escape
from app.upkeep.rules.record import RecordEntry

CSV_COLUMNS = (
    "reg",
    "date",
    "time",
    "record",
    "reference",
    "what",
    "outcome",
    "detail",
    "answers",
    "by",
    "odometer",
    "labourGBP",
    "partsGBP",
    "otherGBP",
    "stockGBP",
    "totalGBP",
    "sha256",
)


def csv_rows(entries: Iterable[RecordEntry]) -> Iterator[Sequence[str]]:
    """Yield entries as rows of a CSV file; several hashes are separated by spaces."""
    for entry in entries:
        amounts = entry.amounts
        costs = (
            (amounts.labour, amounts.parts, amounts.other, amounts.stock, amounts.total)
            if amounts
            else ()
        )
        yield (
            escape(entry.reg),
            entry.day.isoformat(),
            dates.format_time(entry.at) if entry.at else "",
            entry.kind.value,
            escape(entry.reference),
            escape(entry.title),
            entry.outcome,
            escape(entry.detail),
            escape(entry.answers),
            escape(entry.who),
            "" if entry.miles is None else str(entry.miles),
            *((plain_pounds(pence) for pence in costs) if costs else [""] * 5),
            " ".join(entry.files),
        )
