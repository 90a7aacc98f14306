"""Undo: a division's people take an operation back, whole and once."""

from dataclasses import dataclass
from itertools import groupby

from app.audit.rules import Event
from app.audit.services import record
from app.divisions import Division
from app.errors import AlreadyUndone, Conflict, NotFound
from app.idempotency import UNSTAMPED, Stamp
from app.stock.queries import operations
from app.stock.queries.locks import lock_past_items
from app.stock.rules.undo import plan_undo
from app.stock.services.ledger import OperationDetails, Step, record_operation


@dataclass(frozen=True)
class UndoResult:
    """The operation that took another back, and how many lines it took back at one site."""

    operation: int
    lines: int


def undo(division: Division, operation_id: int, *, by: int, stamp: Stamp = UNSTAMPED) -> UndoResult:
    """Take an operation of a division back with a compensating one.

    Raises NotFound for another division's, and Conflict when it was undone already, is imported
    history, changed nothing, or can't be taken back because stock would fall below 0.
    """
    lines = operations.load_lines(operation_id, division)
    if not lines:
        raise NotFound("There is no such operation. Load the history again.")
    if operations.is_undone(operation_id):
        raise AlreadyUndone
    if any(line.is_imported for line in lines):
        raise Conflict("Imported history can't be undone.")
    reason = f"Undo: {lines[0].reason or lines[0].kind.label}"
    steps = [
        Step(store, plan_undo([line.stored for line in store_lines]), reason=reason)
        for store, store_lines in groupby(lines, key=lambda line: line.store)
    ]
    reverses = [reverse for step in steps for reverse in step.operations]
    if not reverses:
        raise Conflict("There is nothing to undo: it changed no stock.")
    stock = lock_past_items([step.store for step in steps], {line.stored.item_id for line in lines})
    details = OperationDetails(by=by, team=lines[0].team, stamp=stamp)
    try:
        recorded = record_operation(stock, steps, details, undoes=operation_id)
    except Conflict as error:
        if error.field != "name":
            raise
        raise Conflict(
            "An item of that name is in stock again. Rename it before you undo this."
        ) from error
    record(Event.UNDO, f"{division} operation {operation_id}", by=by, operation=recorded.id)
    return UndoResult(recorded.id, max(len(step.operations) for step in steps))
