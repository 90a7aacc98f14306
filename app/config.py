"""Settings read from the environment, typed and checked once at the start."""

import os
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

MIN_SECRET_LENGTH = 32
_BUCKET = re.compile(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[A-Za-z0-9._-]+)*/?")
_KNOWN_SECRETS = ("changeme", "change-me", "secret", "default", "example", "development")


class SettingsError(Exception):
    """A setting is missing or wrong; the message says what to set."""


@dataclass(frozen=True)
class Settings:
    """What an installation can choose; see docs/settings.md."""

    database_url: str
    secret_key: str
    instance: Path
    photo_store: str = ""
    production: bool = False
    trusted_hosts: tuple[str, ...] = ("localhost", "127.0.0.1", "[::1]")
    proxy_hops: int = 0
    log_level: str = "INFO"

    def __post_init__(self) -> None:
        """Keep photos in the instance's folder unless another place is named."""
        if not self.photo_store:
            object.__setattr__(self, "photo_store", str(self.instance / "photos"))

    @classmethod
    def from_environment(cls, environ: Mapping[str, str], instance: Path) -> "Settings":
        """Read the settings.

        An installation that names its database or its hosts is production: it must bring its
        own SECRET_KEY, and its cookies go over HTTPS alone. Otherwise a key is made and kept in
        `instance`. Raises SettingsError.
        """
        production = bool(environ.get("DATABASE_URL") or environ.get("TRUSTED_HOSTS"))
        instance.mkdir(parents=True, exist_ok=True)
        hosts = tuple(h.strip() for h in environ.get("TRUSTED_HOSTS", "").split(",") if h.strip())
        return cls(
            database_url=_database_url(environ, instance),
            secret_key=_secret_key(environ, instance, production=production),
            instance=instance,
            photo_store=_photo_store(environ, instance),
            production=production,
            trusted_hosts=hosts or cls.trusted_hosts,
            proxy_hops=_whole(environ, "PROXY_HOPS", default=0, most=10),
            log_level=_log_level(environ),
        )


def _database_url(environ: Mapping[str, str], instance: Path) -> str:
    url = environ.get("DATABASE_URL") or f"sqlite:///{instance / 'quartermaster.db'}"
    for short in ("postgres://", "postgresql://"):
        if url.startswith(short):
            url = "postgresql+psycopg://" + url.removeprefix(short)
    if not url.startswith(("sqlite:///", "postgresql+psycopg://")):
        raise SettingsError("DATABASE_URL must start with sqlite:/// or postgresql://")
    return url


def _photo_store(environ: Mapping[str, str], instance: Path) -> str:
    given = environ.get("PHOTO_STORE") or str(instance / "photos")
    if _BUCKET.fullmatch(given):
        return given
    if ":" in given:
        raise SettingsError(
            "PHOTO_STORE must be a folder, or s3://bucket/prefix with a bucket's name and a prefix "
            "of letters, digits, dots, dashes and slashes"
        )
    folder = Path(given).absolute()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = f"PHOTO_STORE can't be the folder {folder}: {error.strerror}"
        raise SettingsError(reason) from None
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        raise SettingsError(f"PHOTO_STORE can't be the folder {folder}: it can't be written to")
    return str(folder)


def _secret_key(environ: Mapping[str, str], instance: Path, *, production: bool) -> str:
    given = environ.get("SECRET_KEY", "")
    advice = 'make one with: python3 -c "import secrets; print(secrets.token_urlsafe(48))"'
    if given:
        if len(given) < MIN_SECRET_LENGTH or any(word in given.lower() for word in _KNOWN_SECRETS):
            raise SettingsError(
                f"SECRET_KEY must be at least {MIN_SECRET_LENGTH} random characters; {advice}"
            )
        return given
    if production:
        raise SettingsError(f"SECRET_KEY must be set in production; {advice}")
    kept = instance / "secret_key"
    if not kept.exists():
        kept.touch(mode=0o600)
        kept.write_text(secrets.token_urlsafe(48))
    return kept.read_text()


def _whole(environ: Mapping[str, str], name: str, *, default: int, most: int) -> int:
    text = environ.get(name) or str(default)
    if not text.isdecimal() or int(text) > most:
        raise SettingsError(f"{name} must be a whole number from 0 to {most}")
    return int(text)


def _log_level(environ: Mapping[str, str]) -> str:
    level = (environ.get("LOG_LEVEL") or "INFO").upper()
    if level not in ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"):
        raise SettingsError("LOG_LEVEL must be DEBUG, INFO, WARNING, ERROR or CRITICAL")
    return level
