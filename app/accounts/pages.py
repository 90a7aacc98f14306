"""Sign-in, division choice, password change, and the end of a login session."""

from flask import (
    Blueprint,
    Response,
    current_app,
    flash,
    g,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_user
from werkzeug.exceptions import HTTPException

from app import dates
from app.accounts import queries, rules
from app.accounts.forms import ChangePasswordForm, LoginForm
from app.accounts.services import sessions, users
from app.db import transaction
from app.divisions import Division
from app.errors import Forbidden, Invalid, QuartermasterError, Throttled
from app.web import access
from app.web.error_pages import failure_message
from app.web.htmx import wants_json
from app.web.navigation import Screen

bp = Blueprint("accounts", __name__)
BLUEPRINTS = (bp,)
SCREENS: list[Screen] = []


@bp.get("/")
@access.public
def start() -> ResponseReturnValue:
    """Lead to the sign-in, or to the dashboard."""
    return redirect(url_for("dashboard.show" if _is_signed_in() else "accounts.login"))


@bp.get("/login")
@access.public
def login() -> ResponseReturnValue:
    """Show the sign-in form."""
    if _is_signed_in():
        return redirect(url_for("dashboard.show"))
    return render_template("accounts/login.html", form=LoginForm())


@bp.post("/login", endpoint="sign_in")
@access.public
@access.redisplays_form
@failure_message("Login failed")
def sign_in() -> ResponseReturnValue:
    """Sign in with a username and password."""
    form = LoginForm()
    if not form.validate():
        if _is_signed_in():
            return redirect(url_for("dashboard.show"))
        return render_template("accounts/login.html", form=form), 422
    username, password = form.username.data or "", form.password.data or ""
    address = rules.counted_address(request.remote_addr)
    try:
        user = sessions.authenticate(username, password, address)
        with transaction():
            if user is None:
                sessions.record_failure(rules.counted_account(username), address)
            else:
                opened = sessions.open_session(user, password, address)
                if _is_signed_in():
                    sessions.close_session(current_user.session_id)
    except QuartermasterError as error:
        return _login_again(form, error)
    if user is None:
        return _login_again(form, sessions.InvalidCredentials())
    session.clear()
    session.permanent = True
    login_user(queries.signed_in(opened.id))
    session.pop("_id")
    target = access.safe_next(request.args.get("next"))
    if opened.chosen_division is None:
        return redirect(url_for("accounts.choose", next=target))
    return redirect(target or url_for("dashboard.show"))


@bp.post("/logout")
@access.renewable
@access.ends_session
def logout() -> ResponseReturnValue:
    """End this login session and forget what the browser kept of it."""
    with transaction():
        sessions.close_session(access.current_user().session_id)
    return _signed_out(redirect(url_for("accounts.start")))


@bp.get("/choose")
@access.signed_in
def choose() -> str:
    """Offer the divisions that the user may work in."""
    return render_template("accounts/choose.html", divisions=_held())


@bp.post("/choose", endpoint="choose_division")
@access.signed_in
def choose_division() -> ResponseReturnValue:
    """Store the chosen division."""
    user = access.current_user()
    wanted = request.form.get("division", "").casefold()
    division = next((d for d in Division if d == wanted), None)
    if division is None:
        raise Invalid("Choose one of the divisions.")
    if division not in user.divisions:
        raise Forbidden(f"Your account has no access to {division.label}.")
    with transaction():
        sessions.renew_session(user.session_id, division)
    target = access.safe_next(request.args.get("next"))
    if target and _serves(target, division):
        return redirect(target)
    return redirect(url_for("dashboard.show"))


@bp.get("/change-password")
@access.signed_in
def change_password() -> str:
    """Show the form."""
    return render_template("accounts/change_password.html", form=ChangePasswordForm())


@bp.post("/change-password", endpoint="set_new_password")
@access.signed_in
@access.redisplays_form
@failure_message("Failed to change password")
def set_new_password() -> ResponseReturnValue:
    """Change the password, then sign the user out everywhere."""
    form = ChangePasswordForm()
    status = 422
    if form.validate():
        try:
            _change_password(form)
        except QuartermasterError as error:
            form.refuse(error)
            status = error.status
        else:
            g.user = None
            return _signed_out(make_response(render_template("accounts/password_changed.html")))
    return render_template("accounts/change_password.html", form=form), status


@bp.post("/session/renew", endpoint="renew")
@access.renewable
@failure_message("Refresh failed")
def renew() -> ResponseReturnValue:
    """Extend the login time; a script reads until when, a page is told."""
    user = access.current_user()
    with transaction():
        sessions.renew_session(user.session_id)
    renewed = queries.signed_in(user.session_id)
    until = renewed.access_until if renewed else dates.utc_now()
    time = dates.format_time(until)
    said = f"You are signed in until {time}."
    if wants_json():
        return jsonify(until=until.isoformat(), time=time, said=said)
    flash(said)
    return redirect(url_for("dashboard.show"))


def _is_signed_in() -> bool:
    return bool(current_user.is_authenticated)


def _held() -> list[Division]:
    return [division for division in Division if division in access.current_user().divisions]


def _login_again(form: LoginForm, error: QuartermasterError) -> ResponseReturnValue:
    form.form_errors.append(error.message)
    response = make_response(render_template("accounts/login.html", form=form), error.status)
    if isinstance(error, Throttled):
        response.headers["Retry-After"] = str(error.retry_after)
    return response


def _change_password(form: ChangePasswordForm) -> None:
    user = access.current_user()
    address = rules.counted_address(request.remote_addr)
    proved = sessions.authenticate(user.username, form.current.data, address)
    with transaction():
        if proved is None:
            sessions.record_failure(rules.counted_account(user.username), address)
        else:
            users.change_password(proved, form.new.data, address)
    if proved is None:
        raise users.WrongCurrentPassword


def _signed_out(response: ResponseReturnValue) -> Response:
    session.clear()
    made = make_response(response)
    made.headers["Clear-Site-Data"] = '"cache"'
    return made


def _serves(path: str, division: Division) -> bool:
    adapter = current_app.create_url_adapter(request)
    if adapter is None:
        return False
    try:
        endpoint, arguments = adapter.match(path.partition("?")[0], method="GET")
    except HTTPException:
        return False
    policy = access.policy_of(endpoint, arguments)
    return policy is not None and (not policy.divisions or division in policy.divisions)
