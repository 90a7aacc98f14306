"""`make failover`: lose PostgreSQL's primary under load, in several ways, and count what is lost.

Two servers with synchronous replication, and two hosts of the product, run on this machine.
"""

import argparse
import json
import logging
import shutil
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from tests.architecture.tree import ROOT
from tests.bench.report import table
from tests.failover.figures import Figures, broken_promises
from tests.failover.scenarios import SCENARIOS, Scenario, run
from tests.failover.servers import fill, running_pair, servers_folder
from tests.postgresql_server import PostgresqlServer
from tests.serving import free_port

KEPT = ROOT / ".test" / "failover"
HEADERS = (
    *("scenario", "acknowledged", "lost", "doubled", "503", "other", "503 for s", "longest gap s"),
    *("p95 before ms", "p95 after ms", "/readyz wrong", "verify"),
)


def main() -> int:
    """Run the scenarios, print their figures, and return 1 if one broke a promise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="run the scenarios with this in their names")
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--json", type=Path, default=KEPT / "latest.json", help="a file to write")
    chosen = parser.parse_args()
    logging.disable(logging.INFO)
    scenarios = [scenario for scenario in SCENARIOS if chosen.only in scenario.name]
    results = run_all(scenarios, chosen.clients)
    print(table(HEADERS, [row(figures) for figures, _ in results]))
    content = [asdict(figures) | {"broken": broken} for figures, broken in results]
    chosen.json.parent.mkdir(parents=True, exist_ok=True)
    chosen.json.write_text(json.dumps(content, indent=1) + "\n")
    print(f"\nAlso written to {chosen.json}.")
    failed = [(figures.scenario, broken) for figures, broken in results if broken]
    for name, broken in failed:
        print(f"{name}: not kept: {'; '.join(broken)}", file=sys.stderr)
    return 1 if failed or not results else 0


def run_all(scenarios: Sequence[Scenario], clients: int) -> list[tuple[Figures, list[str]]]:
    """Run scenarios, each on servers of its own."""
    results = []
    # The logs of the hosts are kept there until the next run.
    hosts = KEPT / "hosts"
    shutil.rmtree(hosts, ignore_errors=True)
    hosts.mkdir(parents=True)
    with servers_folder() as first:
        filled = PostgresqlServer(first, free_port())
        fill(filled, hosts)
        for number, scenario in enumerate(scenarios):
            print(f"{scenario.name} …", file=sys.stderr, flush=True)
            with running_pair(filled) as pair:
                figures = run(scenario, pair, hosts / str(number), clients)
            results.append((figures, broken_promises(figures, scenario.max_gap)))
    return results


def row(figures: Figures) -> list[str]:
    """Return the row of a scenario in the table."""
    return [
        figures.scenario,
        str(figures.acknowledged),
        str(figures.lost),
        str(figures.doubled),
        str(figures.refused),
        str(figures.other_failures),
        f"{figures.refused_for:.1f}",
        f"{figures.longest_gap:.1f}",
        f"{figures.p95_before_ms:.0f}",
        f"{figures.p95_after_ms:.0f}",
        str(figures.wrongly_ready + figures.wrongly_unready),
        "right" if figures.verified else "WRONG",
    ]


if __name__ == "__main__":
    sys.exit(main())
