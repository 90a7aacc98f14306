"""The screens of teams, services and keys."""

from collections.abc import Callable, Sequence

from flask import Blueprint, flash, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.db import transaction
from app.directory import queries
from app.directory.forms import AddTeamForm, RenameTeamForm
from app.directory.rules import Kind, NameState
from app.directory.services import names as changes
from app.directory.services.keys import HANDOVERS
from app.directory.services.names import Added, Renamed
from app.divisions import Division
from app.errors import QuartermasterError
from app.versions import version_of
from app.web import access, caching
from app.web.error_pages import failure_message
from app.web.forms import Form
from app.web.htmx import is_htmx_for
from app.web.idempotency import Result, exactly_once
from app.web.navigation import Screen
from app.web.paging import requested_page

bp = Blueprint("directory", __name__)
BLUEPRINTS = (bp,)

SCREENS = [
    Screen(Division.GPM, "Teams", "directory.teams"),
    Screen(Division.GPM, "Services", "directory.services"),
    Screen(Division.GPM, "Keys", "directory.keys"),
]

GPM = access.division(Division.GPM)


@bp.get("/teams")
@GPM
@failure_message("Failed to load teams")
def teams() -> ResponseReturnValue:
    """Show the teams, with the forms that add and rename them."""
    version = version_of(Kind.TEAMS)
    found = queries.readable_teams()
    # What couldn't be read has no version to come back to.
    same = caching.not_modified(version) if found is not None else None
    if same is not None:
        return same
    return _teams_page(found, AddTeamForm(), RenameTeamForm())


@bp.post("/teams")
@GPM
@access.redisplays_form
@failure_message("Failed to add team")
def add_team() -> ResponseReturnValue:
    """Add a team."""
    form = AddTeamForm()
    return _change(
        form,
        Added,
        lambda: changes.add(Kind.TEAMS, NameState(form.name.data)),
        lambda added: f'Added team "{added.name}".',
        lambda: _teams_page(
            queries.readable_teams(), form, RenameTeamForm(formdata=None), sent=form
        ),
    )


@bp.route("/teams/rename", methods=["GET", "POST"])
@GPM
@access.redisplays_form
@failure_message("Failed to rename team")
def rename_team() -> ResponseReturnValue:
    """Rename a team; where its form is gone the address leads back to it."""
    if request.method != "POST":
        return redirect(url_for("directory.teams"))
    form = RenameTeamForm()
    return _change(
        form,
        Renamed,
        lambda: changes.rename(Kind.TEAMS, form.old_name.data, form.new_name.data),
        _say_renamed,
        lambda: _teams_page(queries.readable_teams(), AddTeamForm(formdata=None), form, sent=form),
    )


@bp.get("/services")
@GPM
@failure_message("Failed to load services")
def services() -> ResponseReturnValue:
    """Show the services, 100 at a time, those that a search finds."""
    same = caching.not_modified(version_of(Kind.SERVICES))
    if same is not None:
        return same
    search = request.args.get("q", "").strip()
    return _list("services", queries.services_page(search, requested_page()), search)


@bp.get("/keys")
@GPM
@failure_message("Failed to load keys")
def keys() -> ResponseReturnValue:
    """Show the keys and who holds them, 100 at a time, those that a search finds."""
    same = caching.not_modified(version_of(Kind.KEYS))
    if same is not None:
        return same
    search = request.args.get("q", "").strip()
    return _list("keys", queries.keys_page(search, requested_page()), search)


@bp.get("/keys/<int(max=2147483647):key_id>/history")
@GPM
@failure_message("Failed to load keys")
def key_history(key_id: int) -> ResponseReturnValue:
    """Show who held a key and since when, newest first."""
    versions = version_of(Kind.KEYS), version_of(HANDOVERS)
    same = caching.not_modified(*versions, dates.today())
    if same is not None:
        return same
    key = queries.key(key_id)
    page = queries.handovers_page(key.label_key, requested_page())
    return render_template("directory/key_history.html", key=key, page=page)


def _say_renamed(renamed: Renamed) -> str:
    if renamed.before == renamed.name:
        return f'"{renamed.name}" is its name already.'
    return f'Renamed "{renamed.before}" to "{renamed.name}".'


def _change(
    form: Form,
    kind: type[Result],
    work: Callable[[], Result],
    say: Callable[[Result], str],
    ask: Callable[[], str],
) -> ResponseReturnValue:
    """Do what a form asks once and say so, or show the form again as typed."""
    status = 422
    if form.validate():
        try:
            with transaction():
                done = exactly_once(form.submission(), kind, work)
        except QuartermasterError as error:
            form.refuse(error)
            status = error.status
        else:
            return _changed(say(done))
    return make_response(ask(), status)


def _changed(said: str) -> ResponseReturnValue:
    if not is_htmx_for("teams"):
        flash(said)
        return redirect(url_for("directory.teams"), 303)
    found = queries.readable_teams()
    return _teams_page(found, AddTeamForm(formdata=None), RenameTeamForm(formdata=None), said=said)


def _teams_page(
    found: Sequence[str] | None,
    adding: AddTeamForm,
    renaming: RenameTeamForm,
    *,
    sent: Form | None = None,
    said: str = "",
) -> str:
    renaming.offer(found or [])
    context = {"teams": found, "adding": adding, "renaming": renaming, "said": said}
    if is_htmx_for("teams"):
        return render_template("directory/_teams.html", **context)
    if sent is not None:
        context["form"] = sent
    return render_template("directory/teams.html", **context)


def _list(name: str, page: object, search: str) -> str:
    is_fragment = is_htmx_for("list")
    fragment = "_" if is_fragment else ""
    template = f"directory/{fragment}{name}.html"
    return render_template(template, page=page, search=search, is_fragment=is_fragment)
