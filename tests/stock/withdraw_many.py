"""One worker of the withdrawal race: a process of its own, with a login of its own."""

import sys
import uuid
from collections import Counter
from pathlib import Path

from app import create_app
from tests.databases import settings_for
from tests.person import Person


def main(url: str, instance: str, item: str, tries: str) -> None:
    person = Person(create_app(settings_for(url, Path(instance))))
    person.sign_in("keeper", follow=False)
    path = f"/inventory/main/items/{item}/action"
    sent = person.open(path).fields() | {"quantity": "1", "team": "Race"}
    seen: Counter[int] = Counter()
    for _ in range(int(tries)):
        reply = person.post(path, sent | {"key": str(uuid.uuid4())}, follow=False)
        seen[reply.status] += 1
    print(*(f"{status}={count}" for status, count in seen.items()))


main(*sys.argv[1:])
