"""What screens call the entries of the ledger."""

from datetime import date

import pytest

from app.stock.rules.history import describe_entry, site_label
from app.stock.rules.items import EntryKind

DAY = date(2026, 11, 22)

DELIVERY, WITHDRAWAL, TRANSFER = EntryKind.DELIVERY, EntryKind.WITHDRAWAL, EntryKind.TRANSFER
COUNT, ADDITION = EntryKind.COUNT, EntryKind.ADDITION
CORRECTION, REMOVAL = EntryKind.CORRECTION, EntryKind.REMOVAL


@pytest.mark.parametrize(
    ("kind", "reason", "title", "note"),
    [
        (DELIVERY, "", "Delivery", ""),
        (DELIVERY, "Delivery from GPM (2026-11-22)", "Delivery", ""),
        (DELIVERY, "Delivery from GPM (2026-01-05)", "Delivery", "(5 Jan 2026)"),
        (DELIVERY, "Undo: a mistake", "Delivery", "Undo: a mistake"),
        (WITHDRAWAL, "", "Withdrawal", ""),
        (TRANSFER, "Transfer to guildford", "Transfer to Guildford", "Other"),
        (TRANSFER, "transfer FROM main", "Transfer from Main", "Other"),
        (TRANSFER, "Transfer from the van", "Transfer", "Other · from the van"),
        (COUNT, "Stock Check 2026-11-22", "Stock check", "Other"),
        (COUNT, "Stock Check 2026-11-21", "Stock check", "Other · 21 Nov 2026"),
        (COUNT, "Stock Check 2026-13-21", "Stock check", "Other · 2026-13-21"),
        (ADDITION, "", "Addition", "Other"),
        (ADDITION, "Demo data", "Addition", "Other · Demo data"),
        (ADDITION, "Stock Check 2026-11-22", "Addition", "Other · Stock Check"),
        (ADDITION, "Import of a-2026-11-22.csv", "Addition", "Other · Import of a-2026-11-22.csv"),
        (REMOVAL, "", "Removal", "Other"),
        (CORRECTION, "", "Correction", "Other"),
        (CORRECTION, "Unit price £2.00 → £2.50", "Correction", "Other · Unit price £2.00 → £2.50"),
        (CORRECTION, "Delivery miscounted", "Correction", "Other · Delivery miscounted"),
        (CORRECTION, "Removal of damage", "Correction", "Other · Removal of damage"),
        (CORRECTION, "Stock Check 2026-11-22", "Stock check", "Other"),
        (CORRECTION, "Undo: Withdrawal", "Undo of withdrawal", "Other"),
        (CORRECTION, "Undo: Transfer to guildford", "Undo of transfer to Guildford", "Other"),
        (CORRECTION, "Undo: Stock Check 2026-11-22", "Undo of stock check", "Other"),
        (CORRECTION, "Undo: Stock Check 2026-11-20", "Undo of stock check", "Other · 20 Nov 2026"),
        (CORRECTION, "Undo: Delivery from GPM (2026-11-22)", "Undo of delivery", "Other"),
        (CORRECTION, "Undo: Undo: Withdrawal", "Redo of withdrawal", "Other"),
        (CORRECTION, "Undo: Undo: Undo: Removal", "Undo of removal", "Other"),
        (CORRECTION, "Undo: Demo data", "Undo", "Other · Demo data"),
        (CORRECTION, "Undo: Addition; Unit box → kg", "Undo of addition", "Other · Unit box → kg"),
    ],
)
def test_an_entry_has_a_title_in_plain_words_beside_the_events_word(kind, reason, title, note):
    text = describe_entry(kind, reason, DAY)
    assert (text.title, text.note) == (title, note)


@pytest.mark.parametrize(
    ("kind", "text", "title", "note"),
    [
        (WITHDRAWAL, "Withdrawal to northern", "Withdrawal", "to Northern"),
        (WITHDRAWAL, "issued", "Withdrawal", "issued"),
        (DELIVERY, "delivery", "Delivery", ""),
        (CORRECTION, "", "Other", ""),
        (CORRECTION, "Otherwise", "Other", "Otherwise"),
        (CORRECTION, "Transfer to guildford", "Transfer to Guildford", "Other"),
        (CORRECTION, "Undo: Delivery", "Undo of delivery", "Other"),
        (CORRECTION, "Delivery cancelled", "Other", "Delivery cancelled"),
        (CORRECTION, "Removal", "Removal", "Other"),
    ],
)
def test_an_imported_line_is_called_what_its_text_says(kind, text, title, note):
    found = describe_entry(kind, text, DAY, is_imported=True)
    assert (found.title, found.note) == (title, note)


@pytest.mark.parametrize(
    ("site", "label"), [("main", "Main"), ("other", "Other"), ("", "–"), ("–", "–")]
)
def test_a_site_has_a_capital(site, label):
    assert site_label(site) == label
