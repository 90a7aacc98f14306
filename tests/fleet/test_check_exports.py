"""The exports of the checks list."""

import csv
import io

CSV = "/fleetChecksList/vehicle-checks.csv"
JSON = "/fleetChecksList/vehicle-checks.json"


def test_the_csv_has_its_name_and_columns_and_quotes_every_cell(reviewer, check):
    check(notes='Say "hi", then\ngo', photos=["a", "b"])
    response = reviewer.client.get(CSV)
    assert response.mimetype == "text/csv"
    assert response.headers["Content-Disposition"] == "attachment; filename=vehicle-checks.csv"
    assert response.get_data(as_text=True) == (
        '"date","reg","odometer","submittedBy","notes","photos"\r\n'
        '"2026-01-15","LK19 VTE","48210","driver","Say ""hi"", then\ngo","2"\r\n'
    )


def test_notes_are_cut_at_200_characters_and_no_cell_starts_a_formula(reviewer, check):
    check("=1+1", notes="+" + "x" * 250)
    (row,) = list(csv.reader(io.StringIO(reviewer.client.get(CSV).get_data(as_text=True))))[1:]
    assert row[1] == "'=1+1"
    assert row[4] == "'+" + "x" * 199


def test_the_json_export_equals_the_reply_of_the_api(reviewer, check):
    check(photos=["a"], items={"Damage": "Dent"}, cost=1250)
    check("BB2")
    response = reviewer.client.get(JSON)
    assert response.mimetype == "application/json"
    assert response.headers["Content-Disposition"] == "attachment; filename=vehicle-checks.json"
    assert response.json == reviewer.client.get("/api/fleet/checks").json
    assert response.json[1]["costGBP"] == 12.5


def test_an_empty_list_is_exported_empty(reviewer):
    assert reviewer.client.get(CSV).get_data(as_text=True).count("\r\n") == 1
    assert reviewer.client.get(JSON).json == []
