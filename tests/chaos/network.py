"""A network that loses, doubles and delays, and transfers in opposite directions."""

import multiprocessing
import time

from tests.chaos.books import Books, bulk
from tests.chaos.http import Account
from tests.chaos.load import ITEMS, SITES, Clients, generator
from tests.chaos.proxy import faulty_proxy
from tests.chaos.trials import Trial

OPERATIONS = 2000
PROCESSES = 8
TRANSFER_SECONDS = 60
SHARED = ITEMS[:10]
"""The items that all transfers move."""


def use_faulty_network(trial: Trial) -> None:
    """Submit 2,000 bulk updates through a proxy that drops, cuts, doubles and delays."""
    limit = trial.times(OPERATIONS)
    with (
        trial.serving() as server,
        faulty_proxy(server.port, generator(trial.rng.getrandbits(32))) as proxy,
        trial.load(server, port=proxy.server_address[1], limit=limit, timeout=0.4) as clients,
    ):
        clients.join()
    trial.counts |= {"operations": limit, **proxy.counts}
    trial.compare()


def transfer_in_opposite_directions(trial: Trial) -> None:
    """Transfer the same items to and fro by 8 processes for a minute."""
    seconds = trial.times(TRANSFER_SECONDS)
    with trial.serving() as server:
        account = Account(server.port)
        context = multiprocessing.get_context("spawn")
        jobs = [(account, trial.rng.getrandbits(32), n, seconds) for n in range(PROCESSES)]
        with context.Pool(PROCESSES) as pool:
            for books in pool.starmap(transfer_for, jobs, chunksize=1):
                trial.books.merge(books)
    trial.counts |= {"processes": PROCESSES, "seconds": seconds}
    trial.compare()


def transfer_for(account: Account, start: int, number: int, seconds: float) -> Books:
    """Transfer some items in one direction again and again, and return what is known of it."""
    books, rng = Books(), generator(start)
    clients = Clients(account, books, rng, number=0)
    source, destination = SITES if number % 2 else SITES[::-1]
    ends, count = time.monotonic() + seconds, 0
    while time.monotonic() < ends:
        names = rng.sample(SHARED, 5)
        key = f"chaos-{start:x}-{count}"
        lines = dict.fromkeys(names, 1)
        clients.submit(bulk(key, "transfer", source, lines, destination=destination))
        count += 1
    return books
