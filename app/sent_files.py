"""A file as somebody sent it, whatever it turns out to be."""

from dataclasses import dataclass
from hashlib import sha256


@dataclass(frozen=True)
class SentFile:
    """A file with its content in `data`, or one that its sender uploaded before.

    `id` is the SHA-256 of the bytes that the sender has.
    """

    name: str
    id: str
    data: bytes | None = None

    @classmethod
    def with_data(cls, name: str, data: bytes) -> "SentFile":
        """Return a file that comes with its content."""
        return cls(name, sha256(data).hexdigest(), data)
