"""The ids that the register proposes: the number after the highest of the same form; pure."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

_FORM = re.compile(r"(.*?)([0-9]{1,9})")
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


@dataclass(frozen=True)
class IdForm:
    """The common form of numbered ids, such as 'AST-' and four digits."""

    prefix: str
    digits: int

    @property
    def last_number(self) -> int:
        """Return the highest number of this form."""
        return int("9" * self.digits)

    def write(self, number: int) -> str:
        """Return the id with a number."""
        return f"{self.prefix}{number:0{self.digits}d}"

    def number_of(self, asset_id: str) -> int | None:
        """Return the number of an id, None for an id of another form."""
        digits = asset_id[-self.digits :]
        return int(digits) if digits.isascii() and digits.isdecimal() else None

    def longer(self) -> "IdForm":
        """Return the form of the numbers that have one digit more."""
        return replace(self, digits=self.digits + 1)


FIRST_FORM = IdForm("AST-", 4)
"""The form of the first ids, before any is numbered."""


def form_of(asset_id: str) -> IdForm | None:
    """Return the form of an id that ends in a number, None for another id."""
    found = _FORM.fullmatch(asset_id)
    return None if found is None or _UUID.fullmatch(asset_id) else IdForm(found[1], len(found[2]))


def most_common_form(asset_ids: Iterable[str]) -> IdForm:
    """Return the form that most of some ids have, the first form if none is numbered."""
    forms = Counter(form for asset_id in asset_ids if (form := form_of(asset_id)))
    return forms.most_common(1)[0][0] if forms else FIRST_FORM
