"""Settings read from the environment, typed and checked once at the start."""

import ipaddress
import os
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

MIN_SECRET_LENGTH = 32
LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
_PRODUCTION, _DEVELOPMENT = "production", "development"
_BUCKET = re.compile(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[A-Za-z0-9._-]+)*/?")
_PHONE = re.compile(r"\+?[0-9][0-9 ()-]{2,28}[0-9]", re.ASCII)
_COMMON_SECRETS = ("changeme", "change-me", "secret", "default", "example", "development")
_LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
_KEY_ADVICE = 'make one with: python3 -c "import secrets; print(secrets.token_urlsafe(48))"'
_PRODUCTION_NEEDS = {
    "DATABASE_URL": "such as postgresql://user:password@host/name or sqlite:////path/file.db",
    "SECRET_KEY": _KEY_ADVICE,
    "TRUSTED_HOSTS": "the host names of the installation, separated by commas",
}
"""The required settings of an installation in production, each with advice."""


class SettingsError(Exception):
    """A missing or wrong setting; the message says what to set."""


@dataclass(frozen=True)
class Settings:
    """The settings of an installation; see docs/settings.md."""

    database_url: str
    secret_key: str
    instance: Path
    photo_store: str
    production: bool = False
    trusted_hosts: tuple[str, ...] = LOCAL_HOSTS
    proxy_hops: int = 0
    log_level: str = "INFO"
    log_format: str = "text"
    exports_per_minute: int = 30
    photos_per_minute: int = 240
    offline: bool = True
    sign_off_by_another: bool = False
    retention_months: int = 15
    fleet_phone: str = ""
    first_mot_years: int = 3
    gfm_deliveries: bool = False

    @classmethod
    def from_environment(cls, environ: Mapping[str, str], instance: Path) -> "Settings":
        """Read the settings.

        In production the installation brings its own database, key and host names, and its
        cookies travel over HTTPS only. Otherwise a database and a key are made in `instance`.
        Raises SettingsError.
        """
        hosts = tuple(h.strip() for h in environ.get("TRUSTED_HOSTS", "").split(",") if h.strip())
        production = _is_production(environ, hosts)
        number, word = partial(_whole_number, environ), partial(_word, environ)
        instance.mkdir(parents=True, exist_ok=True)
        return cls(
            database_url=_database_url(environ, instance),
            secret_key=_secret_key(environ, instance),
            instance=instance,
            photo_store=_photo_store(environ, instance),
            production=production,
            trusted_hosts=hosts or cls.trusted_hosts,
            proxy_hops=number("PROXY_HOPS", cls.proxy_hops, 10),
            log_level=word("LOG_LEVEL", cls.log_level, _LOG_LEVELS),
            log_format=word("LOG_FORMAT", cls.log_format, ("text", "json")),
            exports_per_minute=number("EXPORTS_PER_MINUTE", cls.exports_per_minute, 10_000),
            photos_per_minute=number("PHOTOS_PER_MINUTE", cls.photos_per_minute, 10_000),
            offline=word("OFFLINE", "on", ("on", "off")) == "on",
            sign_off_by_another=word("SIGN_OFF_BY_ANOTHER", "off", ("on", "off")) == "on",
            retention_months=number("RETENTION_MONTHS", cls.retention_months, 1200, minimum=1),
            fleet_phone=_phone(environ, "FLEET_PHONE"),
            first_mot_years=number("FIRST_MOT_YEARS", cls.first_mot_years, 10),
            gfm_deliveries=word("GFM_DELIVERIES", "0", ("0", "1")) == "1",
        )


def flask_config(settings: Settings) -> dict[str, Any]:
    """Return Flask's configuration for these settings."""
    return {
        "QUARTERMASTER": settings,
        "SECRET_KEY": settings.secret_key,
        "TRUSTED_HOSTS": list(settings.trusted_hosts),
        "MAX_CONTENT_LENGTH": 24 * 1024 * 1024,
        "SESSION_COOKIE_NAME": "__Host-session" if settings.production else "session",
        "SESSION_COOKIE_SECURE": settings.production,
        "SESSION_COOKIE_HTTPONLY": True,
        "SESSION_COOKIE_SAMESITE": "Lax",
        "SESSION_REFRESH_EACH_REQUEST": False,
        "PERMANENT_SESSION_LIFETIME": timedelta(hours=12),
        "WTF_CSRF_TIME_LIMIT": None,
        "WTF_CSRF_CHECK_DEFAULT": False,
        "COMPRESS_ALGORITHM": ["br", "gzip"],
        "COMPRESS_ALGORITHM_STREAMING": ["br", "gzip"],
        "COMPRESS_MIMETYPES": [
            "text/html",
            "text/plain",
            "text/csv",
            "text/javascript",
            "application/json",
            "application/manifest+json",
        ],
        "COMPRESS_BR_LEVEL": 5,
        "COMPRESS_LEVEL": 5,
        "COMPRESS_MIN_SIZE": 400,
        "COMPRESS_EVALUATE_CONDITIONAL_REQUEST": False,
    }


