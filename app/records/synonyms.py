"""The names that other tools give the columns of our lists, read from the source of each tool."""

from collections.abc import Mapping
from itertools import chain, islice

from app.tables.columns import column_key
from app.tables.sheets import COMPARED_ROWS, Sheet

NAMES: Mapping[tuple[str, str], Mapping[str, str]] = {
    ("assets", "any"): {"Qty": "quantity", "Serial No": "serial", "Room": "location"},
    ("stock deliveries", "any"): {"Qty": "amount", "Stock": "amount", "Product": "item"},
    ("vehicles vans due readings defects", "any"): {"Vehicle": "reg", "Plate": "reg"},
    ("assets", "Snipe-IT"): {
        "Asset Name": "item",
        "Name": "item",
        "Asset Tag": "id",
        "Manufacturer": "make",
        "Purchased": "purchaseDate",
        "Cost": "purchasePrice",
        "Purchase Cost": "purchasePrice",
    },
    ("assets", "Homebox"): {
        "HB.name": "item",
        "HB.asset_id": "id",
        "HB.manufacturer": "make",
        "HB.model_number": "model",
        "HB.serial_number": "serial",
        "HB.purchase_from": "supplier",
        "HB.location": "location",
        "HB.purchase_date": "purchaseDate",
        "HB.purchase_time": "purchaseDate",
        "HB.purchase_price": "purchasePrice",
        "HB.quantity": "quantity",
    },
    ("assets", "InvenTree"): {
        "Part.Name": "item",
        "Location.Name": "location",
        "Serial Number": "serial",
        # These are numbers of its database.
        "ID": "",
        "Status": "",
    },
    ("assets", "Odoo"): {
        "Equipment Name": "item",
        "Serial Number": "serial",
        "Vendor": "supplier",
        "Equipment Category": "category",
        "Cost": "purchasePrice",
    },
    ("assets", "Shelf"): {"Name": "item", "Asset ID": "id", "Value": "purchasePrice"},
    ("stock", "Grocy"): {"Product": "item", "Product group": "category", "Last price": "unitPrice"},
    ("stock", "InvenTree"): {
        "In Stock": "amount",
        "Units": "unit",
        "Category Name": "category",
        # 'Name' is the item, the others are numbers of its database.
        "ID": "",
        "Category": "",
        "Description": "",
    },
    # Its cost is the price of all of them.
    ("stock", "LubeLogger"): {"Description": "item", "PartQuantity": "amount", "Cost": ""},
    ("stock", "Odoo"): {
        "Quantity On Hand": "amount",
        "Product Category": "category",
        "Cost": "unitPrice",
        "Unit of Measure": "unit",
        "ID": "",
    },
    ("stock", "Part-DB"): {
        "quantity": "amount",
        "instock": "amount",
        "total_instock": "amount",
        "category.full_name": "category",
        "price": "unitPrice",
        "partUnit": "unit",
        "partUnit.full_name": "unit",
        "description": "",
    },
    ("stock", "Snipe-IT"): {"Purchase Cost": "unitPrice"},
    ("vehicles vans", "Odoo"): {
        "License Plate": "reg",
        "Brand": "make",
        "State": "status",
        "Category": "classification",
    },
    ("readings", "LubeLogger"): {"Date": "day", "Odometer": "miles"},
}
"""Our columns by their names, for lists and a tool; '' where a name means something else."""


def synonyms_of(target_key: str, sheet: Sheet) -> Mapping[str, str]:
    """Return our columns by the names that other tools give them; '' for one to leave out."""
    list_name = target_key.rpartition("-")[2]  # 'stock' of 'gfm-main-stock'
    tools = [names for (lists, _), names in NAMES.items() if list_name in lists.split()]
    rows = (row for _, row in islice(sheet, COMPARED_ROWS))
    found = {*map(column_key, chain.from_iterable(rows))}

    def score(names: Mapping[str, str]) -> int:
        return sum(bool(column) and column_key(name) in found for name, column in names.items())

    shared = {name: column for names in tools for name, column in names.items() if column}
    likely = max(tools, key=score, default={})
    # A tool is known by two of its names: others mean something else elsewhere.
    return {**shared, **likely} if score(likely) > 1 else shared
