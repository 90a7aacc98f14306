"""The next free id of the register."""

from dataclasses import replace

from sqlalchemy import func, select

from app import names
from app.assets.models import Asset, AssetMove
from app.assets.rules import IdForm, most_common_form
from app.db import db

MAX_RECENT = 50
"""How many of the last added assets decide the form of the next id."""

MAX_READ = 20
"""How many ids are read in search of the highest number: some may end in letters."""


def next_id() -> str:
    """Return the id after the highest of the last assets' form; moves keep ids that they name."""
    recent = select(Asset.asset_id).order_by(Asset.id.desc()).limit(MAX_RECENT)
    form = most_common_form(db.session.execute(recent).scalars())
    highest = _highest(form)
    while highest == form.last_number:
        form = replace(form, digits=form.digits + 1)
        highest = max(highest, _highest(form))
    return form.write(highest + 1)


def _highest(form: IdForm) -> int:
    first, last = names.key(form.write(0)), names.key(form.write(form.last_number))
    highest = 0
    for key in (Asset.asset_key, AssetMove.asset_key):
        is_of_form = (key.between(first, last), func.length(key) == len(last))
        newest = select(key).where(*is_of_form).order_by(key.desc()).limit(MAX_READ)
        numbers = map(form.number_of, db.session.scalars(newest))
        highest = max(highest, next((n for n in numbers if n is not None), 0))
    return highest
