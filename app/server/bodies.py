"""Reading the bodies of requests with a limit, a deadline and a least speed."""

import asyncio
import io
import tempfile
import time
from collections.abc import AsyncIterable
from typing import IO, NoReturn

MAX_IN_MEMORY = 256 * 1024
"""A body larger than this is kept in a temporary file."""

GRACE_SECONDS = 20.0
LEAST_BYTES_PER_SECOND = 1024
"""After the grace, a body that has arrived more slowly than this is given up."""

MAX_PAUSE_SECONDS = 15.0


class BodyNeeded(BaseException):
    """The application reads a body that isn't received; no Exception, so that none handles it."""


class TooSlow(Exception):
    """A body paused for too long, or arrived below the least speed."""


class BodyCutOff(Exception):
    """A body ended before its announced size, since the connection was lost."""


class BodyTooLarge(Exception):
    """A body is larger than the limit; its announced size was smaller or missing."""


class PendingBody(io.RawIOBase):
    """A `wsgi.input` of a body that hasn't been received: reading it raises BodyNeeded."""

    def readable(self) -> bool:
        """Return True, as readers ask before they read."""
        return True

    def readinto(self, *_: object) -> NoReturn:
        """Raise BodyNeeded."""
        raise BodyNeeded

    readall = readinto


async def receive_body(
    stream: AsyncIterable[bytes], announced: int | None, limit: int
) -> tuple[IO[bytes], int]:
    """Return a body as a file at its beginning, and its size in bytes.

    The stream ends alike after a whole body and after a lost connection. So only a body of an
    `announced` size can be checked; others (chunks) prove by their contents that they are whole, as
    JSON and multipart do. Raises BodyCutOff, TooSlow, and BodyTooLarge beyond `limit` bytes.
    """
    file = tempfile.SpooledTemporaryFile(MAX_IN_MEMORY)  # noqa: SIM115 (the caller closes it)
    size = 0
    begun = time.monotonic()
    pieces = aiter(stream)
    try:
        while True:
            try:
                async with asyncio.timeout(MAX_PAUSE_SECONDS):
                    piece = await pieces.__anext__()
            except StopAsyncIteration:
                break
            except TimeoutError:
                raise TooSlow from None
            size += len(piece)
            if size > limit:
                raise BodyTooLarge
            if time.monotonic() - begun > GRACE_SECONDS + size / LEAST_BYTES_PER_SECOND:
                raise TooSlow
            file.write(piece)
        if announced is not None and size < announced:
            raise BodyCutOff
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return file, size
