"""Undo: any operation is taken back whole, once, by its division's people (design §4)."""

from dataclasses import dataclass
from itertools import groupby

from app.divisions import Division
from app.errors import Conflict, NotFound
from app.stock.queries import operations as booked
from app.stock.rules import undo as rules
from app.stock.services.ledger import Context, Step, apply_steps


@dataclass(frozen=True)
class Undone:
    """An operation that took another back, and how many lines that was at one site."""

    operation: int
    lines: int


def undo(division: Division, operation_id: int, *, by: int) -> Undone:
    """Take an operation of a division back with a compensating one.

    Raises NotFound for another division's, and Conflict with the reason when it was undone
    already, when it holds imported history, or where stock would go below 0.
    """
    lines = booked.lines_of(operation_id, division)
    if not lines:
        raise NotFound("There is no such operation.")
    if booked.undone_by(operation_id):
        raise Conflict("This was undone already.")
    if any(line.is_imported for line in lines):
        raise Conflict("Imported history can't be undone.")
    reason = f"Undo: {lines[0].reason or lines[0].kind.label}"
    steps = [
        Step(store, rules.plan_undo([line.booked for line in of_store]), reason=reason)
        for store, of_store in groupby(lines, key=lambda line: line.store)
    ]
    if not any(step.operations for step in steps):
        raise Conflict("There is nothing to undo: it changed no stock.")
    try:
        result = apply_steps(steps, Context(by=by, team=lines[0].team), undoes=operation_id)
    except Conflict as error:
        if error.field != "name":
            raise
        raise Conflict(
            "An item of that name is in stock again, so this can't be undone."
        ) from error
    return Undone(result.operation_id, max(len(step.operations) for step in steps))
