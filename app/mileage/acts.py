"""The acts on odometer readings: add one, and decide about a doubtful one."""

from collections.abc import Callable
from functools import partial

from flask import url_for

from app.divisions import Division
from app.fleet.acts import fill_in_vehicle, for_fleet, plates
from app.fleet.rules.vehicles import UPKEEP
from app.fleet.services.upkeep import refuse_missing_vehicles
from app.mileage import queries, services
from app.mileage.forms import AcceptReadingForm, AddReadingForm, VoidReadingForm
from app.mileage.models import OdometerReading
from app.mileage.schemas import READING_FILE, read_readings
from app.records.acts import Act, Outcome, Target, Then, new_record
from app.records.targets import ImportTarget
from app.versions import version_of

READING = "/fleet/readings/<row_id:reading_id>"

ON_READING = Target[OdometerReading](
    read=queries.get_reading,
    page=lambda _: url_for("mileage.readings"),
    then=Then.RETURN,
    style="due.css",
)


def _describe(message: str) -> Callable[[services.ReadingChange], Outcome]:
    def describe(change: services.ReadingChange) -> Outcome:
        others = f", and {change.others_void} void" if change.others_void else ""
        page = url_for("mileage.readings", vehicle=change.reg)
        warnings = [change.question] if change.question else []
        return Outcome(message.format(r=change, others=others), page, warnings=warnings)

    return describe


_TARGET = ImportTarget(
    key="readings",
    label="Odometer readings",
    call="/fleet/readings",
    division=Division.FLEET,
    columns=READING_FILE,
    required=[column.name for column in READING_FILE],
    new_rows=lambda file: [line.row.line for line in services.new_readings(file)],
    read=read_readings,
    check=lambda file: refuse_missing_vehicles(file.lines),
    version=partial(version_of, UPKEEP),
    current=queries.all_readings,
    apply=lambda file, by, *_: services.import_readings(file, by=by),
    way_back="A reading can be voided in the list.",
)
TARGETS = {_TARGET.key: _TARGET}

ACTS = (
    Act(
        "add_reading",
        "/fleet/readings/add",
        for_fleet,
        AddReadingForm,
        services.add_reading,
        _describe("Added {r.miles:,} miles of {r.reg}."),
        new_record("mileage.readings", style="due.css"),
        offer=fill_in_vehicle("vehicle"),
        shows=plates,
    ),
    Act(
        "accept_reading",
        f"{READING}/accept",
        for_fleet.by_managers,
        AcceptReadingForm,
        services.accept_reading,
        _describe("{r.miles:,} miles of {r.reg} count now{others}."),
        ON_READING,
        over=queries.decided_message,
        shows=lambda _, reading: {"others": queries.contradicting(reading)},
    ),
    Act(
        "void_reading",
        f"{READING}/void",
        for_fleet.by_managers,
        VoidReadingForm,
        services.void_reading,
        _describe("{r.miles:,} miles of {r.reg} is void."),
        ON_READING,
        over=queries.void_message,
    ),
)
