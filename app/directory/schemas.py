"""JSON and CSV of the directory."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from marshmallow import missing

from app import names
from app.accounts import queries as accounts
from app.api import replies
from app.api.fields import FullMessage, JsonMoment, JsonText, JsonWholeNumber, json_field
from app.api.replies import Reply, reply_of
from app.api.schemas import AtLeastOne, Body, body_of
from app.directory import queries
from app.directory.models import ENTRY_MODELS, Key, KeyChange, Service
from app.directory.rules import (
    DESCRIPTION,
    HOLDER,
    LEAD_DAYS,
    NAME,
    DirectoryList,
    KeyState,
    NameState,
)
from app.directory.services.keys import HANDOVERS, ListedKey, PastHandover
from app.fields import fields_of
from app.records.filters import Matching, Search
from app.records.record import Column, Record, columns_of
from app.sorting import SortKind, SortOrder
from app.tables.columns import Prepared
from app.tables.csv_files import Table, cell_reader

_NO_LABEL = "A key needs a code or a name"


def _name(what: str, **options: Any) -> JsonText:
    return JsonText(limit=NAME.limit, what=what, **options)


class NameBody(Body):
    """A new team or supplier."""

    state_type: ClassVar = NameState

    name = _name(NAME.what, required=True, metadata={"example": NAME.example})


class ServiceBody(Body):
    """A new service; `name` is another name for `service`."""

    aliases: ClassVar = {"name": "service"}
    state_type: ClassVar = NameState

    name = _name(
        "Service", data_key="service", required=True, metadata={"example": "Window cleaning"}
    )
    description = json_field(DESCRIPTION)


class RenameBody(Body):
    """A new name for the entry `oldName`, whose case, width and spacing don't matter."""

    old_name = _name("Old name", required=True, metadata={"example": "Kitchen"})
    new_name = _name("New name", required=True, metadata={"example": "Kitchen and bar"})


@body_of(KeyState)
class KeyBody(Body):
    """A key; it is identified by its code, or by its name without one."""

    field_rules: ClassVar = [AtLeastOne(("code", "name"), FullMessage(_NO_LABEL))]

    id = JsonWholeNumber(
        metadata={
            "description": "Assigned by the server. Send it back to give the same key another "
            "code or name",
            "example": 12,
        }
    )

    def made(self, data: Mapping[str, Any]) -> ListedKey:
        """Return the key, and its id if it has one."""
        return ListedKey(super().made(data), data.get("id"))


class HandoverBody(Body):
    """A handover of a key; the server records the user."""

    accepts_single: ClassVar = True
    aliases: ClassVar = {"code": "key", "name": "key", "ts": "date"}
    state_type: ClassVar = PastHandover

    label = _name(
        "Key",
        data_key="key",
        required=True,
        metadata={"description": "The key's code or name", "example": "K12"},
    )
    holder = json_field(HOLDER, required=True, may_be_empty=True, load_default=missing)
    holder_before = json_field(
        HOLDER,
        data_key="previousHolder",
        load_default=missing,
        metadata={
            "description": "If missing, the holder at that time by the key's history",
            "example": "",
        },
    )
    at = JsonMoment(
        data_key="date",
        metadata={"description": "A time or a day; now if missing", "example": "2011-12-09"},
    )


class NameReply(Reply):
    """A team or supplier."""

    id = replies.number(12)
    name = replies.text("Kitchen")


class ServiceReply(NameReply):
    """A service."""

    description = replies.text("Inside and outside")


@reply_of(KeyState)
class KeyReply(Reply):
    """A key; its holder is empty if nobody has it."""

    id = replies.number(12)
    name = replies.text("HAND WARMER UNION JACK")
    holder = replies.text("Kitchen")


class HandoverReply(Reply):
    """A handover, with the names of the key and its holders at that time."""

    id = replies.number(12)
    key = replies.text("K12", "label")
    holder = replies.text("Kitchen", description="Empty for nobody")
    previous_holder = replies.text("", "holder_before", description="Empty for nobody")
    date = replies.moment("2011-12-09T12:50:00Z", "at")
    by = replies.text("keeper", "username", description="A user name, empty for the terminal")


_NAME, _DESCRIPTION, _LEAD_DAYS = columns_of(NameState, lambda entry: entry)

