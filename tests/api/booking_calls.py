"""The JSON calls of bookings."""

from typing import Any

from tests.api.call import REGISTER, SHARED, call_of
from tests.api.filled_bookings import hours_from_now
from tests.api.replies import each
from tests.api.shapes import TEXT_OR_NULL, Each

BOOKING = {
    **each(str, "number from to state for purpose bookedBy"),
    **each(str, "outReason backReason cancelReason lookAt"),
    **each(TEXT_OR_NULL, "plannedEnd outAt outBy backAt backBy"),
    **each(TEXT_OR_NULL, "reg asset condition"),
    **each(int | None, "outMiles outCheck backMiles backCheck"),
    "class": str,
    "anyOfClass": bool,
    "units": int,
}
OF_VEHICLE, OF_ASSET = (BOOKING | {"reg": str}, BOOKING | {"asset": "A1"})


def _times(start: float, end: float) -> dict[str, str]:
    period = hours_from_now(start, end)
    return {"from": period.start.isoformat(), "to": period.end.isoformat()}


def _calls(path: str, served: Any, reply: Any, first: int, made: Any, out: Any, back: Any) -> Any:
    reserved, is_out = ({"number": f"B-{first + n:04}"} for n in (0, 1))
    one = f"{path}/{{number}}"
    return (
        call_of(f"GET {path}", served, Each(reply)),
        call_of(
            f"POST {path}",
            served,
            reply | {"state": "reserved"},
            status=201,
            body=lambda _: made | _times(20, 22),
        ),
        call_of(f"GET {one}", served, reply, at=reserved),
        call_of(
            f"PATCH {one}",
            served,
            reply | {"purpose": "Tools"},
            at=reserved,
            body={"purpose": "Tools"},
            replaces=True,
        ),
        call_of(
            f"POST {one}/cancel",
            served,
            reply | {"state": "cancelled"},
            at=reserved,
            body={"reason": "Not needed"},
        ),
        call_of(f"POST {one}/out", served, reply | {"state": "out"}, at=reserved, body=out),
        call_of(f"POST {one}/back", served, reply | {"state": "back"}, at=is_out, body=back),
    )


_NO_PHONE = {"odometer": 48_300, "reason": "The phone was empty"}

BOOKINGS = (
    *_calls("/bookings", SHARED, OF_VEHICLE, 1, {"reg": "AB12 CDE"}, _NO_PHONE, _NO_PHONE),
    *_calls(
        "/assets/bookings",
        REGISTER,
        OF_ASSET,
        4,
        {"asset": "A1", "units": 2},
        {"reason": "Lent until noon"},
        {"condition": "damaged", "reason": "The plug is broken"},
    ),
    call_of(
        "GET /availability",
        SHARED,
        list,
        query="from=2027-06-01T09:00&to=2027-06-01T10:00&class=Van",
    ),
)
