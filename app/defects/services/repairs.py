"""Record repairs of vehicles, with parts from stock, and take them back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select

from app import dates
from app.attachments.services import PreparedFile, add_attachments
from app.audit.rules import Event
from app.audit.services import record
from app.db import db
from app.defects.models import Defect, Repair, RepairedDefect, RepairPart
from app.defects.queries import repairs as queries
from app.defects.queries.defects import NoSuchDefect, standing_repair
from app.defects.rules import fields
from app.defects.rules.defects import check_unrepaired, state_without_repair
from app.defects.rules.fields import DefectState, RepairValues, StockPart
from app.defects.services.defects import change, check_not_closed, lock_defects, stop_vehicle
from app.divisions import Store
from app.errors import Conflict, Invalid, QuartermasterError
from app.events.rules import EventKind
from app.fields import values_of
from app.fleet.queries.vehicles import RecordedVehicle, is_on_record, lock_records, lock_vehicle
from app.fleet.rules.findings import Severity
from app.fleet.rules.vehicles import describe_missing
from app.fleet.services import upkeep
from app.idempotency import UNSTAMPED, Stamp
from app.lists import grouped
from app.mileage import queries as readings
from app.mileage.rules import ReadingSource
from app.mileage.services import record_reading, void_reading_of
from app.money import MAX_PENCE, format_pence
from app.reference_numbers import Series
from app.stock.models import LedgerEntry
from app.stock.queries import operations
from app.stock.queries.locks import lock_items, lock_past_items
from app.stock.rules.items import REASON
from app.stock.rules.movements import StockLine
from app.stock.services.movements import take_back, withdraw

SUBJECT = "repair"
"""The subject kind of repairs in events and attachments."""

TEAM = "Fleet"
"""The ledger's team for parts of repairs."""

_COPIED = ("reg", "reg_key", "garage", "started_on", "finished_on", "invoice_number")
"""The texts and days that a reversing row has from the repair that it takes back."""


@dataclass(frozen=True)
class RepairResult:
    """A repair that was recorded, or the reversal of one, by its number."""

    number: int


def record_repair(
    values: RepairValues, files: Sequence[PreparedFile] = (), *, by: int, stamp: Stamp = UNSTAMPED
) -> RepairResult:
    """Record a repair with its files: its defects wait for a sign-off, its parts leave the stock.

    Raises Invalid, Conflict for a defect that is mended already, and for too little stock, which
    refuses the whole repair; its field is the part's, such as 'stock_parts.0.item'.
    """
    fields.check_repair(values)
    vehicle = lock_vehicle(values.reg)
    defects = _lock_defects(values.defects, vehicle)
    for defect in defects:
        fields.check_seen_by(values.finished_on, defect.reference, defect.day, dates.today())
    if not (vehicle.is_listed or defects or is_on_record(vehicle.reg_key)):
        raise Invalid(describe_missing(vehicle.reg), "reg")
    repair = Repair(
        **values_of(values),
        number=upkeep.take_number(Series.REPAIR),
        reg=vehicle.reg,
        reg_key=vehicle.reg_key,
        recorded_by=by,
        recorded_at=dates.utc_now(),
        client_key=stamp.client_key,
        client_digest=stamp.client_digest,
    )
    db.session.add(repair)
    db.session.flush()
    stock_cost = _take_parts(repair, values.stock_parts, by)
    db.session.add_all(
        RepairedDefect(repair_id=repair.id, defect_id=defect.id) for defect in defects
    )
    for defect in defects:
        check_not_closed(defect)
        check_unrepaired(defect.state, defect.reference)
        state = {"state": DefectState.REPAIRED}
        change(EventKind.DEFECT_REPAIRED, defect, state, repair=repair.number, by=by)
    if repair.odometer is not None:
        day, source = repair.finished_on, ReadingSource.REPAIR
        record_reading(
            repair.reg, repair.odometer, day=day, source=source, source_id=repair.id, by=by
        )
    after = {
        "reg": repair.reg,
        "defects": [defect.id for defect in defects],
        "pence": repair.labour + repair.parts + repair.other + stock_cost,
    }
    upkeep.record_change(EventKind.REPAIR_RECORDED, SUBJECT, repair.id, after=after, by=by)
    add_attachments(SUBJECT, repair.id, files, by=by)
    return RepairResult(repair.number)


