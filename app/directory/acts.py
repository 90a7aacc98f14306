"""The acts on a key: hand it over, and take it back."""

from collections.abc import Mapping
from typing import Any

from flask import url_for

from app import dates
from app.directory import forms, queries
from app.directory.models import Key
from app.directory.rules import describe_time_out
from app.directory.services.keys import KeyHandover, hand_over
from app.divisions import Division
from app.names import merge_names
from app.records.acts import Act, Target, Then
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
