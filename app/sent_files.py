"""A file as somebody sent it, whatever it turns out to be."""

from dataclasses import dataclass
from hashlib import sha256


@dataclass(frozen=True)
class SentFile:
    """A file with its content, or an earlier upload; `id` is the SHA-256 of its sender's bytes."""

    name: str
    id: str
    data: bytes | None = None

    @classmethod
    def with_data(cls, name: str, data: bytes) -> "SentFile":
        """Return a file that comes with its content."""
        return cls(name, sha256(data).hexdigest(), data)
