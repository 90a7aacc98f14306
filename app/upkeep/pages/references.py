"""Texts that name defects, with links to them."""

import re

from flask import url_for
from markupsafe import Markup, escape

_REFERENCE = re.compile(r"\bD-(\d{4,9})\b", re.ASCII)


def link_defects(text: str) -> Markup:
    """Return a text with each number of a defect, such as 'D-0142', as a link to it."""
    parts: list[Markup] = []
    end = 0
    for found in _REFERENCE.finditer(text):
        url = url_for("upkeep.defect", number=int(found[1]))
        link = Markup('<a class="reference" href="{}">{}</a>').format(url, found[0])
        parts += [escape(text[end : found.start()]), link]
        end = found.end()
    return Markup("").join([*parts, escape(text[end:])])
