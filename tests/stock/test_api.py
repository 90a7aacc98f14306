"""The JSON calls of stock: read, replace, patch, bulk and transfer."""

from tests.factories import GPM

DAY = "2026-01-15"
PATH = "/api/gfm/inventory/main"


def test_the_list_is_served_whole_by_name(call, stock):
    stock("Tin", 4, category="Box", unit_price=126, unit="box")
    stock("Bag", 2)
    assert call("GET", PATH).json == [
        {"item": "Bag", "amount": 2, "category": "", "unitPrice": 2.5, "unit": "pcs"},
        {"item": "Tin", "amount": 4, "category": "Box", "unitPrice": 1.26, "unit": "box"},
    ]


def test_the_division_is_that_of_the_prefix_or_the_chosen_one(call, person, stock):
    stock("Of GFM", 1)
    stock("Of GPM", 1, store=GPM)
    for path, name in (
        (PATH, "Of GFM"),
        ("/api/gpm/inventory/main", "Of GPM"),
        ("/api/gpm/inventory", "Of GPM"),
        ("/api/inventory", "Of GPM"),
    ):
        assert [row["item"] for row in call("GET", path).json] == [name], path
    for chosen, name in (("gfm", "Of GFM"), ("gpm", "Of GPM")):
        person.post("/choose", {"csrf_token": call.token, "division": chosen})
        assert [row["item"] for row in call("GET", "/api/inventory/main").json] == [name]


def test_an_unknown_site_is_not_found(call):
    for path in ("gfm/inventory/leeds", "gpm/inventory/guildford"):
        assert call("GET", f"/api/{path}").status_code == 404, path


def test_a_patch_applies_every_type_of_op(call, stock, amount):
    for name in ("Up", "Down", "Set", "Gone"):
        stock(name, 10)
    ops = [
        {"type": "inc", "id": "up", "delta": 5},
        {"type": "dec", "id": "DOWN", "delta": 4},
        {
            "type": "set",
            "id": "Set",
            "expected": 10,
            "data": {"amount": 7, "name": "Set anew", "unitPrice": 3},
        },
        {"type": "remove", "id": "Gone"},
        {"type": "add", "item": {"name": "New", "qty": 2, "category": "Tin", "unitPrice": 1.5}},
    ]
    body = {"ops": ops, "reason": "Sorted out", "team": "Shop", "ts": f"{DAY}T12:00:00"}
    reply = call("PATCH", PATH, body)
    assert {r["item"]: r["amount"] for r in reply.json["items"]} == {
        "Up": 15,
        "Down": 6,
        "Set anew": 7,
        "Gone": 0,
        "New": 2,
    }
    names = [row["item"] for row in call("GET", PATH).json]
    assert names == ["Down", "New", "Set anew", "Up"]


FAILING_OPS = [
    ({"type": "dec", "id": "Tin", "delta": 5}, 409, 'Not enough stock: "Tin" has 4'),
    ({"type": "inc", "id": "Cup", "delta": 1}, 422, 'Item not found: "Cup"'),
    ({"type": "dec", "id": "Cup", "delta": 1}, 422, 'Item not found: "Cup"'),
    ({"type": "inc", "id": "Tin", "delta": 0}, 422, "Quantity must be at least 1"),
    ({"type": "set", "id": "Tin", "data": {"name": "bag"}}, 409, 'Name already exists: "Bag"'),
    ({"type": "add", "item": {"name": "tin", "qty": 1}}, 409, 'Name already exists: "Tin" has 4.'),
    ({"type": "inc", "id": "Tin", "delta": True}, 422, "ops.1.delta: Must be a whole number."),
    ({"type": "inc", "id": "Tin", "delta": 1.0}, 422, "ops.1.delta: Must be a whole number."),
    ({"type": "inc", "id": "Tin", "delta": "1"}, 422, "ops.1.delta: Must be a whole number."),
    ({"type": "inc", "id": "Tin"}, 422, "ops.1.delta: An op of type inc needs delta."),
    ({"type": "set", "id": "Tin"}, 422, "ops.1.data: An op of type set needs data."),
    ({"type": "set", "id": "Tin", "data": {"amount": 7}}, 422, "ops.1.expected: Must be the"),
    ({"type": "inc", "delta": 1}, 422, "ops.1.id: An op of type inc needs id."),
    ({"type": "inc", "id": "Tin", "delta": 1, "x": 1}, 422, "ops.1.x: Unknown field."),
    ({"type": "blow", "id": "Tin"}, 422, "ops.1.type: Must be one of"),
    ({"type": "inc", "id": "Tin", "delta": -1}, 422, "Quantity must be at least 0"),
    ({"type": "remove", "id": "Tin", "expected": -1}, 422, "Expected amount must be at least 0"),
    ({"type": "add", "item": {"amount": 1}}, 422, "Item name is required"),
    ({"type": "add", "item": {"item": "Cup"}}, 422, "Amount is required"),
    ({"type": "set", "id": "Tin", "data": {"item": " "}}, 422, "Item name is required"),
]


def test_an_op_that_fails_is_named_and_nothing_is_applied(call, stock, amount):
    stock("Bag", 2)
    stock("Tin", 4)
    for op, status, message in FAILING_OPS:
        ops = [{"type": "inc", "id": "Bag", "delta": 1}, op]
        reply = call("PATCH", PATH, {"ops": ops})
        assert reply.status_code == status, op
        assert reply.json["error"].startswith(message), op
        assert all(field.startswith("ops.1") for field in reply.json["fields"]), op
        assert (amount("Bag"), amount("Tin")) == (2, 4), op


