"""Changes of the check forms."""

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import delete

from app.db import db
from app.fleet.models import CheckTemplate
from app.fleet.queries.templates import form_templates
from app.fleet.rules.forms import BUILT_IN, FormTemplate, check_templates
from app.versions import check_version, increment_version, lock_version, version_of

LIST = "check-templates"
"""The list of the data versions that a change of the forms raises."""


@dataclass(frozen=True)
class TemplatesReplaced:
    """The forms as they stand after a change, as plain values, and the version they have then."""

    templates: list[dict[str, Any]]
    version: int


def replace_templates(
    wanted: Sequence[FormTemplate], *, versions: Collection[int] | None
) -> TemplatesReplaced:
    """Make these the check forms; an empty list brings the built-in ones back.

    `versions` are the list's data versions that the caller has seen; there are always some
    forms, so it must have seen one.
    """
    check_templates(wanted)
    check_version(versions, lock_version(LIST), is_empty=False)
    if list(wanted or BUILT_IN) != list(form_templates()):
        db.session.execute(delete(CheckTemplate))
        for position, form in enumerate(wanted):
            db.session.add(CheckTemplate(position=position, **asdict(form)))
        db.session.flush()
        increment_version(LIST)
    return TemplatesReplaced([asdict(form) for form in form_templates()], version_of(LIST))
