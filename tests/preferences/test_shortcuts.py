"""The page of the keys, and their switch."""

from collections import Counter

from app.divisions import Division


def test_the_keys_are_turned_off_and_on_for_all_devices(signed_in):
    trader = signed_in("trader", Division.GPM, division=Division.GPM)
    page = trader.open(trader.open("/dashboard").link("Keyboard"))
    assert "The keys below are on" in page.text
    assert page.html.select_one("[data-go=k]")["href"] == "/keys"
    assert page.html.body["data-keys"].startswith("/static/built/shortcuts-")
    off = trader.submit(page)
    assert (off.path, "The keys below are off" in off.text) == ("/shortcuts", True)
    assert not off.html.body.has_attr("data-keys")
    assert not trader.open("/teams").html.body.has_attr("data-keys")
    on = trader.submit(off, on="1")
    assert on.html.body.has_attr("data-keys")
    tag = on.headers["ETag"]
    assert trader.open("/shortcuts", headers={"If-None-Match": tag}).status == 304


def test_each_screen_of_a_division_has_a_letter_of_its_own(app):
    letters = Counter((each.division, each.key) for each in app.extensions["screens"])
    assert [each for each, times in letters.items() if times > 1] == []
    assert all(len(key) == 1 and "a" <= key <= "z" for _, key in letters)
