"""Changes of teams, services and keys, and the history of handovers."""

from datetime import UTC, datetime, timedelta

import pytest

from app import dates
from app import names as names_of
from app.db import db, transaction
from app.directory import queries
from app.directory.rules import DirectoryList, KeyState, NameState
from app.directory.schemas import handovers_of_key
from app.directory.services import keys, names
from app.directory.services.keys import ListedKey, PastHandover
from app.divisions import Division
from app.errors import Conflict, Invalid, NotFound
from app.stock.queries import overview
from app.versions import version_of
from tests import factories, listing
from tests.factories import GPM
from tests.fleet.threads import run_at_once

pytestmark = pytest.mark.usefixtures("context")


@pytest.fixture
def by(context):
    return factories.user("trader", Division.GPM)


def do(work):
    with transaction():
        return work()


def holders():
    db.session.rollback()
    return {key.label: key.holder for key in queries.all_keys()}


def handovers():
    db.session.rollback()
    return [(h.label, h.holder_before, h.holder, h.username) for h in queries.stream_handovers()]


def test_names_are_ordered_by_their_keys():
    for name in ("north", "Garden", "kitchen"):
        factories.team(name)
    assert queries.team_names() == ["Garden", "kitchen", "north"]


def test_a_name_exists_once_whatever_its_case_and_spacing():
    for list_name in (DirectoryList.TEAMS, DirectoryList.SUPPLIERS, DirectoryList.SERVICES):
        with transaction():
            names.add(list_name, NameState("Kitchen"))
        for again in ("Kitchen", "KITCHEN", "Kitchen  "):
            refused = pytest.raises(Conflict, match='Name already exists: "Kitchen"')
            with refused, transaction():
                names.add(list_name, NameState(again))


def test_a_team_can_be_respelled_but_not_take_anothers_name():
    factories.team("kitchen")
    factories.team("Garden")
    assert do(lambda: names.rename(DirectoryList.TEAMS, "KITCHEN", "Kitchen")).before == "kitchen"
    with pytest.raises(Conflict, match='Name already exists: "Garden"'):
        do(lambda: names.rename(DirectoryList.TEAMS, "Kitchen", "garden"))
    with pytest.raises(NotFound, match='There is no team "Cellar"'):
        do(lambda: names.rename(DirectoryList.TEAMS, "Cellar", "Attic"))
    db.session.rollback()
    assert queries.team_names() == ["Garden", "Kitchen"]


def test_renaming_a_team_renames_it_on_keys_and_offers_but_not_in_history(by):
    factories.team("Kitchen")
    factories.key("K1", holder="KITCHEN")
    factories.key("K2", holder="Kitchen staff")
    item = factories.item("Tea", 5, store=GPM)
    factories.move(item, -1, store=GPM, team="Kitchen")
    before = handovers()
    do(lambda: names.rename(DirectoryList.TEAMS, "Kitchen", "Canteen"))
    assert holders() == {"K1": "Canteen", "K2": "Kitchen staff"}
    assert handovers() == before
    assert overview.suggest_teams(Division.GPM) == ["Canteen"]


def test_a_service_keeps_its_description_when_it_is_renamed():
    entry = factories.service("Windows", "Twice a year")
    renamed = do(lambda: names.rename(DirectoryList.SERVICES, "windows", "Window cleaning"))
    assert renamed == names.EntryChange(entry, "Window cleaning", "Twice a year", "Windows")


def test_a_lists_version_changes_exactly_when_the_list_does(by):
    def versions():
        db.session.rollback()
        return version_of(DirectoryList.TEAMS), version_of(DirectoryList.KEYS)

    factories.team("Kitchen")
    factories.key("K1", holder="Kitchen")
    seen = [versions()]
    same = [
        lambda: names.rename(DirectoryList.TEAMS, "Kitchen", "Kitchen"),
        lambda: names.set_names(DirectoryList.TEAMS, [NameState("kitchen")]),
        lambda: keys.set_keys([KeyState("K1", holder="Kitchen")], by=None),
    ]
    for work in same:
        do(work)
        assert versions() == seen[0]
    changes = [
        lambda: names.rename(DirectoryList.TEAMS, "Kitchen", "Canteen"),
        lambda: names.set_names(DirectoryList.TEAMS, [NameState("Garden")]),
        lambda: names.remove(DirectoryList.TEAMS, "Garden"),
        lambda: keys.set_keys([KeyState("K1")], by=None),
        lambda: keys.remove_key("K1", by=None),
    ]
    for work in changes:
        do(work)
        seen.append(versions())
    assert len(set(seen)) == len(seen)


def listed(*codes):
    return [ListedKey(KeyState(code)) for code in codes]


