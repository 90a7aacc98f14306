"""The pages of stock's reports, and their files."""

from functools import partial
from typing import Any

from flask import Response, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.divisions import SITES, Division
from app.records.lists import exports
from app.stock.acts import DESKS
from app.stock.pages.inventory import bp
from app.stock.queries import history
from app.stock.reports import REPORTS
from app.stock.rules.insight import Grouping, Question
from app.stock.schemas.insight import parse_insight
from app.web import access, caching, rendered
from app.web.error_pages import failure_message
from app.web.navigation import shared_screens

QUESTION = f"/insight/<any({', '.join(Question)}):question>"

SCREENS = shared_screens(SITES, "Insight", "stock.insights", in_path=True, key="i")


@access.division_in_path
@failure_message("Failed to load insight")
def insight(division: str, question: str = Question.USE.value) -> ResponseReturnValue:
    """Show what a report answers about a division's stock."""
    owner, chosen = Division(division), Question(question)
    if unchanged := caching.not_modified(*history.list_versions(owner), dates.today()):
        return unchanged
    query = parse_insight(owner, chosen, request.args)
    where: dict[str, Any] = {"division": division, "question": question}
    load = partial(
        REPORTS[chosen].page,
        query,
        questions=Question,
        groupings=Grouping,
        sites=SITES[owner],
        address=partial(url_for, "stock.insight", **where),
        file_address=partial(url_for, "stock.insight_csv", **{**where, **query.values}),
    )
    page = rendered.page("stock/insight.html", load, is_kept=not query.problems)
    return page, 422 if query.problems else 200


@access.division_in_path
@exports("{division} insight", "Failed to load insight")
def insight_csv(division: str, question: str) -> Response:
    """Send the rows of a report as a file."""
    owner, chosen = Division(division), Question(question)
    return REPORTS[chosen].file(parse_insight(owner, chosen, request.args))


access.add_by_division(bp, DESKS, "/insight", insight, endpoint="insights")
access.add_by_division(bp, DESKS, QUESTION, insight)
access.add_by_division(bp, DESKS, f"{QUESTION}.csv", insight_csv)
