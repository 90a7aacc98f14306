"""The pages of teams, services and keys."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.directory import queries
from app.directory.forms import AddTeamForm, RenameTeamForm
from app.directory.rules import DirectoryList, NameState
from app.directory.services import names
from app.directory.services.keys import HANDOVERS
from app.directory.services.names import AddedEntry, RenamedEntry
from app.divisions import Division
from app.paging import Page
from app.sorting import SortColumns, SortOrder
from app.versions import version_of
from app.web import access, caching
from app.web.error_pages import failure_message
from app.web.form_handling import handle_form
from app.web.forms import Form
from app.web.htmx import is_htmx_for
from app.web.navigation import Screen
from app.web.paging import requested_page
from app.web.remembered import remembers_filters
from app.web.sorting import Sorting

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
    version = version_of(DirectoryList.TEAMS)
    team_names = queries.readable_teams()
    # A page without the teams must not be cached under their version.
    not_modified = caching.not_modified(version) if team_names is not None else None
    if not_modified is not None:
        return not_modified
    return _render_teams(team_names, AddTeamForm(), RenameTeamForm())


@bp.post("/teams")
@GPM
@access.redisplays_form
@failure_message("Failed to add team")
def add_team() -> ResponseReturnValue:
    """Add a team."""
    form = AddTeamForm()

    def action() -> AddedEntry:
        return names.add(DirectoryList.TEAMS, NameState(form.name.data))

    def render() -> str:
        other = RenameTeamForm(formdata=None)
        return _render_teams(queries.readable_teams(), form, other, submitted=form)

    def respond(added: AddedEntry) -> ResponseReturnValue:
        return _respond_changed(f'Added team "{added.name}".')

    return handle_form(form, AddedEntry, action, render=render, respond=respond)


@bp.route("/teams/rename", methods=["GET", "POST"])
@GPM
@access.redisplays_form
@failure_message("Failed to rename team")
def rename_team() -> ResponseReturnValue:
    """Rename a team; its form is on the page of the teams, to which a GET redirects."""
    if request.method != "POST":
        return redirect(url_for("directory.teams"))
    form = RenameTeamForm()

    def action() -> RenamedEntry:
        return names.rename(DirectoryList.TEAMS, form.old_name.data, form.new_name.data)

    def render() -> str:
        other = AddTeamForm(formdata=None)
        return _render_teams(queries.readable_teams(), other, form, submitted=form)

    def respond(renamed: RenamedEntry) -> ResponseReturnValue:
        if renamed.before == renamed.name:
            return _respond_changed(f'"{renamed.name}" is its name already.')
        return _respond_changed(f'Renamed "{renamed.before}" to "{renamed.name}".')

    return handle_form(form, RenamedEntry, action, render=render, respond=respond)


@bp.get("/services")
@GPM
@failure_message("Failed to load services")
@remembers_filters("q")
def services() -> ResponseReturnValue:
    """Show the services that match a search, 100 at a time."""
    not_modified = caching.not_modified(version_of(DirectoryList.SERVICES))
    if not_modified is not None:
        return not_modified
    search, order = _search_and_order(queries.SERVICE_COLUMNS)
    page = queries.services_page(search, requested_page(), order)
    return _render_list("services", page, search, queries.SERVICE_COLUMNS, order)


@bp.get("/keys")
@GPM
@failure_message("Failed to load keys")
@remembers_filters("q")
def keys() -> ResponseReturnValue:
    """Show the keys that match a search and their holders, 100 at a time."""
    not_modified = caching.not_modified(version_of(DirectoryList.KEYS))
    if not_modified is not None:
        return not_modified
    search, order = _search_and_order(queries.KEY_COLUMNS)
    page = queries.keys_page(search, requested_page(), order)
    return _render_list("keys", page, search, queries.KEY_COLUMNS, order)


@bp.get("/keys/<int(max=2147483647):key_id>/history")
@GPM
@failure_message("Failed to load keys")
def key_history(key_id: int) -> ResponseReturnValue:
    """Show the handovers of a key, newest first."""
    versions = version_of(DirectoryList.KEYS), version_of(HANDOVERS)
    not_modified = caching.not_modified(*versions, dates.today())
    if not_modified is not None:
        return not_modified
    key = queries.key(key_id)
    columns = queries.HANDOVER_COLUMNS
    order = columns.parse(request.args.get("sort", ""))
    page = queries.handovers_page(key.label_key, requested_page(), order)
    address = partial(url_for, "directory.key_history", key_id=key_id)
    sorting = Sorting(columns, order, page.total, address, {})
    return render_template("directory/key_history.html", key=key, page=page, sorting=sorting)


def _respond_changed(message: str) -> ResponseReturnValue:
    """Reply to a change: the teams anew for htmx, else a redirect to their page."""
    if not is_htmx_for("teams"):
        flash(message)
        return redirect(url_for("directory.teams"), 303)
    return _render_teams(
        queries.readable_teams(),
        AddTeamForm(formdata=None),
        RenameTeamForm(formdata=None),
        message=message,
    )


def _render_teams(
    team_names: Sequence[str] | None,
    add_form: AddTeamForm,
    rename_form: RenameTeamForm,
    *,
    submitted: Form | None = None,
    message: str = "",
) -> str:
    rename_form.set_teams(team_names or [])
    context = {
        "teams": team_names,
        "add_form": add_form,
        "rename_form": rename_form,
        "message": message,
    }
    if is_htmx_for("teams"):
        return render_template("directory/_teams.html", **context)
    if submitted is not None:
        # The page's title starts with 'Error: ' when its `form` has problems.
        context["form"] = submitted
    return render_template("directory/teams.html", **context)


def _search_and_order(columns: SortColumns) -> tuple[str, SortOrder]:
    return request.args.get("q", "").strip(), columns.parse(request.args.get("sort", ""))


def _render_list(
    name: str, page: Page[Any], search: str, columns: SortColumns, order: SortOrder
) -> str:
    is_fragment = is_htmx_for("list")
    address = partial(url_for, f"directory.{name}")
    filters = {"q": search} if search else {}
    return render_template(
        f"directory/{'_' if is_fragment else ''}{name}.html",
        page=page,
        search=search,
        sorting=Sorting(columns, order, page.total, address, filters),
        is_fragment=is_fragment,
    )
