"""The vehicles that the rows of a file are about."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from app.fleet.queries.vehicles import stored_plates
from app.fleet.rules.vehicles import describe_missing, plate_key
from app.tables.csv_files import Cells


class VehicleLine(Protocol):
    """A line of a file about a vehicle; `reg` is '' if its cell has an error."""

    @property
    def row(self) -> Cells:
        """Return its row in the file."""

    @property
    def reg(self) -> str:
        """Return the registration."""


def refuse_missing_vehicles(lines: Sequence[VehicleLine]) -> Mapping[str, str]:
    """Add an error to each row with a vehicle that is in no list.

    Returns the registrations as the lists write them, by their keys. The caller has locked the
    upkeep of the vehicles: otherwise one could leave the lists meanwhile and keep the added
    records.
    """
    plates = stored_plates({plate_key(line.reg) for line in lines})
    for line in lines:
        if line.reg and plate_key(line.reg) not in plates:
            line.row.refuse("reg", describe_missing(line.reg))
    return plates
