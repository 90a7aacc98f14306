"""The calls of saved views, and the lists' calls that take one."""

import pytest
from sqlalchemy import select

from app.accounts.models import User
from app.accounts.services.users import grant, revoke
from app.db import db, transaction
from app.divisions import Division, Role
from app.events.models import RecordedEvent
from app.views.models import SavedView, ViewChoice
from tests import factories
from tests.person import Caller
from tests.views.conftest import LIST

pytestmark = [pytest.mark.differs_by_engine, pytest.mark.writes_directly]


def error_of(reply):
    return reply.status_code, reply.json.get("error")


def test_a_view_is_filters_and_an_order_without_a_page(save, call):
    view = save(query="q=tea&colour=red&sort=-amount&after=x&view=9&page=2")
    assert (view["query"], view["division"]) == ("q=tea&sort=-amount", None)
    assert call("GET", "/api/views").json == [view]


def test_wrong_views_are_refused_with_what_to_correct(save, call):
    save()
    body = {"list": LIST, "name": "Tea", "query": "q=tea"}
    for change, status, message in (
        ({"name": " dRINKS "}, 409, "You have a view of this name. Choose another name."),
        ({"name": ""}, 422, "Name is required"),
        ({"name": "x" * 61}, 422, "Name must have at most 60 characters"),
        ({"name": "x" * 201}, 422, "Name must have at most 60 characters"),
        ({"name": "ﷺ" * 60}, 422, "Name must have at most 60 characters"),
        ({"query": f"q={'x' * 2000}"}, 422, "This view has too many filters to be kept."),
        ({"list": "/inventory/nowhere"}, 422, "There is no such list."),
        ({"list": "/history", "query": "event=x"}, 422, 'There is no event "x".'),
        ({"list": "/login"}, 422, "There is no such list."),
        ({"list": f"/{LIST}"}, 422, "There is no such list."),
        ({"list": LIST[1:]}, 422, "There is no such list."),
        ({"list": "/stock/gfm/levels", "query": "site=no"}, 422, "There is no such list."),
        ({"list": "/vehicles"}, 403, "This list belongs to another division."),
        (
            {"division": "fleet"},
            403,
            "You can't share with Fleet. It isn't one of your divisions.",
        ),
    ):
        assert error_of(call("POST", "/api/views", body | change)) == (status, message), change
    for text in ("100%", "a_b", '"', "'", "\u202e", "🫖"):
        assert (
            call("POST", "/api/views", body | {"query": f"q={text}", "name": "x"}).status_code < 500
        )
        assert call("POST", "/api/views", body | {"name": text}).status_code in (201, 409, 422)


def test_a_person_has_at_most_200_views_and_eight_on_the_dashboard(app, keeper, save, call):
    with app.app_context(), transaction():
        owner = db.session.execute(select(User.id).where(User.username == "keeper")).scalar_one()
        made_at = db.session.get_one(User, owner).created_at
        for n in range(200):
            more = {"list": LIST, "query": "q=tea", "made_at": made_at}
            db.session.add(SavedView(owner_id=owner, name=f"V{n}", name_key=f"v{n}", **more))
    reply = call("POST", "/api/views", {"list": LIST, "name": "One more"})
    assert error_of(reply) == (422, "You have 200 views. Delete one first.")
    ids = [view["id"] for view in call("GET", "/api/views").json[:9]]
    for view_id in ids:
        page = keeper.submit(keeper.open(f"/views/{view_id}/place"), is_starred="y")
    assert page.errors == ["Eight views can be on the dashboard. Take one off first."]


def test_a_change_needs_the_version_that_was_read(save, call):
    path = f"/api/views/{save()['id']}"
    tag = call("GET", path).headers["ETag"]
    assert call("PATCH", path, {"name": "Tea"}).status_code == 428
    changed = call("PATCH", path, {"name": "Tea", "division": "gfm"}, If_Match=tag)
    assert (changed.json["name"], changed.json["division"]) == ("Tea", "gfm")
    assert call("DELETE", path, If_Match=tag).status_code == 412
    assert call("DELETE", path, If_Match=call("GET", path).headers["ETag"]).status_code == 200
    assert call("GET", path).status_code == 404


def test_events_have_no_names(app, save, call):
    path = f"/api/views/{save(division='gfm')['id']}"
    call(
        "PATCH",
        path,
        {"name": "Secret", "division": None},
        If_Match=call("GET", path).headers["ETag"],
    )
    call("DELETE", path, If_Match=call("GET", path).headers["ETag"])
    with app.app_context():
        is_of_views = RecordedEvent.kind.startswith("view.")
        events = db.session.execute(select(RecordedEvent).where(is_of_views)).scalars().all()
        assert [event.kind for event in events] == [
            *("view.saved", "view.shared", "view.changed", "view.shared", "view.removed")
        ]
        assert "Secret" not in str([vars(event) for event in events])


