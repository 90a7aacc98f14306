"""The counter of each series of numbers."""

from sqlalchemy import String, update
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base, db
from app.reference_numbers import Series


class NumberCounter(Base):
    """The last number of a series; migrations insert the rows."""

    __tablename__ = "number_counter"

    series: Mapped[str] = mapped_column(String(1), primary_key=True)
    last: Mapped[int] = mapped_column(default=0)


def next_number(series: Series) -> int:
    """Return the next number of a series; transactions wait here, so that there are no gaps."""
    following = {NumberCounter.last: NumberCounter.last + 1}
    statement = update(NumberCounter).filter_by(series=series.value).values(following)
    return db.session.execute(statement.returning(NumberCounter.last)).scalar_one()
