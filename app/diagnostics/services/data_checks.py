"""The checks of `flask verify`: the product's promises, compared with the stored data."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from app.assets.queries.locations import location_problems
from app.audit import services as audit
from app.diagnostics.queries import count_problems, event_problems, posting_problems
from app.documents.services import document_problems
from app.photos.services.photo_files import photo_problems
from app.stock.queries import books
from app.upkeep.queries import problems as upkeep

RESTORE = "Stop the product and restore the newest backup that flask verify finds right"


@dataclass(frozen=True)
class DataCheck:
    """A promise, the search for violations, and the advice about them."""

    name: str
    problems: Callable[[], Iterator[str]]
    advice: str


CHECKS = (
    DataCheck(
        "Ledger, amounts and sums",
        books.ledger_problems,
        f"For counts, sums and texts run: flask ledger rebuild. For amounts: {RESTORE.lower()}.",
    ),
    DataCheck("Transfers", books.transfer_problems, f"{RESTORE}."),
    DataCheck("Exactly-once keys", books.key_problems, f"{RESTORE}."),
    DataCheck("Deliveries posted once", posting_problems, f"{RESTORE}."),
    DataCheck(
        "Asset locations", location_problems, "Move each asset to where it is; that records it."
    ),
    DataCheck(
        "Photo files",
        photo_problems,
        "Copy them from a backup: its folder photos has the same names.",
    ),
    DataCheck(
        "Document files",
        document_problems,
        "Copy them from a backup: its folder documents has the same names.",
    ),
    DataCheck("Times off the road", upkeep.off_road_problems, f"{RESTORE}."),
    DataCheck(
        "Stop defects",
        upkeep.stop_problems,
        "Open each defect and assess it again, which takes its vehicle off the road.",
    ),
    DataCheck("Closed defects", upkeep.closing_problems, f"{RESTORE}."),
    DataCheck("Repairs taken back", upkeep.repair_problems, f"{RESTORE}."),
    DataCheck("One open item of a plan", upkeep.due_problems, f"{RESTORE}."),
    DataCheck(
        "Open work of listed vehicles",
        upkeep.left_problems,
        "Withdraw the item, or close the defect, on its page.",
    ),
    DataCheck(
        "Readings that never fall",
        upkeep.reading_problems,
        "Void the wrong reading on the vehicle's page of readings.",
    ),
    DataCheck("Parts of repairs", upkeep.part_problems, f"{RESTORE}."),
    DataCheck("Counts by day", count_problems, "Run: flask counts rebuild."),
    DataCheck(
        "Events",
        event_problems,
        "Somebody changed the database itself, or the release before was in use again, which "
        "records none.",
    ),
    DataCheck(
        "Audit trail",
        audit.problems,
        "Somebody changed the database itself: compare the trail with that of a backup.",
    ),
)
