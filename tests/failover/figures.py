"""What a scenario showed, and which promises it broke."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tests.failover.clients import SHARED_ITEM, Change, Reply

MAX_GAP_SECONDS = 10.0
READY_WITHIN_SECONDS = 10.0


@dataclass(frozen=True)
class Moments:
    """When the fault began, from when on nobody led, and when a new leader was there."""

    fault: float
    leaderless: float
    led: float


@dataclass(frozen=True)
class Figures:
    """The figures of a scenario; times are in seconds, but for the last ones."""

    scenario: str
    acknowledged: int
    unacknowledged: int
    lost: int
    doubled: int
    refused: int
    refused_without_retry_after: int
    other_failures: int
    refused_for: float
    longest_gap: float
    p95_before_ms: float
    p95_after_ms: float
    wrongly_ready: int
    wrongly_unready: int
    workers_ended: int
    verified: bool


def measure(
    scenario: str,
    moments: Moments,
    changes: Sequence[Change],
    replies: Sequence[Reply],
    readiness: Sequence[Reply],
    amounts: Mapping[str, int],
    *,
    workers_ended: int,
    verified: bool,
) -> Figures:
    """Compare what was acknowledged with the amounts that the leader has."""
    acknowledged = [change for change in changes if change.acknowledged is not None]
    stored = [amounts.get(change.item, 0) for change in acknowledged]
    applied = sum(amount for item, amount in amounts.items() if item != SHARED_ITEM)
    refused = [reply for reply in replies if reply.status == 503]
    times = sorted(change.acknowledged for change in changes if change.acknowledged is not None)
    before = [reply for reply in replies if reply.status == 200 and reply.ended < moments.fault]
    after = [reply for reply in replies if reply.status == 200 and reply.begun > moments.led]
    return Figures(
        scenario=scenario,
        acknowledged=len(acknowledged),
        unacknowledged=len(changes) - len(acknowledged),
        lost=sum(amount == 0 for amount in stored),
        # A change that was applied in part shows as a difference to the shared item.
        doubled=sum(amount > 1 for item, amount in amounts.items() if item != SHARED_ITEM)
        + abs(applied - amounts[SHARED_ITEM]),
        refused=len(refused),
        refused_without_retry_after=sum(not reply.has_retry_after for reply in refused),
        other_failures=sum(reply.status not in (200, 503) for reply in replies),
        refused_for=refused[-1].ended - refused[0].ended if refused else 0.0,
        longest_gap=max((later - earlier for earlier, later in pairwise(times)), default=0.0),
        p95_before_ms=p95(before),
        p95_after_ms=p95(after),
        wrongly_ready=sum(
            reply.status == 200
            for reply in readiness
            if moments.leaderless < reply.begun and reply.ended < moments.led
        ),
        wrongly_unready=sum(
            reply.status != 200
            for reply in readiness
            if reply.ended < moments.fault or reply.begun > moments.led + READY_WITHIN_SECONDS
        ),
        workers_ended=workers_ended,
        verified=verified,
    )


def p95(replies: Sequence[Reply]) -> float:
    """Return the milliseconds that 95 of 100 replies didn't exceed."""
    times = sorted(reply.ended - reply.begun for reply in replies)
    return times[min(len(times) - 1, len(times) * 95 // 100)] * 1000 if times else 0.0


def broken_promises(figures: Figures, max_gap: float | None = MAX_GAP_SECONDS) -> list[str]:
    """Return the promises that a scenario broke; `max_gap` is None where an admin has to act."""
    promises = {
        "changes were made": figures.acknowledged > 0,
        "every change was acknowledged in the end": figures.unacknowledged == 0,
        "no acknowledged change was lost": figures.lost == 0,
        "no change was doubled, or made in part": figures.doubled == 0,
        "every 503 had Retry-After": figures.refused_without_retry_after == 0,
        "nothing failed but by a 503": figures.other_failures == 0,
        "/readyz was 503 while nobody led": figures.wrongly_ready == 0,
        "/readyz was 200 while somebody led": figures.wrongly_unready == 0,
        "no worker ended": figures.workers_ended == 0,
        "`flask verify` found nothing": figures.verified,
    }
    if max_gap is not None:
        promises[f"changes went on within {max_gap:.0f} s"] = figures.longest_gap <= max_gap
    return [promise for promise, is_kept in promises.items() if not is_kept]
