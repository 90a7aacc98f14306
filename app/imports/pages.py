"""The pages of imports: the imports of the last months, sample files, and refused rows."""

from collections.abc import Callable

from flask import Blueprint, Response, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from app.fleet.acts import for_fleet
from app.imports.acts import (
    ACTS,
    DRAFT,
    all_targets,
    find_target,
    may_apply,
    may_bring,
    read_draft,
    visible_targets,
)
from app.imports.queries import imports_of
from app.imports.services.imports import summary_of
from app.paging import page_of
from app.records.acts import METHODS, serve
from app.records.lists import exports
from app.tables.csv_files import write_rows
from app.web import access
from app.web.downloads import download
from app.web.error_pages import failure_message
from app.web.list_query import requested_page

bp = Blueprint("imports", __name__)
BLUEPRINTS = (bp,)

IMPORTS_PER_PAGE = 50


@bp.get("/imports")
@access.signed_in
@failure_message("Failed to load the imports")
def imports() -> str:
    """Show the imports of the last 90 days into the lists that the user sees."""
    targets = visible_targets()
    made = imports_of([target.key for target in targets])
    page = page_of(made, requested_page(), per_page=IMPORTS_PER_PAGE)
    return render_template(
        "imports/imports.html",
        page=page,
        targets=[*filter(may_bring, targets)],
        target_of=all_targets(),
        summary_of=summary_of,
        may_apply=may_apply,
    )


@bp.get("/import/<target>/sample.csv")
@access.signed_in
@failure_message("Failed to load the sample")
def sample(target: str) -> Response:
    """Send a file with the columns of a list, and a row of examples."""
    columns = find_target(target).columns
    examples = [str(each.field.example or "") if each.field else "" for each in columns]
    lines = write_rows([each.name for each in columns], [examples])
    return download(f"{target}-sample.csv", lines, "text/csv")


@bp.get(f"{DRAFT}/refused.csv")
@access.signed_in
@exports("refused rows of {target}")
def refused(target: str, draft_id: int) -> Response:
    """Send the refused rows of a file with why they are refused, to mend and bring again."""
    draft = read_draft(target, draft_id)
    return download(f"{target}-refused.csv", draft.refused, "text/csv")


def _redirection(target: str) -> Callable[[], ResponseReturnValue]:
    return lambda: redirect(url_for("imports.start", target=target), 308)


for _path, _target in (("/fleet/due/import", "due"), ("/fleet/readings/import", "readings")):
    _view = for_fleet(_redirection(_target))
    bp.add_url_rule(_path, f"redirect_{_target}", _view, methods=METHODS)

serve(bp, *ACTS)