def mileage_question(repair: Repair) -> str:
    """Return the question about a repair's mileage that can't be right, '' for any other."""
    reading = readings.reading_of(ReadingSource.REPAIR, repair.id)
    return readings.question_about(reading) if reading and reading.doubt is not None else ""


def reverse_repair(number: int, *, by: int) -> RepairResult:
    """Undo a repair by a row with the same amounts, negative; returns that row.

    Its parts come back into stock unless they were taken back there already. Its defects are open
    again unless they were signed off or another repair mends them; one that stops its vehicle takes
    it off the road. Raises NotFound, and Conflict for an undone repair, or for parts that can't
    come back.
    """
    repair = queries.get_repair(number)
    upkeep.lock_changeable(repair, queries.why_not_reversed)
    reversal = Repair(
        number=upkeep.take_number(Series.REPAIR),
        **{name: getattr(repair, name) for name in _COPIED},
        includes_vat=repair.includes_vat,
        labour=-repair.labour,
        parts=-repair.parts,
        other=-repair.other,
        recorded_by=by,
        recorded_at=dates.utc_now(),
        reverses_id=repair.id,
    )
    db.session.add(reversal)
    db.session.flush()
    _return_parts(repair, reversal, by)
    mended = queries.repaired_defects([repair.id]).get(repair.id, ())
    if mended:
        for defect in lock_defects([defect.number for defect in mended]):
            _open_again(defect, repair, by)
    void_reading_of(ReadingSource.REPAIR, repair.id, reason=f"{repair.reference} was undone", by=by)
    after = {"reversal": reversal.id, "defects": [defect.id for defect in mended]}
    upkeep.record_change(EventKind.REPAIR_REVERSED, SUBJECT, repair.id, after=after, by=by)
    record(Event.UNDO, f"repair {repair.reference}", by=by, reversal=reversal.number)
    return RepairResult(reversal.number)


def _lock_defects(numbers: Sequence[int], vehicle: RecordedVehicle) -> Sequence[Defect]:
    """Lock the defects of a vehicle that a repair mends; raises Invalid for any other."""
    try:
        defects = lock_defects(set(numbers)) if numbers else []
    except NoSuchDefect as error:
        raise Invalid(error.message, "defects") from None
    for defect in defects:
        if defect.reg_key != vehicle.reg_key:
            what = f"{defect.reference} is a defect of {defect.reg}, not {vehicle.reg}."
            raise Invalid(what, "defects")
    return defects


def _open_again(defect: Defect, repair: Repair, by: int) -> None:
    """Open a locked defect again, unless it was signed off or another repair mends it."""
    state, is_repaired = defect.state, defect.state is DefectState.REPAIRED
    if is_repaired and standing_repair(defect, but=repair.id) is None:
        is_assessed = defect.assessed_at is not None
        state = state_without_repair(is_booked=bool(defect.garage), is_assessed=is_assessed)
    is_open_again = state is not defect.state
    values = {"state": state}
    change(EventKind.DEFECT_UNREPAIRED, defect, values, repair=repair.number, by=by)
    if is_open_again and defect.severity is Severity.STOP:
        stop_vehicle(defect, by=by)


