"""Settings of the fuzzer beyond the API description: texts, past days and expected refusals."""

import itertools
import json
import os
import re
from datetime import UTC, date, datetime, timedelta

import schemathesis
from hypothesis import strategies
from schemathesis import AuthContext, Case, CheckContext, HookContext, Response
from schemathesis.core.failures import Failure
from schemathesis.specs.openapi.coverage import _schema as limits

LIMITS = (20, 40, 60, 64, 80, 100, 120, 160, 200, 400)
"""Maximum lengths of one-line texts; random texts rarely reach them exactly."""
LETTERS = strategies.characters(
    exclude_categories=("C", "Zl", "Zp"), exclude_characters="\u200b", max_codepoint=0xFFFF
)
ONE_LINE = strategies.text(LETTERS).map(str.strip) | strategies.builds(
    str.__mul__,
    LETTERS.filter(lambda letter: not letter.isspace()),
    strategies.sampled_from([limit + more for limit in LIMITS for more in (0, -1, 1)]),
)

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

# A longer list repeats an entry: to draw 60 fields of a check template takes 9 seconds, and fails.
limits.MAX_DRAWN_ARRAY_ITEMS = 12

CALLERS = json.loads(os.environ.get("FUZZ_CALLERS", "[]"))
"""The headers of each caller; no headers means an anonymous caller."""

if CALLERS:

    @schemathesis.auth(refresh_interval=None)
    class NextCaller:
        """Signs each request in as the next caller."""

        turns = itertools.cycle(CALLERS)

        def get(self, _: Case, __: AuthContext) -> dict[str, str]:
            return next(self.turns)

        def set(self, case: Case, data: dict[str, str], _: AuthContext) -> None:
            case.headers = {**(case.headers or {}), **data}


IS_WHOLE = "FUZZ_IS_WHOLE" in os.environ
"""Whether to send all requests at the schema limits."""
NAMED = re.compile(r"(?<=')\w+(?=' value)|(?:^|(?<=: |> ))\w+(?=: )")
"""Fields within a body that the description of a request names."""

_sent: set[object] = set()


@schemathesis.hook
def filter_case(context: HookContext, case: Case) -> bool:
    """Leave out requests at the schema limits of which similar ones were sent.

    Each call, each field of its body, and each kind of limit of a field of any call gets one.
    """
    phase = case.meta and case.meta.phase
    if IS_WHOLE or phase is None or phase.name != "coverage":
        return True
    limit, call = phase.data, case.operation.label
    field = (limit.parameter_location, limit.parameter, *NAMED.findall(limit.description))
    kinds = {
        call,
        (limit.scenario, *field),
        (call, *field) if limit.parameter_location == "body" else call,
    }
    is_new = not kinds <= _sent
    _sent.update(kinds)
    return is_new


