"""The effects of a plan on items before it is saved; pure."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from app.dates import format_day
from app.due.rules import fields
from app.due.rules.fields import KINDS, Anchor, Applies, Blocks, DueKind, check_miles
from app.due.rules.next_due import NextDue, Work, next_due, plan_interval
from app.errors import Invalid
from app.fields import Choice, Day, WholeNumber, attribute
from app.fleet.rules.vehicles import CLASSIFICATION, plate_key
from app.money import count_of


@dataclass(frozen=True)
class PlanDraft:
    """A plan as it is typed; `first_due_on` is the first day of all its new items, if any."""

    label: str = attribute(replace(fields.LABEL, required="Name is required.", example="MOT"))
    kind: DueKind = attribute(fields.KIND)
    applies: Applies = attribute(
        Choice(kind=Applies, label="For", required="Choose for which vehicles.", example="all")
    )
    classification: str = attribute(CLASSIFICATION)
    regs: Sequence[str] = ()
    every_months: int | None = attribute(
        WholeNumber(label="Months", minimum=1, maximum=240, example=12)
    )
    every_days: int | None = attribute(WholeNumber(label="Days", minimum=1, maximum=7300))
    every_miles: int | None = attribute(WholeNumber(label="Miles", minimum=1, maximum=1_000_000))
    anchor: Anchor = attribute(
        Choice(kind=Anchor, label="Counted", default=Anchor.DONE, example="done")
    )
    early_window_days: int | None = attribute(
        WholeNumber(label="Early window (days)", minimum=1, maximum=366)
    )
    soon_days: int = attribute(
        WholeNumber(label="Soon (days)", default=30, maximum=366, example=30)
    )
    soon_miles: int = attribute(
        WholeNumber(label="Soon (miles)", default=1000, maximum=100_000, example=1000)
    )
    blocks: Blocks = attribute(
        Choice(kind=Blocks, label="Overdue means", default=Blocks.WARN, example="warn")
    )
    first_due_on: date | None = attribute(Day(days_ahead=fields.DAYS_AHEAD, example="2026-02-01"))

    @property
    def chosen(self) -> Mapping[str, str]:
        """Return the chosen vehicles by their keys."""
        return {plate_key(reg): reg for reg in self.regs}


@dataclass(frozen=True)
class PlanVehicle:
    """A vehicle of a plan, with its mileage and the last work of the plan's kind."""

    reg_key: str
    reg: str
    miles: int | None = None
    last_done: Work | None = None


@dataclass(frozen=True)
class OpenPlanItem:
    """An open item that a plan may change, or a new one; an `is_adopted` one has no plan yet.

    `last_done` is the work before it, None for an item made by hand or by the plan, `made` is when
    the plan made it due, None for an item of another origin, and `after` when a plan moves it to.
    """

    id: int | None
    reg_key: str
    reg: str
    due: NextDue
    label: str = ""
    is_adopted: bool = False
    made: NextDue | None = None
    last_done: Work | None = None
    after: NextDue | None = None


