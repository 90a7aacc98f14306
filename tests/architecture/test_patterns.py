"""Patterns that judge whole texts take time in proportion to a text, whatever is in it."""

import re
import sys
from itertools import product
from time import process_time
from timeit import repeat

PIECES = [" ", ",", "1", "1,", "a", "_", "-", " -", ".", ";", "\n", "1 ", "a ", "/", "£"]
LENGTH, TIMES = 1_500, 8


def is_slow(pattern: re.Pattern, start: str, piece: str) -> bool:
    """Return whether a text of so many times the length takes far more than that, each time."""

    def seconds(length: int) -> float:
        text = start + piece * length + "!"
        judged = text.encode() if isinstance(pattern.pattern, bytes) else text
        # Other processes take their turns in longer times alone.
        run = repeat(lambda: pattern.fullmatch(judged), timer=process_time, number=1, repeat=3)
        return min(run)

    tries = ((seconds(LENGTH * TIMES), seconds(LENGTH)) for _ in range(3))
    # Shorter times say nothing on a busy machine.
    return all(long > max(0.01, short * TIMES * 3) for long, short in tries)


def test_no_pattern_grows_faster_than_the_text_that_it_matches_whole():
    patterns = {
        f"{name}.{variable}": value
        for name, module in sys.modules.items()
        if name.startswith("app.")
        for variable, value in vars(module).items()
        if isinstance(value, re.Pattern)
    }
    assert len(patterns) > 30
    texts = [*product(("", "A", "1"), PIECES)]
    slow = {name for name, pattern in patterns.items() if any(is_slow(pattern, *t) for t in texts)}
    assert slow == set()
