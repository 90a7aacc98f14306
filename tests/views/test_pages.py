"""Lists that open as views, the page of views, and the tiles of the dashboard."""

from datetime import timedelta

import pytest
from sqlalchemy.exc import OperationalError

from app import dates
from app.accounts.services.users import disable, revoke
from app.db import db, transaction
from app.divisions import Division
from app.views.models import SavedView
from tests.person import Caller, Person
from tests.views.conftest import LIST

pytestmark = [pytest.mark.differs_by_engine, pytest.mark.writes_directly]

FROM_MENU = {"Referer": "http://localhost/dashboard"}


def choose(person, view, **where):
    return person.submit(person.open(f"/views/{view['id']}/place"), **where)


def test_a_view_opens_as_its_full_address_and_is_changed_by_another_filter(keeper, save):
    view = save()
    page = keeper.open(f"{LIST}?view={view['id']}")
    assert page.path == f"{LIST}?category=Drinks&view={view['id']}"
    assert page.title.startswith("Drinks ·")
    assert page.all(".head h1") == ["Drinks"]
    changed = keeper.open(f"{LIST}?category=Glass&view={view['id']}")
    assert changed.all(".head h1") == ["Drinks changed"]
    assert keeper.open(LIST).all(".head h1") == ["Inventory"]


@pytest.mark.parametrize(
    ("path", "query"),
    [
        (LIST, "category=Drinks"),
        ("/stock/gfm/levels", "q=tea&site=guildford"),
        ("/gfm/deliveries", "q=tea"),
        ("/history", "q=tea"),
        ("/fleet/defects", "severity=advisory"),
        ("/fleetChecksList", "flags=flagged"),
        ("/fleet/repairs", "q=tea"),
        ("/vehicles", "q=tea"),
        ("/assets", "q=tea"),
        ("/assets/history", "q=tea"),
    ],
)
def test_reset_is_the_whole_list_and_wins_over_the_default(signed_in, path, query):
    person = signed_in("all", *Division, division=Division.GFM)
    call = Caller(person)
    view = call("POST", "/api/views", {"list": path, "name": "Mine", "query": query}).json
    choose(person, view, is_default="y")
    page = person.open(path, headers=FROM_MENU)
    assert page.all(".head h1") == ["Mine"]
    whole = person.open(page.link("Reset"), headers={"Referer": f"http://localhost{page.path}"})
    assert (whole.status, "Mine" in whole.title) == (200, False)
    assert person.open(path, headers=FROM_MENU).title == whole.title


def test_a_view_of_all_checks_is_not_the_queue(signed_in):
    person = signed_in("driver", Division.FLEET)
    body = {"list": "/fleetChecksList", "name": "All checks", "query": "review="}
    view = Caller(person)("POST", "/api/views", body).json
    page = person.open(f"/fleetChecksList?view={view['id']}")
    assert page.all(".head h1") == ["All checks"]
    assert "No checks" in page.text


def test_a_failing_database_is_an_error_page_without_the_view(app, keeper, save, monkeypatch):
    address = keeper.open(f"{LIST}?view={save()['id']}").path

    def fail(*_, **__):
        raise OperationalError("SELECT", {}, Exception("database is locked"))

    monkeypatch.setattr("app.stock.pages.inventory.levels.load_rows", fail)
    monkeypatch.setattr("app.views.acts.lists.count_each", fail)
    page = keeper.open(address)
    assert page.status == 503
    assert "Drinks" not in page.title


def test_links_of_the_list_keep_the_view_and_its_reset_leaves_it(keeper, save):
    view = save()
    page = keeper.open(f"{LIST}?view={view['id']}")
    kept = f"view={view['id']}"
    assert kept in page.link("Amount")
    assert kept not in page.link("Reset")
    fragment = keeper.fragment(f"{LIST}?category=Glass&{kept}", "list")
    assert fragment.all("#view-state") == ["changed"]


def test_save_and_save_as_keep_what_the_address_filters(keeper, save):
    view = save()
    page = keeper.open(f"{LIST}?category=Glass&view={view['id']}")
    saved = keeper.submit(keeper.open(page.link("Save")))
    assert saved.path == f"{LIST}?category=Glass&view={view['id']}"
    assert saved.all("#alerts p") == ["Saved “Drinks”."]
    another = keeper.submit(keeper.open(page.link("Save as")), name="Glass")
    assert another.all(".head h1") == ["Glass"]
    refused = keeper.submit(keeper.open(page.link("Save as")), name="Glass")
    assert set(refused.errors) == {"You have a view of this name. Choose another name."}


