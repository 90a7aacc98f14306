"""The acts on odometer readings: add one, and decide about a doubtful one."""

from flask import request, url_for

from app import dates
from app.fleet.acts import for_fleet
from app.fleet.rules.vehicles import MAX_PLATE_LENGTH
from app.records.acts import Act, Outcome, Target, Then, new_record
from app.upkeep.acts.due import plates
from app.upkeep.forms.due import AcceptReadingForm, AddReadingForm, VoidReadingForm
from app.upkeep.models.readings import OdometerReading
from app.upkeep.queries import reading_lists as lists
from app.upkeep.queries import readings as queries
from app.upkeep.services import readings as services
from app.upkeep.services.readings import AddedReading, ReadingDecision

READING = "/fleet/readings/<row_id:reading_id>"

ON_READING = Target[OdometerReading](
    read=queries.get_reading,
    page=lambda _: url_for("upkeep.readings"),
    then=Then.RETURN,
    style="due.css",
)


def _fill_in(form: AddReadingForm, _: None) -> None:
    form.reg.raw_data = [request.args.get("vehicle", "")[:MAX_PLATE_LENGTH]]
    form.day.data = dates.today()


def _page_of(reg: str) -> str:
    return url_for("upkeep.readings", vehicle=reg)


def _describe_added(added: AddedReading) -> Outcome:
    warnings = [added.question] if added.question else []
    message = f"Added {added.miles:,} miles of {added.reg}."
    return Outcome(message, _page_of(added.reg), warnings=warnings)


def _describe_accepted(decision: ReadingDecision) -> Outcome:
    others = f", and {decision.others_void} void" if decision.others_void else ""
    message = f"{decision.miles:,} miles of {decision.reg} count now{others}."
    return Outcome(message, _page_of(decision.reg))


def _describe_void(decision: ReadingDecision) -> Outcome:
    message = f"{decision.miles:,} miles of {decision.reg} is void."
    return Outcome(message, _page_of(decision.reg))


ACTS = (
    Act(
        "add_reading",
        "/fleet/readings/add",
        for_fleet,
        AddReadingForm,
        services.add_reading,
        _describe_added,
        new_record("upkeep.readings", style="due.css"),
        offer=_fill_in,
        shows=plates,
    ),
    Act(
        "accept_reading",
        f"{READING}/accept",
        for_fleet.by_managers,
        AcceptReadingForm,
        services.accept_reading,
        _describe_accepted,
        ON_READING,
        over=lists.decided_message,
        shows=lambda _, reading: {"others": queries.contradicting(reading)},
    ),
    Act(
        "void_reading",
        f"{READING}/void",
        for_fleet.by_managers,
        VoidReadingForm,
        services.void_reading,
        _describe_void,
        ON_READING,
        over=lists.void_message,
    ),
)
