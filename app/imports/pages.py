"""The pages of imports: the imports of the last months, sample files, and refused rows."""

from functools import partial

from flask import Blueprint, Response, redirect, render_template

from app.fleet.acts import for_fleet
from app.imports import acts, queries
from app.imports.services.imports import summary_of
from app.records.acts import METHODS, serve
from app.records.lists import exports
from app.tables.csv_files import write_rows
from app.web import access
from app.web.downloads import download
from app.web.error_pages import failure_message
from app.web.list_query import requested_page

bp = Blueprint("imports", __name__)
BLUEPRINTS = (bp,)


@bp.get("/imports")
@access.signed_in
@failure_message("Failed to load the imports")
def imports() -> str:
    """Show the files that wait, and the imports of the last 90 days into the user's lists."""
    visible = acts.visible_targets()
    managed = [each.key for each in visible if acts.may_apply(each)]
    return render_template(
        "imports/imports.html",
        page=queries.imports_page([each.key for each in visible], requested_page()),
        waiting=queries.waiting_drafts(access.current_user().user_id, managed),
        targets=[*filter(acts.may_bring, visible)],
        summary_of=summary_of,
        may_apply=acts.may_apply,
    )


@bp.get("/import/<target>/sample.csv")
@access.signed_in
@failure_message("Failed to load the sample")
def sample(target: str) -> Response:
    """Send a file with the columns of a list and its first row, else a row of examples."""
    of = acts.find_target(target)
    examples = {name: str(kind.example or "") for name, kind in of.fields.items() if kind}
    first = next(of.rows(), examples)
    lines = write_rows([*of.fields], [[first.get(name, "") for name in of.fields]])
    return download(f"{target}-sample.csv", lines, "text/csv")


@bp.get(f"{acts.DRAFT}/refused.csv")
@access.signed_in
@exports("refused rows of {target}")
def refused(target: str, draft_id: int) -> Response:
    """Send the refused rows of a file with why they are refused, to mend and bring again."""
    draft = acts.read_draft(target, draft_id)
    return download(f"{target}-refused.csv", draft.refused, "text/csv")


for _target in ("due", "readings"):
    _view = for_fleet(partial(redirect, f"/import/{_target}", 308))
    bp.add_url_rule(f"/fleet/{_target}/import", f"redirect_{_target}", _view, methods=METHODS)

serve(bp, *acts.ACTS)
