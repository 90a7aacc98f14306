"""JSON of saved views."""

from collections.abc import Mapping
from typing import Any, ClassVar

from marshmallow import missing

from app.api import replies
from app.api.fields import FullMessage, JsonText, json_field
from app.api.schemas import Body, NotEmpty, body_of
from app.views.rules import DIVISION, NAME, ViewState

PATH, QUERY = "/inventory/main", "q=tea&category=Drinks"


def _text(limit: int, what: str, example: str, description: str, **options: Any) -> JsonText:
    metadata = {"example": example, "description": description}
    return JsonText(limit=limit, what=what, metadata=metadata, **options)


@body_of(ViewState)
class ViewBody(Body):
    """A view of a list; its query is that of an address of the list's page."""

    path = _text(200, "List", PATH, "The path of the list's page", data_key="list", required=True)
    query = _text(20_000, "Query", QUERY, "Its filters and its order", load_default="")

    def made(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of a valid body, and the address."""
        return {"values": super().made(data), "path": data["path"], "query": data["query"]}


class ViewChangeBody(Body):
    """A change of a view; a field that is missing stays as it is."""

    field_rules: ClassVar = (NotEmpty(FullMessage("Send what changes.")),)

    name = json_field(NAME, required=False)
    query = _text(20_000, "Query", QUERY, "Its filters and its order")
    division = json_field(DIVISION, load_default=missing)


@replies.reply_of(ViewState, at="view")
class ViewReply(replies.Reply):
    """A view that the user sees, and what they chose of it; an own one has no division."""

    id = replies.number(12, "view.id")
    list = replies.text(PATH, "view.list")
    query = replies.text(QUERY, "view.query")
    is_default = replies.flag(False, description="Whether the user's list opens with it")
    is_starred = replies.flag(False, description="Whether it is on the user's dashboard")
