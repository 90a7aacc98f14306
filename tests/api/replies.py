"""The shapes of the calls' replies."""

from tests.api.shapes import NUMBER, TEXT_OR_NULL, Each

COUNTS = {"added": int, "changed": int, "unchanged": int, "removed": int}
ADDED = {"added": 1}
ITEM = {"item": str, "amount": int, "category": str, "unitPrice": NUMBER, "unit": str}
GPM_ENTRY = {
    "id": int,
    "date": str,
    "event": str,
    "team": str,
    "item": str,
    "amount": int,
    "site": str,
}
ENTRY = GPM_ENTRY | {"unitPrice": NUMBER, "totalPrice": NUMBER}
PATCHED = {"operation": int, "items": [{"item": "Red heart", "amount": int}]}
BULK = {"operation": int, "lines": [{"name": "Red heart", "before": int, "after": int}]}
ASSET = {
    "id": str,
    "item": str,
    "make": str,
    "model": str,
    "serial": str,
    "supplier": str,
    "location": str,
    "purchaseDate": TEXT_OR_NULL,
    "purchasePrice": NUMBER,
    "category": str,
    "status": str,
    "quantity": int,
}
MOVE = {"date": str, "id": str, "item": str, "startPosition": str, "endPosition": str, "user": str}
SUMS = {"assets": int, "quantity": int, "value": NUMBER}
NAMED = {"id": int, "name": str}
SERVICE = NAMED | {"description": str}
KEY = {"id": int, "code": str, "name": str, "holder": str, "notes": str}
HANDOVER = {"id": int, "key": str, "holder": str, "previousHolder": str, "date": str, "by": str}
DELIVERY = {
    "_id": int,
    "item": str,
    "amount": int,
    "unitCost": NUMBER,
    "supplier": str,
    "office": str,
    "orderedBy": str,
    "orderedDate": str,
    "deliveredDate": TEXT_OR_NULL,
    "confirmation": str,
    "recipient": str,
    "expectedDate": TEXT_OR_NULL,
    "revision": int,
    "cancelledDate": TEXT_OR_NULL,
    "cancelReason": str,
}
VEHICLE = {
    "id": int,
    "reg": str,
    "make": str,
    "model": str,
    "status": str,
    "classification": str,
    "currentLocation": str,
    "lastEventAt": TEXT_OR_NULL,
    "odometer": int | None,
    "roadworthy": bool,
    "offRoadSince": TEXT_OR_NULL,
    "openDefects": int,
}
WHERE = {"at": str, "location": str, "status": str}
CHECK = {
    "id": int,
    "reg": str,
    "date": str,
    "odometer": int,
    "items": dict,
    "notes": str,
    "photos": list,
    "submittedBy": str,
    "costGBP": NUMBER,
    "_formType": str,
    "reviewed": dict | None,
    "flags": list,
    "outcome": str,
    "outcomeText": str,
}
NEW_CHECK = CHECK | {"photos": [], "reviewed": None, "warnings": list, "messages": list}
FORM_FIELD = {
    "name": str,
    "label": str,
    "type": str,
    "required": bool,
    "choices": list,
    "fails?": list,
    "severity?": str,
    "asks?": "photo",
}
FORM = {"key": str, "label": str, "fields": Each(FORM_FIELD)}
USER = {"username": str, "permissions": Each(str), "scopes": list}
TOKENS = {"accessToken": str, "refreshToken": str}
PHOTO_KEPT = {"id": str, "size": int, "width": 320, "height": 240}
DOCUMENT_KEPT = {"id": str, "size": int, "mediaType": str}
PICTURE = bytes
DUE = {
    "id": int,
    "regs": Each(str),
    "kind": str,
    "label": str,
    "dueOn": TEXT_OR_NULL,
    "dueMiles": int | None,
    "state": str,
    "expectedOn": TEXT_OR_NULL,
    "milesLeft": int | None,
    "forecast": str,
    "blocks": str,
    "plan": int | None,
    "snoozedUntil": TEXT_OR_NULL,
}
DUE_ITEM = DUE | {
    **dict.fromkeys(("snoozeReason", "closedBy"), str),
    **dict.fromkeys(("closing", "closedAt"), TEXT_OR_NULL),
    "done": list,
}
DONE = {
    "id": int,
    "item": int,
    "result": str,
    "nextItem": int | None,
    "defects": list,
    "isReadingDoubtful": bool,
}
PLAN = {
    "id": int,
    "label": str,
    "kind": str,
    "applies": str,
    "classification": str,
    "everyMonths": int | None,
    "everyDays": int | None,
    "everyMiles": int | None,
    "earlyWindowDays": int | None,
    "soonDays": int,
    "soonMiles": int,
    "anchor": str,
    "blocks": str,
    "isActive": bool,
    "openItems": int,
    "regs": list,
}
READING = {
    "id": int,
    "reg": str,
    "day": str,
    "miles": int,
    "source": str,
    "state": str,
    "doubt": TEXT_OR_NULL,
    "voidReason": str,
}
ON_RECORD = {
    **dict.fromkeys(("reg", "date", "record", "reference", "what", "outcome", "detail"), str),
    **dict.fromkeys(("answers", "by"), str),
    "time": TEXT_OR_NULL,
    "odometer": int | None,
    **{f"{name}GBP": NUMBER | None for name in ("labour", "parts", "other", "stock", "total")},
    "sha256": list,
}
