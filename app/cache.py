"""Values computed from a whole list, kept by each worker until the list changes."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import TypeVar, cast

from app.db import db
from app.engines import losses

MAX_VALUES = 200

Value = TypeVar("Value")

_values: OrderedDict[Hashable, object] = OrderedDict()
_lock = Lock()


def cached(version: Hashable, compute: Callable[[], Value], *arguments: Hashable) -> Value:
    """Return a value that `compute` has returned for this version and these arguments.

    The caller has read `version` from the database in this transaction, before the value: it names
    the list and changes with it. The first of the arguments is the value's own name.
    """
    key = (str(db.engine.url), losses(db.engine), version, *arguments)
    with _lock:
        if key in _values:
            _values.move_to_end(key)
            return cast(Value, _values[key])
    value = compute()
    with _lock:
        _values[key] = value
        while len(_values) > MAX_VALUES:
            _values.popitem(last=False)
    return value


def forget_values() -> None:
    """Empty the cache, as a test does when it replaces the database."""
    with _lock:
        _values.clear()
