"""Attach photos and documents to records, and remove them.

Files take long and must not hold up the database: `prepare_files` reads and stores them before
the transaction in which `add_attachments` attaches them.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import select

from app import dates
from app.accounts.history import lost_race
from app.attachments import queries, rules
from app.attachments.models import Attachment
from app.db import advisory_lock, db
from app.errors import Conflict, Invalid, QuartermasterError, TooLarge, Unsupported, existing
from app.events.rules import EventKind
from app.events.services import record_event
from app.photos.rules import JPEG, MAX_BYTES, PDF, image_type, is_pdf
from app.photos.services.contents import DOCUMENT, PHOTO, NewContent, read_document
from app.photos.services.photos import (
    FileNotSent,
    Picture,
    PixelBudget,
    prepare_picture,
    use_photos,
)
from app.sent_files import SentFile
from app.versions import increment_version


@dataclass(frozen=True)
class PreparedFile:
    """A sent file by its SHA-256 `id`: its new content in the store, or an earlier upload."""

    name: str
    id: str
    content: NewContent | None = None


@dataclass(frozen=True)
class RemovedAttachment:
    """A removed attachment, and its record."""

    attachment_id: int
    name: str
    subject_kind: str
    subject_id: int


def prepare_files(files: Sequence[SentFile], *, by: int) -> list[PreparedFile]:
    """Read the files that come with their content, and store them; call it outside a transaction.

    Raises TooLarge, Unsupported for files other than photos and PDFs, Invalid for a broken one, and
    FileNotSent for an earlier upload that isn't in the store. Their messages name the file; of
    several, one without a name by its number.
    """
    rules.check_number(len(files))
    budget = PixelBudget()
    contents: dict[str, NewContent] = {}
    for number, file in enumerate(files, start=1):
        label = rules.visible_name(file.name)[: rules.MAX_NAME_LENGTH]
        if not label and len(files) > 1:
            label = f"File {number}"
        with _name_file(label):
            if file.data is None:
                _check_stored(file.id, by)
            elif file.id not in contents:
                contents[file.id] = _read(file.data, budget, label)
    for content in contents.values():
        (PHOTO if isinstance(content, Picture) else DOCUMENT).store(content)
    return [PreparedFile(file.name, file.id, contents.get(file.id)) for file in files]


def add_attachments(
    subject_kind: str, subject_id: int, uploads: Sequence[PreparedFile], *, by: int
) -> Sequence[int]:
    """Attach prepared files to a record after its earlier ones; return their ids.

    A file that the record has already isn't attached again. The caller increments the version of
    its list. Raises Invalid for too many, and FileNotSent for a file that this user didn't upload.
    """
    if not uploads:
        return []
    advisory_lock(f"attachments of {subject_kind} {subject_id}")
    position, attached = queries.position_and_hashes(subject_kind, subject_id)
    contents: dict[tuple[str, bool], PreparedFile] = {}
    for content, file in zip(_save_contents(uploads, by), uploads, strict=True):
        contents.setdefault(content, file)
    new = [(content, file) for content, file in contents.items() if content[0] not in attached]
    rules.check_number(len(attached) + len(new))
    now = dates.utc_now()
    rows = [
        Attachment(
            subject_kind=subject_kind,
            subject_id=subject_id,
            position=place,
            photo_hash=None if is_document else content_hash,
            document_hash=content_hash if is_document else None,
            name=rules.file_name(upload.name, PDF if is_document else JPEG),
            added_by=by,
            added_at=now,
        )
        for place, ((content_hash, is_document), upload) in enumerate(new, start=position)
    ]
    db.session.add_all(rows)
    db.session.flush()
    for row in rows:
        _record(EventKind.ATTACHMENT_ADDED, row, by)
    return [row.id for row in rows]


def attach_to_existing(
    subject_kind: str, subject_id: int, uploads: Sequence[PreparedFile], *, by: int
) -> None:
    """Attach prepared files to a record that nothing else changes, as `add_attachments` does.

    Raises Conflict if it has all of them already.
    """
    if uploads and not add_attachments(subject_kind, subject_id, uploads, by=by):
        name = rules.visible_name(uploads[0].name) or "This file"
        raise Conflict(f"{name} is attached already.", rules.FILES)
    increment_version(rules.SUBJECTS[subject_kind].list_name)


def remove_attachment(attachment_id: int, *, by: int) -> RemovedAttachment:
    """Remove an attachment, whose file stays; raises NotFound, and Conflict if it is removed."""
    statement = select(Attachment).filter_by(id=attachment_id).with_for_update()
    row = existing(db.session.scalar(statement), queries.NO_SUCH_ATTACHMENT)
    if row.removed_at is not None:
        raise Conflict(
            lost_race(row.removed_by, "removed this", row.removed_at, unnamed="An administrator")
        )
    row.removed_by = by
    row.removed_at = dates.utc_now()
    db.session.flush()
    _record(EventKind.ATTACHMENT_REMOVED, row, by)
    increment_version(rules.SUBJECTS[row.subject_kind].list_name)
    return RemovedAttachment(row.id, row.name, row.subject_kind, row.subject_id)


@contextmanager
def _name_file(label: str) -> Iterator[None]:
    """Make errors name the field of files, and which file is meant."""
    try:
        yield
    except QuartermasterError as error:
        if label and not error.message.startswith(label):
            error.message = f"{label}: {error.message}"
        error.field, error.fields = rules.FILES, {rules.FILES: error.message}
        raise


def _read(data: bytes, budget: PixelBudget, label: str) -> NewContent:
    if not data:
        raise Invalid("The file is empty.")
    if len(data) > MAX_BYTES:
        raise TooLarge("A photo or document may have at most 8 MB.")
    # What starts as a picture is one: its copy holds nothing else.
    if image_type(data):
        return prepare_picture(data, budget)
    if is_pdf(data):
        return read_document(data)
    raise Unsupported(f"{label or 'The file'} isn't a photo (JPEG, PNG or WebP) or a PDF.")


def _check_stored(file_id: str, by: int) -> None:
    for kind in (PHOTO, DOCUMENT):
        content_hash = kind.uploaded_hashes([file_id], by).get(file_id)
        if content_hash and kind.is_stored(content_hash):
            return
    raise FileNotSent


def _save_contents(uploads: Sequence[PreparedFile], by: int) -> list[tuple[str, bool]]:
    """Save and lock the contents of files; return their hashes, and whether each is a document."""
    ids = [upload.id for upload in uploads]
    contents = [upload.content for upload in uploads if upload.content]
    pictures = [each for each in contents if isinstance(each, Picture)]
    papers = [each for each in contents if not isinstance(each, Picture)]
    earlier = DOCUMENT.uploaded_hashes(ids, by)
    paper_ids = earlier.keys() | {paper.hash for paper in papers}
    photo_ids = [id_ for id_ in ids if id_ not in paper_ids]
    stored = PHOTO.uploaded_hashes(photo_ids, by)
    if {*photo_ids} - {*stored, *(picture.sent_hash for picture in pictures)}:
        raise FileNotSent(field=rules.FILES)
    by_id = dict(zip(photo_ids, use_photos(photo_ids, pictures, stored, by=by), strict=True))
    if earlier.keys() - DOCUMENT.use(ids, papers, earlier, by=by).keys():
        raise FileNotSent(field=rules.FILES)
    return [(by_id.get(id_, id_), id_ not in by_id) for id_ in ids]


def _record(kind: EventKind, row: Attachment, by: int) -> None:
    content = {"attachment": row.id, "sha256": row.photo_hash or row.document_hash}
    is_added = kind is EventKind.ATTACHMENT_ADDED
    record_event(
        kind,
        row.subject_kind,
        row.subject_id,
        division=rules.SUBJECTS[row.subject_kind].divisions[0],
        before=None if is_added else content,
        after=content if is_added else None,
        by=by,
    )
