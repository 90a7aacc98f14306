"""The page of one defect, and the forms that decide about it."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from flask import render_template, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.attachments.queries import attachments_of
from app.fleet.rules.versions import UPKEEP
from app.fleet.schemas.checks import photo_urls
from app.upkeep.pages.blueprint import bp, for_fleet
from app.upkeep.pages.defects import row_context
from app.upkeep.queries import defect_list, off_road
from app.upkeep.queries import defects as queries
from app.upkeep.queries.defect_timeline import timeline
from app.upkeep.rules import defect_texts as texts
from app.upkeep.rules.words import near_day
from app.upkeep.services.defects import SUBJECT
from app.versions import version_of
from app.web import caching
from app.web.error_pages import failure_message
from app.web.navigation import back_link

DEFECT = "/fleet/defects/<int(max=999999999):number>"

MAX_OF_VEHICLE = 6
"""The most defects on a vehicle's page."""

MAX_OTHERS = 50
"""The most other defects that one can be a duplicate of in the form."""


@bp.get(DEFECT)
@for_fleet
@failure_message("Failed to load the defect")
def defect(number: int) -> ResponseReturnValue:
    """Show a defect with its standing, its timeline and its actions."""
    back = back_link("/fleet/defects") or url_for("upkeep.defects")
    unchanged = caching.not_modified(version_of(UPKEEP), dates.today(), back)
    if unchanged is not None:
        return unchanged
    row, today = queries.get_defect(number), dates.today()
    vehicle_ids = off_road.vehicle_ids([row.reg_key])
    time = off_road.current_times([row.reg_key]).get(row.reg_key)
    return render_template(
        "upkeep/defect.html",
        **row_context(),
        defect=row,
        seen_after_repair=queries.seen_after_repair([row]).get(row.id),
        seen=defect_list.seen_again([row.id])[row.id],
        entries=timeline(row),
        is_undone=row.id in queries.with_undone_repair([row]),
        steps=texts.steps(row.state, row.closing),
        describe_severity=texts.describe_severity,
        weekday=partial(texts.weekday, today=today),
        near_day=partial(near_day, today=today),
        photo_urls=photo_urls,
        vehicle_id=vehicle_ids.get(row.reg_key),
        is_off_road=time is not None,
        off_road=time,
        repeat_of=queries.defect_by_id(row.repeat_of_id) if row.repeat_of_id else None,
        next_defect=queries.next_defect(row) if row.closed_at else None,
        duplicate_of=queries.defect_by_id(row.duplicate_of_id) if row.duplicate_of_id else None,
        attachments=attachments_of(SUBJECT, [row.id]).get(row.id, ()),
        back=back,
    )


def panel(reg_key: str) -> Mapping[str, Any]:
    """Return the defects for a vehicle's page."""
    return {
        **row_context(),
        "rows": defect_list.defects_of_vehicle(reg_key, MAX_OF_VEHICLE),
        "total": defect_list.count_of_vehicle(reg_key),
    }
