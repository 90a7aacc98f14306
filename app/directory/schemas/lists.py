"""The lists of keys, of who had them, and of services."""

from app import names
from app.directory import queries
from app.directory.models import Key, KeyChange, Service
from app.directory.queries import HANDOVER_COLUMNS, Handover
from app.directory.rules import DirectoryList
from app.directory.services.keys import HANDOVERS
from app.records.filters import Matching, Search
from app.records.record import Column, Record, sort_columns
from app.sorting import SortOrder

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
    listed=["key", "holder", "notes", "actions"],
    order=[Key.label_key],
    default=SortOrder("key"),
    key=Key.label_key,
    per_page=100,
)

SERVICE_LIST: Record[Service] = Record(
    name="service",
    plural="services",
    list_name=DirectoryList.SERVICES,
    model=Service,
    filters=[Search(column=Service.search_key)],
    columns=[
        Column("name", heading="Name", by=[Service.name_key], indexed=True),
        Column("description", heading="Description", by=[Service.description]),
        Column("actions", heading="Actions", css_class="acts", changes=True),
    ],
    listed=["name", "description", "actions"],
    order=[Service.name_key],
    default=SortOrder("name"),
    key=Service.name_key,
    per_page=100,
)

HANDOVER_LIST = Record[Handover](
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
        ),
    ],
    columns=sort_columns(HANDOVER_COLUMNS, queries.HANDOVERS_BY),
    listed=list(HANDOVER_COLUMNS.columns),
    order=[KeyChange.at.desc(), KeyChange.id.desc()],
    default=HANDOVER_COLUMNS.default,
    key=KeyChange.id,
    newest_first=True,
    call_by=KeyChange.at,
)
