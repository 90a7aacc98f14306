"""Fills in and sends the check form without scripts."""

from io import BytesIO

from tests.person import Page

FORM = "/fleetChecks?plain=1"
PLAIN = "form[method=post][enctype]"
FILLED = {"items.Name": "Jo Marsh", "items.LicensePlate": "LK19 VTE", "items.Mileage": "48,300"}
SUBMITTED = "Vehicle check submitted."
NIL = "No defects. Kept as a nil-defect report."


def send(person, *photos, page=None, **values):
    """Fill in the form and send it with photos of these names and contents."""
    page = page or person.open(FORM)
    fields = [*page.fields(PLAIN).items(), *FILLED.items(), *values.items()]
    data = {name: value for name, value in fields if name != "photos"}
    data["photos"] = [(BytesIO(content), name) for name, content in photos]
    return Page(person.client.post("/fleetChecks", data=data, follow_redirects=True))


def described(page, name):
    """Return the input of a field and the text that describes it."""
    control = page.html.select_one(f"{PLAIN} [name='{name}']")
    ids = (control.get("aria-describedby") or "").split()
    return control, [page.html.find(id=id_).get_text() for id_ in ids]