def replace_all(new, by):
    versions = [version_of(DirectoryList.KEYS)]
    return do(lambda: keys.replace_keys(new, versions=versions, by=by))


def test_every_change_of_a_holder_is_recorded(by):
    factories.key("K1", holder="Kitchen")
    do(lambda: keys.set_keys([KeyState("K1", holder="Garden")], by=None))
    do(lambda: keys.set_keys([KeyState("K1", holder="GARDEN", notes="Bent")], by=None))
    replace_all(listed("k1"), by)
    assert handovers() == [
        ("k1", "GARDEN", "", "trader"),
        ("K1", "Kitchen", "Garden", ""),
        ("K1", "", "Kitchen", ""),
    ]


def test_removing_a_key_records_that_its_holder_gave_it_back(by):
    factories.key("K1", holder="Kitchen")
    factories.key("K2")
    replace_all(listed("K2"), by)
    assert holders() == {"K2": ""}
    factories.key("K1", holder="Garden")
    assert handovers() == [
        ("K1", "", "Garden", ""),
        ("K1", "Kitchen", "", "trader"),
        ("K1", "", "Kitchen", ""),
    ]


def test_a_past_handover_finds_the_holder_at_that_time(by):
    factories.key("K1", holder="Kitchen")
    yesterday = dates.utc_now() - timedelta(days=1)
    submitted = [
        PastHandover("k1", "Attic", None, datetime(2026, 1, 1, tzinfo=UTC)),
        PastHandover("K1", "Garden", None, yesterday),
        PastHandover("K1", "", "Somebody", yesterday),
    ]
    assert do(lambda: keys.record_handovers(submitted, by=by)).added == 3
    assert handovers() == [
        ("K1", "", "Kitchen", ""),
        ("K1", "Somebody", "", "trader"),
        ("K1", "Attic", "Garden", "trader"),
        ("K1", "", "Attic", "trader"),
    ]
    assert holders() == {"K1": "Kitchen"}


def key_ids():
    db.session.rollback()
    return {key.label: key.id for key in queries.all_keys()}


def test_a_key_with_another_code_keeps_its_id_and_history(by):
    factories.key("", name="Boiler", holder="Kitchen")
    before = key_ids()["Boiler"]
    submitted = [ListedKey(KeyState("K12", "Boiler", "Kitchen"), before)]
    done = replace_all(submitted, by)
    assert (done.added, done.changed, done.removed) == (0, 1, 0)
    assert key_ids() == {"K12": before}
    assert handovers() == [("Boiler", "", "Kitchen", "")]
    assert listing.listed(handovers_of_key(names_of.key("K12"))).total == 1


def test_two_keys_can_swap_their_codes_but_none_is_listed_twice(by):
    factories.key("K1", holder="Kitchen")
    factories.key("K2", holder="Garden")
    ids = key_ids()
    submitted = [
        ListedKey(KeyState("K2", holder="Kitchen"), ids["K1"]),
        ListedKey(KeyState("K1", holder="Garden"), ids["K2"]),
    ]
    replace_all(submitted, by)
    assert key_ids() == {"K2": ids["K1"], "K1": ids["K2"]}
    assert len(handovers()) == 2
    twice = [submitted[0], ListedKey(KeyState("K3"), ids["K1"])]
    with pytest.raises(Invalid, match='"K3" is in the list twice') as refused:
        replace_all(twice, by)
    assert list(refused.value.fields) == ["1.code"]
    by_name = [ListedKey(KeyState("Gate")), ListedKey(KeyState(name="gate"))]
    with pytest.raises(Invalid, match='"gate" is in the list twice') as refused:
        replace_all(by_name, by)
    assert list(refused.value.fields) == ["1.name"]


def test_one_unknown_key_refuses_all_handovers(by):
    factories.key("K1")
    submitted = [PastHandover("K1", "Garden"), PastHandover("K9", "Garden")]
    with pytest.raises(Invalid, match='There is no key "K9"') as refused:
        do(lambda: keys.record_handovers(submitted, by=by))
    assert refused.value.fields == {"1.key": 'There is no key "K9".'}
    assert handovers() == []


@pytest.mark.differs_by_engine
def test_two_people_adding_the_same_name_at_once_make_one_team(app):
    def add():
        with app.app_context():
            try:
                do(lambda: names.add(DirectoryList.TEAMS, NameState("Kitchen")))
            except Conflict as conflict:
                return conflict.message
            return "added"

    refused = 'Name already exists: "Kitchen"'
    assert sorted(run_at_once([add] * 4)) == [*[refused] * 3, "added"]
    assert queries.team_names() == ["Kitchen"]
