"""Odometer readings: the doubtful ones first, those of a vehicle, and what managers decide."""

from flask import Response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.audit.rules import Event
from app.audit.services import record
from app.db import transaction
from app.fleet.rules.plates import MAX_PLATE_LENGTH, plate_key
from app.fleet.rules.versions import UPKEEP
from app.upkeep.forms.due import AcceptReadingForm, AddReadingForm, CsvForm, VoidReadingForm
from app.upkeep.pages.blueprint import DIVISIONS, bp, for_fleet
from app.upkeep.pages.due_changes import plates
from app.upkeep.pages.imports import DryRun, handle_import
from app.upkeep.pages.vehicle_filters import vehicle_problems
from app.upkeep.queries import reading_lists as lists
from app.upkeep.queries import readings as queries
from app.upkeep.schemas.files import READING_COLUMNS, read_readings, reading_rows
from app.upkeep.services import readings as services
from app.upkeep.services.reading_lists import ReadingsImport, import_readings
from app.upkeep.services.readings import AddedReading, ReadingDecision
from app.versions import version_of
from app.web import access, caching
from app.web.access import current_user
from app.web.downloads import csv_download
from app.web.error_pages import failure_message
from app.web.form_handling import handle_form, render_dialog, respond_done
from app.web.forms import Form
from app.web.limits import CostlyRequest, costly
from app.web.navigation import Screen
from app.web.paging import requested_page

SCREENS = [Screen(division, "Readings", "upkeep.readings") for division in DIVISIONS]

ONE_READING = "/fleet/readings/<int(max=2147483647):reading_id>"


@bp.get("/fleet/readings")
@for_fleet
@failure_message("Failed to load readings")
def readings() -> ResponseReturnValue:
    """Show the readings that wait for a decision, and those of a vehicle."""
    unchanged = caching.not_modified(version_of(UPKEEP), dates.today())
    if unchanged is not None:
        return unchanged
    vehicle = request.args.get("vehicle", "").strip()
    problems = vehicle_problems(vehicle)
    key = "" if problems else plate_key(vehicle)
    return render_template(
        "upkeep/readings.html",
        vehicle=vehicle,
        problems=problems,
        doubtful=[] if problems else lists.doubtful_readings(key),
        waiting=lists.count_doubtful(),
        current=queries.current_mileage(key) if key else None,
        page=lists.reading_page(key, requested_page()) if key else None,
        plates=plates(),
    ), 422 if problems else 200


@bp.get("/fleet/readings.csv")
@for_fleet
@costly(CostlyRequest.EXPORTS)
@failure_message("Export failed")
def readings_csv() -> Response:
    """Export the readings that aren't void, as the import reads them."""
    with transaction():
        record(Event.EXPORT, "readings")
    return csv_download("readings.csv", READING_COLUMNS, reading_rows(lists.all_readings()))


@bp.route("/fleet/readings/add", methods=["GET", "POST"])
@for_fleet
@access.redisplays_form
@failure_message("Update failed")
def add_reading() -> ResponseReturnValue:
    """Add a reading by hand; `?vehicle=` fills in whose."""
    form = AddReadingForm()
    if not form.is_submitted():
        form.reg.raw_data = [request.args.get("vehicle", "")[:MAX_PLATE_LENGTH]]
        form.day.data = dates.today()

    def action() -> AddedReading:
        return services.add_reading(
            form.reg.data, form.miles.data, day=form.day.data, by=current_user().user_id
        )

    def respond(added: AddedReading) -> ResponseReturnValue:
        warnings = [added.question] if added.question else []
        message = f"Added {added.miles:,} miles of {added.reg}."
        return respond_done(message, back=_page_of(added.reg), warnings=warnings)

    return handle_form(
        form,
        AddedReading,
        action,
        render=lambda: _render("add_reading", form, plates=plates()),
        respond=respond,
    )


@bp.route("/fleet/readings/import", methods=["GET", "POST"])
@for_fleet.by_managers
@access.redisplays_form
@failure_message("Import failed")
def import_readings_file() -> ResponseReturnValue:
    """Add readings from a CSV file, all or nothing."""
    form = CsvForm()

    def action() -> ReadingsImport:
        done = import_readings(read_readings(form.upload), by=current_user().user_id)
        if form.dry_run.data:
            raise DryRun(done.summary)
        return done

    return handle_import(
        form,
        ReadingsImport,
        action,
        render=lambda found: _render("import_readings", form, found=found),
        describe=lambda done: done.summary,
        back=url_for("upkeep.readings"),
    )


@bp.route(f"{ONE_READING}/accept", methods=["GET", "POST"])
@for_fleet.by_managers
@access.redisplays_form
@failure_message("Update failed")
def accept_reading(reading_id: int) -> ResponseReturnValue:
    """Use a doubtful reading; the form names those that contradict it."""
    form = AcceptReadingForm()
    row = queries.get_reading(reading_id)

    def action() -> ReadingDecision:
        return services.accept_reading(
            reading_id, void_others=bool(form.void_others.data), by=current_user().user_id
        )

    def respond(decision: ReadingDecision) -> ResponseReturnValue:
        others = f", and {decision.others_void} void" if decision.others_void else ""
        message = f"{decision.miles:,} miles of {decision.reg} count now{others}."
        return respond_done(message, back=form.back_to or _page_of(decision.reg))

    return handle_form(
        form,
        ReadingDecision,
        action,
        render=lambda: _render(
            "accept_reading",
            form,
            row=row,
            others=queries.contradicting(row),
            decided=lists.decided_message(row),
        ),
        respond=respond,
    )


@bp.route(f"{ONE_READING}/void", methods=["GET", "POST"])
@for_fleet.by_managers
@access.redisplays_form
@failure_message("Update failed")
def void_reading(reading_id: int) -> ResponseReturnValue:
    """Stop using a reading, with a reason."""
    form = VoidReadingForm()
    row = queries.get_reading(reading_id)

    def action() -> ReadingDecision:
        by = current_user().user_id
        return services.void_reading(reading_id, reason=form.reason.data, by=by)

    def respond(decision: ReadingDecision) -> ResponseReturnValue:
        message = f"{decision.miles:,} miles of {decision.reg} is void."
        return respond_done(message, back=form.back_to or _page_of(decision.reg))

    return handle_form(
        form,
        ReadingDecision,
        action,
        render=lambda: _render("void_reading", form, row=row, decided=lists.void_message(row)),
        respond=respond,
    )


def _page_of(reg: str) -> str:
    return url_for("upkeep.readings", vehicle=reg)


def _render(name: str, form: Form, **context: object) -> str:
    back = url_for("upkeep.readings")
    return render_dialog(f"upkeep/{name}.html", form=form, default_back=back, **context)
