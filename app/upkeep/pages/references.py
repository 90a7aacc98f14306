"""Texts that name defects, with links to them."""

from flask import url_for
from markupsafe import Markup, escape

from app.upkeep.rules.words import DEFECT_REFERENCE


def link_defects(text: str) -> Markup:
    """Return a text with each number of a defect, such as 'D-0142', as a link to it."""
    parts: list[Markup] = []
    end = 0
    for found in DEFECT_REFERENCE.finditer(text):
        url = url_for("upkeep.defect", number=int(found[0].removeprefix("D-")))
        link = Markup('<a class="reference" href="{}">{}</a>').format(url, found[0])
        parts += [escape(text[end : found.start()]), link]
        end = found.end()
    return Markup("").join([*parts, escape(text[end:])])
