"""The acts of an import: bring a file, choose its columns, mend cells, apply it, take it back."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from flask import current_app, redirect, request, url_for

from app.db import transaction
from app.divisions import Division, Role
from app.errors import existing
from app.fleet.acts import for_fleet
from app.imports import forms, queries
from app.imports.models import ListImport
from app.imports.queries import OpenDraft
from app.imports.services import drafts
from app.imports.services import imports as services
from app.imports.services.drafts import DraftChange
from app.imports.services.imports import ImportResult
from app.money import count_of
from app.records.acts import Act, Dialog, Outcome, Target, Then
from app.records.targets import ImportTarget, RowState
from app.tables.sheets import ENCODINGS
from app.web import access, rights
from app.web.access import current_user
from app.web.forms import UndoForm
from app.web.list_query import requested_page
from app.web.policies import Policy, divisions_of, may_change

DRAFT = "/import/<target>/<row_id:draft_id>"


def all_targets() -> Mapping[str, ImportTarget[Any]]:
    """Return the lists that files are imported into, by their names in addresses."""
    targets: Mapping[str, ImportTarget[Any]] = current_app.extensions["targets"]
    return targets


def policy_of(target: ImportTarget[Any]) -> Policy:
    """Return the policy of a list; GPM and Fleet share theirs of vehicles."""
    is_shared = target.division is Division.FLEET
    return for_fleet if is_shared else access.division(target.division)


def visible_targets() -> Sequence[ImportTarget[Any]]:
    """Return the lists that the user of this request may see."""
    user = current_user()
    return [each for each in all_targets().values() if divisions_of(policy_of(each), user)]


def may_apply(target: ImportTarget[Any]) -> bool:
    """Return whether the user of this request manages a list."""
    user = current_user()
    return any(Role.MANAGER in user.roles.get(owner, ()) for owner in policy_of(target).divisions)


def may_bring(target: ImportTarget[Any]) -> bool:
    """Return whether the user of this request may bring a file into a list."""
    return may_apply(target) or may_change(policy_of(target), current_user())


def find_target(target: str) -> ImportTarget[Any]:
    """Return the list of an address; raises NotFound, and for others than its users Forbidden."""
    found = existing(all_targets().get(target), "Files can't be imported into such a list.")
    # A manager needs no other role to apply what a worker has brought.
    if not may_apply(found):
        rights.require(policy_of(found))
    return found


def read_draft(target: str, draft_id: int) -> OpenDraft:
    """Return a draft of the user, for a manager of the list anybody's."""
    of, user = find_target(target), current_user()
    return queries.find_draft(of, draft_id, by=user.user_id, is_manager=may_apply(of))


def _managed_draft(target: str, draft_id: int) -> OpenDraft:
    rights.require(policy_of(find_target(target)).by_managers)
    return read_draft(target, draft_id)


def read_import(import_id: int) -> ListImport:
    """Return an import of a list that the user of this request manages."""
    made = queries.get_import(import_id)
    rights.require(policy_of(find_target(made.list_key)).by_managers)
    return made


def _respond_chosen(form: forms.ColumnsForm, change: DraftChange, _: Outcome) -> Any:
    step = "mend" if form.result["header"] else "columns"
    return redirect(url_for(f"imports.{step}", **change.place), 303)


def _describe_mended(change: DraftChange) -> Outcome:
    others: dict[str, Any] = {name: request.args.get(name) for name in ("show", "page")}
    page = url_for("imports.mend", **change.place, **others)
    return Outcome(f"Saved {count_of(change.number, 'change')}.", page)


def _describe_columns(*_: Any) -> Mapping[str, Any]:
    sent = request.form
    typed = dict(zip(sent.getlist("name"), sent.getlist("column"), strict=False))
    return {"encodings": ENCODINGS, "typed": typed}


def _describe_look(form: Any, draft: OpenDraft) -> Mapping[str, Any]:
    look = draft.look
    if look is None or look.revision != draft.revision:
        look = services.check(draft).look
        with transaction():
            services.keep_look(draft, look)
        form.revision.data = draft.revision
    show = request.args.get("show", "")
    show = show if show in set(RowState) else ""
    return {
        "look": look,
        "show": show,
        "page": look.page(show, requested_page()),
        "may_apply": may_apply(draft.target),
    }


def _describe_applied(result: ImportResult) -> Outcome:
    undo = url_for("imports.undo", import_id=result.id) if result.has_undo else None
    done = f"Imported {result.name}: {result.summary}."
    return Outcome(done, undo=undo, warnings=result.notes)


_ON_DRAFT = partial(
    Target[OpenDraft],
    page=lambda draft: url_for("imports.mend", **draft.place),
    then=Then.OPEN,
    style="imports.css",
)

ACTS = (
    Act(
        "start",
        "/import/<target>",
        access.signed_in,
        forms.StartForm,
        drafts.keep_file,
        lambda change: Outcome(
            f"Read {count_of(change.number, 'row')} of {change.name}.",
            url_for("imports.columns", **change.place),
        ),
        Target[ImportTarget[Any]](
            find_target, lambda each: url_for("imports.start", target=each.key), then=Then.OPEN
        ),
        failure="Failed to read the file",
        is_page=True,
    ),
    Act(
        "columns",
        f"{DRAFT}/columns",
        access.signed_in,
        forms.ColumnsForm,
        drafts.choose_columns,
        "",
        _ON_DRAFT(read_draft, respond=_respond_chosen),
        shows=_describe_columns,
        is_page=True,
    ),
    Act(
        "mend",
        f"{DRAFT}/look",
        access.signed_in,
        forms.MendForm,
        drafts.mend,
        _describe_mended,
        _ON_DRAFT(read_draft),
        shows=_describe_look,
        is_page=True,
    ),
    Act(
        "apply",
        f"{DRAFT}/apply",
        access.signed_in,
        forms.ApplyForm,
        services.apply,
        _describe_applied,
        Target[OpenDraft](
            _managed_draft, lambda _: url_for("imports.imports"), style="imports.css"
        ),
        shows=_describe_look,
        failure="Failed to import the file",
        template="mend",
        is_page=True,
    ),
    Act(
        "undo",
        "/imports/<row_id:import_id>/undo",
        access.signed_in,
        UndoForm,
        services.undo,
        "Undone: {r.name}, {r.summary}.",
        Target[ListImport](read_import, lambda _: url_for("imports.imports")),
        dialog=Dialog(
            "Undo the import of {row.name}?",
            "Undo",
            text="Changed rows go back and added ones leave, all of them or none.",
        ),
        failure="Failed to undo the import",
    ),
)
