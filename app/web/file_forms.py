"""Forms with files: photos and documents, for browsers with and without scripts."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from werkzeug.datastructures import FileStorage
from wtforms import MultipleFileField

from app.idempotency import Submission
from app.sent_files import SentFile
from app.web.forms import Form

MAX_NAME_LENGTH = 1000


def uploads_of(files: Sequence[FileStorage]) -> Sequence[SentFile]:
    """Return the files that were chosen; for none a browser sends a file without a name."""
    return [
        SentFile.with_data(file.filename[:MAX_NAME_LENGTH], file.read())
        for file in files
        if file.filename
    ]


class FilesField(MultipleFileField):
    """An input of files; its data are the chosen ones with their content."""

    def __init__(self, label: str, *, accept: Sequence[str] = (), **options: Any) -> None:
        super().__init__(label, default=(), **options)
        self.data: Sequence[SentFile] = ()
        self.accept = accept

    @property
    def limits(self) -> Mapping[str, str]:
        """Return what a browser offers to choose from, as attributes."""
        return {"accept": ",".join(self.accept)} if self.accept else {}

    def process_formdata(self, valuelist: list[FileStorage | str]) -> None:
        """Read the files; a form that wasn't sent as multipart/form-data has their names alone."""
        self.data = uploads_of([file for file in valuelist if isinstance(file, FileStorage)])


class FileForm(Form):
    """Base of forms with files: what was chosen is part of the submission."""

    def submission(self) -> Submission:
        """Return this submission with its files, for `exactly_once`."""
        submission = super().submission()
        files = [
            (field.name, file.id)
            for field in self
            if isinstance(field, FilesField)
            for file in field.data
        ]
        return replace(submission, body=(*submission.body, *files))
