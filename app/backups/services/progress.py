"""Types by which services report their progress."""

from collections.abc import Callable
from contextlib import AbstractContextManager

Advance = Callable[[int], None]
"""Called with the number of steps done since the last call."""

Bar = Callable[[str, int], AbstractContextManager[Advance]]
"""Shows the progress of some work, by its label and number of steps."""
