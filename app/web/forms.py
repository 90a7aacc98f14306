"""Base classes of forms: they list their errors, carry a key per submission, and take files."""

import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, ClassVar

from flask import request
from flask_wtf import FlaskForm
from flask_wtf.csrf import CSRFError
from werkzeug.datastructures import FileStorage
from wtforms import Field, HiddenField, MultipleFileField

from app import names
from app.errors import Invalid, Preview, QuartermasterError
from app.idempotency import KeyReused, Stamp, Submission
from app.names import Resembling
from app.sent_files import SentFile
from app.web.access import current_user, safe_next
from app.web.htmx import wants_json
from app.web.navigation import referring_path
from app.web.submissions import stamp_of

_NOT_VALUES = frozenset({"key", "csrf_token", "revision", "files"})

MAX_FILE_NAME_LENGTH = 1000
OUT_OF_DATE = "This page was out of date. Check it and send it once more."


def new_idempotency_key() -> str:
    """Return a new idempotency key for one submission of a form."""
    return str(uuid.uuid4())


class BaseForm(FlaskForm):
    """Base of all forms: lists its errors in order."""

    @property
    def inputs(self) -> Sequence[Field]:
        """Return its visible fields except for files."""
        return [each for each in self if not isinstance(each, HiddenField | MultipleFileField)]

    def problems(self) -> list[tuple[str | None, str]]:
        """Return the errors as (field id or None, message), in the order of the form."""
        problems: list[tuple[str | None, str]] = [(None, str(m)) for m in self.form_errors]
        if "csrf_token" in self and self.csrf_token.errors:
            problems.append((None, OUT_OF_DATE))
        for field in self:
            if field.name != "csrf_token":
                problems += [(field.id, str(message)) for message in field.errors]
        return problems

    def summary(self) -> list[tuple[str | None, str]]:
        """Return the listed errors; an error of several fields names each of them."""
        problems = self.problems()
        labels = {field.id: field.label.text for field in self}
        times = Counter(message for _, message in problems)
        return [
            (id_, f"{labels[id_]}: {message}" if times[message] > 1 and id_ in labels else message)
            for id_, message in problems
        ]


class Form(BaseForm):
    """Base of forms that change something: each submission carries an idempotency key."""

    key = HiddenField(default=new_idempotency_key)
    refusal: QuartermasterError | None = None
    error_field_names: ClassVar[Mapping[str, str]] = {}
    """The fields of the form by the names that errors give them, where the two differ."""
    state_type: ClassVar[type[Any] | None] = None
    """The dataclass of its values, which `inputs_of` sets."""
    is_draft = False
    """Whether it was sent to be changed and shown again, not to be applied."""
    read_row: Callable[[], Any] = staticmethod(lambda: None)
    """Returns the record that it changes, None for a new one."""
    prepare: Callable[[], object] | None = None
    """Does slow work before the transaction, unless the form was applied before."""
    too_large: ClassVar[str] = ""
    """The message for a body that is too large."""
    question: Resembling | None = None
    """Whether a name is new, for the person who sent the form."""

    def validate(self, extra_validators: Any = None) -> bool:
        """Check the fields, and whether their names are new; JSON requests aren't asked."""
        valid: bool = super().validate(extra_validators)
        if valid and not self.is_draft and not wants_json():
            self._match_names()
        return valid and self.question is None

    def _match_names(self) -> None:
        try:
            for field in self._names():
                before = getattr(self.read_row(), field.name, None) or ""
                if field.data not in self.new_names and names.key(field.data) != names.key(before):
                    match = names.match(field.short_name, field.data, field.existing(field.data))
                    field.data = match if field.takes_spelling else field.data
        except Resembling as question:
            self.question = field.question = question

    @property
    def new_names(self) -> Sequence[str]:
        """Return the names that were confirmed as new; 1 confirms all."""
        sent = request.form.getlist("new")
        return [field.data for field in self._names() if "1" in sent or field.data in sent]

    def _names(self) -> Iterable[Any]:
        return (field for field in self if getattr(field, "existing", None) and field.data)

    def problems(self) -> list[tuple[str | None, str]]:
        """Return the errors, or the question, as (field id or None, message)."""
        question = [(self.question.field, self.question.message)] if self.question else []
        return [*super().problems(), *question]

    def values(self, **others: Any) -> Any:
        """Return what was sent, with `others`: as the form's state, else by the fields' names."""
        if self.state_type is None:
            return {each.name: each.data for each in self if each.name not in _NOT_VALUES} | others
        attributes = (field.name for field in fields(self.state_type))
        inputs = {name: self.error_field_names.get(name, name) for name in attributes}
        sent = {name: self[each].data for name, each in inputs.items() if each in self}
        return self.state_type(**sent | others)

    @property
    def back_to(self) -> str | None:
        """Return the path of the page that led here, None unless it is a page to go back to."""
        path = safe_next(request.form.get("back")) or referring_path()
        is_excluded = path and path.partition("?")[0] in ("/login", "/choose", request.path)
        return None if is_excluded else path

    def submission(self) -> Submission:
        """Return this submission of the form, for `exactly_once`."""
        sent = request.form.items(multi=True)
        body = tuple(item for item in sent if item[0] not in ("key", "csrf_token", "back"))
        key = request.form.get("key", "")
        return Submission(current_user().user_id, f"POST {request.path}", key, body)

    def stamp(self) -> Stamp:
        """Return the stamp of this submission for its record."""
        return stamp_of(self.submission())

    def rebase(self, row: Any) -> None:
        """Base the form on a record as it is now: its revision, where the form has one."""
        if "revision" in self and row is not None:
            self["revision"].data = row.revision

    def refuse(self, error: QuartermasterError) -> None:
        """Attach a service's error to its field, or to the form; a preview isn't an error."""
        self.refusal = error
        if isinstance(error, Preview):
            return
        if isinstance(error, KeyReused) or not self.key.data:
            self.key.data = new_idempotency_key()
            self.key.raw_data = None
        name = self.error_field_names.get(error.field or "", error.field)
        if name and name in self:
            self[name].errors = [error.message]
        else:
            self.form_errors.append(error.message)

    def failure(self) -> Exception:
        """Return why the form wasn't applied, with the first error of each field."""
        if self.csrf_token.errors:
            stale: Exception = CSRFError(OUT_OF_DATE)
            return stale
        error: QuartermasterError = self.refusal or Invalid(self.problems()[0][1])
        error.fields = {name: text for name, text in reversed(self.problems()) if name}
        return error


class UndoForm(Form):
    """The button that takes a change back."""


def uploads_of(files: Sequence[FileStorage]) -> Sequence[SentFile]:
    """Return the files that were chosen; for none a browser sends a file without a name."""
    return [
        SentFile.with_data(file.filename[:MAX_FILE_NAME_LENGTH], file.read())
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
    def attributes(self) -> Mapping[str, str]:
        """Return the input's `accept` attribute."""
        return {"accept": ",".join(self.accept)} if self.accept else {}

    def process_formdata(self, valuelist: list[FileStorage | str]) -> None:
        """Read the files; a form that wasn't sent as multipart/form-data has their names alone."""
        self.data = uploads_of([file for file in valuelist if isinstance(file, FileStorage)])


class FileForm(Form):
    """Base of forms with files: the chosen files are part of the submission."""

    def submission(self) -> Submission:
        """Return this submission with its files, for `exactly_once`."""
        submission = super().submission()
        inputs = (field for field in self if isinstance(field, FilesField))
        files = [(field.name, file.id) for field in inputs for file in field.data]
        return replace(submission, body=(*submission.body, *files))