def _take_parts(repair: Repair, parts: Sequence[StockPart], by: int) -> int:
    by_store = grouped((part.store, index) for index, part in enumerate(parts))
    if not by_store:
        return 0
    # All items first and then all sites, as other changes of stock lock them.
    stock = lock_items(list(by_store), [part.item for part in parts])
    reason = f"{repair.reference} {repair.reg}"[: REASON.limit]
    rows: list[RepairPart] = []
    for store in sorted(by_store, key=stock.site_ids.__getitem__):
        lines = [StockLine(parts[n].item, parts[n].quantity) for n in by_store[store]]
        try:
            taken = withdraw(store, lines, team=TEAM, reason=reason, on=repair.finished_on, by=by)
        except QuartermasterError as error:
            _name_parts(error, by_store[store])
            raise
        rows += _part_rows(repair, taken.operation, first=len(rows))
    cost = sum(row.pence for row in rows)
    if cost > MAX_PENCE:
        highest = format_pence(MAX_PENCE)
        raise Invalid(f"The parts of a repair cost at most {highest}.", "stock_parts")
    db.session.add_all(rows)
    return cost


def _name_parts(error: QuartermasterError, indexes: Sequence[int]) -> None:
    named = {}
    for field, message in error.fields.items():
        line = field.split(".")[1] if field.startswith("lines.") else ""
        named[f"stock_parts.{indexes[int(line)]}.item" if line else field] = message
    error.fields, error.field = named, next(iter(named), None)


def _part_rows(repair: Repair, operation_id: int, *, first: int) -> list[RepairPart]:
    statement = select(LedgerEntry).filter_by(operation_id=operation_id).order_by(LedgerEntry.line)
    return [
        RepairPart(
            repair_id=repair.id,
            position=position,
            operation_id=operation_id,
            name=entry.item_name,
            quantity=-entry.delta,
            pence=-entry.delta * entry.unit_price,
        )
        for position, entry in enumerate(db.session.scalars(statement), start=first)
    ]


def _return_parts(repair: Repair, reversal: Repair, by: int) -> None:
    """Undo the standing withdrawals of a repair, and add the parts to its reversal, negative."""
    parts = queries.stock_parts([repair.id]).get(repair.id, ())
    if not parts:
        return
    stores = {part.operation_id: part.store for part in parts}
    standing = operations.operations_in_effect(list(stores))
    undone = {first: undoing.operation_id for first, undoing in operations.undoings(stores).items()}
    undone |= _take_back(stores, standing, by=by)
    db.session.add_all(
        RepairPart(
            repair_id=reversal.id,
            position=position,
            operation_id=undone[part.operation_id],
            name=part.name,
            quantity=-part.quantity,
            pence=-part.pence,
        )
        for position, part in enumerate(parts)
    )


def relink_parts(number: int, *, by: int | None) -> int:
    """Take a repair's parts again, or return an undone one's; return the number joined."""
    repair = queries.get_repair(number)
    lock_records([repair.reg_key])
    separated = queries.separated_operations([repair.id]).get(repair, {})
    parts = queries.stock_parts([repair.id]).get(repair.id, ())
    stores = {part.operation_id: part.store for part in parts}
    return len(_take_back(stores, separated, by=by))


def _take_back(
    stores: Mapping[int, Store], last: Mapping[int, int], *, by: int | None
) -> Mapping[int, int]:
    if not last:
        return {}
    of_operations = select(LedgerEntry.item_id).where(LedgerEntry.operation_id.in_(stores))
    items = sorted(set(db.session.scalars(of_operations)))
    stock = lock_past_items(sorted(set(stores.values())), items)
    in_order = sorted(last, key=lambda each: stock.site_ids[stores[each]])
    return {
        first: take_back(stores[first].division, last[first], by=by).operation for first in in_order
    }


def refuse_undo_of_parts(operation_id: int) -> None:
    """Refuse to undo in stock what a repair, or the undo of one, booked. Raises Conflict."""
    repair = queries.repair_of_operation(operation_id)
    if repair and queries.why_not_reversed(repair):
        undone = f"This belongs to the undo of {repair.reference}."
        raise Conflict(f"{undone} Record a repair if the parts were used.")
    if repair:
        raise Conflict(f"This belongs to {repair.reference}. Undo the repair.")
