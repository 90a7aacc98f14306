"""The act that takes a repair back."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import url_for

from app.fleet.acts import for_fleet
from app.records.acts import Act, Outcome, Target
from app.reference_numbers import ReferenceNumber, Series
from app.upkeep.models.defects import Repair
from app.upkeep.queries import repairs as queries
from app.upkeep.services import repairs as services
from app.web import rights
from app.web.forms import UndoForm

REPAIR = "/fleet/repairs/<row_id:number>"

ON_REPAIR = Target[Repair](
    read=queries.get_repair,
    page=lambda repair: url_for("upkeep.repair", number=repair.number),
)


@dataclass(frozen=True)
class RepairResult:
    """A repair that was recorded or undone, by its number."""

    number: int


def undo_repair(number: int, *, by: int) -> RepairResult:
    """Take a repair back; its parts go back into stores in which the user may work."""
    repair = queries.get_repair(number)
    if not queries.why_not_reversed(repair):
        rights.check_works_in(queries.stock_divisions(repair))
    return RepairResult(services.reverse_repair(number, by=by).number)


def why_not_undone(repair: Repair) -> str:
    """Return why the user of this request can't undo a repair, '' if they can."""
    return queries.why_not_reversed(repair) or rights.why_not_works_in(
        queries.stock_divisions(repair)
    )


def _describe(result: RepairResult) -> Outcome:
    reversal = queries.get_repair(result.number)
    undone = queries.repair_by_id(reversal.reverses_id or 0)
    defects = queries.repaired_defects([undone.id]).get(undone.id, ())
    by = ReferenceNumber(Series.REPAIR, result.number)
    return Outcome(f"Undone: {undone.reference}, by {by}.", warnings=queries.signed_off(defects))


def _costs(_: Any, repair: Repair) -> Mapping[str, Any]:
    (row,) = queries.repair_rows([repair])
    return {"costs": row, "signed_off": queries.signed_off(row.defects)}


ACTS = (
    Act(
        "undo_repair",
        f"{REPAIR}/undo",
        for_fleet.by_managers,
        UndoForm,
        undo_repair,
        _describe,
        ON_REPAIR,
        over=why_not_undone,
        shows=_costs,
    ),
)