def test_a_list_opens_with_what_was_left_then_with_the_default_then_whole(app, keeper, save):
    view = save()
    assert keeper.open(LIST, headers=FROM_MENU).path == LIST
    choose(keeper, view, is_default="y")
    default = f"{LIST}?category=Drinks&view={view['id']}"
    other_device = Person(app)
    other_device.sign_in("keeper", follow=False)
    assert other_device.open(LIST, headers=FROM_MENU).path == default
    assert keeper.open(LIST, headers=FROM_MENU).path == default
    keeper.open(f"{LIST}?q=cup")
    assert keeper.open(LIST, headers=FROM_MENU).path == f"{LIST}?q=cup"
    keeper.open(LIST, headers={"Referer": f"http://localhost{LIST}?q=cup"})
    assert keeper.open(LIST, headers=FROM_MENU).path == LIST
    assert keeper.open(LIST).path == LIST


def test_only_one_view_of_a_list_is_the_default(keeper, save):
    first, second = save("First"), save("Second", "q=cup")
    choose(keeper, first, is_default="y")
    page = choose(keeper, second, is_default="y")
    assert page.text.count("Opens first") == 1


def test_days_of_a_quick_range_are_its_word_and_move_with_the_day(keeper, save, call, monkeypatch):
    today = dates.today()
    query = f"from={today.replace(month=1, day=1)}&to={today}"
    view = save("Year", query, list="/history")
    assert view["query"] == "range=year-to-date"
    address, later = f"/history?view={view['id']}", today.replace(year=today.year + 1)
    monkeypatch.setattr(dates, "today", lambda: later)
    fields = keeper.open(address).html.select("input[type=date]")
    assert [field["value"] for field in fields] == [str(later.replace(month=1, day=1)), str(later)]
    monkeypatch.setattr(dates, "today", lambda: today)
    form = keeper.open(f"/views/new?list=/history&query=from={today}%26to={today}")
    assert "Its days move with the day: today." in form.text
    both = call("GET", "/api/gfm/history?range=today&from=2026-01-01")
    assert both.json["fields"] == {"range": "Choose either range or from and to."}
    assert call("GET", "/api/gfm/history?range=soon").status_code == 422
    wrong = keeper.open("/history?range=today&to=2026-01-01")
    assert (wrong.status, wrong.alerts) == (422, ["Choose either range or from and to."])


def test_the_etag_follows_the_view_the_choices_and_the_day(keeper, save, call, monkeypatch):
    view = save()
    address = f"{LIST}?category=Drinks&view={view['id']}"

    def tag(path=address):
        return keeper.client.get(path).headers["ETag"]

    first = tag()
    assert tag() == first
    choose(keeper, view, is_starred="y")
    second = tag()
    call("PATCH", f"/api/views/{view['id']}", {"name": "Tea"}, If_Match=f'"view-{view["id"]}-1"')
    assert len({first, second, tag()}) == 3
    days, today = tag("/history?range=today"), dates.today()
    monkeypatch.setattr(dates, "today", lambda: today + timedelta(days=1))
    assert tag("/history?range=today") != days


def test_kept_parts_have_no_view_of_another_person(app, keeper, save, signed_in):
    view = save("Mine alone", division="gfm")
    other = signed_in("other", Division.GFM)
    for path in (LIST, "/history", "/stock/gfm/levels", "/gfm/deliveries"):
        mine = save(f"Mine {path}", "q=zz", list=path)
        keeper.open(f"{path}?view={mine['id']}")
        assert "Mine" not in other.open(f"{path}?q=zz").text, path
    page = other.open(f"{LIST}?view={view['id']}")
    assert page.all(".head h1") == ["Mine alone"]


def test_a_view_that_somebody_has_not_is_not_there(keeper, save, signed_in):
    view = save()
    other = signed_in("other", Division.GFM)
    for path in (f"{LIST}?view={view['id']}", f"{LIST}?view=x", f"/views/{view['id']}/edit"):
        assert other.open(path).status == 404, path
    assert keeper.open(f"/inventory/guildford?view={view['id']}").status == 404


def lose(in_app, username, *divisions):
    """Take divisions from a person."""

    def act():
        with transaction():
            revoke(username, divisions, [])

    in_app(act)


def test_a_lost_division_takes_its_views_with_the_next_request(keeper, in_app, save, signed_in):
    views = [save(f"Shared {n}", division="gfm") for n in range(8)]
    both = signed_in("both", Division.GFM, Division.FLEET)
    for view in views:
        choose(both, view, is_default="y", is_starred="y")
    lose(in_app, "both", Division.GFM)
    call = Caller(both)
    assert "Shared" not in both.open("/views").text
    assert call("GET", "/api/views").json == []
    assert both.open("/views/tiles").all(".tile") == []
    # Nor do they count any more: as stars of the person, as people of the view.
    own = call("POST", "/api/views", {"list": "/vehicles", "name": "Vans"}).json
    assert choose(both, own, is_starred="y").all("#alerts p") == ["Saved your choice of “Vans”."]
    assert "start" not in keeper.open(f"/views/{views[-1]['id']}/remove").text.lower()


