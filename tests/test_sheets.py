"""Tables in whatever file people have: what is recognised, and what is refused."""

import io
import zipfile

import pytest

from app.errors import Invalid
from app.fields import Day, Pounds
from app.tables.columns import NO_NAMES, RECOGNISED, Choices, Prepared, plan_of
from app.tables.csv_files import Table
from app.tables.sheets import read_sheet

ROWS = [["Item", "Price"], ["Café", "2,50"], ["Tee", "1,20"]]


def text(separator):
    return "".join(f"{item}{separator}{price}\n" for item, price in ROWS)


def ods(*rows, **sheets):
    """Return an OpenDocument workbook with a sheet of these rows, or several of them by name."""
    found = sheets or {"Sheet1": rows}
    tables = "".join(
        f'<table:table table:name="{name}">'
        + "".join(
            "<table:table-row>" + "".join(map(_cell, row)) + "</table:table-row>" for row in lines
        )
        + "</table:table>"
        for name, lines in found.items()
    )
    names = "".join(
        f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text")
    )
    content = f"<office:document-content{names}><office:body><office:spreadsheet>{tables}"
    content += "</office:spreadsheet></office:body></office:document-content>"
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        file.writestr("META-INF/manifest.xml", "<manifest/>")
        file.writestr("content.xml", content)
    return buffer.getvalue()


def _cell(value):
    if value == "":
        return "<table:table-cell/>"
    if isinstance(value, float):
        return f'<table:table-cell office:value-type="float" office:value="{value}"/>'
    if isinstance(value, bool):
        return f'<table:table-cell office:value-type="boolean" office:boolean-value="{value}"/>'
    kind, attribute = ("date", "date-value") if value[:2] == "20" else ("string", "string-value")
    return (
        f'<table:table-cell office:value-type="{kind}" office:{attribute}="{value}">'
        f"<text:p>{value}</text:p></table:table-cell>"
    )


@pytest.mark.parametrize(
    ("data", "encoding", "separator"),
    [
        (text(";").encode(), "UTF-8", ";"),
        (text("\t").encode("utf-8-sig"), "UTF-8", "\t"),
        (text(";").encode("cp1252"), "Windows-1252", ";"),
        (text("|").encode("utf-16"), "UTF-16", "|"),
        (text("\t").encode("utf-16-le"), "UTF-16 LE", "\t"),
        (
            b"\xfe\xff" + text(",").replace("2,50", '"2,50"').replace("1,20", '"1,20"').encode(),
            "UTF-8",
            ",",
        ),
        (b'Item,Price\r\nCaf\xe9,"2,50"\r\nTee,"1,20"\r\n', "Windows-1252", ","),
    ],
)
def test_encoding_and_separator_of_a_text_are_recognised(data, encoding, separator):
    sheet = read_sheet(data)
    assert (sheet.encoding, sheet.separator) == (encoding, separator)
    assert [row for _, row in sheet] == ROWS


def test_a_wrongly_recognised_encoding_or_separator_can_be_changed():
    data = "Item;Price\nÄ,B;2\n".encode("cp1252")
    assert [row for _, row in read_sheet(data, separator=",")] == [["Item;Price"], ["Ä", "B;2"]]
    assert read_sheet("é".encode(), encoding="Windows-1252").text == "Ã©"


def test_a_workbook_is_read_by_the_numbers_of_its_rows():
    data = ods(["", ""], ["Item", "Day"], ["=1+1", "2026-02-03"], ["", ""], ["'s", 12.0])
    sheet = read_sheet(data)
    assert list(sheet) == [(2, ["Item", "Day"]), (3, ["'=1+1", "2026-02-03"]), (5, ["''s", "12"])]


def test_the_first_sheet_that_is_not_empty_is_proposed():
    data = ods(Empty=[], Stock=[["Item"], ["Lamp"]], Notes=[["Hello"]])
    sheet = read_sheet(data)
    assert (sheet.sheets, sheet.sheet) == (["Empty", "Stock", "Notes"], "Stock")
    assert [row for _, row in read_sheet(data, sheet="Notes")] == [["Hello"]]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"PK\x03\x04 and nothing more", "This isn't a table"),
        (b"%PDF-1.4 \x00\xff", "This isn't a table"),
        ("Item,n\nCafé,2\nTé".encode()[:-1], "Row 3 isn't complete"),
        (b'Item,n\n"Caf,2\nTe,3', "Row 2 isn't complete"),
        (b"Item,n\nCaf\0,2", r"Row 2 holds a character that can't be stored \(U\+0000\)"),
    ],
)
def test_a_file_that_is_no_table_is_refused(data, message):
    with pytest.raises(Invalid, match=message):
        list(read_sheet(data))


