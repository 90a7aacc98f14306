"""What the reorder list proposes."""

from collections import Counter
from math import ceil

from hypothesis import given, settings
from hypothesis import strategies as st

from app.divisions import SITES, Division, Site
from app.reorder.rules import Position, by_source, propose
from app.stock.rules.levels import LevelState, Source
from app.stock.rules.use import NO_USE, DailyUse

GFM = Division.GFM


def at(site, amount, minimum=None, *, use=NO_USE, on_order=0, unit="pcs", **level):
    return Position(
        site, len(site), "Bag", unit, amount, on_order, LevelState(minimum, **level), use
    )


def proposed(*positions):
    found = propose(GFM, positions)
    return [(each.position.site, each.from_site or each.supplier, each.quantity) for each in found]


def test_other_sites_give_first_what_they_can_spare_and_the_supplier_the_rest_in_packs():
    short = at(Site.MAIN, 9, 24, target=48, pack=12, supplier="Acme")
    spare = at(Site.NORTHERN, 20, 10)
    assert proposed(short, spare) == [(Site.MAIN, Site.NORTHERN, 10), (Site.MAIN, "Acme", 36)]
    first, rest = propose(GFM, [short, spare])
    assert first.why == "Below 24: 9 here. Northern has 10 more than it needs."
    assert rest.why == "What other sites can’t spare. Up to 48 in packs of 12."


def test_a_site_keeps_its_minimum_and_thirty_days_of_its_use():
    short = at(Site.MAIN, 0, 50)
    assert proposed(short, at(Site.NORTHERN, 40, 5, use=DailyUse(90, 90)))[0][2] == 10
    assert proposed(short, at(Site.NORTHERN, 40, 35, use=DailyUse(9, 90)))[0][2] == 5


def test_what_is_on_order_counts_and_covers():
    assert proposed(at(Site.MAIN, 3, 10, on_order=6)) == [(Site.MAIN, "", 1)]
    assert proposed(at(Site.MAIN, 3, 10, on_order=7)) == []


def test_the_site_with_the_fewest_days_left_is_served_first_and_nothing_twice():
    slow = at(Site.MAIN, 6, 10, use=DailyUse(1, 10))
    fast = at(Site.GUILDFORD, 6, 10, use=DailyUse(10, 10))
    assert proposed(slow, fast, at(Site.NORTHERN, 5)) == [
        (Site.GUILDFORD, Site.NORTHERN, 4),
        (Site.MAIN, Site.NORTHERN, 1),
        (Site.MAIN, "", 3),
    ]


def test_a_site_that_counts_in_another_unit_gives_nothing_and_it_says_so():
    (found,) = propose(GFM, [at(Site.MAIN, 0, 5), at(Site.NORTHERN, 9, unit="boxes")])
    assert (found.supplier, found.quantity) == ("", 5)
    assert found.why == "Below 5: 0 here. Northern counts it in boxes: no transfer."


def test_an_item_of_another_site_comes_from_there_alone():
    short = at(Site.MAIN, 0, 9, source=Source.SITE, from_site=Site.GUILDFORD)
    positions = [short, at(Site.NORTHERN, 50), at(Site.GUILDFORD, 4)]
    assert proposed(*positions) == [(Site.MAIN, Site.GUILDFORD, 4)]
    assert propose(GFM, positions)[0].why.endswith("Guildford has no more to spare.")
    (none,) = propose(GFM, [short, at(Site.GUILDFORD, 4, 4)])
    assert (none.quantity, none.available) == (0, 4)
    assert none.why.endswith("Guildford has none to spare.")


def test_what_isnt_reordered_or_snoozed_isnt_proposed():
    assert proposed(at(Site.MAIN, 0, 9, source=Source.NONE)) == []
    snoozed = Position(Site.MAIN, 1, "Bag", "pcs", 0, 0, LevelState(9), is_snoozed=True)
    assert proposed(snoozed) == []


def test_sources_are_sites_then_suppliers_by_name_then_none():
    level = {"supplier": "Acme"}
    suppliers = {"A": "", "B": "Northern", "C": "Acme", "D": "ACME"}
    positions = [
        Position(Site.MAIN, n, name, "pcs", 0, 0, LevelState(5, supplier=supplier))
        for n, (name, supplier) in enumerate(suppliers.items())
    ]
    found = propose(GFM, [*positions, at(Site.MAIN, 0, 5, **level), at(Site.NORTHERN, 2)])
    sources = [each.key[1:] for each, *_ in by_source(found)]
    assert sources == [(Site.NORTHERN, ""), (None, "Acme"), (None, "Northern"), (None, "")]


numbers = st.integers(0, 60)
levels = st.builds(
    lambda minimum, more, pack, source, from_site: LevelState(
        minimum or None, minimum + more or None, pack, source, "Acme", from_site
    ),
    numbers,
    numbers,
    st.integers(1, 12),
    st.sampled_from(Source),
    st.sampled_from(Site),
)
positions_of_a_name = st.lists(
    st.builds(
        Position,
        st.sampled_from(Site),
        st.just(1),
        st.just("Bag"),
        st.sampled_from(["pcs", "pcs", "boxes"]),
        numbers,
        numbers,
        levels,
        st.builds(DailyUse, st.integers(0, 90), st.integers(1, 90)),
        st.just(100),
        st.booleans(),
    ),
    max_size=3,
    unique_by=lambda position: position.site,
)


def reference(positions):
    """Propose one unit after the other, as somebody would who asks each site in turn."""
    spare = {
        each.site: max(
            each.amount
            - max(
                (each.level.minimum or 0) if each.level.source is not Source.NONE else 0,
                ceil(30 * each.use.units / each.use.days) if each.use.units else 0,
            ),
            0,
        )
        for each in positions
    }
    here = {each.site: each for each in positions}
    given: Counter = Counter()
    needy = []
    for site in SITES[GFM]:
        each = here.get(site)
        minimum = each and each.level.source is not Source.NONE and each.level.minimum
        if minimum and not each.is_snoozed and each.amount + each.on_order < minimum:
            left = each.amount * each.use.days // each.use.units if each.use.units else 10**9
            needy.append((left, SITES[GFM].index(site), each))
    for _, _, each in sorted(needy, key=lambda row: row[:2]):
        missing = max(each.level.target or 0, each.level.minimum) - each.amount - each.on_order
        may_give = [
            site
            for site in SITES[GFM]
            if site in here and site is not each.site and here[site].unit == each.unit
        ]
        if each.level.source is Source.SITE:
            may_give = [site for site in may_give if site is each.level.from_site]
        for donor in sorted(may_give, key=lambda site: -spare[site]):
            while missing and spare[donor]:
                given[each.site, donor] += 1
                spare[donor] -= 1
                missing -= 1
        while missing > 0 and each.level.source is Source.SUPPLIER:
            given[each.site, "Acme"] += each.level.pack
            missing -= each.level.pack
    return given


def test_proposals_equal_a_slow_and_obvious_reference(pytestconfig):
    number = 10_000 if pytestconfig.option.thorough else 500
    settings(max_examples=number, deadline=None)(given(positions_of_a_name)(compare))()


def compare(positions):
    found = propose(GFM, positions)
    expected = reference(positions)
    assert +Counter({(p, s): q for p, s, q in proposed(*positions) if q}) == expected
    taken = Counter()
    for each in found:
        assert each.quantity >= 0
        if each.from_site:
            taken[each.from_site] += each.quantity
        else:
            assert each.quantity % each.position.level.pack == 0
    for position in positions:
        assert taken[position.site] <= position.spare
