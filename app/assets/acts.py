"""The acts on an asset: add one to the register, and edit it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from flask import url_for

from app.assets import forms
from app.assets.models import Asset
from app.assets.queries import register as queries
from app.assets.queries.numbering import next_id
from app.assets.rules import STATUSES, AssetState
from app.assets.services import register as services
from app.assets.services.register import AssetChange
from app.divisions import Division
from app.errors import Conflict
from app.names import merge_names
from app.records.acts import Act, Outcome, Target, Then, new_record
from app.web import access

for_assets = access.division(Division.ASSETS)

ASSET_PATH = "/assets/<row_id:number>"


def _current(form: forms.EditAssetForm, asset: Asset) -> str:
    changed = form.differences(queries.state_of(asset))
    values = ", ".join(f"{label} {value}" for label, value in changed)
    return f"It is now: {values}." if values else ""


ON_ASSET = Target[Asset](
    read=queries.get_asset,
    page=lambda asset: url_for("assets.asset", number=asset.id),
    then=Then.OPEN,
    current=_current,
)


def add_asset(values: AssetState) -> AssetChange:
    """Add an asset; one without an id gets the next free one."""
    return services.add_asset(values if values.id else replace(values, id=next_id()))


def _describe_added(change: AssetChange) -> Outcome:
    return Outcome(f"Added {change.item}.", url_for("assets.asset", number=change.number))


def _values_in_use(*_: Any) -> Mapping[str, Any]:
    in_use = queries.values_in_use()
    return {
        "suppliers": queries.supplier_suggestions(),
        "locations": in_use.locations,
        "categories": in_use.categories,
        "statuses": merge_names(STATUSES, in_use.statuses),
    }


def _add_values(form: forms.AddAssetForm, _: None) -> Mapping[str, Any]:
    if isinstance(form.refusal, Conflict) and form.has_proposed_id:
        form.replace_taken_id(next_id())
    return _values_in_use()


ACTS = (
    Act(
        "add_asset",
        "/assets/add",
        for_assets,
        forms.AddAssetForm,
        add_asset,
        _describe_added,
        new_record("assets.assets", then=Then.OPEN),
        offer=lambda form, _: form.propose(next_id()),
        shows=_add_values,
        failure="Failed to add asset",
    ),
    Act(
        "edit_asset",
        f"{ASSET_PATH}/edit",
        for_assets,
        forms.EditAssetForm,
        services.edit_asset,
        "Saved {r.item}.",
        ON_ASSET,
        offer=lambda form, asset: form.process(obj=asset),
        shows=_values_in_use,
    ),
)
