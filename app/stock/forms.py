"""The forms of the stock list; the rules check values that depend on the stock."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

import wtforms
from flask import request
from wtforms import BooleanField, FieldList, FormField, RadioField, SelectChoice, SubmitField

from app import dates
from app.directory import queries as directory
from app.divisions import SITES, Division, Site, Store
from app.errors import Invalid, QuartermasterError
from app.stock.queries import overview
from app.stock.rules import items
from app.stock.rules.levels import SNOOZE_REASON, SNOOZED_UNTIL, SUPPLIER, LevelState, Source
from app.stock.rules.movements import Action
from app.web.form_fields import HiddenNumberField, form_field, form_of
from app.web.forms import Form

BULK_LINES = 10
"""How many lines the bulk update has without JavaScript."""


def store_here() -> Store:
    """Return the store in the request's path."""
    where = request.view_args or {}
    return Store(Division(where["division"]), Site(where["site"]))


def _team_names(_: str) -> Sequence[str]:
    return overview.team_names(Division((request.view_args or {})["division"]))


class TeamForm(Form):
    """A form with a team: a recent one of the user, unless another is entered."""

    recent_team = form_field(items.TEAM)
    team = form_field(items.TEAM, existing=_team_names)

    @property
    def chosen_team(self) -> str:
        """Return the entered team, else the chosen recent one."""
        return self.team.data or self.recent_team.data or ""

    def has_team(self) -> bool:
        """Return whether a team is chosen; without one, attach the error."""
        if not self.chosen_team and not self.team.errors:
            self.refuse(Invalid("Team is required", "team"))
            return False
        return True


class AddItemForm(TeamForm):
    """A new item, or new values for the item with its name; only a delivery has a team."""

    name = form_field(items.NAME)
    amount = form_field(items.AMOUNT)
    category = form_field(items.CATEGORY)
    # An empty price leaves an existing item's price unchanged.
    unit_price = form_field(replace(items.UNIT_PRICE, default=None))
    based_on = HiddenNumberField()
    # The button that delivers the amount to the existing item instead of setting it.
    deliver = SubmitField()

    error_field_names: ClassVar = {"lines.0.name": "amount"}

    def validate(self, extra_validators: Any = None) -> bool:
        """Check the fields, that the amount is above 0, and the team of a delivery."""
        valid: bool = super().validate(extra_validators)
        if self.amount.data == 0:
            self.refuse(Invalid("Enter name and amount", "amount"))
            return False
        return valid and (not self.deliver.data or self.has_team())

    def values(self, **_: Any) -> dict[str, Any]:
        """Return the submitted item; an empty price is 0, or that of the existing item."""
        price = self.unit_price.data
        name, amount, category = self.name.data, self.amount.data, self.category.data
        return {
            "new": items.ItemState(None, name, amount, category, price or 0),
            "based_on": self.based_on.data,
            "keeps_price": price is None,
            "delivers": self.deliver.data,
            "team": self.chosen_team,
        }


class ActionForm(Form):
    """A form with an action on stock, and the destination of a transfer."""

    action: RadioField
    destination: RadioField

    def __init__(self, store: Store, **options: Any) -> None:
        """Offer transfers to the other sites of the division, if it has any."""
        super().__init__(**options)
        others = [site for site in SITES[store.division] if site != store.site]
        actions = [each for each in Action if others or each is not Action.TRANSFER]
        self.action.choices = [SelectChoice(each.value, each.value.title()) for each in actions]
        self.destination.choices = [SelectChoice(site.value, site.label) for site in others]

    def has_destination(self) -> bool:
        """Return whether a transfer has a destination; without one, attach the error."""
        if self.action.data == Action.TRANSFER and self.site() is None:
            self.refuse(Invalid("Choose a destination site.", "destination"))
            return False
        return True

    def site(self) -> Site | None:
        """Return the destination of a transfer, None if none was chosen."""
        value = self.destination.data
        choices = {choice.value for choice in self.destination.choices}
        return Site(value) if value in choices else None


class MoveStockForm(ActionForm, TeamForm):
    """A delivery, withdrawal or transfer of one item."""

    action = RadioField("Action")
    quantity = form_field(items.QUANTITY)
    destination = RadioField("Destination site", validate_choice=False)
    date = form_field(items.DATE, default=dates.today)
    # Only the outbox sends it: to book the available amount after more goods were taken.
    book_available = BooleanField(false_values=("", "0"))

    error_field_names: ClassVar = {"lines.0.name": "quantity"}

    def validate(self, extra_validators: Any = None) -> bool:
        """Check the fields, and the team or a transfer's destination."""
        valid: bool = super().validate(extra_validators)
        needed = self.action.data == Action.TRANSFER or self.has_team()
        return self.has_destination() and needed and valid

    @property
    def chosen_team(self) -> str:
        """Return the team; only deliveries and withdrawals offer recent ones."""
        is_transfer = self.action.data == Action.TRANSFER
        return self.team.data or "" if is_transfer else super().chosen_team


