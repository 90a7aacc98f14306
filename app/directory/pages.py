"""The pages of teams, services and keys; teams and services are renamed in their rows."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.directory import queries
from app.directory.acts import ACTS, KEY, for_gpm, time_out
from app.directory.forms import AddTeamForm, RenameForm
from app.directory.rules import DirectoryList, NameState
from app.directory.schemas import KEY_LIST, SERVICE_LIST, handovers_of_key
from app.directory.services import names
from app.directory.services.keys import HANDOVERS
from app.divisions import Division
from app.records.acts import serve
from app.records.lists import find_page, list_view
from app.versions import version_of
from app.web import access, caching
from app.web.form_handling import handle_form, respond_done
from app.web.htmx import is_htmx_for
from app.web.navigation import Screen

bp = Blueprint("directory", __name__)

BLUEPRINTS = (bp,)
SCREENS = [
    Screen(Division.GPM, "Teams", "directory.teams", key="t"),
    Screen(Division.GPM, "Services", "directory.services", key="s"),
    Screen(Division.GPM, "Keys", "directory.keys", key="k"),
]

serve(bp, *ACTS)
list_view(bp, for_gpm, KEY_LIST, "/keys", time_out=time_out)


@for_gpm.route(bp, "/teams", "Failed to load teams")
def teams() -> ResponseReturnValue:
    """Show the teams, with the form that adds one."""
    version = version_of(DirectoryList.TEAMS)
    team_names = queries.readable_teams()
    # A page without the teams must not be cached under their version.
    not_modified = caching.not_modified(version) if team_names is not None else None
    return not_modified or _render_teams(team_names)


@for_gpm.route(bp, "/teams", "Failed to add team", "POST")
@access.redisplays_form
def add_team() -> ResponseReturnValue:
    """Add a team."""
    form = AddTeamForm()
    return handle_form(
        form,
        names.EntryChange,
        lambda: names.add(DirectoryList.TEAMS, NameState(form.name.data)),
        render=lambda: _render_teams(queries.readable_teams(), add_form=form),
        respond=lambda added: _respond_teams(f'Added team "{added.name}".'),
    )


@for_gpm.route(bp, "/teams/rename", "Failed to rename team", "GET", "POST")
@access.redisplays_form
def rename_team() -> ResponseReturnValue:
    """Rename a team in its row, which becomes a form; without a team, show all."""
    if request.method == "GET" and not request.args.get("old_name"):
        return redirect(url_for("directory.teams"))
    return _rename(
        DirectoryList.TEAMS,
        lambda form: _render_teams(queries.readable_teams(), rename_form=form),
        _respond_teams,
    )


services = list_view(bp, for_gpm, SERVICE_LIST, "/services")


@for_gpm.route(bp, "/services/rename", "Failed to rename service", "GET", "POST")
@access.redisplays_form
def rename_service() -> ResponseReturnValue:
    """Rename a service in its row, which becomes a form; without a service, show all."""
    address: dict[str, Any] = request.args.to_dict()
    if not address.pop("old_name", "") and request.method == "GET":
        return redirect(url_for("directory.services"))

    def respond(message: str) -> ResponseReturnValue:
        if is_htmx_for("list"):
            return services.render(message=message)
        return respond_done(message, back=url_for("directory.services", **address))

    return _rename(
        DirectoryList.SERVICES, lambda form: services.render(rename_form=form, form=form), respond
    )


@for_gpm.route(bp, f"{KEY}/history", "Failed to load keys")
def key_history(key_id: int) -> ResponseReturnValue:
    """Show the handovers of a key, newest first."""
    versions = version_of(DirectoryList.KEYS), version_of(HANDOVERS)
    if unchanged := caching.not_modified(*versions, dates.today()):
        return unchanged
    key = queries.key(key_id)
    handovers = handovers_of_key(key.label_key)
    address = partial(url_for, "directory.key_history", key_id=key_id)
    found = find_page(handovers, handovers.parse(request.args), versions, address)
    return render_template("directory/key_history.html", key=key, time_out=time_out, **found)


def _rename(
    list_name: DirectoryList,
    render: Callable[[RenameForm], str],
    respond: Callable[[str], ResponseReturnValue],
) -> ResponseReturnValue:
    form = RenameForm()
    if not form.is_submitted():
        form.old_name.data = form.new_name.data = request.args.get("old_name", "")
    return handle_form(
        form,
        names.EntryChange,
        lambda: names.rename(list_name, form.old_name.data, form.new_name.data),
        render=lambda: render(form),
        respond=lambda renamed: respond(
            f'"{renamed.name}" is its name already.'
            if renamed.before == renamed.name
            else f'Renamed "{renamed.before}" to "{renamed.name}".'
        ),
    )


def _respond_teams(message: str) -> ResponseReturnValue:
    if is_htmx_for("teams"):
        return _render_teams(queries.readable_teams(), message=message)
    return respond_done(message, back=url_for("directory.teams"))


def _render_teams(team_names: Sequence[str] | None, **context: Any) -> str:
    context = {"teams": team_names, "add_form": AddTeamForm(formdata=None)} | context
    # The page's title starts with 'Error: ' if its form has problems.
    form = context.get("rename_form", context["add_form"])
    name = "_teams" if is_htmx_for("teams") else "teams"
    return render_template(f"directory/{name}.html", form=form, **context)
