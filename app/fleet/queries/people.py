"""Names of the accounts that changed the fleet."""

from collections.abc import Iterable, Mapping

from app.accounts import queries as accounts


def usernames(user_ids: Iterable[int | None]) -> Mapping[int | None, str]:
    """Return usernames by account id; None, which stands for the terminal, is ''."""
    terminal: dict[int | None, str] = {None: ""}
    return terminal | accounts.usernames({id_ for id_ in user_ids if id_ is not None})
