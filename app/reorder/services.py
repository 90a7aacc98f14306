"""Make the orders and transfers of a reorder list, all or none."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from app import dates, names
from app.accounts.queries import usernames
from app.deliveries import queries as deliveries
from app.deliveries.rules import DeliveryOrder
from app.deliveries.services import add_lines
from app.directory import queries as directory
from app.divisions import SITES, Site, Store
from app.errors import Conflict, Invalid
from app.fields import Choice, WholeNumber, attribute
from app.lists import grouped
from app.money import count_of, format_number
from app.stock.queries.locks import lock_items
from app.stock.queries.stock_levels import lead_of, levels_of
from app.stock.rules import items, levels
from app.stock.rules.items import ItemState
from app.stock.rules.movements import StockLine
from app.stock.services.movements import transfer

_HERE = WholeNumber(default=0, example=6)


@dataclass(frozen=True)
class OrderLine:
    """A quantity of an item from another site or a supplier, and the amounts it is based on."""

    item: str = attribute(items.NAME)
    quantity: int = attribute(WholeNumber(default=0, example=12))
    amount: int = attribute(replace(_HERE, json="here", label="Here"))
    on_order: int = attribute(_HERE)
    from_site: Site | None = attribute(
        Choice(json="from", label="From", kind=Site, none="–", example="northern")
    )
    available: int = attribute(replace(_HERE, label="There"))
    supplier: str = attribute(levels.SUPPLIER)


@dataclass(frozen=True)
class ReorderResult:
    """The numbers of the orders and the ids of the transfers that were made."""

    orders: list[str]
    transfers: list[int]

    @property
    def message(self) -> str:
        """Return what was made, in words."""
        return f"Created {count_made(len(self.orders), len(self.transfers))}."


def count_made(orders: int, transfers: int) -> str:
    """Return numbers of deliveries and transfers in words: '3 deliveries and 2 transfers'."""
    parts = [(orders, "delivery", "deliveries"), (transfers, "transfer", "transfers")]
    return " and ".join(count_of(*part) for part in parts if part[0])


def create(store: Store, lines: Sequence[OrderLine], *, by: int) -> ReorderResult:
    """Make a transfer for each other site, and an order for each supplier; 0 leaves a line out.

    Raises Invalid without a quantity, and Conflict if an amount has moved since it was read, so
    that nothing is ordered twice.
    """
    lines = [line for line in lines if line.quantity]
    if not lines:
        raise Invalid("Enter the quantity of an item.", "quantity")
    if any(line.from_site is store.site for line in lines):
        raise Invalid(levels.OWN_SITE, "from")
    stores = [Store(store.division, site) for site in SITES[store.division]]
    stock = lock_items(stores, [line.item for line in lines])
    at = {each.site: stock.by_key(each) for each in stores}
    _check_unmoved(store, at, lines)
    today = dates.today()
    moved = grouped((line.from_site, line) for line in lines if line.from_site)
    transfers = []
    for site, some in moved.items():
        taken = [StockLine(line.item, line.quantity) for line in some]
        donor = Store(store.division, site)
        made = transfer(donor, taken, destination=store.site, on=today, by=by)
        transfers.append(made.operation)
    here = at[store.site]
    found = levels_of([item.id for item in here.values() if item.id])
    leads, username = directory.lead_days(), usernames([by])[by]

    def ordered(line: OrderLine) -> DeliveryOrder:
        item = here[names.key(line.item)]
        lead = lead_of(found.get(item.id or 0), leads)
        return DeliveryOrder(
            item.name,
            line.quantity,
            unit_cost=item.unit_price,
            supplier=line.supplier,
            office=store.site,
            ordered_by=username,
            ordered_on=today,
            expected_on=today + timedelta(days=lead),
        )

    bought = grouped((names.key(line.supplier), line) for line in lines if not line.from_site)
    orders = []
    for some in bought.values():
        proposals = [{"here": line.amount, "onOrder": line.on_order} for line in some]
        added = add_lines(store, [*map(ordered, some)], proposals=proposals, by=by)
        orders.append(added[0].reference)
    return ReorderResult(orders, transfers)


def _check_unmoved(
    store: Store, at: Mapping[Site, Mapping[str, ItemState]], lines: Sequence[OrderLine]
) -> None:
    here = at[store.site]
    for line in lines:
        if names.key(line.item) not in here:
            raise Conflict(f"{line.item} is no longer at {store.site.label}. Look again.")
    on_order = deliveries.on_order(store.division, [item.id for item in here.values() if item.id])
    for line in lines:
        item = here[names.key(line.item)]
        ordered = sum(each.amount for each in on_order.get(item.id or 0, ()))
        _check_equal(line.item, line.amount, item.amount)
        _check_equal(f"what is on order of {line.item}", line.on_order, ordered)
        if line.from_site:
            other = at.get(line.from_site, {}).get(names.key(line.item))
            available = other.amount if other else 0
            _check_equal(f"{line.item} at {line.from_site.label}", line.available, available)


def _check_equal(what: str, before: int, after: int) -> None:
    if before != after:
        numbers = f"from {format_number(before)} to {format_number(after)}"
        raise Conflict(f"Since you opened this page {what} went {numbers}. Look again.")
