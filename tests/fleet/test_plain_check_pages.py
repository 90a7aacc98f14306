"""The check form without scripts: one form with its photos, judged as the widget judges it."""

import pytest

from app import dates
from app.db import db, transaction
from app.fleet.models import CheckTemplate
from app.idempotency import IdempotencyKey
from app.photos.services import photos
from tests.fleet.plain_checks import FORM, NIL, PLAIN, SUBMITTED, described, send
from tests.photos.photo_files import encoded, jpeg, marked

PNG = ("2.png", encoded(marked(), "PNG"))
OPENED = "Reported: Damage: scratch (D-0001)."

pytestmark = pytest.mark.usefixtures("two_vehicles")


def test_a_browser_without_scripts_is_led_to_the_plain_form(driver):
    page = driver.open("/fleetChecks?vehicle=LK19+VTE")
    address = f"{FORM}&vehicle=LK19+VTE"
    refresh = page.html.select_one("head noscript meta[http-equiv=refresh]")
    assert refresh["content"] == f"0; url={address}"
    assert page.html.select_one("main noscript a")["href"] == address
    assert driver.open(address).html.select_one("[data-widget]") is None


def test_the_plain_form_has_the_fields_of_the_widget(driver):
    page = driver.open(FORM)
    form = page.form(PLAIN)
    labels = [label.get_text().replace("*", "").strip() for label in form.select("label")]
    assert labels == [
        *("Name", "Date", "Department", "Number plate", "Mileage", "Cleanliness", "Damage"),
        *("Safe to drive", "Notes", "Repair/Expense (£)", "Photos"),
    ]
    assert page.all(f"{PLAIN} select[name='items.LicensePlate'] option") == [
        *("Select a vehicle", "LK19 VTE", "YD21 HMO")
    ]
    assert page.fields(PLAIN)["items.Date"] == dates.today().isoformat()
    assert page.fields(PLAIN)["items.Name"] == "driver"


def test_a_check_is_submitted_with_its_photos(driver, checks):
    photos = [*((f"{n}.jpg", jpeg((320, 240 + n))) for n in range(2)), PNG]
    values = {"items.Damage": "Scratch", "items.Notes": "Seen\r\nby day", "costGBP": "£12.50"}
    done = send(driver, *photos, **values)
    assert (done.path, done.status) == ("/fleetChecksList", 200)
    assert done.all("#alerts [role=status] p") == [SUBMITTED, OPENED]
    [check] = checks()
    assert (check["reg"], check["odometer"], check["costGBP"]) == ("LK19 VTE", 48_300, 12.5)
    assert (check["date"], check["notes"]) == (dates.today().isoformat(), "Seen\nby day")
    assert check["items"] == {
        "Name": "Jo Marsh",
        "Date": dates.today().isoformat(),
        "LicensePlate": "LK19 VTE",
        "Mileage": "48,300",
        "Damage": "Scratch",
    }
    assert [photo["name"] for photo in check["photos"]] == ["0.jpg", "1.jpg", "2.png"]
    assert driver.client.get(check["photos"][2]["url"]).status_code == 200


def test_a_check_without_photos_or_with_a_fallen_odometer_says_so(driver, checks):
    send(driver)
    done = send(driver, **{"items.Mileage": "12"})
    submitted, question, nil = done.all("#alerts .ok p")
    assert (submitted, nil) == (SUBMITTED, NIL)
    assert question.startswith("Is 12 right? It was 48,300 on ")
    assert done.all("#alerts .warn p") == ["Lower than the last reading, 48,300."]
    assert [len(check["photos"]) for check in checks()] == [0, 0]


def test_a_check_that_is_sent_twice_counts_once(app, driver, checks):
    page = driver.open(FORM)
    for _ in range(2):
        done = send(driver, ("a.jpg", jpeg()), page=page)
        assert done.all("#alerts [role=status] p") == [SUBMITTED, NIL]
    assert len(checks()) == 1
    other = send(driver, ("b.jpg", jpeg((90, 90))), page=page)
    assert other.errors == ["This was saved with other values. Check it before you save again."]
    with app.app_context():
        assert db.session.query(IdempotencyKey).count() == 1


def test_what_is_missing_is_named_and_what_was_typed_stays(driver, checks):
    missing = {"items.Name": "", "items.LicensePlate": "", "items.Mileage": " "}
    page = send(driver, ("a.jpg", jpeg()), **missing | {"items.Damage": "Scratch"})
    assert page.status == 422
    assert page.title.startswith("Error: ")
    assert page.all(".notice.bad li") == [
        "Please fill the required fields: Name, Number plate, Mileage"
    ]
    assert page.html.select_one(".notice.bad a")["href"] == "#field-0"
    assert [described(page, name)[1] for name in missing] == [
        ["Name is required."],
        ["Vehicle number plate is required."],
        ["Mileage is required."],
    ]
    assert page.fields(PLAIN)["items.Damage"] == "Scratch"
    assert "Choose the photos again: a browser doesn't keep them." in page.text
    again = send(driver, page=page)
    assert again.all("#alerts [role=status] p") == [SUBMITTED, OPENED]
    assert checks()[0]["items"]["Damage"] == "Scratch"


