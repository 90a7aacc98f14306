"""Processes that are killed with SIGKILL in the middle of bulk writes, or stopped with SIGTERM."""

import threading
import time

from tests.chaos.blocking import blocked_writers
from tests.chaos.books import Submission, bulk
from tests.chaos.http import Account, ConnectionFailed
from tests.chaos.load import ITEMS, post
from tests.chaos.trials import Trial, kill
from tests.serving import Server

KILLS = 500
"""On each engine."""

PARENT_SHARE = 12
"""Every so many kills, it is the parent's turn."""

IN_FLIGHT = 20


def kill_processes(trial: Trial) -> None:
    """Kill workers and their parent while 4 clients write; all is sent again under its keys."""
    kills, parents = trial.times(KILLS), 0
    trial.variables["FLASK_APP"] = "tests.chaos.quick_restarts:app"
    with trial.serving() as server, trial.load(server) as clients:
        for number in range(kills):
            clients.wait_for_progress()
            time.sleep(trial.rng.uniform(0.0, 0.15))
            if number % PARENT_SHARE == min(PARENT_SHARE, kills) - 1:
                parents += 1
                server.process.kill()
                server.process.wait()
                # Its workers end with it, and another can't start before.
                clients.wait_until(lambda: not server.answers(), 30)
                server.start()
            else:
                clients.wait_until(lambda: bool(server.workers()))
                kill(trial.rng.choice(server.workers()))
        clients.wait_for_progress()
    trial.counts |= {"kills": kills, "of the parent": parents}
    trial.compare()


def stop_with_requests(trial: Trial) -> None:
    """Send SIGTERM while 20 requests are in flight; each gets its whole reply."""
    rounds = trial.times(5)
    for _ in range(rounds):
        with trial.serving() as server:
            _stop_one(trial, server)
    trial.counts |= {"stops": rounds, "in flight": rounds * IN_FLIGHT}
    trial.compare()


def _stop_one(trial: Trial, server: Server) -> None:
    account = Account(server.port)
    prefix = f"chaos-{trial.rng.getrandbits(32):x}"
    lines = dict.fromkeys(ITEMS, 1)
    sent = [bulk(f"{prefix}-{n}", "delivery", "main", lines) for n in range(IN_FLIGHT)]
    begun = threading.Barrier(IN_FLIGHT + 1)

    def work(submission: Submission) -> None:
        trial.books.submit(submission)
        begun.wait()
        try:
            reply = post(account, submission, server.port)
        except ConnectionFailed as error:
            trial.books.fault(f"{submission.key} was dropped: {error!r}")
            return
        if reply.status == 200:
            trial.books.acknowledge(submission.key, reply.json["operation"])
        else:
            trial.books.fault(f"{submission.key}: {reply.status} {reply.body[:200]!r}")

    with blocked_writers(trial.url):
        threads = [threading.Thread(target=work, args=(submission,)) for submission in sent]
        for thread in threads:
            thread.start()
        begun.wait()
        # Nothing can be committed yet; the server reads all of them meanwhile.
        time.sleep(0.5)
        server.process.terminate()
    for thread in threads:
        thread.join()
    trial.expect(server.process.wait(60) == 0, "the server did not stop well")
