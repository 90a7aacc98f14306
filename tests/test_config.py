"""Settings: what a local run needs, and what production refuses."""

import pytest

from app.config import Settings, SettingsError

KEY = "q" * 48


def test_a_local_run_makes_its_key_once_and_keeps_it(tmp_path):
    first = Settings.from_environment({}, tmp_path)
    assert first == Settings.from_environment({}, tmp_path)
    assert len(first.secret_key) >= 32
    assert not first.production
    assert (tmp_path / "secret_key").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("name", ["DATABASE_URL", "TRUSTED_HOSTS"])
def test_production_refuses_to_start_without_a_secret_key(tmp_path, name):
    value = "sqlite:////tmp/x.db"
    with pytest.raises(SettingsError, match="SECRET_KEY must be set in production"):
        Settings.from_environment({name: value}, tmp_path)


@pytest.mark.parametrize("key", ["short", "x" * 31, "please-changeme-" * 4, "SECRET" * 10])
def test_a_short_or_known_secret_key_is_refused(tmp_path, key):
    with pytest.raises(SettingsError, match="at least 32 random characters"):
        Settings.from_environment({"SECRET_KEY": key, "TRUSTED_HOSTS": "a.example"}, tmp_path)


def test_production_with_its_own_key_starts(tmp_path):
    environ = {
        "SECRET_KEY": KEY,
        "DATABASE_URL": "postgresql://u:p@db/qm",
        "TRUSTED_HOSTS": "qm.example, www.qm.example",
        "PROXY_HOPS": "1",
    }
    settings = Settings.from_environment(environ, tmp_path)
    assert settings.production
    assert settings.database_url == "postgresql+psycopg://u:p@db/qm"
    assert settings.trusted_hosts == ("qm.example", "www.qm.example")


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        ({"DATABASE_URL": "mysql://x", "SECRET_KEY": KEY}, "DATABASE_URL must start with"),
        ({"PROXY_HOPS": "many"}, "PROXY_HOPS must be a whole number"),
        ({"LOG_LEVEL": "loud"}, "LOG_LEVEL must be"),
    ],
)
def test_a_wrong_setting_says_what_to_set(tmp_path, environ, said):
    with pytest.raises(SettingsError, match=said):
        Settings.from_environment(environ, tmp_path)