WRONG_VALUES = [
    ("items.LicensePlate", "ZZ99 ZZZ", "Choose a number plate from the list."),
    ("items.Mileage", "-1", "Mileage (odometer) must be a valid non-negative number."),
    ("items.Mileage", "lots", "Mileage (odometer) must be a valid non-negative number."),
    ("items.Mileage", "9" * 10, "Mileage (odometer) must be a valid non-negative number."),
    ("costGBP", "-1", "Repair/Expense (£) must be a non-negative number."),
    ("costGBP", "1.2.3", "Repair/Expense (£) must be a non-negative number."),
    ("items.Date", "2999-01-01", "Date can't be in the future."),
    ("items.Date", "soon", '"soon" is not a date like 2011-12-09'),
    ("items.Damage", "x" * 1001, "Damage must be at most 1000 characters"),
    ("items.Notes", "x" * 4001, "Notes must be at most 4000 characters"),
]


def test_a_wrong_value_is_refused_at_its_field_and_stays(driver, checks):
    for name, text, message in WRONG_VALUES:
        page = send(driver, **{name: text})
        assert (page.status, page.all(".notice.bad li")) == (422, [message]), name
        control, description = described(page, name)
        assert (control["aria-invalid"], description) == ("true", [message]), name
        if control.name == "input":
            assert control["value"] == text, name
        assert checks() == [], name


HEIC = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic"


def test_a_photo_that_cannot_be_kept_is_named(driver, checks, monkeypatch):
    monkeypatch.setattr(photos, "MAX_BYTES", 100_000)
    for content, status, message in (
        (b"Not a photo", 415, "Photo 2: Use a JPEG, PNG or WebP photo."),
        (HEIC, 415, "Photo 2: Use a JPEG, PNG or WebP photo."),
        (jpeg()[:-400], 422, "Photo 2: The photo is incomplete. Send it again."),
        (b"", 422, "Photo 2: The photo is empty."),
        (bytes(100_001), 413, "Photo 2: A photo may have at most 8 MB."),
    ):
        page = send(driver, ("good.jpg", jpeg()), ("bad.heic", content))
        assert (page.status, page.all(".notice.bad li")) == (status, [message])
        assert page.html.select_one(".notice.bad a")["href"] == "#photos", message
        assert page.fields(PLAIN)["items.Mileage"] == "48,300", message
        assert checks() == [], message


def test_too_many_photos_are_refused(driver, checks):
    page = send(driver, *((f"{n}.jpg", jpeg((9, 9 + n))) for n in range(13)))
    assert page.all(".notice.bad li") == ["A check has at most 12 photos."]
    assert checks() == []


def test_photos_that_are_too_large_together_are_refused_with_what_to_do(driver, checks):
    kind = "multipart/form-data; boundary=photos"
    page = driver.post("/fleetChecks", bytes(25 * 1024 * 1024), content_type=kind)
    assert page.status == 413
    assert page.alerts == [
        "The photos are too large together: at most 24 MB. "
        "Go back and choose fewer or smaller ones."
    ]
    assert checks() == []


def test_another_form_has_its_own_fields(driver, checks):
    page = driver.open(f"{FORM}&form=gardeningVan")
    send(driver, page=page, **{"items.FuelLevel": "Half"})
    [check] = checks()
    assert (check["_formType"], check["items"]["FuelLevel"]) == ("gardeningVan", "Half")
    assert driver.open(FORM).html.select_one("#form-type [selected]")["value"] == "gardeningVan"


def test_a_check_starts_with_the_persons_own_last_one_or_the_vehicle_asked_for(driver, check):
    check("YD21 HMO", items={"Name": "Jo Marsh", "Department": "Gardening"})

    def start(path):
        page = driver.open(path)
        chosen = page.html.select_one("select[name='items.LicensePlate'] [selected]")
        fields = page.fields(PLAIN)
        return fields["items.Name"], fields["items.Department"], chosen.get_text()

    assert start(FORM) == ("Jo Marsh", "Gardening", "YD21 HMO")
    assert start(f"{FORM}&vehicle=lk19vte") == ("Jo Marsh", "Gardening", "LK19 VTE")
    groups = driver.open(FORM).html.select("optgroup option")
    assert [option.get_text() for option in groups] == ["YD21 HMO"]


@pytest.mark.writes_directly
def test_a_form_of_the_companys_own_without_mileage_or_notes_can_say_so(app, driver):
    fields = [
        {"name": name, "label": name, "type": type_, "required": False, "choices": []}
        for name, type_ in (("key", "text"), ("Height", "number"), ("Reg", "text"))
    ]
    with app.app_context(), transaction():
        db.session.add(CheckTemplate(position=0, key="own", label="Our own", fields=fields))
    page = send(driver, **{"items.key": "<b>", "items.Height": "tall", "items.Reg": "any 1"})
    assert page.all(".notice.bad li") == [
        "Height must be a number.",
        "This form has no mileage field defined. Please update the schema.",
    ]
    assert page.fields(PLAIN)["items.key"] == "<b>"
    assert "items.Notes" in page.fields(PLAIN)


def test_a_stale_page_is_sent_once_more_as_typed(driver, checks):
    page = send(driver, csrf_token="stale")
    assert page.errors == ["This page was out of date. Check it and send it once more."]
    again = send(driver, page=page)
    assert again.all("#alerts [role=status] p") == [SUBMITTED, NIL]
    assert len(checks()) == 1


def test_a_script_gets_the_errors_by_the_names_that_it_sent(driver):
    page = driver.open("/fleetChecks?plain=1")
    sent = page.fields() | {"cost": "x"}
    reply = driver.client.post("/fleetChecks", data=sent, headers={"Accept": "application/json"})
    assert (reply.status_code, reply.json["code"]) == (422, "invalid")
    assert set(reply.json["fields"]) <= set(sent)
