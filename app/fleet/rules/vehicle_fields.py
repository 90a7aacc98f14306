"""The text fields of a vehicle, defined once for forms, JSON, CSV files and the table."""

from app.fields import Text

MAKE = Text(name="make", label="Make", limit=60, example="Ford")
MODEL = Text(name="model", label="Model", limit=60, example="Transit")
STATUS = Text(name="status", label="Status", limit=40, example="Available")
CLASSIFICATION = Text(name="classification", label="Classification", limit=60, example="Van")
LOCATION = Text(
    name="location",
    json="currentLocation",
    aliases=("location",),
    label="Location",
    limit=100,
    example="Depot",
)
