"""The report of a run, as text of at most 120 columns and as JSON."""

import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from tests.bench.figures import (
    MAX_GROWTH,
    Comparison,
    Figures,
    Growth,
    Measured,
    Stage,
    compare,
    growth,
)

_REACHED = {True: "yes", False: "NO"}
_CALL_HEADERS = (
    *("call", "SQL", "c1 /s", "p50 ms", "p95 ms", "CPU ms", "c8 /s", "p50 ms", "p95 ms"),
    *("changed", "bare /s", "ratio", "met"),
)


def progress(engine: str, call: Measured) -> None:
    """Print the times of a call while others are still measured."""
    times = f"{number(call.one.p50)} ms, {number(call.eight.p50)} ms"
    print(f"  {engine}: {call.name}: {times}", file=sys.stderr, flush=True)


def table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return lines of columns: the first one to the left, all others to the right."""
    widths = [max(map(len, column)) for column in zip(headers, *rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if index else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (headers, *rows)
    )


def number(value: float | None) -> str:
    """Return a figure with three digits or so, '' for None."""
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def call_table(stage: Stage) -> str:
    """Return the table of a stage's calls.

    'changed' is the p50 at one client after a change each, 'bare /s' the rate of the bare view at
    eight clients, 'met' the number of targets that are reached.
    """
    compared = compare(stage) if stage.size == 1 else []
    return table(_CALL_HEADERS, [_call_row(call, compared) for call in stage.calls])


def _call_row(call: Measured, compared: Sequence[Comparison]) -> list[str]:
    own = [each.is_reached for each in compared if each.target.subject == call.name]
    one, eight = call.one, call.eight
    figures = (one.per_second, one.p50, one.p95, one.cpu, eight.per_second, eight.p50, eight.p95)
    return [
        call.name,
        str(call.statements),
        *map(number, figures),
        number(call.changed.p50 if call.changed else None),
        number(call.bare_eight.per_second if call.bare_eight else None),
        number(call.ratio),
        f"{sum(own)}/{len(own)}" if own else "",
    ]


def target_table(stage: Stage) -> str:
    """Return the table of a stage's targets and whether they are reached."""
    rows = [
        [
            each.target.subject or each.target.figure,
            each.target.figure if each.target.subject else "",
            f"{'≥' if each.target.is_minimum else '≤'} {number(each.target.limit)}",
            number(each.found),
            _REACHED[each.is_reached],
        ]
        for each in compare(stage)
    ]
    return table(("target", "figure", "limit", "found", "reached"), rows)


def other_table(stage: Stage) -> str:
    """Return the table of the figures of processes and commands."""
    return table(("other", "found"), [[name, number(n)] for name, n in stage.others.items()])


def growth_table(found: Sequence[Growth], size: int) -> str:
    """Return the table of the pages' growth."""
    rows = [
        [
            each.name,
            each.variant,
            number(each.small),
            number(each.large),
            number(each.factor),
            _REACHED[each.factor <= MAX_GROWTH],
        ]
        for each in found
    ]
    headers = ("page", "variant", "p50 ms at 1", f"at {size}", "growth", f"≤ {MAX_GROWTH}")
    return table(headers, rows)


def text(stages: Sequence[Stage]) -> str:
    """Return the summary of a run: targets of the normal size, and growth of larger ones."""
    parts = []
    for stage in stages:
        if stage.size == 1:
            parts.append(f"{stage.engine}: targets\n{target_table(stage)}")
            continue
        if found := _growth_of(stage, stages):
            parts.append(f"{stage.engine}: growth\n{growth_table(found, stage.size)}")
    return "\n\n".join(parts)


def _growth_of(stage: Stage, stages: Sequence[Stage]) -> list[Growth]:
    """Return by how much a stage with more data took longer than the normal ones of its engine."""
    smaller = [s for s in stages if s.engine == stage.engine and s.size == 1 != stage.size]
    return [each for small in smaller for each in growth(small, stage)]


def as_json(stages: Sequence[Stage]) -> list[dict[str, Any]]:
    """Return the stages as JSON, with what is derived from them."""
    return [
        {
            "engine": stage.engine,
            "size": stage.size,
            "calls": [
                {**asdict(call), "ratio": call.ratio, "rows_per_second": call.rows_per_second}
                for call in stage.calls
            ],
            "others": dict(stage.others),
            "targets": [
                {**asdict(each.target), "found": each.found, "is_reached": each.is_reached}
                for each in (compare(stage) if stage.size == 1 else [])
            ],
            "growth": [
                {**asdict(each), "factor": each.factor} for each in _growth_of(stage, stages)
            ],
        }
        for stage in stages
    ]


def figures_of(times: Sequence[float], seconds: float, cpu: float, client_cpu: float) -> Figures:
    """Return the figures of requests: their sorted times, and what they took in all."""
    whole = cpu + client_cpu
    return Figures(
        per_second=len(times) / seconds,
        p50=times[len(times) // 2],
        p95=times[min(len(times) - 1, int(len(times) * 0.95))],
        cpu=cpu / len(times) * 1000,
        client_share=client_cpu / whole if whole else 0,
    )
