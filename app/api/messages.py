"""Messages of errors in bodies."""

from typing import Any


class FullMessage(str):
    """A message that is clear without the name of its field; others are shown behind it.

    'Amount must be at least 1' is one, 'Must be a whole number.' isn't. marshmallow's validators
    and fields format the messages they are given, so formatting keeps the type.
    """

    __slots__ = ()

    def format(self, *args: Any, **kwargs: Any) -> "FullMessage":
        """Return the message with values filled in."""
        return FullMessage(super().format(*args, **kwargs))
