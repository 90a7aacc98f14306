"""What `make failover` derives from its counts: a broken promise is named."""

from dataclasses import replace

import pytest

from tests.failover.clients import SHARED_ITEM, Change, Reply
from tests.failover.figures import Moments, broken_promises, measure

MOMENTS = Moments(fault=5, leaderless=5, led=6)
CHANGES = [Change("one", 1, 1.1), Change("two", 5, 7.5)]
REPLIES = [Reply(1, 1.1, 200), Reply(5, 5.5, 503, has_retry_after=True), Reply(7, 7.5, 200)]
AMOUNTS = {"one": 1, "two": 1, SHARED_ITEM: 2}
READINESS = [Reply(4, 4.1, 200), Reply(5.1, 5.2, 503), Reply(17, 17.1, 200)]


def judged(changes=CHANGES, replies=REPLIES, readiness=READINESS, amounts=AMOUNTS, verified=True):
    figures = measure(
        "a fault", MOMENTS, changes, replies, readiness, amounts, workers_ended=0, verified=verified
    )
    return figures, broken_promises(figures)


def test_what_went_well_breaks_no_promise():
    figures, broken = judged()
    assert broken == []
    assert (figures.acknowledged, figures.refused) == (2, 1)
    assert (figures.p95_before_ms, figures.longest_gap) == pytest.approx((100, 6.4))


@pytest.mark.parametrize(
    ("given", "promise"),
    [
        ({"amounts": {"one": 1, SHARED_ITEM: 1}}, "no acknowledged change was lost"),
        ({"amounts": AMOUNTS | {"two": 2, SHARED_ITEM: 3}}, "no change was doubled"),
        ({"amounts": AMOUNTS | {SHARED_ITEM: 1}}, "made in part"),
        ({"changes": [*CHANGES, Change("three", 8, None)]}, "every change was acknowledged"),
        ({"changes": [CHANGES[0], Change("two", 5, 11.2)]}, "changes went on within 10 s"),
        ({"replies": [*REPLIES, Reply(6, 6.1, 503)]}, "every 503 had Retry-After"),
        ({"replies": [*REPLIES, Reply(6, 6.1, 500)]}, "nothing failed but by a 503"),
        ({"replies": [*REPLIES, Reply(6, 6.1, 0)]}, "nothing failed but by a 503"),
        ({"readiness": [Reply(5.1, 5.2, 200)]}, "/readyz was 503 while nobody led"),
        ({"readiness": [Reply(17, 17.1, 503)]}, "/readyz was 200 while somebody led"),
        ({"verified": False}, "`flask verify` found nothing"),
    ],
)
def test_each_promise_that_is_broken_is_named(given, promise):
    _, broken = judged(**given)
    assert [name for name in broken if promise in name], broken


def test_a_worker_that_ended_breaks_a_promise():
    figures, _ = judged()
    assert broken_promises(replace(figures, workers_ended=1)) == ["no worker ended"]
