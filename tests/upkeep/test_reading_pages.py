"""The page of readings as those see it who may not decide on them."""

from app.mileage.rules import Doubt
from tests.upkeep import rows
from tests.upkeep.rows import LK19


def test_a_worker_sees_why_managers_alone_decide_on_readings(in_app, driver, vehicle):
    vehicle(LK19)
    in_app(rows.reading, 48_190)
    in_app(rows.reading, 480_210, doubt=Doubt.JUMPED, is_accepted=False)
    page = driver.open(f"/fleet/readings?vehicle={LK19}")
    decisions = page.html.select("[role=link][aria-disabled=true]")
    assert [link.get_text() for link in decisions] == ["Right", "Void", "Void", "Void"]
    [why] = {link["aria-describedby"] for link in decisions}
    assert page.html.find(id=why).get_text().startswith("Only a manager of the fleet")
    assert not page.html.select("input[type=checkbox]")


def test_a_reading_is_added_by_hand(driver, vehicle):
    vehicle(LK19)
    page = driver.submit(driver.open("/fleet/readings/add"), reg=LK19, miles="48,210")
    assert "Added 48,210 miles of LK19 VTE." in page.text
