"""Settings: what a local run needs, and what production refuses."""

import pytest

from app import create_app
from app.config import Settings, SettingsError

KEY = "q" * 48
POSTGRESQL = "postgresql://u:p@db/qm"
PRODUCTION = {
    "APP_ENV": "production",
    "SECRET_KEY": KEY,
    "DATABASE_URL": POSTGRESQL,
    "TRUSTED_HOSTS": "qm.example, www.qm.example",
}


def test_a_local_run_makes_its_key_once_and_keeps_it(tmp_path):
    first = Settings.from_environment({}, tmp_path)
    assert first == Settings.from_environment({}, tmp_path)
    assert len(first.secret_key) >= 32
    assert not first.production
    assert (tmp_path / "secret_key").stat().st_mode & 0o077 == 0


def test_production_starts_with_its_own_database_key_and_hosts(tmp_path):
    settings = Settings.from_environment(PRODUCTION | {"PROXY_HOPS": "1"}, tmp_path)
    assert settings.production
    assert settings.database_url == "postgresql+psycopg://u:p@db/qm"
    assert settings.trusted_hosts == ("qm.example", "www.qm.example")
    assert settings.proxy_hops == 1
    assert not (tmp_path / "secret_key").exists()


@pytest.mark.parametrize(
    "missing",
    [
        ("DATABASE_URL",),
        ("SECRET_KEY",),
        ("TRUSTED_HOSTS",),
        ("DATABASE_URL", "SECRET_KEY", "TRUSTED_HOSTS"),
    ],
)
def test_production_refuses_to_start_half_configured_and_names_what_is_missing(tmp_path, missing):
    environ = {name: value for name, value in PRODUCTION.items() if name not in missing}
    with pytest.raises(SettingsError, match=r"^APP_ENV=production needs ") as refused:
        Settings.from_environment(environ, tmp_path / "instance")
    names = [name for name in PRODUCTION if name in str(refused.value).split("needs", 1)[1]]
    assert sorted(names) == sorted(missing)
    assert not (tmp_path / "instance").exists()


def test_an_empty_setting_is_a_missing_one(tmp_path):
    with pytest.raises(SettingsError, match="needs DATABASE_URL"):
        Settings.from_environment(PRODUCTION | {"DATABASE_URL": ""}, tmp_path)


@pytest.mark.parametrize(
    ("environ", "reason"),
    [
        ({"TRUSTED_HOSTS": "qm.example"}, "TRUSTED_HOSTS names qm.example"),
        ({"TRUSTED_HOSTS": "localhost,10.0.0.7", "SECRET_KEY": KEY}, "TRUSTED_HOSTS names 10.0.0"),
        ({"DATABASE_URL": POSTGRESQL, "SECRET_KEY": KEY}, "DATABASE_URL and SECRET_KEY are set"),
        ({"TRUSTED_HOSTS": "localhost", "SECRET_KEY": KEY}, "TRUSTED_HOSTS and SECRET_KEY are set"),
        ({"TRUSTED_HOSTS": "qm.example", "APP_ENV": ""}, "TRUSTED_HOSTS names qm.example"),
    ],
)
def test_what_was_production_before_app_env_refuses_to_start_without_it(tmp_path, environ, reason):
    with pytest.raises(SettingsError, match=f"^{reason}.*, so set APP_ENV=production, or "):
        Settings.from_environment(environ, tmp_path)


@pytest.mark.parametrize(
    "environ",
    [
        {"DATABASE_URL": POSTGRESQL},
        {"SECRET_KEY": KEY},
        {"TRUSTED_HOSTS": "localhost, 127.0.0.2, [::1], qm.localhost"},
        {"APP_ENV": "development", "DATABASE_URL": POSTGRESQL, "SECRET_KEY": KEY},
        {"APP_ENV": "Development", "TRUSTED_HOSTS": "192.168.1.20"},
    ],
)
def test_a_developer_may_choose_a_database_or_hosts(tmp_path, environ):
    settings = Settings.from_environment(environ, tmp_path)
    assert not settings.production
    assert len(settings.secret_key) >= 32


@pytest.mark.parametrize(
    ("environ", "name", "is_secure"), [(PRODUCTION, "__Host-session", True), ({}, "session", False)]
)
def test_cookies_travel_over_https_only_in_production(tmp_path, environ, name, is_secure):
    app = create_app(Settings.from_environment(environ, tmp_path))
    assert app.config["SESSION_COOKIE_NAME"] == name
    assert app.config["SESSION_COOKIE_SECURE"] is is_secure


@pytest.mark.parametrize("key", ["short", "x" * 31, "please-changeme-" * 4, "SECRET" * 10])
@pytest.mark.parametrize("environ", [PRODUCTION, {}])
def test_a_short_or_published_secret_key_is_refused(tmp_path, key, environ):
    with pytest.raises(SettingsError, match="at least 32 random characters"):
        Settings.from_environment(environ | {"SECRET_KEY": key}, tmp_path)


@pytest.mark.parametrize(
    ("environ", "message"),
    [
        ({"APP_ENV": "staging"}, "APP_ENV must be production or development"),
        (PRODUCTION | {"DATABASE_URL": "mysql://x"}, "DATABASE_URL must start with"),
        ({"PROXY_HOPS": "many"}, "PROXY_HOPS must be a whole number"),
        ({"LOG_LEVEL": "loud"}, "LOG_LEVEL must be"),
    ],
)
def test_a_wrong_setting_is_refused_with_its_valid_values(tmp_path, environ, message):
    with pytest.raises(SettingsError, match=message):
        Settings.from_environment(environ, tmp_path)


@pytest.mark.parametrize(
    ("given", "address"),
    [
        (
            "postgresql://u:p@a:5432,b:5433/name?sslmode=require",
            "postgresql+psycopg://u:p@/name?sslmode=require&host=a:5432&host=b:5433"
            "&target_session_attrs=read-write",
        ),
        (
            "postgres://a,b/name?target_session_attrs=any",
            "postgresql+psycopg:///name?target_session_attrs=any&host=a&host=b",
        ),
        ("postgresql://u:p@a/name", "postgresql+psycopg://u:p@a/name"),
    ],
)
def test_several_servers_of_one_database_are_separated_by_commas(tmp_path, given, address):
    settings = Settings.from_environment({"DATABASE_URL": given}, tmp_path)
    assert settings.database_url == address


def test_a_phone_number_for_drivers_is_one_that_can_be_rung(tmp_path):
    def phone(text):
        return Settings.from_environment({"FLEET_PHONE": text}, tmp_path).fleet_phone

    assert phone("") == ""
    assert phone(" 01483 000142 ") == "01483 000142"
    assert phone("+44 (0)1483 000-142") == "+44 (0)1483 000-142"
    for wrong in ("the desk", "1", "01483 000142 or 143"):
        with pytest.raises(SettingsError, match=r"^FLEET_PHONE must be a phone number"):
            phone(wrong)