ALLOWED_REFUSALS = {
    "a transfer to where the stock is": r"Choose a destination other than this site\.",
    "a transfer of GPM, which has one site": r"Transfers require multiple sites\.",
    "an item that isn't there": r'Item not found( for \w+)?: ".*',
    "a thing that isn't there": r"There is no (asset|key|van) .*\.",
    "the same thing twice in one body": r".* (is in the list|occurs) twice.*"
    r"|.* is added, renamed or removed by another op\.",
    "nothing, where it isn't a stock check": r"Quantity must be at least 1",
    "another body under a used key": r"Something else was sent under this Idempotency-Key\..*",
    "a list that was changed, or read by nobody": r"(Send )?If-Match .*"
    r"|(The list|It) has changed since\..*",
    "a change based on what has no ETag": r"What this changes has no ETag\..*",
    "a set that is based on no amount": r"ops\.\d+\.expected: Must be the amount .*",
    "a cursor that no link gave": r"This cursor is not valid\..*|.*A cursor needs a limit.*",
    "a check without plate or mileage": r"Vehicle number plate is required\."
    r"|Mileage \(odometer\) .*",
    "a site of another division": r"Must be one of: main\.",
    "a text that is no number of days": r'".*" is not a whole number|Choose 1 to .* days\.',
    "a reorder list that leaves every line out": r"Enter the quantity of an item\.",
    "the site itself": r"Choose another site than this one\.",
    "an amount that came without its day": r"Say when it came: deliveredDate\.",
    "a delivery before its order": r"Expected date can't be before the ordered date\.",
    "a wrong password": r"Current password is not right\.|Too many failed attempts\..*",
    "a photo that isn't one": r"(.{1,200}: )?(The|This|A) (photo|file|picture) .*"
    r"|Photo \d+ was not sent by you\..*|photos\.\d+\.dataUri: .*"
    r"|(Photo \d+: )?Use a JPEG, PNG or WebP photo\.",
    "a document that isn't one": r"(.{1,200}: )?The (document|PDF) .*|Use a PDF document\."
    r"|.{1,200} isn't a photo \(JPEG, PNG or WebP\) or a PDF\.",
    "a vehicle that isn't there": r"There is no vehicle .*\.",
    "a text that is no defect's number": r".*: Must be the number of a defect such as D-0142\.",
    "a stock that isn't there": r".*There is no such stock\.",
    "a day that hasn't come, or is over": r"Date can't be in the future\."
    r"|Put it off until today or a later day\.|It can't be done before it was started\."
    r"|The warranty can't end before the repair is done\.|From is later than to\."
    r"|Warranty until mileage must be above the mileage of the repair\."
    r"|It can't be expected back before today\.|.* is more than a year ago\. Check the year\."
    r"|It can't be booked in for a day before today\.|D-\d+ was seen on .*",
    "an MOT, tax or insurance by miles": r".* runs out on a day\. Leave the miles empty\."
    r"|Enter the day on which it runs out\.|What several vehicles share is due on a day\.",
    "a note of nothing": r"Write a note, or choose a file\.",
    "an item of another vehicle": r"It stays with .*",
    "a plan without an interval": r"Enter how often: .*",
    "a plan for nobody": r"Enter the vehicles\.|Choose a classification\.",
    "an early window of miles": r"An early window needs months or days\.",
    "a change that changes nothing": r"Send (what changes|a severity, a garage or a day)\..*",
    "a defect that isn't there": r"There is no defect .*",
    "a repair of nothing": r"Tick what was repaired, or enter a cost or a note\.",
    "a field that fails by no answer of its own": r'Field ".*" of form ".*" (has|is|can) .*'
    r'|".*" fails in field ".*", but is no choice\.',
    "findings of what passed": r"Choose Advisories or Fail, or remove the lines\.",
    "a price of parts of a penny": r"(.|\n)*must have at most 2 decimals\.",
    "a snooze of what the law asks for": r".* can't be put off\.",
    "an override without an objection": r"Nothing stands against it: .*",
    "a time that can't be booked": r"It must end after it begins\.|At (least|most) .*"
    r"|It has begun already\. Book from now\.|The clocks go from .*|This time comes twice .*"
    r"|\".*\" is not a day and time such as .*|Choose a year from .*",
    "a thing that can't be booked": r".* is in no list\.|There is no .*\.|.* isn't for booking\."
    r"|There (is|are) [\d,]+\.|Send one of reg, class and asset\.|Book equipment at .*",
    "a step of a vehicle without check or reason": r"Give the reason\.",
    "a search of one letter": r"Type two letters or more\.",
    "days in words and as dates": r"Choose either range or from and to\.",
    "a view that is too large, or for others than its list's": r"Name must have at most .*"
    r"|This view has too many filters .*|.* can't see this list\. Choose another division\.",
    "a sheet that isn't one": r"Nothing was loaded\.(.|\n)*|It is empty\. Choose a file .*"
    r"|Row \d+ (isn't complete\. Save .*|holds a character .*)|This (isn't a table|workbook) .*",
}
"""Refusals allowed for schema-valid bodies, with their message patterns."""


schemathesis.serializer.alias("application/pdf", "application/octet-stream")


@schemathesis.check
def refused_for_its_meaning_alone(ctx: CheckContext, response: Response, case: Case) -> None:
    """Fail if a schema-valid body is refused for a reason that isn't in ALLOWED_REFUSALS."""
    generation = case.meta and case.meta.generation
    if generation is None or not generation.mode.is_positive:
        return
    if response.status_code not in (400, 412, 415, 422, 428):
        return
    message = response.json()["error"]
    # JSON Schema treats 1.0 as an integer.
    if message.endswith("Must be a whole number.") and _contains_a_float(case.body):
        return
    if not any(re.fullmatch(pattern, message) for pattern in ALLOWED_REFUSALS.values()):
        raise Failure(
            operation=case.operation.label,
            title="Refused though the description allows it",
            message=message,
        )


def _contains_a_float(body: object) -> bool:
    if isinstance(body, dict):
        return any(map(_contains_a_float, body.values()))
    return any(map(_contains_a_float, body)) if isinstance(body, list) else isinstance(body, float)
