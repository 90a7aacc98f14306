"""Writing entries whose names may not meet."""

from sqlalchemy.exc import IntegrityError

from app.db import db
from app.errors import Conflict


class NameExists(Conflict):
    """The name belongs to another entry already."""

    def __init__(self, name: str, field: str = "name") -> None:
        super().__init__(f'Name already exists: "{name}"', field)


def flush(refusal: Conflict) -> None:
    """Write what is new; raise the refusal where somebody else has just used the same name."""
    try:
        db.session.flush()
    except IntegrityError as error:
        said = str(error.orig)
        if "name_key" not in said and "label_key" not in said:
            raise
        raise refusal from error
