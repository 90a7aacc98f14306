"""The fields and limits of saved views; pure."""

from dataclasses import dataclass

from app import names
from app.divisions import Division
from app.errors import Conflict, ErrorCode, Invalid
from app.fields import Choice, Text, attribute
from app.money import count_of

VIEWS = "views"
"""The name of their list, which the keys of calls are stored with."""

SUBJECT = "view"

MAX_NAME_LENGTH = 60
MAX_KEY_LENGTH = 240
MAX_QUERY_LENGTH = 2_000
MAX_VIEWS = 200
MAX_STARRED = 8

NO_SUCH_VIEW = "There is no such view. Load the list again."
TOO_MANY = f"You have {MAX_VIEWS} views. Delete one first."
TOO_MANY_STARRED = "Eight views can be on the dashboard. Take one off first."

# A name is too long for `check_view`, which says so in other words, before it is for its field.
NAME = Text(name="name", limit=2_000, required="Name is required", example="Low at Northern")
DIVISION = Choice(
    name="division",
    kind=Division,
    label="For",
    none="Only me",
    description="Whose people see it",
    example="gfm",
)


@dataclass(frozen=True)
class ViewState:
    """What a person can change of a view besides its filters."""

    name: str = attribute(NAME)
    division: Division | None = attribute(DIVISION)


class ViewNameTaken(Conflict):
    """The person has a view of this name on the list."""

    code = ErrorCode.NAME_TAKEN

    def __init__(self) -> None:
        super().__init__("You have a view of this name. Choose another name.", "name")


def check_view(name: str, query: str) -> None:
    """Raise Invalid for a name, or its key, or a query that is too long."""
    if len(name) > MAX_NAME_LENGTH or len(names.key(name)) > MAX_KEY_LENGTH:
        raise Invalid(f"Name must have at most {MAX_NAME_LENGTH} characters", "name")
    if len(query) > MAX_QUERY_LENGTH:
        raise Invalid("This view has too many filters to be kept.", "query")


def describe_users(count: int) -> str:
    """Return a sentence about the other people whose list opens with a view, '' for none."""
    starts = "starts" if count == 1 else "start"
    return f"{count_of(count, 'person', 'people')} {starts} with this view." if count else ""
