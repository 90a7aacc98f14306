"""What a delivery may be, and when it is overdue; pure."""

from datetime import date, timedelta

LONGEST_SUPPLIER = 100
LONGEST_PERSON = 100
LONGEST_CONFIRMATION = 200

DAYS_TO_COME = 14
"""How many days after its order a delivery may still be pending without being overdue."""


def overdue_before(today: date) -> date:
    """Return the day: what was ordered before it and hasn't come is overdue."""
    return today - timedelta(days=DAYS_TO_COME)