LINES = {"lines": [{"name": "Tin", "qty": 1}], "date": DAY}
CHANGES = [
    ("PATCH", "inventory/main", {"ops": [{"type": "dec", "id": "Tin", "delta": 1}]}),
    ("POST", "inventory/main/bulk", {"action": "withdrawal", "team": "Kitchen", **LINES}),
    ("POST", "transfers", {"source": "main", "destination": "northern", **LINES}),
]


def test_a_change_based_on_a_stale_list_is_refused(call, stock, amount):
    stock("Tin", 4)
    for number, (method, path, body) in enumerate(CHANGES):
        tag = call("GET", PATH).headers["ETag"]
        stock(f"Bag {number}", 1)
        stale = call(method, f"/api/gfm/{path}", body, If_Match=tag)
        assert (stale.status_code, amount("Tin")) == (412, 4 - number), path
        assert stale.json == {
            "error": "The list has changed since. Load it again.",
            "code": "precondition_failed",
        }
        tag = call("GET", PATH).headers["ETag"]
        assert call(method, f"/api/gfm/{path}", body, If_Match=tag).status_code == 200, path
        assert amount("Tin") == 3 - number, path


def test_a_stale_amount_is_refused_with_the_current_one(call, stock, amount):
    stock("Bag", 2)
    stock("Tin", 4)
    ops = [
        {"type": "dec", "id": "Bag", "delta": 1, "expected": 2},
        {"type": "inc", "id": "Tin", "delta": 1, "expected": 9},
        {"type": "inc", "id": "Cup", "delta": 1, "expected": 3},
    ]
    reply = call("PATCH", PATH, {"ops": ops})
    assert reply.status_code == 409
    assert reply.json["moved"] == [
        {"id": "Tin", "expected": 9, "amount": 4},
        {"id": "Cup", "expected": 3, "amount": None},
    ]
    assert amount("Bag") == 2


def test_a_stock_check_may_confirm_an_amount(call, stock, amount):
    stock("Bag", 2)
    op = {"type": "inc", "id": "Bag", "delta": 0, "expected": 2}
    body = {"ops": [op], "reason": f"Stock Check {DAY}", "team": "Stock Check"}
    assert call("PATCH", PATH, body).status_code == 200
    assert amount("Bag") == 2


def test_a_body_that_is_not_json_is_refused_clearly(call):
    sent = {"X-CSRFToken": call.token}
    plain = call.client.patch(PATH, data="x", headers=sent, content_type="text/plain")
    broken = call.client.patch(PATH, data="{", headers=sent, content_type="application/json")
    assert (plain.status_code, plain.json["error"]) == (415, "Send the body as application/json.")
    assert (broken.status_code, broken.json["error"]) == (400, "The body is not JSON.")


OPS_ON_ONE_NAME = [
    [
        {"type": "set", "id": "Bag", "data": {"name": "Sack"}},
        {"type": "add", "item": {"name": "Bag", "qty": 5}},
    ],
    [
        {"type": "set", "id": "Bag", "data": {"name": "Sack"}},
        {"type": "inc", "id": "Sack", "delta": 5},
    ],
    [{"type": "remove", "id": "Bag"}, {"type": "inc", "id": "bag", "delta": 5}],
    [
        {"type": "add", "item": {"name": "N", "qty": 5}},
        {"type": "add", "item": {"name": "n", "qty": 5}},
    ],
]


def test_an_op_on_a_name_that_another_op_changes_is_refused(call, stock, amount):
    stock("Bag", 2)
    for ops in OPS_ON_ONE_NAME:
        reply = call("PATCH", PATH, {"ops": ops})
        assert (reply.status_code, list(reply.json["fields"])) == (409, ["ops.1"]), ops
        assert amount("Bag") == 2, ops


def test_an_add_expecting_a_removed_item_is_refused(call):
    ops = [{"type": "add", "item": {"name": "Cup", "qty": 2}, "expected": 5}]
    reply = call("PATCH", PATH, {"ops": ops})
    assert (reply.status_code, reply.json["moved"][0]["amount"]) == (409, None)


def test_a_key_belongs_to_the_division_of_its_request(call, person, stock, amount):
    stock("Bag", 2)
    stock("Bag", 2, store=GPM)
    body = {"ops": [{"type": "inc", "id": "Bag", "delta": 1}]}
    for division in ("gfm", "gpm"):
        person.post("/choose", {"csrf_token": call.token, "division": division})
        call("PATCH", "/api/inventory/main", body, Idempotency_Key="k")
    assert (amount("Bag"), amount("Bag", GPM)) == (3, 3)


def test_a_team_and_a_reason_of_null_are_none(call, stock):
    stock("Bag", 4)
    ops = [{"type": "dec", "id": "Bag", "delta": 1}]
    body = {"ops": ops, "team": None, "reason": None}
    assert call("PATCH", PATH, body).status_code == 200
    (entry, *_) = call("GET", "/api/gfm/history").json
    assert (entry["item"], entry["team"]) == ("Bag", "")
    bulk = {"action": "delivery", "team": None, "date": DAY, "lines": [{"name": "Bag", "qty": 1}]}
    assert call("POST", "/api/gfm/inventory/main/bulk", bulk).status_code == 200
    schemas = call("GET", "/api/openapi.json").json["components"]["schemas"]
    fields = schemas["PatchBody"]["properties"]
    assert [set(fields[name]["type"]) for name in ("team", "reason")] == [{"string", "null"}] * 2
