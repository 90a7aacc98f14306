"""Files of other tools, each with the header that its export has: see app/records/synonyms.py."""

from datetime import date
from pathlib import Path

import pytest

from app.assets.rules import ASSET_FIELDS
from app.fleet.schemas.vehicles import VEHICLE_FILE
from app.mileage import rules as mileage
from app.records.synonyms import NAMES, synonyms_of
from app.stock.rules.items import ITEM_ALIASES
from app.stock.schemas.items import STOCK_FILE
from app.tables.columns import RECOGNISED, Choices, Prepared, column_key, plan_of
from app.tables.csv_files import cell_reader
from app.tables.sheets import read_sheet

FOLDER = Path(__file__).with_name("samples")

FIELDS = {
    "assets": {field.json: field for field in ASSET_FIELDS.values()},
    "stock": {column.name: column.field for column in STOCK_FILE},
    "vehicles": {column.name: column.field for column in VEHICLE_FILE},
    "readings": {"reg": None, "day": mileage.READ_ON, "miles": mileage.MILES},
}
ALIASES = {"stock": ITEM_ALIASES, "vehicles": {"location": "currentLocation"}}


def prepare(name, data, list_key, choices=RECOGNISED):
    sheet = read_sheet(data)
    fields, aliases = FIELDS[list_key], ALIASES.get(list_key, {})
    plan = plan_of(sheet, fields, aliases, synonyms_of(list_key, sheet), choices)
    return Prepared(name, sheet, plan, fields)


def prepared(name, list_key, choices=RECOGNISED):
    return prepare(name, (FOLDER / name).read_bytes(), list_key, choices)


def values(table):
    """Return the filled cells of each row as values of their fields."""
    read = {name: cell_reader(field) if field else str for name, field in table.fields.items()}
    rows = ({name: read[name](cell) for name, cell in row.values.items() if cell} for row in table)
    return list(rows)


SAMPLES = [
    (
        ("snipe-it.csv", "assets", RECOGNISED),
        {
            "item": "Asset Name",
            "id": "Asset Tag",
            "model": "Model",
            "category": "Category",
            "make": "Manufacturer",
            "serial": "Serial",
            "purchaseDate": "Purchased",
            "purchasePrice": "Cost",
            "supplier": "Supplier",
            "location": "Location",
            "status": "Status",
        },
        {
            "item": "Laptop Finance 3",
            "id": "HG-00231",
            "model": "Latitude 7440",
            "category": "Laptops",
            "make": "Dell",
            "serial": "5CG3410Q7T",
            "purchaseDate": date(2024, 3, 4),
            "purchasePrice": 124900,
            "supplier": "Office & Co",
            "location": "Room 12",
            "status": "Ready to Deploy (deployed)",
        },
    ),
    (
        ("homebox.csv", "assets", RECOGNISED),
        {
            "location": "HB.location",
            "id": "HB.asset_id",
            "item": "HB.name",
            "quantity": "HB.quantity",
            "purchasePrice": "HB.purchase_price",
            "supplier": "HB.purchase_from",
            "purchaseDate": "HB.purchase_date",
            "make": "HB.manufacturer",
            "model": "HB.model_number",
            "serial": "HB.serial_number",
        },
        {
            "location": "Depot / Tool room",
            "id": "000-001",
            "item": "Cordless drill",
            "quantity": 2,
            "purchasePrice": 12999,
            "supplier": "Screwfix",
            "purchaseDate": date(2023, 5, 17),
            "make": "Makita",
            "model": "DHP482",
            "serial": "1048231",
        },
    ),
    (
        ("inventree-stock.csv", "assets", RECOGNISED),
        {
            "quantity": "Quantity",
            "serial": "Serial Number",
            "purchasePrice": "Purchase Price",
            "item": "Part.Name",
            "location": "Location.Name",
        },
        {
            "quantity": 1,
            "serial": "SN-4471",
            "purchasePrice": 34900,
            "item": "Label printer",
            "location": "Bench 2",
        },
    ),
    (
        ("inventree-parts.csv", "stock", Choices(columns={"Pricing min": "unitPrice"})),
        {
            "category": "Category Name",
            "item": "Name",
            "unit": "Units",
            "unitPrice": "Pricing min",
            "amount": "In Stock",
        },
        {
            "category": "Fixings",
            "item": "Wood screw 4 x 40",
            "unit": "pcs",
            "unitPrice": 4,
            "amount": 1250,
        },
    ),
    (
        ("grocy.tsv", "stock", RECOGNISED),
        {
            "item": "Product",
            "category": "Product group",
            "amount": "Amount",
            "unitPrice": "Last price",
        },
        {
            "item": "Filter coffee",
            "category": "Drinks",
            "amount": 6,
            "unit": "Packs",
            "unitPrice": 480,
        },
    ),
    (
        (
            "lubelogger-odometer.csv",
            "readings",
            Choices(columns={"extrafield_Registration": "reg"}),
        ),
        {"day": "Date", "miles": "Odometer", "reg": "extrafield_Registration"},
        {"day": date(2026, 1, 5), "miles": 48012, "reg": "LK19 VTE"},
    ),
    (
        ("lubelogger-supplies.csv", "stock", RECOGNISED),
        {"amount": "PartQuantity", "item": "Description"},
        {"amount": 4, "item": "Wiper blade"},
    ),
    (
        ("part-db.csv", "stock", RECOGNISED),
        {
            "item": "name",
            "category": "category",
            "amount": "quantity",
            "unitPrice": "price",
            "unit": "partUnit",
        },
        {"item": "BC547", "category": "Transistors -> NPN", "amount": 5, "unitPrice": 12},
    ),
    (
        ("odoo-products.csv", "stock", RECOGNISED),
        {
            "item": "Name",
            "unitPrice": "Cost",
            "amount": "Quantity On Hand",
            "unit": "Unit",
            "category": "Product Category",
        },
        {
            "item": "Desk combination",
            "unitPrice": 30050,
            "amount": 8,
            "unit": "Units",
            "category": "All / Saleable / Office Furniture",
        },
    ),
    (
        ("odoo-equipment.csv", "assets", RECOGNISED),
        {
            "item": "Equipment Name",
            "category": "Equipment Category",
            "serial": "Serial Number",
            "model": "Model",
            "supplier": "Vendor",
            "purchasePrice": "Cost",
            "location": "Location",
        },
        {
            "item": 'Samsung Monitor 15"',
            "category": "Monitors",
            "serial": "MT/127/18291015",
            "model": "S15",
            "supplier": "Azure Interior",
            "purchasePrice": 12000,
            "location": "Room 12",
        },
    ),
    (
        ("odoo-vehicles.csv", "vehicles", RECOGNISED),
        {
            "reg": "License Plate",
            "model": "Model",
            "make": "Brand",
            "classification": "Category",
            "status": "State",
            "currentLocation": "Location",
        },
        {
            "reg": "LK19 VTE",
            "model": "Ford/Transit",
            "make": "Ford",
            "classification": "Van",
            "status": "Registered",
            "currentLocation": "Depot",
        },
    ),
    (
        ("shelf.csv", "assets", RECOGNISED),
        {
            "item": "Name",
            "id": "Asset ID",
            "status": "Status",
            "purchasePrice": "Value",
            "category": "Category",
            "location": "Location",
            "purchaseDate": "purchase date",
            "serial": "Serial number",
        },
        {
            "item": "Camera body",
            "id": "SAM-0001",
            "status": "AVAILABLE",
            "purchasePrice": 239900,
            "category": "Cameras",
            "location": "Studio",
            "purchaseDate": date(2024, 2, 22),
            "serial": "0482110043",
        },
    ),
]


