"""Files that a call names: prepared before the transaction that attaches them."""

from collections.abc import Callable, Sequence

from app.attachments.services import PreparedFile, prepare_files
from app.sent_files import SentFile
from app.web.access import current_user

JSON_NAMES = {"files": "attachments"}
"""The field of a body by the name that errors give it."""


def preparation_of(
    files: Sequence[SentFile],
) -> tuple[Sequence[PreparedFile], Callable[[], None] | None]:
    """Return what will be the prepared files, and what prepares them; None without files."""
    prepared: list[PreparedFile] = []

    def prepare() -> None:
        prepared[:] = prepare_files(files, by=current_user().user_id)

    return prepared, prepare if files else None
