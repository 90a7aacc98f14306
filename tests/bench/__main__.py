"""`make bench`: what requests, commands and memory cost, beside the bare stack and the targets.

Compare figures only within one run; no test asserts any of them. docs/performance.md explains them.
"""

import argparse
import json
import logging
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from app import dates
from tests.architecture.tree import ROOT
from tests.bench import report
from tests.bench.calls import CALLS, FLEET_CALLS, Call
from tests.bench.data import YEARS_OF_FLEET, Size
from tests.bench.databases import ENGINES, KEPT, filled_copies
from tests.bench.figures import Stage
from tests.bench.load import load_process
from tests.bench.measuring import Bench, Options


def main() -> None:
    """Measure on both engines, with normal data and, if a size is given, with so many times it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", choices=ENGINES, action="append")
    parser.add_argument("--call", default="", help="measure the calls with this in their names")
    parser.add_argument("--size", type=int, default=1, help="how many times the data, such as 33")
    parser.add_argument("--seconds", type=float, default=Options.seconds, help="per measurement")
    parser.add_argument("--json", type=Path, default=KEPT / "latest.json", help="a file to write")
    chosen = parser.parse_args()
    logging.disable(logging.INFO)
    begins = time.monotonic()
    calls = [call for call in [*CALLS, *FLEET_CALLS] if chosen.call in call.name]
    options = Options(chosen.seconds, is_whole=not chosen.call)
    sizes = sorted({1, chosen.size})
    stages: list[Stage] = []
    for engine in chosen.engine or ENGINES:
        stages += measure(engine, sizes, calls, options)
        write_json(chosen.json, stages)
    print(f"\n{report.text(stages)}")
    minutes = (time.monotonic() - begins) / 60
    print(f"\nTook {minutes:.1f} minutes; also written to {chosen.json}.")


def measure(
    engine: str, sizes: Sequence[int], calls: Sequence[Call], options: Options
) -> list[Stage]:
    """Measure all sizes on one engine and print their tables."""
    stages = []
    folder = Path(tempfile.mkdtemp(prefix="qm-bench-"))
    try:
        with filled_copies(engine, folder) as copy, load_process() as load:
            bench = Bench(engine, copy, folder, load, options)
            general = [call for call in calls if call not in FLEET_CALLS]
            for factor in sizes if general else ():
                stage = bench.stage(factor, Size().times(factor), general)
                print(f"\n{engine}, {factor} × the data\n{report.call_table(stage)}")
                print(f"\n{report.other_table(stage)}", flush=True)
                stages.append(stage)
            of_fleet = [call for call in calls if call in FLEET_CALLS]
            if of_fleet:
                alone = replace(bench, options=replace(options, is_whole=False))
                stage = alone.stage(1, YEARS_OF_FLEET, of_fleet)
                print(f"\n{engine}, years of a fleet\n{report.call_table(stage)}", flush=True)
                stages.append(stage)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return stages


def write_json(file: Path, stages: Sequence[Stage]) -> None:
    """Write the figures, and what they were measured with."""
    commit = ["git", "describe", "--always", "--dirty"]
    content = {
        "commit": subprocess.run(
            commit, cwd=ROOT, capture_output=True, text=True, check=False
        ).stdout.strip(),
        "measured_at": dates.utc_now().isoformat(),
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "stages": report.as_json(stages),
    }
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    sys.exit(main())
