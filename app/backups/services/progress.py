"""How services tell how far they are."""

from collections.abc import Callable
from contextlib import AbstractContextManager

Advance = Callable[[int], None]
"""Is told of each few steps that are done."""

Bar = Callable[[str, int], AbstractContextManager[Advance]]
"""Shows under a label how many of so many steps are done."""
