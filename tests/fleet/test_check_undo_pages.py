"""A review is undone once, and stays with its check."""

from app import dates
from app.divisions import Division
from tests.fleet.test_check_pages import ALL, LIST, rows


def review(person, remark=""):
    return person.submit(person.open(f"{LIST}/1/review"), remark=remark)


def test_the_message_undoes_a_review_and_the_check_keeps_who_did_what(reviewer, check):
    check()
    done = review(reviewer, "Booked in")
    undone = reviewer.submit(done, ".notice.ok form")
    assert undone.all(".notice.ok p") == ["Undone: LK19 VTE is to be reviewed again."]
    listed = reviewer.open(ALL)
    assert rows(listed)[0][8] == "Review"
    day = dates.format_day(dates.today())
    note = listed.all(".detail .note")[0]
    assert note.startswith(f"Reviewed by reviewer on {day} at ")
    assert f": Booked in; undone by reviewer on {day} at " in note
    assert listed.all("#total") == ["1 check"]
    assert rows(reviewer.open(f"{LIST}?review=reviewed")) == []
    assert len(rows(reviewer.open(f"{LIST}?review=unreviewed"))) == 1


def test_an_undo_leaves_a_later_review_alone(reviewer, check):
    check()
    first = review(reviewer, "First")
    sent = first.fields(".notice.ok form")
    reviewer.post(first.form(".notice.ok form")["action"], sent)
    second = review(reviewer, "Second")
    assert second.all(".notice.ok p") == ["Reviewed: LK19 VTE."]
    late = reviewer.post(first.form(".notice.ok form")["action"], sent | {"key": "late"})
    assert late.alerts == ["Not undone. This has already been undone. Load the page again."]
    assert rows(reviewer.open(ALL))[0][8] == "Reviewed"
    reviewer.submit(second, ".notice.ok form")
    notes = reviewer.open(ALL).all(".detail .note")[:2]
    assert ["; undone by reviewer on " in note for note in notes] == [True, True]


def test_a_review_is_undone_later_from_its_row_after_a_confirmation(signed_in, reviewer, check):
    check()
    review(reviewer, "Booked in")
    colleague = signed_in("colleague", Division.GPM)
    question = colleague.open(colleague.open(ALL).link("Undo the review of LK19 VTE, 15 Jan 2026"))
    assert question.all("main h1") == ["Undo the review?"]
    assert "Booked in" in question.text
    undone = colleague.submit(question)
    assert undone.all(".notice.ok p") == ["Undone: LK19 VTE is to be reviewed again."]
    assert "; undone by colleague on " in colleague.open(ALL).all(".detail .note")[0]


def test_a_review_that_does_not_exist_is_not_undone(reviewer, check):
    check()
    for number in (1, 2, 9):
        page = reviewer.open(f"{LIST}/1/reviews/{number}/undo")
        message = "There is no such review. Load the list again."
        assert (page.status, page.alerts) == (404, [message]), number


def test_the_question_about_an_undone_review_is_refused(reviewer, check):
    check()
    reviewer.submit(review(reviewer), ".notice.ok form")
    page = reviewer.open(f"{LIST}/1/reviews/1/undo")
    message = "This has already been undone. Load the page again."
    assert (page.status, page.alerts) == (409, [message])


def test_with_htmx_a_dialog_undoes_it_and_closes(reviewer, check):
    check()
    review(reviewer)
    dialog = reviewer.fragment(f"{LIST}/1/reviews/1/undo", "dialog")
    assert dialog.html.title is None
    headers = {"HX-Request": "true", "HX-Target": "dialog"}
    undone = reviewer.submit(dialog, "form", headers=headers)
    message = "Undone: LK19 VTE is to be reviewed again."
    assert undone.all("[data-hx-swap-oob='innerHTML:#live']") == [message]
    assert undone.headers["HX-Trigger"] == "checks-changed"
    refused = reviewer.submit(dialog, "form", headers=headers, key="another")
    assert (refused.status, refused.html.find("table")) == (409, None)