@pytest.mark.parametrize(
    ("sample", "columns", "first"), SAMPLES, ids=[each[0][0] for each in SAMPLES]
)
def test_the_file_of_another_tool_has_our_columns(sample, columns, first):
    table = prepared(*sample)
    pairs = zip(table.plan.columns, table.plan.names, strict=True)
    assert {column: name for column, name in pairs if column} == columns
    assert table.plan.repeated == {}
    # Every row can be read, so no cell of the sample has to be mended.
    assert values(table)[0] == first


def test_each_file_of_the_samples_is_tested():
    assert {each[0][0] for each in SAMPLES} == {path.name for path in FOLDER.iterdir()}


def test_amounts_with_units_are_split_and_prices_of_other_units_stay_as_they_are():
    rows = [row.values for row in prepared("grocy.tsv", "stock")]
    found = [(row["amount"], row["unit"], row["unitPrice"]) for row in rows]
    assert found == [("6", "Packs", "4.80"), ("1200", "Pieces", "0.05"), ("1", "Bottle", "1.95")]
    other = (FOLDER / "grocy.tsv").read_text().replace("£4.80 per Pack", "£19.20 per Box")
    row = next(iter(prepare("grocy.tsv", other.encode(), "stock")))
    assert (row.values["amount"], row.values["unitPrice"]) == ("6", "£19.20 per Box")


def test_a_name_of_a_tool_means_one_of_our_columns():
    columns = {}
    for (lists, _), names in NAMES.items():
        fields = FIELDS[lists.split()[0]]
        for name, column in names.items():
            assert column in {"", *fields}, name
            if column:
                assert columns.setdefault((lists, column_key(name)), column) == column, name


def test_a_name_that_a_tool_uses_differently_is_left_out_only_in_its_files():
    own = read_sheet(b"Description,Cost,Qty\nLamp,2,3\n")
    assert synonyms_of("gfm-main-stock", own)["Cost"] == "unitPrice"
    theirs = read_sheet((FOLDER / "lubelogger-supplies.csv").read_bytes())
    assert synonyms_of("stock", theirs)["Cost"] == ""
    assert synonyms_of("teams", own) == {}