# An empty unit is 'pcs'.
_UNIT = form_field(replace(items.UNIT, default=items.DEFAULT_UNIT))
EditItemForm = form_of(items.ItemState, without=["amount"], unit=_UNIT)


class RemoveItemForm(Form):
    """The confirmation before an item is removed."""

    based_on = HiddenNumberField()

    def values(self, **_: Any) -> dict[str, Any]:
        """Return the confirmed amount."""
        return {"based_on": self.based_on.sent}


class LineForm(wtforms.Form):
    """A line of a bulk update; one without a name counts as empty."""

    name = form_field(replace(items.NAME, label="Item", required=None))
    quantity = form_field(items.QUANTITY)

    def validate(self, extra_validators: Any = None) -> bool:
        """Check the fields of a line that isn't empty."""
        if super().validate(extra_validators):
            return True
        if not self.name.data and not self.name.errors:
            self.quantity.errors = []
            return True
        return False


class BulkUpdateForm(ActionForm):
    """A bulk update of up to BULK_LINES lines, for browsers without JavaScript."""

    action = RadioField("Action", default=Action.DELIVERY)
    destination = RadioField("Destination site", validate_choice=False)
    auto_create = BooleanField("Auto-create", default=True)
    team = form_field(items.TEAM, label="Team (optional)", existing=_team_names)
    date = form_field(items.DATE, default=dates.today)
    lines = FieldList(FormField(LineForm), min_entries=BULK_LINES, max_entries=BULK_LINES)

    def validate(self, extra_validators: Any = None) -> bool:
        """Check the fields, that a line is filled in, and the destination of a transfer."""
        valid: bool = super().validate(extra_validators)
        if not self.has_destination():
            return False
        if valid and not self.filled():
            self.refuse(Invalid("Add at least one item.", "lines.0.name"))
            return False
        return valid

    def filled(self) -> list[LineForm]:
        """Return the lines that have a name."""
        return [line.form for line in self.lines if line.form.name.data]

    def problems(self) -> list[tuple[str | None, str]]:
        """Return the errors as (field id or None, message), each line's at its fields."""
        problems = [problem for problem in super().problems() if problem[0] != self.lines.id]
        for number, line in enumerate(self.lines, start=1):
            problems += [
                (field.id, f"Line {number}: {message}")
                for field in line.form
                for message in field.errors
            ]
        return problems

    def refuse(self, error: QuartermasterError) -> None:
        """Attach a service's error to its fields: it may name several lines."""
        filled = self.filled() or [line.form for line in self.lines]
        inputs = {f"lines.{index}.name": line.name for index, line in enumerate(filled)}
        inputs |= {f"lines.{index}.qty": line.quantity for index, line in enumerate(filled)}
        if inputs.keys().isdisjoint(error.fields):
            super().refuse(error)
            return
        self.refusal = error
        for name in inputs.keys() & error.fields:
            inputs[name].errors = [error.fields[name]]


_LevelForm: Any = form_of(
    LevelState, supplier=form_field(SUPPLIER, existing=lambda _: directory.supplier_names())
)


class LevelForm(_LevelForm):
    """The level of an item; only the other sites of its division are offered, if it has any."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        store = store_here()
        others = [site for site in SITES[store.division] if site is not store.site]
        self.from_site.offer(others)
        if not others:
            self.source.offer(each for each in Source if each is not Source.SITE)
            del self.from_site


class AcceptSuggestionsForm(Form):
    """The ticked suggestions: item, revision, minimum and target of each, as displayed."""

    item = wtforms.SelectMultipleField("Items", choices=[], validate_choice=False)

    def values(self, **_: Any) -> dict[str, Any]:
        """Return revision, minimum and target by item. Raises Invalid for anything else."""
        try:
            rows = [tuple(map(int, ticked.split("-"))) for ticked in self.item.data]
            suggested = {item: (revision, least, most) for item, revision, least, most in rows}
        except ValueError:
            raise Invalid("Open the list of suggestions again.") from None
        return {"suggested": suggested}


class SnoozeItemForm(Form):
    """Until when an item is left off the reorder list, and why."""

    snoozed_until = form_field(SNOOZED_UNTIL)
    snooze_reason = form_field(SNOOZE_REASON)