def _is_production(environ: Mapping[str, str], hosts: Sequence[str]) -> bool:
    environment = environ.get("APP_ENV", "").strip().lower()
    if environment not in ("", _PRODUCTION, _DEVELOPMENT):
        raise SettingsError(f"APP_ENV must be {_PRODUCTION} or {_DEVELOPMENT}")
    if environment == _PRODUCTION:
        given = {**environ, "TRUSTED_HOSTS": "".join(hosts)}
        missing = [name for name in _PRODUCTION_NEEDS if not given.get(name)]
        if missing:
            advice = "; ".join(f"{name} ({_PRODUCTION_NEEDS[name]})" for name in missing)
            raise SettingsError(f"APP_ENV={_PRODUCTION} needs {advice}")
    if not environment:
        _check_not_production(environ, hosts)
    return environment == _PRODUCTION


def _check_not_production(environ: Mapping[str, str], hosts: Sequence[str]) -> None:
    """Refuse an undeclared installation that was, or looks like, production.

    Production used to be inferred from DATABASE_URL or TRUSTED_HOSTS, and then needed a SECRET_KEY.
    Such an installation must not lose its secure cookies by an update.
    """
    remote = [host for host in hosts if not _is_local(host)]
    inferred = [name for name in ("DATABASE_URL", "TRUSTED_HOSTS") if environ.get(name)]
    if remote:
        reason = f"TRUSTED_HOSTS names {remote[0]}"
    elif inferred and environ.get("SECRET_KEY"):
        reason = f"{inferred[0]} and SECRET_KEY are set"
    else:
        return
    raise SettingsError(
        f"{reason}, so set APP_ENV={_PRODUCTION}, or APP_ENV={_DEVELOPMENT} if this is not a "
        "production server"
    )


def _is_local(host: str) -> bool:
    name = host.strip("[].").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _database_url(environ: Mapping[str, str], instance: Path) -> str:
    url = environ.get("DATABASE_URL") or f"sqlite:///{instance / 'quartermaster.db'}"
    for short in ("postgres://", "postgresql://"):
        if url.startswith(short):
            url = "postgresql+psycopg://" + url.removeprefix(short)
    if not url.startswith(("sqlite:///", "postgresql+psycopg://")):
        raise SettingsError("DATABASE_URL must start with sqlite:/// or postgresql://")
    return _with_hosts_as_parameters(url)


def _with_hosts_as_parameters(url: str) -> str:
    """Return an address of several servers, as libpq has them by commas, in SQLAlchemy's form.

    The server that takes changes is used, unless the address says otherwise.
    """
    parts = urlsplit(url)
    user, at, hosts = parts.netloc.rpartition("@")
    if "," not in hosts:
        return url
    parameters = [*parse_qsl(parts.query), *(("host", host) for host in hosts.split(","))]
    if "target_session_attrs" not in dict(parameters):
        parameters.append(("target_session_attrs", "read-write"))
    return f"{parts.scheme}://{user}{at}{parts.path}?{urlencode(parameters, safe=':')}"


def _phone(environ: Mapping[str, str], name: str) -> str:
    number = environ.get(name, "").strip()
    if number and not _PHONE.fullmatch(number):
        raise SettingsError(f"{name} must be a phone number such as 01483 000142")
    return number


def _photo_store(environ: Mapping[str, str], instance: Path) -> str:
    location = environ.get("PHOTO_STORE") or str(instance / "photos")
    if _BUCKET.fullmatch(location):
        return location
    if ":" in location:
        raise SettingsError(
            "PHOTO_STORE must be a folder, or s3://bucket/prefix with a bucket's name and a prefix "
            "of letters, digits, dots, dashes and slashes"
        )
    folder = Path(location).absolute()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = f"PHOTO_STORE can't be the folder {folder}: {error.strerror}"
        raise SettingsError(reason) from None
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        raise SettingsError(f"PHOTO_STORE can't be the folder {folder}: it is not writable")
    return str(folder)


def _secret_key(environ: Mapping[str, str], instance: Path) -> str:
    key = environ.get("SECRET_KEY", "")
    if key:
        if len(key) < MIN_SECRET_LENGTH or any(word in key.lower() for word in _COMMON_SECRETS):
            raise SettingsError(
                f"SECRET_KEY must be at least {MIN_SECRET_LENGTH} random characters; {_KEY_ADVICE}"
            )
        return key
    generated = instance / "secret_key"
    if not generated.exists():
        generated.touch(mode=0o600)
        generated.write_text(secrets.token_urlsafe(48))
    return generated.read_text()


def _whole_number(
    environ: Mapping[str, str], name: str, default: int, maximum: int, *, minimum: int = 0
) -> int:
    text = environ.get(name) or str(default)
    if not text.isdecimal() or not minimum <= int(text) <= maximum:
        raise SettingsError(f"{name} must be a whole number from {minimum} to {maximum}")
    return int(text)


def _word(environ: Mapping[str, str], name: str, default: str, words: Sequence[str]) -> str:
    text = (environ.get(name) or default).lower()
    for word in words:
        if word.lower() == text:
            return word
    raise SettingsError(f"{name} must be {', '.join(words[:-1])} or {words[-1]}")
