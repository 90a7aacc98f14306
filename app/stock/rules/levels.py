"""Minimums and targets of items, and where they are reordered; pure."""

from dataclasses import dataclass

from app.directory.rules import LEAD_DAYS
from app.divisions import SITES, Site, Store
from app.errors import Invalid
from app.fields import Choice, Day, LabelledEnum, Text, WholeNumber, attribute
from app.money import format_number

DEFAULT_LEAD = 7
"""The days from an order to its delivery, unless the item or its supplier has others."""

MAX_SNOOZE = 180
"""For how many days an item can be left off the reorder list."""


class Source(LabelledEnum):
    """Where an item is reordered; of what isn't, no minimum is in force."""

    SUPPLIER = "supplier", "Supplier"
    SITE = "site", "Another site"
    NONE = "none", "Don't reorder"


OWN_SITE = "Choose another site than this one."
SUPPLIER = Text(name="supplier", label="Supplier", limit=100, example="Office & Co")
SNOOZE_REASON = Text(
    name="snooze_reason",
    label="Reason",
    limit=200,
    required="Say why it is snoozed.",
    example="Out of season",
)
# The service refuses what is too late, in its words.
SNOOZED_UNTIL = Day(
    name="snoozed_until", label="Until", days_ahead=100 * 366, required="Please pick a date."
)


@dataclass(frozen=True)
class LevelState:
    """The minimum and target of an item, and where it is reordered."""

    minimum: int | None = attribute(
        WholeNumber(label="Minimum", minimum=1, default=None, example=24)
    )
    target: int | None = attribute(WholeNumber(label="Target", minimum=1, default=None, example=48))
    pack: int = attribute(WholeNumber(label="Pack", minimum=1, default=1, example=12))
    source: Source = attribute(
        Choice(label="Source", kind=Source, default=Source.SUPPLIER, example="supplier")
    )
    supplier: str = attribute(SUPPLIER)
    from_site: Site | None = attribute(
        Choice(
            json="fromSite", label="From site", kind=Site, none="–", example=None, refusal=OWN_SITE
        )
    )
    lead_days: int | None = attribute(LEAD_DAYS)

    @property
    def in_force(self) -> int | None:
        """Return the minimum in force, None for an item that isn't reordered."""
        return None if self.source is Source.NONE else self.minimum

    def check(self, store: Store) -> None:
        """Raise Invalid unless it can be the level of an item of a store."""
        if self.minimum and self.target and self.target < self.minimum:
            minimum = format_number(self.minimum)
            raise Invalid(f"Target must be at least the minimum ({minimum}).", "target")
        if self.source is Source.SITE:
            others = [site for site in SITES[store.division] if site is not store.site]
            if self.from_site not in others:
                raise Invalid(OWN_SITE, "from_site")


NO_LEVEL = LevelState()
