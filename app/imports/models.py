"""Files that wait for their import, imports with what takes them back, and kept columns."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, LargeBinary, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base, UtcDateTime
from app.imports.rules import MAX_NAME_LENGTH

LIST_KEY = String(40)
HASH = String(64)


class ImportDraft(Base):
    """A person's file on its way into a list.

    `file` is the file, `sheet` its table and `look` its comparison with the list, all compressed;
    there is no look until the columns are chosen, and after a mend. `options` are how the sheet was
    read, and what was chosen of its columns; `mends` are cells by row and column.
    """

    __tablename__ = "import_draft"

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id"), index=True)
    list_key: Mapped[str] = mapped_column(LIST_KEY)
    name: Mapped[str] = mapped_column(String(MAX_NAME_LENGTH))
    sha256: Mapped[str] = mapped_column(HASH)
    options: Mapped[dict[str, Any]] = mapped_column(JSON)
    mends: Mapped[dict[str, dict[str, str]]] = mapped_column(JSON)
    file: Mapped[bytes] = mapped_column(LargeBinary, deferred=True)
    sheet: Mapped[bytes] = mapped_column(LargeBinary, deferred=True)
    look: Mapped[bytes | None] = mapped_column(LargeBinary, deferred=True)
    revision: Mapped[int] = mapped_column(default=0)
    made_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)


class ListImport(Base):
    """An import of a file into a list; `counts` are those of its rows by state."""

    __tablename__ = "list_import"
    __table_args__ = (Index("ix_list_import_list_key_id", "list_key", "id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    list_key: Mapped[str] = mapped_column(LIST_KEY)
    name: Mapped[str] = mapped_column(String(MAX_NAME_LENGTH))
    sha256: Mapped[str] = mapped_column(HASH)
    counts: Mapped[dict[str, int]] = mapped_column(JSON)
    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id"))
    at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    undone_by: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))
    undone_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class ListImportRow(Base):
    """An entry that an import changed: its cells before, None if it was added, and after."""

    __tablename__ = "list_import_row"

    id: Mapped[int] = mapped_column(primary_key=True)
    import_id: Mapped[int] = mapped_column(ForeignKey("list_import.id"), index=True)
    subject: Mapped[str] = mapped_column(Text)
    before: Mapped[dict[str, str] | None] = mapped_column(JSON(none_as_null=True))
    after: Mapped[dict[str, str]] = mapped_column(JSON)


class ImportMapping(Base):
    """The columns chosen for a header, a hash of its names, for everybody who imports the list.

    They are in the order of the header, '' for one that is left out.
    """

    __tablename__ = "import_mapping"

    list_key: Mapped[str] = mapped_column(LIST_KEY, primary_key=True)
    header: Mapped[str] = mapped_column(HASH, primary_key=True)
    columns: Mapped[list[str]] = mapped_column(JSON)
