"""The call that checks connection and session."""

from datetime import datetime, timedelta

import pytest

from app import dates


@pytest.mark.usefixtures("item")
def test_a_ping_answers_with_the_time_in_utc(person):
    reply = person.client.get("/api/ping")
    assert (reply.status_code, reply.json["ok"]) == (200, True)
    time = datetime.fromisoformat(reply.json["time"])
    assert time.utcoffset() == timedelta(0)
    assert dates.utc_now() - time < timedelta(minutes=1)
    assert reply.headers["Cache-Control"] == "no-store"


def test_a_ping_of_somebody_who_is_not_signed_in_is_a_401(person):
    reply = person.client.get("/api/ping")
    assert (reply.status_code, reply.json) == (
        401,
        {"error": "Please sign in.", "code": "sign_in_required"},
    )


def test_the_ping_is_documented(person):
    described = person.client.get("/api/openapi.json").json
    assert "200" in described["paths"]["/api/ping"]["get"]["responses"]
    assert set(described["components"]["schemas"]["Pong"]["properties"]) == {"ok", "time"}
