"""The JSON calls that import a file into a list, under the call of each list, and take it back."""

from collections.abc import Iterable, Mapping
from functools import cache, partial
from hashlib import sha256
from typing import Any

from flask import request, url_for
from marshmallow import Schema, fields

from app.api import replies
from app.api.blueprint import Blueprint, change, raises
from app.api.changes import StoredReply, run_once
from app.api.fields import JsonText
from app.api.openapi import Api
from app.api.replies import Reply
from app.api.uploads import body_of_types
from app.errors import Conflict, Forbidden, Invalid, NotFound, Unsupported
from app.imports.acts import policy_of, read_import
from app.imports.rules import check_size
from app.imports.services import imports as services
from app.imports.services.imports import Checked
from app.records.calls import Changes, parameter
from app.records.targets import ImportTarget
from app.tables.sheets import read_sheet
from app.web import access
from app.web.access import current_user

NAME = "API call"
"""The name of a sent file, which has none of its own."""

_OPEN = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_MACROS = "application/vnd.ms-excel.sheet.macroEnabled.12"
_ODS = "application/vnd.oasis.opendocument.spreadsheet"
TYPES = ("text/csv", _OPEN, _MACROS, "application/vnd.ms-excel", _ODS)
"""The media types of CSV files and workbooks."""

_YES = {"enum": ["0", "1"]}


class ImportQuery(Schema):
    """How a file is imported."""

    dry_run = parameter(
        "dryRun", "1 to compare the file with the list and change nothing", "1", _YES
    )
    leaves_out = parameter("leaveOutRefused", "1 to import the rows that aren't refused", "1", _YES)
    mapped = fields.List(
        JsonText(limit=300, what="A column"),
        data_key="map",
        load_default=(),
        metadata={
            "description": "A column of the file, and after a colon ours; may be repeated",
            "example": ["Asset Tag:id"],
        },
    )


class RefusedRow(Reply):
    """A cell of a row that is refused; the column as the file names it, empty for the whole row."""

    row = replies.number(4, description="Its number in the file")
    column = replies.text("Purchase Cost")
    message = replies.text('"abc" is not an amount of money like 1234.50')


class ImportReply(Reply):
    """What an import did, or would do; `undo` takes it back by POST, if the list allows it."""

    added = replies.number(2)
    changed = replies.number(1)
    unchanged = replies.number(40)
    refused = replies.rows(RefusedRow)
    ignored = replies.texts(["Colour"], description="The file's columns that aren't ours")
    undo = replies.text("/api/imports/7/undo", null=True)


class UndoReply(Reply):
    """The number of entries that were set back or removed."""

    rows = replies.number(3)


def register_calls(api: Api, targets: Iterable[ImportTarget[Any]]) -> None:
    """Serve the import of each list under its call, and one call that takes imports back."""
    about = "Files of people's own, imported into lists, by their managers."
    bp = Blueprint("imports", "Imports", about, url_prefix="/api")
    for target in targets:
        view: Any = partial(_import, target)
        view.__name__ = f"import_{target.key.replace('-', '_')}"
        view.__doc__ = f"Import a file into the list '{target.label}', all of it or nothing."
        view = bp.response(200, ImportReply)(raises(Conflict)(change()(view)))
        view = bp.arguments(ImportQuery, location="query")(bp.doc(**body_of_types(TYPES))(view))
        policy = access.api_call(*policy_of(target).divisions).by_managers
        bp.route(f"{target.call}/import", methods=["POST"])(policy(view))
    refusals = (Conflict, Forbidden, NotFound)
    changes = Changes(bp, access.signed_in, "imports", failures=refusals)

    @changes("/imports/<row_id:import_id>/undo", UndoReply)
    def undo_import(import_id: int, *, by: int) -> Mapping[str, int]:
        """Take an import back: changed entries go back, added ones leave, all or none."""
        read_import(import_id)
        return {"rows": services.undo(import_id, by=by).rows}

    api.register_blueprint(bp)


def _import(target: ImportTarget[Any], query: Mapping[str, Any]) -> Mapping[str, Any]:
    prepare = cache(partial(_check, target, query))

    def run() -> StoredReply:
        file, reply = prepare()
        if reply["added"] + reply["changed"]:
            done = services.save(file, by=current_user().user_id)
            if done.has_undo:
                reply["undo"] = url_for("api_imports.undo_import", import_id=done.id)
        return StoredReply(reply)

    if query.get("dry_run") == "1":
        return prepare()[1]
    return run_once(StoredReply, run, list_name=target.key, prepare=prepare).values


def _check(target: ImportTarget[Any], query: Mapping[str, Any]) -> tuple[Checked, dict[str, Any]]:
    """Return a sent file as it was compared, and the reply. Raises Invalid with refused rows."""
    if request.mimetype not in TYPES:
        raise Unsupported("Send a CSV file as text/csv, or a workbook as its own type.")
    data = request.get_data()
    sheet = read_sheet(data)
    check_size(sheet)
    columns = dict(each.rpartition(":")[::2] for each in query["mapped"])
    prepared = target.prepare_chosen(NAME, sheet, columns)
    file = {"name": NAME, "sha256": sha256(data).hexdigest()}
    checked = services.compare(target, prepared, file, finds_similar=False)
    look, plan = checked.look, prepared.plan
    if look.problem:
        raise Invalid(look.problem)
    theirs = dict(zip(plan.columns, plan.names, strict=True)) | {"": ""}
    reply = {
        **{state: look.counts[state] for state in ("added", "changed", "unchanged")},
        "refused": [
            {"row": row["line"], "column": theirs.get(column, column), "message": message}
            for row in look.refused
            for column, message in row["errors"].items()
        ],
        "ignored": plan.ignored,
        "undo": None,
    }
    if reply["refused"] and query.get("leaves_out") != "1":
        error = Invalid("Rows are refused, so nothing was imported.")
        error.details = reply
        raise error
    return checked, reply
