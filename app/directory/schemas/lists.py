"""The lists of keys and services."""

from app.directory.models import Key, Service
from app.directory.rules import DirectoryList
from app.records.filters import Search
from app.records.record import Column, Record
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
