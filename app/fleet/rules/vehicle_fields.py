"""The text fields of a vehicle, defined once for forms, JSON, CSV files and the table."""

from collections.abc import Mapping

from app.fields import Text

MAKE = Text(name="make", label="Make", limit=60)
MODEL = Text(name="model", label="Model", limit=60)
STATUS = Text(name="status", label="Status", limit=40)
CLASSIFICATION = Text(name="classification", label="Classification", limit=60)
LOCATION = Text(
    name="location",
    json="currentLocation",
    aliases=("location",),
    label="Location",
    limit=100,
)

VEHICLE_FIELDS: Mapping[str, Text] = {
    field.name: field for field in (MAKE, MODEL, STATUS, CLASSIFICATION, LOCATION)
}
"""The text fields by the name of their attribute, in the order of JSON and CSV files."""
