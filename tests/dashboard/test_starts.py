"""The quick actions of the dashboard, and the items that a person moved last."""

from app import dates
from app.accounts.queries import user_named
from app.db import transaction
from app.divisions import Division, Site
from app.stock.queries.overview import MAX_LINES, MAX_OPERATIONS
from app.stock.rules.movements import StockLine
from app.stock.services import items, movements
from tests import factories
from tests.factories import GPM, GUILDFORD, MAIN

TODAY = dates.today()


def withdraw(store, *item_ids, by="manager"):
    lines = [StockLine(item_id, 1) for item_id in item_ids]
    user_id = user_named(by).id
    with transaction():
        return movements.withdraw(store, lines, team="Kitchen", on=TODAY, by=user_id)


def recent(person):
    page = person.open("/dashboard")
    return [" ".join(row.get_text(" ").split()) for row in page.html.select(".recent-items li")]


def starts(person):
    return [(a.get_text(), a["href"]) for a in person.open("/dashboard").html.select(".starts a")]


def test_a_persons_own_items_are_offered_the_last_one_first(app, gfm):
    assert gfm.open("/dashboard").all(".recent-items .calm") == [
        "What you withdraw and deliver is offered here the next time."
    ]
    with app.app_context():
        factories.user("colleague")
        mug = factories.item("Mug", 9)
        tin = factories.item("Tin", 9, store=GUILDFORD, unit="kg")
        theirs = factories.item("Cup", 9)
        withdraw(MAIN, mug)
        withdraw(GUILDFORD, tin)
        withdraw(MAIN, theirs, by="colleague")
    assert recent(gfm) == ["Tin Guildford 8 kg − +", "Mug Main 8 − +"]
    with app.app_context():
        withdraw(MAIN, mug, by="colleague")
        withdraw(MAIN, mug)
    assert recent(gfm) == ["Mug Main 6 − +", "Tin Guildford 8 kg − +"]
    page = gfm.open("/dashboard")
    assert page.link("Withdraw Mug") == f"/inventory/main/items/{mug}/action?mode=dec"
    assert page.link("Deliver Tin") == f"/inventory/guildford/items/{tin}/action?mode=inc"


def test_withdrawing_a_recent_item_reloads_the_dashboard_that_opened_the_dialog(app, gfm):
    with app.app_context():
        mug = factories.item("Mug", 9)
        withdraw(MAIN, mug)
    url = gfm.open("/dashboard").link("Withdraw Mug")
    referrer = {"Referer": "http://localhost/dashboard"}
    dialog = gfm.fragment(url, "dialog", headers=referrer)
    typed = dialog.fields("form") | {"action": "withdrawal", "quantity": "3", "team": "Kitchen"}
    headers = {"HX-Request": "true", "HX-Target": "dialog"}
    reply = gfm.post(url, typed, headers=headers)
    assert reply.headers["HX-Trigger"] == "stock-changed"
    assert "Mug: withdrew 3, 5 left." in reply.text
    assert reply.html.select("tr") == []
    work = gfm.fragment("/dashboard", "list")
    assert work.all(".recent-items .q") == ["5"]
    assert work.html.select("html, .foot") == []


def test_without_a_script_the_dialog_is_a_page_that_leads_back(app, gfm):
    with app.app_context():
        mug = factories.item("Mug", 9)
        withdraw(MAIN, mug)
    url = gfm.open("/dashboard").link("Withdraw Mug")
    form = gfm.open(url, headers={"Referer": "http://localhost/dashboard"})
    after = gfm.submit(form, action="withdrawal", quantity="3", team="Kitchen")
    assert (after.path, after.all(".recent-items .q")) == ("/dashboard", ["5"])
    assert after.all("[role=status] p") == ["Mug: withdrew 3, 5 left."]


def test_a_transfer_offers_the_item_where_it_was_taken(app, gfm):
    with app.app_context():
        mug = factories.item("Mug", 9)
        line, user_id = StockLine(mug, 2), user_named("manager").id
        with transaction():
            movements.transfer(
                MAIN, [line], destination=Site.GUILDFORD, team="", on=TODAY, by=user_id
            )
    assert recent(gfm) == ["Mug Main 7 − +"]


def test_a_removed_item_isnt_offered_nor_one_of_another_division(app, manager):
    person = manager(Division.GFM, Division.GPM)
    person.submit(person.open("/choose"), division="gfm")
    with app.app_context():
        mug, mop = factories.item("Mug", 9), factories.item("Mop", 9, store=GPM)
        withdraw(MAIN, mug)
        withdraw(GPM, mop)
    assert recent(person) == ["Mug Main 8 − +"]
    with app.app_context(), transaction():
        items.remove_item(MAIN, mug, based_on=8, by=1)
    assert recent(person) == []
    person.submit(person.open("/choose"), division="gpm")
    assert recent(person) == ["Mop 8 − +"]
    page = person.open("/dashboard")
    assert page.link("Schedule a delivery of Mop") == "/gpm/deliveries/new?item=Mop"


def test_five_items_are_offered_and_of_a_long_list_its_first_lines(app, gfm):
    with app.app_context():
        names = [(f"Mug {n:02d}", 9) for n in range(MAX_LINES + 5)]
        mugs = [factories.item(*name) for name in names]
        withdraw(MAIN, *mugs)
    assert [text[:6] for text in recent(gfm)] == [f"Mug {n:02d}" for n in range(5)]


def test_work_in_another_division_shows_at_once_what_it_pushes_out(app, manager):
    person = manager(Division.GFM, Division.GPM)
    person.submit(person.open("/choose"), division="gfm")
    with app.app_context():
        mug, mop = factories.item("Mug", 9), factories.item("Mop", 99, store=GPM)
        withdraw(MAIN, mug)
    page = person.open("/dashboard")
    assert page.all(".recent-items .q") == ["8"]
    with app.app_context():
        for _ in range(MAX_OPERATIONS):
            withdraw(GPM, mop)
    after = person.open("/dashboard", headers={"If-None-Match": page.headers["ETag"]})
    assert (after.status, after.all(".recent-items .q")) == (200, [])


def test_the_quick_actions_of_each_division_lead_to_its_work(app, manager):
    person = manager(*Division)
    found = {}
    for division in Division:
        person.submit(person.open("/choose"), division=division.value)
        found[division] = starts(person)
    stock, gpm = "/inventory/main", "/gpm/inventory/main"
    takes, counts = ("Withdraw", f"{stock}?mode=dec#q"), ("Count", f"{stock}/count")
    of_gpm = [("Withdraw", f"{gpm}?mode=dec#q"), ("Deliver", "/gpm/deliveries")]
    assert found == {
        Division.GFM: [takes, ("Deliver", f"{stock}?mode=inc#q"), counts],
        Division.GPM: [*of_gpm, ("Count", f"{gpm}/count")],
        Division.FLEET: [("Check", "/fleetChecks"), ("Book", "/bookings/new")],
        Division.ASSETS: [("Move", "/assets#q")],
    }


def test_quick_actions_lead_to_the_site_where_the_person_was_last(app, gfm):
    with app.app_context():
        withdraw(GUILDFORD, factories.item("Tin", 9, store=GUILDFORD))
    assert starts(gfm)[0] == ("Withdraw", "/inventory/guildford?mode=dec#q")
    assert gfm.open("/inventory/guildford").html.select_one("#q")["type"] == "search"
    with app.app_context(), transaction():
        items.offer_count(GUILDFORD, is_offered=False)
    assert [label for label, _ in starts(gfm)] == ["Withdraw", "Deliver"]
