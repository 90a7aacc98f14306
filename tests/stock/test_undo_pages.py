"""The buttons that undo an operation."""


def test_the_message_undoes_a_withdrawal_without_scripts(app, keeper, stock, amount):
    item = stock("Red heart", 10)
    page = keeper.open(f"/inventory/main/items/{item}/action")
    done = keeper.submit(page, quantity="3", team="Kitchen")
    assert done.all(".notice.ok p") == ["Red heart: withdrew 3, 7 left."]
    undone = keeper.submit(done, ".notice.ok form")
    assert undone.all(".notice.ok p") == ["Withdrawal of 3 × Red heart undone: 10 in stock."]
    assert amount("Red heart") == 10
    assert undone.all(".notice.ok form button") == ["Redo"]
    again = keeper.submit(undone, ".notice.ok form")
    assert again.all(".notice.ok p") == ["Withdrawal of 3 × Red heart done again: 7 in stock."]
    assert again.all(".notice.ok form button") == ["Undo"]
    assert amount("Red heart") == 7


def test_an_undo_sent_twice_counts_once_and_another_is_refused(app, keeper, stock, amount):
    item = stock("Red heart", 10)
    page = keeper.open(f"/inventory/main/items/{item}/action")
    done = keeper.submit(page, quantity="3", team="Kitchen")
    form = done.form(".notice.ok form")
    sent = done.fields(".notice.ok form")
    for _ in range(2):
        assert keeper.post(form["action"], sent).status == 200
    refused = keeper.post(form["action"], sent | {"key": "another"})
    assert refused.alerts == ["Not undone. This has already been undone. Load the page again."]
    assert amount("Red heart") == 10


def test_an_operation_can_be_undone_later_from_the_items_history(app, keeper, stock, amount):
    item = stock("Red heart", 10)
    page = keeper.open(f"/inventory/main/items/{item}/action")
    keeper.submit(page, quantity="3", team="Kitchen")
    history = keeper.open(f"/inventory/main/items/{item}/history")
    keeper.submit(history, "main form[action$='/operations/2/undo']")
    assert amount("Red heart") == 10
    assert "Undone" in keeper.open(f"/inventory/main/items/{item}/history").all(".badge")


def test_undoing_many_lines_needs_confirmation(call, person, stock, amount):
    item = stock("Bag", 0)
    lines = [{"name": name, "qty": 2} for name in ("Bag", "Cup", "Tin")]
    body = {"action": "delivery", "date": "2026-01-15", "lines": lines}
    assert call("POST", "/api/gfm/inventory/main/bulk", body).status_code == 200
    person.post("/choose", {"csrf_token": call.token, "division": "gfm"})
    history = person.open(f"/inventory/main/items/{item}/history")
    assert history.html.select_one("form[action$='/operations/2/undo']") is None
    question = person.open(history.link("See all items"))
    assert "Delivery: 3 items." in question.text
    assert "Bag at Main: +2" in question.text
    assert amount("Bag") == 2
    done = person.submit(question)
    assert done.all(".notice.ok p") == ["Delivery of 3 items undone."]
    assert amount("Bag") == 0


def test_a_refused_undo_leads_back_to_where_one_was(keeper, stock):
    item = stock("Red heart", 10)
    page = keeper.open(f"/inventory/main/items/{item}/action")
    keeper.submit(page, quantity="10", team="Kitchen")
    history = f"/inventory/main/items/{item}/history"
    sent = keeper.open(history).fields("main form[action$='/operations/1/undo']")
    refused = keeper.post("/inventory/main/operations/1/undo", sent | {"back": history})
    assert refused.path == history
    assert refused.alerts == ['Not undone. Not enough stock: "Red heart" has 0']
