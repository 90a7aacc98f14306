"""Which defects a check may answer about."""

from collections.abc import Mapping

from sqlalchemy import select

from app.db import db
from app.errors import Invalid
from app.fleet.rules.findings import AnsweredDefects, SightingAnswer
from app.reference_numbers import ReferenceNumber, Series
from app.upkeep.models.defects import Defect


def check_answers(reg_key: str, answers: Mapping[int, SightingAnswer]) -> AnsweredDefects:
    """Return the defects that a check of a vehicle answers about.

    A number that no defect has isn't refused: a check that waited for a connection must not be
    lost. Raises Invalid for a defect of another vehicle.
    """
    if not answers:
        return AnsweredDefects({})
    statement = select(Defect.number, Defect.reg_key, Defect.reg, Defect.part).where(
        Defect.number.in_(answers)
    )
    found = {row.number: row for row in db.session.execute(statement)}
    for row in found.values():
        if row.reg_key != reg_key:
            raise Invalid(f"{_reference(row.number)} is a defect of {row.reg}.", "defects")
    ignored = [
        f"There is no {_reference(number)}: the answer about it was left out."
        for number in answers
        if number not in found
    ]
    return AnsweredDefects({number: row.part for number, row in found.items()}, ignored)


def _reference(number: int) -> str:
    return str(ReferenceNumber(Series.DEFECT, number))
