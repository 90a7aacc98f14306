"""Changes of the check templates."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete

from app.audit.rules import Event
from app.audit.services import record
from app.db import db
from app.divisions import Division
from app.events.rules import EventKind
from app.events.services import record_event
from app.fleet.models import CheckTemplate
from app.fleet.queries.check_form import check_templates
from app.fleet.rules.templates import BUILT_IN, Template, template_values, validate_templates
from app.fleet.rules.vehicles import CHECK_TEMPLATES
from app.lists import lock_list
from app.versions import check_version, increment_version, version_of


@dataclass(frozen=True)
class ReplaceTemplatesResult:
    """The templates after a replacement, as plain values, and their version."""

    templates: list[dict[str, Any]]
    version: int


def replace_templates(
    new: Sequence[Template], *, versions: Collection[int] | None
) -> ReplaceTemplatesResult:
    """Replace the check templates; an empty list restores the built-in ones.

    `versions` are the versions that the caller has seen, None if it names none. Raises Invalid,
    PreconditionRequired and PreconditionFailed.
    """
    validate_templates(new)
    current, version = lock_list(check_templates, [CHECK_TEMPLATES])
    check_version(versions, version, is_empty=False)
    if list(new or BUILT_IN) != list(current):
        db.session.execute(delete(CheckTemplate))
        for position, template in enumerate(new):
            db.session.add(CheckTemplate(position=position, **template_values(template)))
        db.session.flush()
        after = {"templates": len(new)}
        kind = EventKind.CHECK_TEMPLATES_REPLACED
        record_event(kind, "list", CHECK_TEMPLATES, division=Division.FLEET, after=after)
        increment_version(CHECK_TEMPLATES)
        record(Event.SETTING, "check templates", templates=len(new))
    return ReplaceTemplatesResult(
        [template_values(template) for template in check_templates()], version_of(CHECK_TEMPLATES)
    )
