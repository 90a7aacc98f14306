"""The shapes of the calls' replies."""

from typing import Any

from tests.api.shapes import NUMBER, TEXT_OR_NULL, Each


def each(kind: Any, names: str) -> dict[str, Any]:
    """Return the shape of fields that are all of one kind."""
    return dict.fromkeys(names.split(), kind)


COUNTS = each(int, "added changed unchanged removed")
ADDED = {"added": 1}
ITEM = {"amount": int, "unitPrice": NUMBER, **each(str, "item category unit")}
GPM_ENTRY = {**each(int, "id amount"), **each(str, "date event team item site")}
ENTRY = GPM_ENTRY | each(NUMBER, "unitPrice totalPrice")
PATCHED = {"operation": int, "items": [{"item": "Red heart", "amount": int}]}
BULK = {"operation": int, "lines": [{"name": "Red heart", "before": int, "after": int}]}
ASSET = {
    **each(str, "id item make model serial supplier location category status"),
    "purchaseDate": TEXT_OR_NULL,
    "purchasePrice": NUMBER,
    "quantity": int,
}
MOVE = each(str, "date id item startPosition endPosition user")
SUMS = {"assets": int, "quantity": int, "value": NUMBER}
VIEW = {
    **each(str, "list name query"),
    "id": int,
    "division": TEXT_OR_NULL,
    **each(bool, "isDefault isStarred"),
}
NAMED = {"id": int, "name": str}
HIT = {**each(str, "kind id title where division url"), "exact": bool}
FOUND = {"results": Each(HIT), "totals": dict}
SERVICE = NAMED | {"description": str}
KEY = {"id": int, **each(str, "code name holder notes")}
HANDOVER = {"id": int, **each(str, "key holder previousHolder date by")}
DELIVERY = {
    **each(int, "_id amount orderedAmount revision"),
    **each(str, "orderNumber cancelReason"),
    **each(str, "item supplier office orderedBy orderedDate confirmation recipient"),
    **each(TEXT_OR_NULL, "deliveredDate expectedDate cancelledDate"),
    "unitCost": NUMBER,
    "restOf": int | None,
}
VEHICLE = {
    **each(int, "id openDefects"),
    **each(str, "reg make model status classification currentLocation"),
    **each(TEXT_OR_NULL, "lastEventAt offRoadSince"),
    "odometer": int | None,
    "roadworthy": bool,
}
WHERE = each(str, "at location status")
CHECK = {
    **each(int, "id odometer"),
    **each(str, "reg date notes submittedBy _formType outcome outcomeText"),
    **each(list, "photos flags"),
    "items": dict,
    "costGBP": NUMBER,
    "reviewed": dict | None,
    "driveReason": TEXT_OR_NULL,
}
NEW_CHECK = CHECK | {"photos": [], "reviewed": None, "warnings": list, "messages": list}
FORM_FIELD = {
    **each(str, "name label type severity?"),
    **each(list, "choices fails?"),
    "required": bool,
    "asks?": "photo",
}
FORM = {"key": str, "label": str, "fields": Each(FORM_FIELD)}
USER = {"username": str, "permissions": Each(str), "scopes": list}
TOKENS = each(str, "accessToken refreshToken")
PHOTO_KEPT = {"id": str, "size": int, "width": 320, "height": 240}
DOCUMENT_KEPT = {"id": str, "size": int, "mediaType": str}
PICTURE = bytes
DUE = {
    **each(str, "kind label state forecast blocks"),
    **each(TEXT_OR_NULL, "dueOn expectedOn snoozedUntil"),
    **each(int | None, "dueMiles milesLeft plan"),
    "id": int,
    "regs": Each(str),
}
DUE_ITEM = DUE | {
    **each(str, "snoozeReason closedBy"),
    **each(TEXT_OR_NULL, "closing closedAt"),
    "done": list,
}
DONE = {
    **each(int, "id item"),
    "result": str,
    "nextItem": int | None,
    "defects": list,
    "isReadingDoubtful": bool,
}
PLAN = {
    **each(str, "label kind applies classification anchor blocks"),
    **each(int | None, "everyMonths everyDays everyMiles earlyWindowDays"),
    **each(int, "id soonDays soonMiles openItems"),
    "isActive": bool,
    "regs": list,
}
READING = {
    **each(int, "id miles"),
    **each(str, "reg day source state voidReason"),
    "doubt": TEXT_OR_NULL,
}
ON_RECORD = {
    **each(str, "reg date record reference what outcome detail answers by name"),
    "time": TEXT_OR_NULL,
    "odometer": int | None,
    "sha256": list,
    **each(NUMBER | None, "labourGBP partsGBP otherGBP stockGBP totalGBP"),
}
