"""Changes of one record: made once, and on top of the version that If-Match names."""

from collections.abc import Callable, Sequence
from typing import Any

from app.api.changes import StoredReply, run_once
from app.api.fields import rename_fields
from app.api.lists import check_record
from app.attachments.services import PreparedFile, prepare_files
from app.errors import EditConflict, PreconditionFailed
from app.sent_files import SentFile
from app.web.access import current_user

RECORD_ETAG = {
    "ETag": {"schema": {"type": "string"}, "description": "Version of the record, for If-Match"}
}
"""The header of the reply that has one record."""

_FILE_NAMES = {"files": "attachments"}
"""The field of attachments by the name that errors give it."""


def run_change(
    action: Callable[[], dict[str, Any]],
    *,
    list_name: str,
    prepare: Callable[[], None] | None = None,
    rebuild: Callable[[int], StoredReply] | None = None,
) -> dict[str, Any]:
    """Make a change once, and return the record as JSON as the change left it.

    Raises PreconditionFailed where somebody else changed the record meanwhile.
    """

    def run() -> StoredReply:
        try:
            return StoredReply(action())
        except EditConflict:
            raise PreconditionFailed("It has changed since. Load it again.") from None

    with rename_fields(_FILE_NAMES):
        return run_once(
            StoredReply, run, list_name=list_name, prepare=prepare, rebuild=rebuild
        ).values


def matched_revision(name: str, revision: int) -> int:
    """Return the revision of a record, which If-Match has to name.

    Raises PreconditionRequired and PreconditionFailed.
    """
    check_record(name, revision)
    return revision


def preparation_of(
    files: Sequence[SentFile],
) -> tuple[Sequence[PreparedFile], Callable[[], None] | None]:
    """Return the list of prepared files and the function that fills it, None without files."""
    prepared: list[PreparedFile] = []

    def prepare() -> None:
        prepared[:] = prepare_files(files, by=current_user().user_id)

    return prepared, prepare if files else None
