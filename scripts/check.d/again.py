"""Repeats checks that a busy machine can spoil. Shared by all checks; standard library only."""

from __future__ import annotations

from collections.abc import Callable


def again(tries: int, attempt: Callable[[bool], bool]) -> bool:
    """Calls `attempt` until it returns true, at most `tries` times, and returns whether it did. Its argument says whether it is the last try."""
    return any(attempt(number == tries - 1) for number in range(tries))
