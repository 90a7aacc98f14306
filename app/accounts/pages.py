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
from flask_login import current_user as cookie_user
from flask_login import login_user
from flask_wtf.csrf import generate_csrf

from app import dates
from app.accounts import queries
from app.accounts.forms import ChangePasswordForm, LoginForm
from app.accounts.rules import TRUSTED_BROWSER_LIFETIME
from app.accounts.services import sessions, users
from app.accounts.services.sessions import remember_browser
from app.db import transaction
from app.divisions import Division
from app.errors import Forbidden, Invalid, QuartermasterError, Throttled
from app.web import access
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.htmx import wants_json
from app.web.policies import policy_at

bp = Blueprint("accounts", __name__)
BLUEPRINTS = (bp,)

USERNAME_COOKIE = "username"
"""The cookie with the username that signed in last on this device."""

BROWSER_COOKIE = "browser"
"""The cookie by which accounts trust a browser; like the username's, only /login gets it."""


@bp.get("/")
@access.public
def start() -> ResponseReturnValue:
    """Redirect to the dashboard, or to the sign-in."""
    return redirect(url_for("dashboard.show" if _is_signed_in() else "accounts.login"))


@bp.route("/login", methods=["GET", "POST"])
@access.public
@access.redisplays_form
@access.contains_passwords
@failure_message("Login failed")
def login() -> ResponseReturnValue:
    """Sign in with a username and password."""
    form = LoginForm()
    if not form.validate_on_submit():
        if _is_signed_in():
            return redirect(url_for("dashboard.show"))
        if not form.is_submitted():
            form.username.data = request.cookies.get(USERNAME_COOKIE, "")
        status = 422 if form.is_submitted() else 200
        return render_template("accounts/login.html", form=form), status
    try:
        attempt = sessions.authenticate(
            form.username.data or "",
            form.password.data or "",
            request.remote_addr,
            browser_cookie=request.cookies.get(BROWSER_COOKIE, ""),
        )
        with transaction():
            login_session = sessions.open_session(attempt)
            if login_session and _is_signed_in():
                sessions.close_session(cookie_user.session_id)
        if login_session is None:
            raise sessions.InvalidCredentials
    except QuartermasterError as error:
        return _refuse_login(form, error)
    session.clear()
    session.permanent = True
    login_user(queries.signed_in_user(login_session.id))
    session.pop("_id")
    target = access.safe_next(request.args.get("next"))
    if login_session.chosen_division is None:
        return _remember_sign_in(redirect(url_for("accounts.choose", next=target)))
    return _remember_sign_in(redirect(target or url_for("dashboard.show")))


@bp.post("/logout")
@access.renewable
@access.ends_session
def logout() -> ResponseReturnValue:
    """End this login session and clear the browser's cache."""
    with transaction():
        sessions.close_session(current_user().session_id)
    return _forget_session(redirect(url_for("accounts.start")))


@bp.get("/choose")
@access.signed_in
def choose() -> str:
    """Offer the divisions that the user may work in."""
    divisions = [division for division in Division if division in current_user().divisions]
    return render_template("accounts/choose.html", divisions=divisions)


@access.signed_in.route(bp, "/choose", "Update failed", "POST")
def choose_division() -> ResponseReturnValue:
    """Store the chosen division."""
    user = current_user()
    value = request.form.get("division", "").casefold()
    division = next((d for d in Division if d == value), None)
    if division is None:
        raise Invalid("Choose one of the divisions.")
    if division not in user.divisions:
        raise Forbidden(f"Your account has no access to {division.label}. Ask an administrator.")
    with transaction():
        sessions.renew_session(user.session_id, division)
    target = access.safe_next(request.args.get("next"))
    policy = policy_at(target.partition("?")[0]) if target else None
    if target and policy and (not policy.divisions or division in policy.divisions):
        return redirect(target)
    return redirect(url_for("dashboard.show"))


@bp.route("/change-password", methods=["GET", "POST"])
@access.signed_in
@access.redisplays_form
@access.contains_passwords
@failure_message("Failed to change password")
def change_password() -> ResponseReturnValue:
    """Change the password, then sign the user out everywhere."""
    form = ChangePasswordForm()
    status = 422 if form.is_submitted() else 200
    if form.validate_on_submit():
        try:
            _change_password(form)
        except QuartermasterError as error:
            form.refuse(error)
            status = error.status
        else:
            g.user = None
            return _forget_session(make_response(render_template("accounts/password_changed.html")))
    return render_template("accounts/change_password.html", form=form), status


@bp.get("/session")
@access.renewable
def show_session() -> Response:
    """Return who is signed in, as JSON; a script tests by it whether it reaches this server."""
    user = current_user()
    return jsonify(
        user=user.user_id,
        username=user.username,
        divisions=sorted(user.divisions),
        chosen=user.chosen,
        expired=access.is_expired(user),
        csrf=generate_csrf(),
        now=dates.utc_now().isoformat(),
    )


@access.renewable.route(bp, "/session/renew", "Refresh failed", "POST")
def renew() -> ResponseReturnValue:
    """Extend the login time; reply until when, as JSON for a script and as a message for a page."""
    user = current_user()
    with transaction():
        sessions.renew_session(user.session_id)
    renewed = queries.signed_in_user(user.session_id)
    until = renewed.access_until if renewed else dates.utc_now()
    time = dates.format_time(until)
    message = f"You are signed in until {time}."
    if wants_json():
        return jsonify({"until": until.isoformat(), "time": time, "message": message})
    flash(message)
    return redirect(url_for("dashboard.show"))


def _is_signed_in() -> bool:
    return bool(cookie_user.is_authenticated)


def _remember_sign_in(reply: ResponseReturnValue) -> Response:
    response = make_response(reply)
    user = queries.user(cookie_user.user_id)
    browser = remember_browser(request.cookies.get(BROWSER_COOKIE, ""), user.password_hash)
    for name, value in ((USERNAME_COOKIE, user.username), (BROWSER_COOKIE, browser)):
        response.set_cookie(
            name,
            value,
            max_age=TRUSTED_BROWSER_LIFETIME,
            path=url_for("accounts.login"),
            secure=current_app.config["SESSION_COOKIE_SECURE"],
            httponly=True,
            samesite="Lax",
        )
    return response


def _refuse_login(form: LoginForm, error: QuartermasterError) -> ResponseReturnValue:
    form.form_errors.append(error.message)
    response = make_response(render_template("accounts/login.html", form=form), error.status)
    if isinstance(error, Throttled):
        response.headers["Retry-After"] = str(error.retry_after)
    return response


def _change_password(form: ChangePasswordForm) -> None:
    # Not by handle_form: it would store a digest of the passwords with the form's key.
    user = current_user()
    attempt = sessions.authenticate(
        user.username, form.current.data, request.remote_addr, session_id=user.session_id
    )
    with transaction():
        changed = users.change_password(attempt, form.new.data)
    if changed is None:
        raise users.WrongCurrentPassword


def _forget_session(response: ResponseReturnValue) -> Response:
    session.clear()
    cleared = make_response(response)
    cleared.headers["Clear-Site-Data"] = '"cache"'
    return cleared
