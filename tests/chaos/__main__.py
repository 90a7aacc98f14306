"""`make chaos`: break processes, disks, networks and clocks, and check what is left of the data.

docs/reliability.md says what each scenario promises. The exit code is 1 if a promise is broken.
"""

import argparse
import json
import logging
import shutil
import sys
import tempfile
from pathlib import Path
from random import SystemRandom

from tests.chaos import scenarios
from tests.chaos.places import ENGINES, places
from tests.serving import ROOT

REPORT = ROOT / ".test" / "chaos.json"


def main() -> int:
    """Run the chosen scenarios on the chosen engines, and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--seed", dest="run", default="", help="repeats the choices of an earlier run"
    )
    parser.add_argument("--engine", choices=ENGINES, action="append")
    parser.add_argument("--only", default="", help="scenarios, with commas: kills,full disk")
    parser.add_argument("--size", type=float, default=1, help="part of the whole run, such as 0.1")
    parser.add_argument("--json", type=Path, default=REPORT, help="a file to write")
    chosen = parser.parse_args()
    logging.disable(logging.WARNING)
    names = [name.strip() for name in chosen.only.split(",") if name] or [*scenarios.SCENARIOS]
    if unknown := [name for name in names if name not in scenarios.SCENARIOS]:
        parser.error(f"no scenario {unknown[0]}; there are {', '.join(scenarios.SCENARIOS)}")
    run = chosen.run or f"{SystemRandom().getrandbits(32):x}"
    print(f"To repeat its choices: --seed {run}", flush=True)
    outcomes = []
    folder = Path(tempfile.mkdtemp(prefix="qm-chaos-"))
    try:
        with places(folder) as found:
            for name in names:
                for engine in scenarios.engines_of(name, chosen.engine or ENGINES):
                    own = folder / f"{name} {engine}".replace(" ", "-")
                    outcome = scenarios.run(name, found[engine], own, run, chosen.size)
                    outcomes.append(outcome)
                    print(scenarios.line(outcome), flush=True)
                    for problem in outcome.problems:
                        print(f"  {problem}", file=sys.stderr, flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    report = {"run": run, "size": chosen.size, "outcomes": scenarios.as_json(outcomes)}
    chosen.json.parent.mkdir(parents=True, exist_ok=True)
    chosen.json.write_text(json.dumps(report, indent=1) + "\n")
    print(f"\n{scenarios.text(outcomes)}\n\nAlso written to {chosen.json}.")
    return 0 if all(outcome.is_right for outcome in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
