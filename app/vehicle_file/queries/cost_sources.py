"""The sources of costs: repairs, done work, and checks."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import cache, lru_cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Date,
    Integer,
    Select,
    String,
    Subquery,
    and_,
    bindparam,
    case,
    cast,
    func,
    literal_column,
    null,
    select,
    union_all,
)
from sqlalchemy.orm import aliased

from app.defects.models import Defect, DefectSighting, Repair, RepairedDefect
from app.defects.queries.repairs import FROM_STOCK, stands
from app.defects.rules.fields import Closing
from app.due.models import DueDone, DueItem, DueItemVehicle
from app.fleet.models import HAS_COST, Check
from app.fleet.rules.findings import SightingAnswer
from app.vehicle_file.rules import CostKind

Statement = Select[*tuple[Any, ...]]


class CostSource(StrEnum):
    """The record that a cost was entered with."""

    REPAIR = "repair"
    CHECK = "check"
    DUE = "due"


@dataclass(frozen=True)
class CostFilters:
    """The days, both included, and the vehicle and kinds of costs; '' and none match all."""

    start: date
    end: date
    reg_key: str = ""
    kinds: Sequence[CostKind] = ()


DAYS: Any = bindparam("start", type_=Date), bindparam("end", type_=Date)


def cost_sources(filters: CostFilters) -> Subquery:
    """Return the costs of all sources, in the columns of a CostRow; execute with vars(filters)."""
    return _sources(bool(filters.reg_key), tuple(filters.kinds))


@lru_cache(maxsize=32)
def _sources(is_of_vehicle: bool, kinds: tuple[CostKind, ...]) -> Subquery:
    # Built once, since to build it takes longer than to execute it.
    reg_key: Any = bindparam("reg_key", type_=Check.reg_key.type) if is_of_vehicle else ""
    start, end = DAYS
    filters = CostFilters(start, end, reg_key, kinds)
    done = _select_done(filters, DueItem, DueDone.cost)
    sources = [done.where(*_on(filters, DueDone.reg_key, DueDone.done_on)), _shared_costs(filters)]
    if not kinds or CostKind.REPAIR in kinds:
        pence = Repair.labour + Repair.parts + Repair.other + FROM_STOCK
        values: Any = (Repair.finished_on, _text(CostKind.REPAIR), Repair.garage, pence)
        costs = _select(CostSource.REPAIR, Repair, Repair, values, Repair.number)
        of_days = costs.where(*_on(filters, Repair.reg_key, Repair.finished_on))
        sources.append(of_days.where(stands(Repair), pence > 0))
    if not kinds or CostKind.CHECK in kinds:
        values = (Check.day, _text(CostKind.CHECK), Check.form_label, Check.cost)
        costs = _select(CostSource.CHECK, Check, Check, values).where(HAS_COST)
        of_days = costs.where(*_on(filters, Check.reg_key, Check.day))
        sources.append(of_days.where(*_is_not_repaired()))
    return union_all(*sources).subquery("costs")


def _select(
    source: CostSource, row: Any, of: Any, values: Sequence[Any], number: Any = None
) -> Statement:
    """Return rows' costs in the columns of all sources; `values` are day, kind, text and pence."""
    names = ("day", "kind", "text", "pence")
    return select(
        of.reg,
        of.reg_key,
        *(value.label(name) for name, value in zip(names, values, strict=True)),
        _text(source).label("source"),
        row.id.label("source_id"),
        (cast(null(), Integer) if number is None else number).label("number"),
    )


@cache
def _is_not_repaired() -> Sequence[ColumnElement[bool]]:
    """Return the conditions that no defect which a check opened or saw has a standing repair."""
    # After the undo of a signed-off defect's repair, the next defect of its part stands for it, and
    # so on until one is closed in another way.
    first, between, anew = aliased(Defect), aliased(Defect), aliased(Defect)
    repairs = (
        select(RepairedDefect.repair_id)
        .join(Repair, Repair.id == RepairedDefect.repair_id)
        .where(stands(Repair))
    )
    # So written, databases find the first defect by its check, the others by vehicle and day.
    ended = select(between.id).where(
        between.reg_key == anew.reg_key,
        between.day >= first.day,
        between.part_key == anew.part_key,
        between.id > first.id + 0,
        between.id < anew.id + 0,
        between.closing.not_in([Closing.REPAIRED, Closing.DUPLICATE]),
    )
    is_next = and_(
        anew.reg_key == Check.reg_key,
        anew.day >= first.day,
        anew.part_key == first.part_key,
        anew.id > first.id + 0,
        ~ended.exists(),
    )
    of_next = (
        repairs.join(anew, anew.id == RepairedDefect.defect_id)
        .join(first, is_next)
        .where(first.closing == Closing.REPAIRED)
    )
    was_seen = (DefectSighting.check_id == Check.id, DefectSighting.answer != SightingAnswer.ABSENT)
    mended = RepairedDefect.defect_id
    linked = (
        repairs.join(Defect, Defect.id == mended).where(Defect.check_id == Check.id),
        repairs.join(DefectSighting, DefectSighting.defect_id == mended).where(*was_seen),
        of_next.where(first.check_id == Check.id),
        of_next.join(DefectSighting, DefectSighting.defect_id == first.id).where(*was_seen),
    )
    # One by one: with OR the databases would read all defects for each check.
    return [~statement.exists() for statement in linked]


def _shared_costs(filters: CostFilters) -> Statement:
    vehicles = func.count().over(partition_by=DueDone.id)
    place = func.row_number().over(partition_by=DueDone.id, order_by=DueItemVehicle.reg_key)
    share = share_of_cost(vehicles, place)
    parts = (
        _select_done(filters, DueItemVehicle, share)
        .join(DueItemVehicle, DueItemVehicle.due_item_id == DueItem.id)
        .where(DueDone.reg_key.is_(None), DueDone.done_on.between(filters.start, filters.end))
        .subquery("parts")
    )
    if filters.reg_key == "":
        return select(parts)
    return select(parts).where(parts.c.reg_key == filters.reg_key)


def share_of_cost(vehicles: Any, place: Any) -> ColumnElement[int]:
    """Return a vehicle's share of a shared item's cost; the first ones pay the odd pence."""
    odd = case((place <= DueDone.cost % vehicles, 1), else_=0)
    share: ColumnElement[int] = DueDone.cost // vehicles + odd
    return share


def _select_done(filters: CostFilters, of: Any, pence: Any) -> Statement:
    kind = cast(DueDone.kind, String)
    values = (DueDone.done_on, kind, DueItem.label, pence)
    statement = (
        _select(CostSource.DUE, DueDone, of, values)
        .select_from(DueDone)
        .join(DueItem, DueItem.id == DueDone.due_item_id)
        .where(DueDone.undone_at.is_(None), DueDone.cost > 0)
    )
    # The kinds of repairs and checks are none of what is due, and match nothing here.
    kinds = [each.value for each in filters.kinds]
    return statement.where(kind.in_(kinds)) if kinds else statement


def _on(filters: CostFilters, key: Any, day: Any) -> list[ColumnElement[bool]]:
    of_vehicle = key == filters.reg_key if filters.reg_key != "" else key.is_not(None)
    return [day.between(filters.start, filters.end), of_vehicle]


def _text(value: StrEnum) -> ColumnElement[str]:
    """Return a constant text; PostgreSQL wouldn't know the type of a parameter."""
    return cast(literal_column(f"'{value.value}'"), String)