def test_a_shared_view_stays_when_its_owners_account_ends(in_app, save, signed_in):
    view = save("Shared", division="gfm")

    def end():
        with transaction():
            disable("keeper")

    in_app(end)
    other = signed_in("other", Division.GFM)
    assert other.open(f"{LIST}?view={view['id']}").all(".head h1") == ["Shared"]


def test_deleting_and_unsharing_name_who_starts_with_the_view(keeper, save, signed_in):
    view = save(division="gfm")
    for name in ("ann", "bob"):
        choose(signed_in(name, Division.GFM), view, is_default="y")
    edit = keeper.open(f"/views/{view['id']}/edit")
    refused = keeper.submit(edit, division="")
    assert refused.errors == [
        "2 people start with this view. Tick “Take it from everybody else” to save."
    ]
    assert keeper.submit(edit, division="", confirmed="y").all("#alerts p") == ["Changed “Drinks”."]
    view = save("Glass", "q=cup", division="gfm")
    choose(signed_in("eve", Division.GFM), view, is_default="y")
    question = keeper.open(f"/views/{view['id']}/remove")
    assert "1 person starts with this view." in question.text
    assert keeper.submit(question).all("#alerts p") == ["Deleted “Glass”."]


def test_a_choice_that_no_longer_occurs_is_named_with_a_way_without_it(keeper, save, in_app):
    view = save("Low at Main", "category=Gone&q=cup")
    page = keeper.open(f"{LIST}?view={view['id']}")
    notice = "“Low at Main” filters by category Gone, which no longer exists. Show without it"
    assert page.all("#alerts p") == [notice]
    without = keeper.open(page.link("Show without it"))
    assert [row[0] for row in without.rows()] == ["Cup"]
    alone = keeper.open(f"{LIST}?view={save('Gone', 'category=Gone')['id']}")
    whole = keeper.open(alone.link("Show without it"))
    assert ([row[0] for row in whole.rows()], whole.all("#alerts p")) == (["Cup", "Tea"], [])
    # The person has chosen it, not the view.
    assert keeper.open(f"{LIST}?category=Lost&view={view['id']}").all("#alerts p") == []


def test_a_filter_that_a_release_dropped_is_left_out_and_named(app, keeper, save):
    view = save()
    with app.app_context(), transaction():
        db.session.get_one(SavedView, view["id"]).query = "category=Drinks&colour=red"
    page = keeper.open(f"{LIST}?view={view['id']}")
    assert page.all("#alerts p") == [
        "“Drinks” also filtered by colour, which this list no longer does."
    ]
    assert [row[0] for row in page.rows()] == ["Tea"]


def test_the_menu_of_views_takes_any_address_of_the_page_behind_it(keeper):
    for referrer in ("http://[", f"http://localhost{LIST}?view=zz", "x" * 5000):
        headers = {"HX-Request": "true", "Referer": referrer}
        reply = keeper.client.get(f"/views/menu?list={LIST}", headers=headers)
        assert reply.status_code in (200, 404), referrer


def test_a_site_that_is_gone_leaves_the_other_tiles(app, keeper, save):
    levels, drinks = save("Minimums", "site=guildford", list="/stock/gfm/levels"), save()
    for view in (levels, drinks):
        choose(keeper, view, is_starred="y")
    with app.app_context(), transaction():
        db.session.get_one(SavedView, levels["id"]).query = "site=nowhere"
    assert keeper.open("/views/tiles").all(".tile") == ["Drinks 1", "Minimums –"]


def test_starred_views_are_tiles_with_counts_of_one_statement(keeper, save, statements):
    starred = [
        save("Drinks"),
        save("All of it", ""),
        save("Today", "range=today", list="/history"),
        save("Late", "status=pending", list="/gfm/deliveries"),
        save("Minimums", "", list="/stock/gfm/levels"),
    ]
    assert "All of it" not in keeper.open("/dashboard").text
    choose(keeper, starred[0], is_starred="y")
    one = statements(lambda: keeper.open("/views/tiles"))
    for view in starred[1:4]:
        choose(keeper, view, is_starred="y")
    page = keeper.open("/dashboard")
    assert page.link("Drinks –") == f"{LIST}?view={starred[0]['id']}"
    tiles = keeper.open("/views/tiles").all(".tile")
    assert tiles == ["Late 0", "Today 2", "All of it 2", "Drinks 1"]
    # The history's statement names its sites, which one more reads.
    assert statements(lambda: keeper.open("/views/tiles")) == one + 1


def test_a_person_without_views_costs_no_statement_more(keeper, statements):
    pages = (LIST, "/history", "/gfm/deliveries", "/dashboard")
    for path in pages:
        keeper.open(path)
    assert {path: statements(lambda path=path: keeper.open(path)) for path in pages} == {
        path: statements(lambda path=path: keeper.open(path, headers=FROM_MENU)) for path in pages
    }
