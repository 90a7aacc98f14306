"""Who did something to the fleet."""

from collections.abc import Iterable, Mapping

from app.accounts import queries as accounts


def usernames(user_ids: Iterable[int | None]) -> Mapping[int | None, str]:
    """Return the names of some accounts by id; nobody is called ''."""
    nobody: dict[int | None, str] = {None: ""}
    return nobody | accounts.usernames({id_ for id_ in user_ids if id_ is not None})
