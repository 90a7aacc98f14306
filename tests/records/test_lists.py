"""The page of a list without a template of its own: its columns, and what its view gives it."""

from dataclasses import replace

import pytest
from flask import Blueprint

from app.db import transaction
from app.defects.schemas.repairs import REPAIR_LIST
from app.directory.acts import for_gpm
from app.directory.rules import DirectoryList, NameState
from app.directory.schemas import SERVICE_LIST
from app.directory.services import names
from app.divisions import Division
from app.records.lists import list_view
from app.sorting import SortKind
from tests.person import rows


def test_a_column_of_a_field_is_sorted_and_set_as_its_kind_of_values():
    kinds = {column.name: column.kind for column in REPAIR_LIST.headings}
    assert (kinds["total"], kinds["finishedOn"]) == (SortKind.NUMBER, SortKind.DAY)
    assert [column.name for column in REPAIR_LIST.headings if column.css_class] == ["total"]


@pytest.mark.own_app
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_list_without_a_template_has_its_columns_and_leads_to_its_rows(app, signed_in) -> None:
    pages = Blueprint("offers", __name__)
    offers = replace(
        SERVICE_LIST, name="offer", plural="offers", columns=SERVICE_LIST.cells, listed=()
    )
    list_view(pages, for_gpm, offers, "/offers", add="directory.services", opens="edit")
    app.register_blueprint(pages)
    trader = signed_in("trader", Division.GPM)
    page = trader.open("/offers")
    assert (page.title, page.all(".empty p")) == ("Offers · Quartermaster", ["No offers yet."])
    assert page.link("Add offer") == "/services"
    with app.app_context(), transaction():
        names.add(DirectoryList.SERVICES, NameState("Windows & doors", "Inside"))
    page = trader.open("/offers?q=doors")
    assert page.all("thead th") == ["Name", "Description"]
    assert rows(page) == [["Windows & doors", "Inside"]]
    assert page.link("Windows & doors") == "/offers/1/edit"