FILES: Mapping[DirectoryList, Sequence[Column[Any]]] = {
    DirectoryList.TEAMS: [_NAME],
    DirectoryList.SUPPLIERS: [_NAME, _LEAD_DAYS],
    DirectoryList.SERVICES: [_NAME, _DESCRIPTION],
    DirectoryList.KEYS: list(columns_of(KeyState, lambda key: key.state)),
}

_KEY_READERS = {name: cell_reader(field) for name, field in fields_of(KeyState).items()}


def read_names(source: Prepared) -> list[NameState]:
    """Read the teams, suppliers or services of a file. Raises FileErrors."""
    table = Table(source)
    read = []
    for cells in table:
        name = cells.read("name", cell_reader(NAME), "")
        cells.refuse_repeated("name", name, names.key(name))
        description = cells.read("description", cell_reader(DESCRIPTION), "")
        lead_days = cells.read(LEAD_DAYS.json, cell_reader(LEAD_DAYS), None)
        read.append(NameState(name, description, lead_days))
    table.check()
    return read


def read_keys(source: Prepared) -> list[KeyState]:
    """Read the keys of a file. Raises FileErrors."""
    table = Table(source)
    read = []
    for cells in table:
        values = {name: cells.read(name, read) for name, read in _KEY_READERS.items()}
        key = KeyState(**{name: value or "" for name, value in values.items()})
        if values["code"] == "" == values["name"]:
            cells.refuse("code", _NO_LABEL)
        cells.refuse_repeated("code" if key.code else "name", key.label, names.key(key.label))
        read.append(key)
    table.check()
    return read


KEY_LIST: Record[Key] = Record(
    name="key",
    plural="keys",
    list_name=DirectoryList.KEYS,
    model=Key,
    filters=[Search(column=Key.search_key)],
    columns=[
        Column("key", heading="Key", by=[Key.label_key], indexed=True),
        Column("holder", heading="Holder", by=[Key.holder]),
        Column("notes", heading="Notes", by=[Key.notes]),
        Column("actions", heading="Actions", css_class="acts", changes=True),
    ],
    file=FILES[DirectoryList.KEYS],
    order=[Key.label_key],
    default=SortOrder("key"),
    key=Key.label_key,
    per_page=100,
)


def _names(list_name: DirectoryList, **options: Any) -> Record[Any]:
    model = ENTRY_MODELS[list_name]
    return Record(
        name=list_name.noun,
        plural=list_name,
        list_name=list_name,
        model=model,
        order=[model.name_key],
        key=model.name_key,
        **{"columns": (), **options},
    )


TEAM_LIST = _names(DirectoryList.TEAMS)
SUPPLIER_LIST = _names(DirectoryList.SUPPLIERS)
SERVICE_LIST = _names(
    DirectoryList.SERVICES,
    filters=[Search(column=Service.search_key)],
    columns=[
        Column("name", heading="Name", by=[Service.name_key], indexed=True),
        Column("description", heading="Description", css_class="full", by=[Service.description]),
        Column("actions", heading="Actions", css_class="acts", changes=True),
    ],
    file=FILES[DirectoryList.SERVICES],
    default=SortOrder("name"),
    per_page=100,
)

HANDOVER_LIST = Record[queries.Handover](
    name="handover",
    plural="handovers",
    list_name=HANDOVERS,
    model=KeyChange,
    rows=queries.handovers_of,
    stream=queries.stream_handovers,
    filters=[
        Matching(
            name="key",
            description="The code of a key, or its name if it has none",
            example="K12",
            conditions=lambda label, _: [KeyChange.label_key == names.key(label)],
        )
    ],
    columns=[
        Column("since", heading="Since", by=[KeyChange.at], kind=SortKind.DAY, indexed=True),
        Column("holder", heading="Holder", by=[KeyChange.holder]),
        Column("before", heading="Before", by=[KeyChange.holder_before]),
        Column("by", heading="Changed by", by=[accounts.username_of(KeyChange.user_id)]),
    ],
    order=[KeyChange.at.desc(), KeyChange.id.desc()],
    default=SortOrder("since", descending=True),
    key=KeyChange.id,
    newest_first=True,
    call_by=KeyChange.at,
    per_page=50,
    is_capped=True,
)


def handovers_of_key(label_key: str) -> Record[queries.Handover]:
    """Return the list of the handovers of one key."""
    return replace(HANDOVER_LIST, scope=lambda: [KeyChange.label_key == label_key], filters=[])