def test_a_workbook_of_1_kb_that_claims_17_billion_cells_is_refused():
    sheet = (
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
        '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c>'
        "</row></sheetData></worksheet>"
    )
    with pytest.raises(Invalid, match=r"too large or damaged\. Save the sheet as CSV"):
        read_sheet(xlsx(sheet))


def xlsx(sheet):
    """Return a workbook of one sheet's XML."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    links = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    packages = "http://schemas.openxmlformats.org/package/2006/relationships"
    types = "http://schemas.openxmlformats.org/package/2006/content-types"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{types}"/>',
        "_rels/.rels": (
            f'<Relationships xmlns="{packages}"><Relationship Id="r1" '
            f'Type="{links}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
        ),
        "xl/workbook.xml": (
            f'<workbook xmlns="{main}" xmlns:r="{links}"><sheets>'
            '<sheet name="One" sheetId="1" r:id="r1"/></sheets></workbook>'
        ),
        "xl/_rels/workbook.xml.rels": (
            f'<Relationships xmlns="{packages}"><Relationship Id="r1" '
            f'Type="{links}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>'
        ),
        "xl/worksheets/sheet1.xml": sheet,
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in parts.items():
            file.writestr(name, content)
    return buffer.getvalue()


def columns_of(content):
    sheet, fields = read_sheet(content), {"item": None, "unitPrice": None}
    plan = plan_of(sheet, fields, {"name": "item"})
    table = Table(Prepared("list.csv", sheet, plan, fields, ["item"], ["unitPrice"]))
    read = [(cells.line, cells.read("item", str), cells.read("unitPrice", str)) for cells in table]
    table.check()
    return read


def test_columns_are_found_whatever_their_spelling_below_the_title_of_a_sheet():
    lamp = (2, "Lamp", "2")
    for header in ("item,unitPrice", "Item,UNIT PRICE", "Îtem,unit_price", "NAME,Unit-Price"):
        assert columns_of(f"{header}\nLamp,2\n".encode()) == [lamp], header
    titled = b"Our stock,\nof today,\nItem,Unit price\nLamp,2\n"
    assert columns_of(titled) == [(4, "Lamp", "2")]
    assert columns_of(ods(["Stock", ""], ["Item", "Unit price"], ["Lamp", 2.0])) == [
        (3, "Lamp", "2")
    ]


PRICE = Pounds(name="price", label="Price")
BOUGHT = Day(name="bought", label="Bought")
FIELDS = {"item": None, "price": PRICE, "bought": BOUGHT}


def prepared(content, choices=RECOGNISED, synonyms=NO_NAMES):
    sheet = read_sheet(content.encode())
    plan = plan_of(sheet, FIELDS, {}, synonyms, choices)
    return Prepared("list.csv", sheet, plan, FIELDS)


def cells(content, column, **options):
    return [row.values[column] for row in prepared(content, **options)]


@pytest.mark.parametrize(
    ("texts", "days"),
    [
        (["3/2/2026", "03.02.26", "3 Feb 2026", "3-Feb-26"], ["2026-02-03"] * 4),
        (["46056", "2026-02-03 09:30", "Feb 3, 2026"], ["2026-02-03"] * 3),
        (["2/13/2026", "3/2/2026"], ["2026-02-13", "2026-03-02"]),
        (
            ["1/1/69", "1/1/70", "N/A", "-", "soon"],
            ["2069-01-01", "1970-01-01 (no date)", "", "", "soon"],
        ),
    ],
)
def test_days_are_read_in_one_order_for_the_whole_column(texts, days):
    lines = "\n".join(f'Lamp;"{text}"' for text in texts)
    assert cells(f"Item;Bought\n{lines}", "bought") == days


def test_days_in_two_orders_are_asked_about():
    both = "Item,Bought\nLamp,13/02/26\nDesk,02/13/26\n"
    assert prepared(both).plan.day_problem == "13/02/26 and 02/13/26 can't both be right."
    chosen = Choices(day_first=False)
    assert cells(both, "bought", choices=chosen) == ["13/02/26", "2026-02-13"]


@pytest.mark.parametrize(
    ("texts", "numbers"),
    [
        (["2,50", "1.204", "£ 3,00"], ["2.50", "1204", "3"]),
        (["2.50", "1,204", "(5.00)", "5-"], ["2.50", "1204", "-5", "-5"]),
        (["1,204", "1,5"], ["1.204", "1.5"]),
        (["#N/A", "none", "free"], ["", "", "free"]),
    ],
)
def test_the_decimal_sign_is_recognised_once_for_the_file(texts, numbers):
    lines = "\n".join(f"Lamp;{text}" for text in texts)
    assert cells(f"Item;Price\n{lines}", "price") == numbers


def test_rows_that_add_up_others_and_empty_rows_are_left_out():
    found = prepared("Item,Price\nLamp,2\n,\nTotal,2\n")
    assert ([row.line for row in found], found.sums) == ([2], [4])


def test_a_table_whose_header_is_ours_is_read_literally():
    found = prepared("item,price,bought\nTotal,N/A,3/2/2026\n")
    (row,) = found
    assert row.values == {"item": "Total", "price": "N/A", "bought": "3/2/2026"}


def test_columns_of_other_tools_are_recognised_and_the_first_of_two_is_taken():
    names = {"Purchase Cost": "price", "Asset Name": "item"}
    plan = prepared("Asset name,Item,PURCHASE_COST,Colour\n", synonyms=names).plan
    assert (plan.columns, plan.repeated, plan.ignored) == (
        ["item", "", "price", ""],
        {"Item": "item"},
        ["Colour"],
    )
    other = Choices(columns={"Item": "item", "Asset name": ""})
    assert prepared("Asset name,Item\n", choices=other).plan.columns == ["", "item"]


def test_each_column_has_a_name_of_its_own():
    plan = prepared("Item,,Status,Status,\nLamp,1,10,OK,2\n").plan
    assert plan.names == ["Item", "Column 2", "Status", "Status 4", "Column 5"]


def test_the_first_filled_column_is_taken_unless_one_is_chosen():
    names = {"Location": "item", "Default location": "item"}
    content = "Price,Location,Default location,Item\n2,,Depot,Lamp\n3,,,Desk\n"
    plan = prepared(content, synonyms=names).plan
    assert plan.columns == ["price", "", "item", ""]
    assert plan.repeated == {"Location": "item", "Item": "item"}
    chosen = prepared(content, Choices(columns={"Item": "item"}), names).plan
    assert (chosen.columns, chosen.repeated) == (["price", "", "", "item"], {})


def test_a_name_of_ours_that_means_something_else_is_left_out():
    plan = prepared("Asset name,Item,Price\n", synonyms={"Asset name": "item", "Item": ""}).plan
    assert (plan.columns, plan.ignored) == (["item", "", "price"], ["Item"])


def test_prices_in_another_currency_stay_as_they_are():
    assert cells("Item;Price\nLamp;$2.50\nDesk;GBP 2.50\nTee;2,50 €\n", "price") == [
        "$2.50",
        "2.50",
        "2,50 €",
    ]


@pytest.mark.parametrize(
    ("texts", "numbers"),
    [
        (["12,50", "3.20"], ["12,50", "3.20"]),
        (["12,50", "1,20", "3.2"], ["12.50", "1.20", "3.2"]),
        (["12.50", "1.204,00"], ["12.50", "1.204,00"]),
        (["1,2,3", "5.00"], ["1,2,3", "5"]),
        (["1.20", "1,5"], ["1.20", "1,5"]),
        (["£1,204.50", "1 204,00"], ["1204.50", "1 204,00"]),
    ],
)
def test_a_number_with_another_decimal_sign_stays_as_it_is_for_its_field_to_refuse(texts, numbers):
    lines = "\n".join(f"Lamp;{text}" for text in texts)
    assert cells(f"Item;Price\n{lines}", "price") == numbers


def test_a_workbook_s_numbers_have_a_point_and_its_texts_no_sign_of_ours():
    book = ods(["Item", "Price", "Bought"], ["Lamp", 3.125, "-"], ["Desk", "-5", "1/2/26"])
    sheet = read_sheet(book)
    plan = plan_of(sheet, FIELDS)
    rows = [row.values for row in Prepared("list.ods", sheet, plan, FIELDS)]
    assert [(row["price"], row["bought"]) for row in rows] == [("3.125", ""), ("-5", "2026-02-01")]


def test_a_header_below_the_first_twenty_rows_can_be_chosen():
    content = "Notes\n" * 25 + "Item,Price\nLamp,2\n"
    assert prepared(content, Choices(header=26)).plan.columns == ["item", "price"]
