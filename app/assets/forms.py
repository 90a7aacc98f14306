"""The forms of the register, with an input for each field of an asset."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from flask import request
from wtforms import HiddenField

from app import names
from app.assets.queries import register
from app.assets.rules import ASSET_FIELDS, DESTINATION, LOCATION, NO_VALUE, QUANTITY, AssetState
from app.fields import fields_of
from app.web.form_fields import RevisionForm, form_field, inputs_of
from app.web.forms import Form, UndoForm

_COUNT = replace(QUANTITY, range_message=None)
_QUANTITY = replace(_COUNT, required=_COUNT.minimum_message)


def _suppliers(_: str) -> Sequence[str]:
    return register.supplier_suggestions()


def _locations(_: str) -> Sequence[str]:
    return register.values_in_use()["location"]


@inputs_of(AssetState)
class AddAssetForm(Form):
    """A new asset; `proposed_id` is the id that the form proposed."""

    error_field_names: ClassVar[Mapping[str, str]] = {"id": "asset_id"}
    """An input named 'id' would hide its form's own id from scripts."""
    supplier = form_field(ASSET_FIELDS["supplier"], existing=_suppliers)
    location = form_field(LOCATION, existing=_locations)
    quantity = form_field(_QUANTITY)
    proposed_id = HiddenField()

    def propose(self, asset_id: str) -> None:
        """Propose an id."""
        for field in (self.proposed_id, self["asset_id"]):
            field.data, field.raw_data = asset_id, None

    def replace_taken_id(self, next_id: Callable[[], str]) -> None:
        """Propose another id if the proposed one, not a typed one, is taken by now."""
        taken = self["asset_id"].data or ""
        if names.key(taken) != names.key(self.proposed_id.data or ""):
            return
        asset_id = next_id()
        self.propose(asset_id)
        self["asset_id"].errors = [
            f"Somebody else has just used {taken}. {asset_id} is free: save again to use it."
        ]


@inputs_of(AssetState, without=("id",))
class EditAssetForm(RevisionForm):
    """New values of an asset; its id stays."""

    supplier = form_field(ASSET_FIELDS["supplier"], existing=_suppliers)
    location = form_field(LOCATION, existing=_locations)
    quantity = form_field(_QUANTITY)

    def differences(self, current: AssetState) -> Sequence[tuple[str, str]]:
        """Return label and current value of the fields that were submitted with another value."""
        submitted = self.values()
        return [
            (self[name].label.text, field.format(value) or NO_VALUE)
            for name, field in fields_of(AssetState).items()
            if name in self and (value := getattr(current, name)) != getattr(submitted, name)
        ]


class MoveForm(Form):
    """The destination of assets."""

    destination = form_field(DESTINATION, existing=_locations)


class UndoMovesForm(UndoForm):
    """The button that takes moves back."""

    @property
    def back_to(self) -> str | None:
        """Return the page that led here, unless it is the undo of one of several moves."""
        back = super().back_to
        return None if back == request.path.removesuffix("-all") else back