def test_a_shared_view_is_read_by_its_division_and_changed_by_managers(save, signed_in):
    own, shared = save("Own"), save("Shared", division="gfm")
    worker = Caller(signed_in("worker", Division.GFM, roles=[Role.WORKER]))
    manager = Caller(signed_in("manager", Division.GFM, roles=[Role.MANAGER, Role.WORKER]))
    viewer = Caller(signed_in("viewer", Division.GFM, roles=[Role.VIEWER]))
    stranger = Caller(signed_in("stranger", Division.FLEET))
    path = f"/api/views/{shared['id']}"
    for person, status in ((worker, 403), (viewer, 403), (stranger, 404), (manager, 200)):
        assert person("GET", f"/api/views/{own['id']}").status_code == 404
        tag = {"If_Match": f'"view-{shared["id"]}-1"'}
        assert person("PATCH", path, {"name": "Theirs"}, **tag).status_code == status
    assert viewer("POST", "/api/views", {"list": LIST, "name": "My own"}).status_code == 201
    form = signed_in("viewer 2", Division.GFM, roles=[Role.VIEWER]).open(f"/views/new?list={LIST}")
    assert form.all("option") == ["Only me"]
    sharing = {"list": LIST, "name": "For all", "division": "gfm"}
    assert viewer("POST", "/api/views", sharing).status_code == 403


def test_a_view_is_shared_with_divisions_of_its_list_alone(app, save, signed_in):
    own = save()
    both = signed_in("both", Division.GFM, Division.FLEET)
    call = Caller(both)
    sharing = {"list": LIST, "name": "For all", "division": "fleet"}
    refused = call("POST", "/api/views", sharing)
    assert error_of(refused) == (422, "Fleet can't see this list. Choose another division.")
    offered = both.open(f"/views/new?list={LIST}").all("option")
    assert offered == ["Only me", "GFM"]
    with app.app_context(), transaction():
        db.session.get_one(SavedView, own["id"]).division = Division.FLEET
    stranger = Caller(signed_in("stranger", Division.FLEET))
    assert stranger("GET", f"/api/views/{own['id']}").status_code == 404
    assert stranger("GET", "/api/views").json == []


def test_an_owner_who_only_views_now_changes_nothing_for_others(in_app, save, call):
    view = save(division="gfm")

    def demote():
        with transaction():
            grant("keeper", [Division.GFM], [], [Role.VIEWER])
            revoke("keeper", [Division.GFM], [], [Role.WORKER, Role.MANAGER])

    in_app(demote)
    path = f"/api/views/{view['id']}"
    tag = {"If_Match": call("GET", path).headers["ETag"]}
    assert call("PATCH", path, {"query": "q=cup"}, **tag).status_code == 403
    assert call("PATCH", path, {"division": None}, **tag).status_code == 200


def test_a_read_only_token_keeps_no_views(app, keeper):
    client = app.test_client()
    sent = {"username": "keeper", "password": factories.PASSWORD, "access": "read"}
    token = client.post("/api/auth/login", json=sent).json["accessToken"]
    options = {"headers": {"Authorization": f"Bearer {token}"}}
    assert client.get("/api/views", **options).status_code == 200
    body = {"list": LIST, "name": "Tea"}
    assert client.post("/api/views", json=body, **options).status_code == 403


def test_unsharing_takes_a_view_from_everybody_else(app, save, call, signed_in):
    view = save(division="gfm")
    other = signed_in("other", Division.GFM)
    other.submit(other.open(f"/views/{view['id']}/place"), is_default="y", is_starred="y")
    tag = call("GET", f"/api/views/{view['id']}").headers["ETag"]
    call("PATCH", f"/api/views/{view['id']}", {"division": None}, If_Match=tag)
    with app.app_context():
        assert db.session.execute(select(ViewChoice)).all() == []
    assert Caller(other)("GET", "/api/views").json == []


def test_a_list_call_takes_a_view_and_other_filters_win(save, call):
    view = save(query="category=Drinks&sort=-amount")["id"]

    def items(query):
        return [row["item"] for row in call("GET", f"/api/gfm/inventory/main?{query}").json]

    assert items(f"view={view}") == ["Tea"]
    assert items(f"view={view}&category=Glass") == ["Cup"]
    for path in ("guildford", "main"):
        other = save(f"Other {path}", list="/history", query="range=today")["id"]
        wrong = call("GET", f"/api/gfm/inventory/{path}?view={other}")
        assert error_of(wrong) == (422, "This view is of another list, /history.")
    assert call("GET", "/api/gfm/inventory/main?view=999").status_code == 422
    first = call("GET", f"/api/gfm/inventory/main?view={view}")
    call("PATCH", f"/api/views/{view}", {"query": "q=cup"}, If_Match=f'"view-{view}-1"')
    tag = {"If_None_Match": first.headers["ETag"]}
    assert [
        row["item"] for row in call("GET", f"/api/gfm/inventory/main?view={view}", **tag).json
    ] == ["Cup"]
