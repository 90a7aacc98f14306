"""Trusted browsers: the cookie of a browser that has signed in to an account.

See docs/decisions/0023-a-trusted-browser-has-its-own-door.md.
"""

import secrets

from flask import current_app
from itsdangerous import BadData, URLSafeTimedSerializer

from app.accounts import rules

_SEPARATOR = ":"


def trusted_browser(cookie: str, password_hash: str) -> str | None:
    """Return the id of the browser with this cookie if the account trusts it, else None."""
    ids = (_read(mark, password_hash) for mark in _marks(cookie))
    return next((each for each in ids if each is not None), None)


def remember_browser(cookie: str, password_hash: str) -> str:
    """Return the cookie of a browser after a sign-in to the account with this password's hash."""
    new = _serializer(password_hash).dumps(secrets.token_urlsafe(12))
    others = [mark for mark in _marks(cookie) if _read(mark, password_hash) is None]
    return _SEPARATOR.join([str(new), *others][: rules.MAX_ACCOUNTS_PER_BROWSER])


def _marks(cookie: str) -> list[str]:
    return [mark for mark in cookie.split(_SEPARATOR) if mark][: rules.MAX_ACCOUNTS_PER_BROWSER]


def _read(mark: str, password_hash: str) -> str | None:
    try:
        browser = _serializer(password_hash).loads(
            mark, max_age=int(rules.TRUSTED_BROWSER_LIFETIME.total_seconds())
        )
    except BadData:
        return None
    return str(browser)


def _serializer(password_hash: str) -> URLSafeTimedSerializer:
    # The hash makes it a key of this account alone, and another one with each new password.
    salt = f"quartermaster-trusted-browser {password_hash}"
    return URLSafeTimedSerializer(current_app.config["SECRET_KEY"], salt=salt)
