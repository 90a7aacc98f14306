"""What the fuzzer can't read out of the description: texts, past days, and what a rule refuses."""

import re
from datetime import UTC, date, datetime, timedelta

import schemathesis
from hypothesis import strategies
from schemathesis import Case, CheckContext, Response
from schemathesis.core.failures import Failure

ONE_LINE = strategies.text(
    strategies.characters(
        exclude_categories=("C", "Zl", "Zp"), exclude_characters="\u200b", max_codepoint=0xFFFF
    )
).map(str.strip)

schemathesis.openapi.format("one-line", ONE_LINE)
schemathesis.openapi.format(
    "date",
    strategies.dates(date(2000, 1, 2), datetime.now(UTC).date() - timedelta(days=1)).map(str),
)
schemathesis.openapi.format(
    "date-time",
    strategies.datetimes(datetime(2000, 1, 2), datetime.now() - timedelta(days=1)).map(  # noqa: DTZ001, DTZ005
        lambda moment: f"{moment:%Y-%m-%dT%H:%M:%SZ}".rjust(20, "0")
    ),
)

MEANT = {
    "a transfer to where the stock is": r"destination other than",
    "an item that isn't there": r"Item not found",
    "a thing that isn't there": r"There is no ",
    "the same thing twice in one body": r"(stands|names|moved|changed) .*(twice|once|already)",
    "another body under a used key": r"was sent under this Idempotency-Key",
    "a list that was changed, or read by nobody": r"If-Match|has changed since",
    "a cursor that no link gave": r"Follow the link|A cursor needs a limit",
    "a wrong password": r"Current password is not right\.|Too many failed attempts",
    "a photo that isn't one": r"photo|picture|Photo|Picture",
    "a sheet that isn't one": r"Nothing was loaded",
    "1.0 where 1 is asked for, which JSON Schema takes for the same": r"Must be a whole number\.",
}
"""What may be refused of a body that the description allows, and how that reads."""


@schemathesis.check
def refused_for_its_meaning_alone(ctx: CheckContext, response: Response, case: Case) -> None:
    """Fail where what the description allows is refused for anything but its meaning."""
    generation = case.meta and case.meta.generation
    if generation is None or not generation.mode.is_positive:
        return
    if response.status_code not in (400, 412, 415, 422, 428):
        return
    said = response.json()["error"]
    if not any(re.search(pattern, said) for pattern in MEANT.values()):
        raise Failure(
            operation=case.operation.label,
            title="Refused though the description allows it",
            message=said,
        )
