"""The forms of the register: shape only, the rules judge what they mean."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from app.assets.rules import assets as rules
from app.assets.rules.assets import AssetState
from app.money import MAX_AMOUNT
from app.web.form_fields import (
    DayField,
    HiddenNumberField,
    PoundsField,
    TextField,
    WholeNumberField,
)
from app.web.forms import Form


class _AssetForm(Form):
    item = TextField("Item", limit=rules.LONGEST_ITEM, required=rules.ITEM_REQUIRED)
    make = TextField("Make", limit=rules.LONGEST_MAKE)
    model = TextField("Model", limit=rules.LONGEST_MAKE)
    serial = TextField("Serial", limit=rules.LONGEST_SERIAL)
    supplier = TextField("Supplier", limit=rules.LONGEST_SUPPLIER)
    location = TextField("Location", limit=rules.LONGEST_LOCATION)
    purchase_date = DayField("Purchase date", earliest=rules.EARLIEST_PURCHASE)
    purchase_price = PoundsField("Purchase price (£)", what="Purchase price", default=0)
    category = TextField("Category", limit=rules.LONGEST_CATEGORY)
    status = TextField("Status", limit=rules.LONGEST_STATUS)
    quantity = WholeNumberField(
        "Quantity", least=1, most=MAX_AMOUNT, required="Quantity must be at least 1", default=1
    )

    def state(self) -> AssetState:
        """Return the asset as typed; a price left empty is 0."""
        return AssetState(
            item=self.item.data,
            make=self.make.data,
            model=self.model.data,
            serial=self.serial.data,
            supplier=self.supplier.data,
            location=self.location.data,
            purchase_date=self.purchase_date.data,
            purchase_price=self.purchase_price.data or 0,
            category=self.category.data,
            status=self.status.data,
            quantity=self.quantity.data,
        )


class AddAssetForm(_AssetForm):
    """An asset that is new."""

    # An input named "id" would hide its form's own id from scripts.
    asset_id = TextField("ID", limit=rules.LONGEST_ID)
    called: ClassVar[Mapping[str, str]] = {"id": "asset_id"}

    def state(self) -> AssetState:
        """Return the asset as typed; without an id it gets one when it is added."""
        return replace(super().state(), id=self.asset_id.data)


class EditAssetForm(_AssetForm):
    """What an asset is; its id stays."""

    revision = HiddenNumberField()

    def others(self, now: AssetState) -> Sequence[tuple[str, str]]:
        """Return label and present value of the fields that were typed otherwise."""
        typed = self.state()
        return [
            (field.label.text, field.format(value) if value not in ("", None) else rules.DASH)
            for field in self
            if hasattr(now, field.name)
            and (value := getattr(now, field.name)) != getattr(typed, field.name)
        ]


class MoveForm(Form):
    """Where assets go."""

    destination = TextField(
        "Destination", limit=rules.LONGEST_LOCATION, required=rules.DESTINATION_REQUIRED
    )