@dataclass(frozen=True)
class PlanEffects:
    """The effects of saving a plan; `without` are vehicles without the mileage that it needs.

    `covered` are the only MOT, tax or insurance of vehicles, `beside` such other items, or plans
    (never due), of vehicles that get one, and `kept` is the number of open items that stay
    unchanged under a new interval.
    """

    made: Sequence[OpenPlanItem] = ()
    moved: Sequence[OpenPlanItem] = ()
    renamed: Sequence[OpenPlanItem] = ()
    adopted: Sequence[OpenPlanItem] = ()
    withdrawn: Sequence[OpenPlanItem] = ()
    covered: Sequence[OpenPlanItem] = ()
    beside: Sequence[OpenPlanItem] = ()
    without: Sequence[str] = ()
    kept: int = 0

    @property
    def digest(self) -> str:
        """Return a text that changes with the effects, for a confirmation of just these."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:24]

    @property
    def summary(self) -> str:
        """Return the effects in words, as in 'Makes 14 items, the first on 3 Dec 2026.'."""
        found = list(self._sentences())
        if not self.kept:
            return " ".join(found) or "Changes no item."
        stays = "stays due as it is" if self.kept == 1 else "stay due as they are"
        kept = f"{count_of(self.kept, 'open item')} {stays} until something is done."
        return " ".join([*found, kept]) if found else f"Changes no item: {kept}"

    def _sentences(self) -> Iterator[str]:
        if self.made:
            first = min((item.due.on for item in self.made if item.due.on), default=None)
            on = f", the first on {format_day(first)}" if first else ""
            yield f"Makes {count_of(len(self.made), 'item')}{on}."
        beside = {item.reg_key for item in self.beside}
        for rows, before, noun, after in (
            (self.moved, "Moves ", "open item", ""),
            (self.renamed, "Renames ", "open item", ""),
            (self.adopted, "Takes over ", "open item", ""),
            (self.withdrawn, "Withdraws ", "open item", ""),
            (self.covered, "", "vehicle", " with such an item already: no second one"),
            (beside, "A second one for ", "vehicle", ""),
            (self.without, "", "vehicle", " without a mileage: no item yet"),
        ):
            if rows:
                yield f"{before}{count_of(len(rows), noun)}{after}."


def check_draft(draft: PlanDraft) -> None:
    """Check that a plan says how often, and for whom. Raises Invalid."""
    check_miles(draft.kind, draft.every_miles, "every_miles")
    if not (draft.every_months or draft.every_days or draft.every_miles):
        raise Invalid("Enter how often: months, days, miles, or several of them.", "every_months")
    if draft.applies is Applies.CLASSIFICATION and not draft.classification:
        raise Invalid("Choose a classification.", "classification")
    if draft.applies is Applies.VEHICLES and not draft.regs:
        raise Invalid("Enter the vehicles.", "regs")
    if draft.early_window_days and not (draft.every_months or draft.every_days):
        raise Invalid("An early window needs months or days.", "early_window_days")


def effects_of(
    draft: PlanDraft,
    vehicles: Sequence[PlanVehicle],
    items: Sequence[OpenPlanItem],
    today: date,
    *,
    before: PlanDraft | None = None,
    others: Sequence[OpenPlanItem] = (),
) -> PlanEffects:
    """Return the effects of saving a plan on its vehicles and on open items.

    `items` are the plan's, and unplanned ones of its kind that it takes over; `before` is the plan
    as it was. A day or mileage moves only if it follows from work that was done, and goes if the
    plan no longer counts one: typed values and names stay. `others` are of its kind too, and stay.
    """
    applied = {vehicle.reg_key for vehicle in vehicles}
    own = [item for item in items if not item.is_adopted]
    own_keys = {item.reg_key for item in own}
    adopted: dict[str, OpenPlanItem] = {}
    for item in items:
        if item.is_adopted and item.reg_key in applied - own_keys:
            adopted.setdefault(item.reg_key, item)
    staying = [item for item in own if item.reg_key in applied]
    moved = [found for item in staying if before and (found := _moved(draft, item, before))]
    new = [each for each in vehicles if each.reg_key not in own_keys | adopted.keys()]
    only_ones = {each.reg_key: each for each in others if KINDS[draft.kind].is_legal and each.due}
    is_other_interval = before is not None and plan_interval(before) != plan_interval(draft)
    first = first_items(draft, [each for each in new if each.reg_key not in only_ones], today)
    made = [item for item in first if item.due]
    getting = {item.reg_key for item in made} | adopted.keys()
    return PlanEffects(
        made=made,
        moved=moved,
        renamed=[each for each in staying if before and each.label == before.label != draft.label],
        adopted=list(adopted.values()),
        withdrawn=[item for item in own if item.reg_key not in applied],
        covered=[only_ones[each.reg_key] for each in new if each.reg_key in only_ones],
        beside=[each for each in others if each.reg_key in getting],
        without=[item.reg for item in first if not item.due],
        kept=len(staying) - len(moved) if is_other_interval else 0,
    )


def first_items(
    draft: PlanDraft, vehicles: Sequence[PlanVehicle], today: date
) -> Sequence[OpenPlanItem]:
    """Return the first items of vehicles, each due one interval after the last work.

    The days of those without such work are spread over the first interval, in their order, but for
    what the law asks for: a day too early would keep a vehicle off the road.
    """
    interval, typed = plan_interval(draft), draft.first_due_on
    due = {
        each.reg_key: next_due(draft.kind, interval, each.last_done)
        for each in vehicles
        if each.last_done and not typed
    }
    others = [each for each in vehicles if not due.get(each.reg_key)]
    for left, each in enumerate(reversed(others)):
        first = next_due(DueKind.OTHER, interval, Work(today, each.miles))
        if typed:
            first = NextDue(typed, first.miles)
        elif first.on and left and not KINDS[draft.kind].is_legal:
            early = (first.on - today).days * left // len(others)
            first = NextDue(first.on - timedelta(days=early), first.miles)
        due[each.reg_key] = first
    return [OpenPlanItem(None, each.reg_key, each.reg, due[each.reg_key]) for each in vehicles]


def describe_interval(plan: Any) -> str:
    """Return how often a plan's items are due: 'Every 6 months or 12,000 miles'."""
    counted = ((plan.every_months, "month"), (plan.every_days, "day"), (plan.every_miles, "mile"))
    return f"Every {' or '.join(count_of(number, noun) for number, noun in counted if number)}"


def _moved(draft: PlanDraft, item: OpenPlanItem, before: PlanDraft) -> OpenPlanItem | None:
    current = item.due
    if item.last_done is not None:
        expected = next_due(draft.kind, plan_interval(before), item.last_done)
        after = next_due(draft.kind, plan_interval(draft), item.last_done)
    elif item.made is not None:
        expected, has_days = item.made, draft.every_months or draft.every_days
        on, miles = current.on if has_days else None, current.miles if draft.every_miles else None
        after = NextDue(on, miles)
    else:
        return None
    if expected.on != current.on:
        after = replace(after, on=current.on)
    if expected.miles != current.miles:
        after = replace(after, miles=current.miles)
    return replace(item, after=after) if after and after != current else None
