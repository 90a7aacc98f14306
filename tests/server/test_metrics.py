"""/metrics of `flask serve`: one listener beside the public port, and the sum of all workers."""

import http.client
import os
import re
import signal
import socket
import time
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from app.cli.serve import serve
from tests.serving import serving

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def get(port: int, path: str) -> tuple[int, str]:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=5)) as client:
        client.request("GET", path)
        reply = client.getresponse()
        return reply.status, reply.read().decode()


def scrape(port: int) -> dict[str, float]:
    """Return the values by their names with labels; waits for the listener."""
    for _ in range(150):
        try:
            lines = get(port, "/metrics")[1].splitlines()
            break
        except OSError:
            time.sleep(0.1)
    return {
        name: float(value)
        for name, value in (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    }


def children(process: int) -> list[int]:
    return [int(c) for c in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


@pytest.fixture
def metrics_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def test_counters_are_the_sum_of_all_workers_and_survive_them(database_url, tmp_path, metrics_port):
    pinged = 'quartermaster_requests_total{method="GET",route="/api/ping",status="401"}'
    timed = 'quartermaster_request_seconds_count{method="GET",route="/api/ping"}'
    with serving(database_url, tmp_path, "--metrics-port", str(metrics_port)) as port:
        for _ in range(20):
            assert get(port, "/api/ping")[0] == 401
        values = scrape(metrics_port)
        assert (values[pinged], values[timed]) == (20, 20)
        assert values["quartermaster_workers"] == 2
        assert values["quartermaster_photos_stored"] == 0
        assert values["quartermaster_database_connections_in_use"] == 0
        assert get(port, "/metrics")[0] == 302, "the public port serves no metrics"

        processes = children(children(os.getpid())[-1])
        for process in processes:
            os.kill(process, signal.SIGKILL)
        before = time.monotonic()
        while scrape(metrics_port).get("quartermaster_process_deaths_total") != len(processes):
            assert time.monotonic() - before < 30
            time.sleep(0.1)
        for _ in range(50):
            try:
                get(port, "/api/ping")
                break
            except OSError:
                time.sleep(0.1)
        values = scrape(metrics_port)
        assert (values[pinged], values["quartermaster_workers"]) == (21, 2)


def test_the_public_port_cannot_be_that_of_metrics(app, metrics_port):
    ports = [f"--{name}={metrics_port}" for name in ("port", "metrics-port")]
    with app.app_context():
        refused = CliRunner().invoke(serve, ports)
    assert refused.exit_code == 1
    assert "serves the product" in refused.output


def test_alerts_and_dashboard_use_metrics_that_exist(app):
    """Compare the names in the examples with those that the code defines."""
    folder = Path(__file__).parents[2]
    code = (folder / "app/server/metrics.py").read_text() + (folder / "app/gauges.py").read_text()
    for example in ("alerts.yml", "dashboard.json"):
        names = re.findall(r"quartermaster_\w+", (folder / "docs/monitoring" / example).read_text())
        assert len(names) > 5
        endings = r"(?<!timestamp)(_total|_bucket|_count|_sum)$"
        bare = {re.sub(endings, "", name) for name in names}
        assert sorted(name for name in bare if f'"{name}"' not in code) == []
