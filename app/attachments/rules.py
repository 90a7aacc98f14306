"""The attachments that a record may have, and their names; pure."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from app.divisions import Division
from app.errors import Invalid
from app.photos.rules import JPEG, PDF

FILES = "files"
"""The field that errors name."""

MAX_ATTACHMENTS = 12
MAX_NAME_LENGTH = 200
MAX_EXTENSION_LENGTH = 8

ACCEPTED = (JPEG, "image/png", "image/webp", PDF)

TOO_LARGE_TOGETHER = (
    "The files are too large together: at most 24 MB. Go back and choose fewer or smaller ones."
)
_TOO_MANY = f"A record has at most {MAX_ATTACHMENTS} photos and documents."
_EXTENSIONS: Mapping[str, str] = {JPEG: ".jpg", PDF: ".pdf"}
_INVISIBLE = ("Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp")
_RESERVED = frozenset('<>:"|?*%#;\\/')


@dataclass(frozen=True)
class Subject:
    """A kind of record that has attachments.

    `divisions` may see them, and change them with the role. Events belong to the first of them.
    `list_name` is the list that shows the attachments.
    """

    divisions: tuple[Division, ...]
    list_name: str


_UPKEEP = Subject((Division.FLEET, Division.GPM), "upkeep")

SUBJECTS: Mapping[str, Subject] = {"defect": _UPKEEP, "repair": _UPKEEP, "due_done": _UPKEEP}
"""By the `subject_kind` of attachments."""

DIVISIONS = sorted({division for subject in SUBJECTS.values() for division in subject.divisions})
"""The divisions that see any attachment."""


def check_number(number: int) -> None:
    """Check how many attachments a record would have; raises Invalid."""
    if number > MAX_ATTACHMENTS:
        raise Invalid(_TOO_MANY, FILES)


def visible_name(sent: str) -> str:
    """Return the name of a sent file without folders and invisible characters, possibly ''."""
    name = unicodedata.normalize("NFC", sent.replace("\\", "/").rpartition("/")[2])
    visible = (
        character
        for character in name
        if unicodedata.category(character) not in _INVISIBLE and character not in _RESERVED
    )
    return " ".join("".join(visible).split()).strip(". ")


def file_name(sent: str, media_type: str) -> str:
    """Return the stored name of a sent file, with the ending that its content demands."""
    stem, extension = _split(visible_name(sent))
    needed = _EXTENSIONS[media_type]
    if extension.casefold() not in (needed, ".jpeg" if media_type == JPEG else needed):
        stem, extension = (stem, needed) if media_type == JPEG else (stem + extension, needed)
    stem = stem[: MAX_NAME_LENGTH - len(extension)].strip(". ") or "file"
    return stem + extension


def _split(name: str) -> tuple[str, str]:
    """Return a name's stem and its extension, such as '.jpg', '' for none."""
    stem, dot, extension = name.rpartition(".")
    is_one = dot and stem and extension.isalnum() and len(extension) < MAX_EXTENSION_LENGTH
    return (stem, f".{extension}") if is_one else (name, "")
