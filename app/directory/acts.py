"""The acts on a key: hand it over, and take it back; and the import of each list."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from flask import url_for

from app import dates
from app.directory import forms, queries
from app.directory.models import Key
from app.directory.rules import LEAD_DAYS, DirectoryList, describe_time_out
from app.directory.schemas import FILES, read_keys, read_names
from app.directory.services import names
from app.directory.services.keys import KeyHandover, hand_over, remove_key, set_keys
from app.divisions import Division
from app.names import merge_names
from app.records.acts import Act, Target, Then
from app.records.targets import ImportTarget
from app.versions import version_of
from app.web import access

for_gpm = access.division(Division.GPM)

KEY = "/keys/<row_id:key_id>"

MAX_RECENT = 4
"""How many of the last holders have a button of their own."""

ON_KEY = Target[Key](
    read=queries.key,
    page=lambda _: url_for("directory.keys"),
    then=Then.RETURN,
    reload_event="keys-changed",
)


def time_out(key: Key) -> str:
    """Return since when a key's holder has had it, in words."""
    since = key.holder_since
    return "" if since is None else describe_time_out(dates.london_day(since), dates.today())


def return_key(key_id: int, *, holder_before: str, by: int) -> KeyHandover:
    """Take a key back from its holder."""
    return hand_over(key_id, "", holder_before=holder_before, by=by)


def _holders(_: Any, key: Key) -> Mapping[str, Any]:
    recent = queries.recent_holders(MAX_RECENT, except_for=key.holder)
    offered = merge_names(recent, queries.teams_offered())
    return {"time_out": time_out, "recent": recent, "offered": offered}


def _target(list_name: DirectoryList) -> ImportTarget[Any]:
    is_keys, columns = list_name is DirectoryList.KEYS, FILES[list_name]
    save: Callable[..., Any] = set_keys if is_keys else partial(names.set_names, list_name)
    leave: Callable[..., Any] = remove_key if is_keys else partial(names.remove, list_name)

    def remove(keys: Sequence[str], by: int | None) -> None:
        for key in keys:
            leave(key, by=by)

    return ImportTarget(
        key=list_name,
        label=list_name.capitalize(),
        call=f"/gpm/{list_name}",
        division=Division.GPM,
        columns=columns,
        required=[column.name for column in columns if column.name != LEAD_DAYS.json],
        key_columns=["code", "name"],
        alike=["name"],
        empty_means={LEAD_DAYS.json: None},
        read=read_keys if is_keys else read_names,
        version=partial(version_of, list_name),
        current=queries.all_keys if is_keys else partial(queries.entries, list_name),
        apply=lambda entries, by, *_: save(entries, by=by),
        restore=None if is_keys else lambda entries, by, *_: save(entries, clears=True, by=by),
        remove=remove,
    )


TARGETS = {each.key: each for each in map(_target, DirectoryList)}

ACTS = (
    Act(
        "hand_over",
        f"{KEY}/hand-over",
        for_gpm,
        forms.HandOverForm,
        hand_over,
        "{r.label} is with {r.holder} now.",
        ON_KEY,
        shows=_holders,
        failure="Failed to hand over key",
    ),
    Act(
        "return_key",
        f"{KEY}/return",
        for_gpm,
        forms.ReturnKeyForm,
        return_key,
        "{r.label} was returned by {r.holder_before}.",
        ON_KEY,
        over=lambda key: (
            "" if key.holder else "Nobody has this key, so there is nothing to return."
        ),
        shows=lambda *_: {"time_out": time_out},
        failure="Failed to return key",
    ),
)
