"""Where nothing is yet, a list and a dashboard offer to add the first row, or to bring a list."""

from app.divisions import Division, Role

GFM, GPM, FLEET, ASSETS = Division


def test_an_empty_list_begins_with_a_row_or_a_file(signed_in):
    begins = {
        GFM: ("/inventory/main", "/inventory/main/add", "gfm-main-stock"),
        GPM: ("/gpm/deliveries", "/gpm/deliveries/new", "gpm-deliveries"),
        FLEET: ("/vehicles", "/vehicles/add", "vehicles"),
        ASSETS: ("/assets", "/assets/add", "assets"),
    }
    people = {each: signed_in(f"boss-{each}", each, division=each) for each in begins}
    for division, (path, add, target) in begins.items():
        page = people[division].open(path)
        assert page.link("Add the first one") == add, path
        assert page.link("Bring a list") == f"/import/{target}"
        assert people[division].open("/dashboard").link("Bring a list").startswith("/import/")
    others = {
        GFM: (("/history", "gfm-history"), ("/inventory/levels", "gfm-main-stock")),
        GPM: (("/teams", "teams"), ("/services", "services"), ("/keys", "keys")),
        FLEET: (("/fleet/defects", "defects"), ("/fleet/due", "due")),
        ASSETS: (("/assets/history", "moves"),),
    }
    for division, lists in others.items():
        for path, target in lists:
            assert people[division].open(path).link("Bring a list") == f"/import/{target}"


def test_nobody_is_offered_what_they_may_not_do(signed_in):
    viewer = signed_in("viewer", ASSETS, roles=(Role.VIEWER,), division=ASSETS)
    for path in ("/assets", "/dashboard"):
        text = viewer.open(path).text
        assert "Bring a list" not in text
        assert "Add the first one" not in text
