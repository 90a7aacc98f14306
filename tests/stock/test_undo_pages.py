"""The buttons that take an operation back."""


def test_the_message_takes_a_withdrawal_back_without_scripts(app, keeper, stock, amount):
    item = stock("Red heart", 10)
    page = keeper.open(f"/inventory/main/items/{item}/action")
    done = keeper.submit(page, quantity="3", team="Kitchen")
    assert done.all(".notice.ok p") == ["Red heart: withdrew 3, 7 left."]
    undone = keeper.submit(done, ".notice.ok form")
    assert undone.all(".notice.ok p") == ["Undone: 1 line taken back."]
    assert amount("Red heart") == 10


def test_an_undo_sent_twice_counts_once_and_another_is_refused(app, keeper, stock, amount):
    item = stock("Red heart", 10)
    page = keeper.open(f"/inventory/main/items/{item}/action")
    done = keeper.submit(page, quantity="3", team="Kitchen")
    form = done.form(".notice.ok form")
    sent = done.fields(".notice.ok form")
    for _ in range(2):
        assert keeper.post(form["action"], sent).status == 200
    refused = keeper.post(form["action"], sent | {"key": "another"})
    assert refused.alerts == ["Not undone. This was undone already."]
    assert amount("Red heart") == 10


def test_an_items_history_takes_an_operation_back_later(app, keeper, stock, amount):
    item = stock("Red heart", 10)
    page = keeper.open(f"/inventory/main/items/{item}/action")
    keeper.submit(page, quantity="3", team="Kitchen")
    history = keeper.open(f"/inventory/main/items/{item}/history")
    keeper.submit(history, "main form[action$='/operations/2/undo']")
    assert amount("Red heart") == 10
    assert "Undone" in keeper.open(f"/inventory/main/items/{item}/history").all(".badge")
