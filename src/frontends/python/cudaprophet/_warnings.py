"""Warnings of results as Python warnings."""
from __future__ import annotations

import warnings
from typing import Iterable, Tuple


class ProphetWarning(UserWarning):
    """Something that the user of a result should know.

    `id` is stable ("prolapse", "not_converged", ...; docs/reference/json.md lists all), `text` a sentence.
    """

    def __init__(self, text: str, id: str = "") -> None:
        super().__init__(text)
        self.id = id
        self.text = text

    def __reduce__(self) -> Tuple[type, Tuple[str, str]]:
        return (ProphetWarning, (self.text, self.id))

    def __repr__(self) -> str:
        return f"ProphetWarning({self.text!r}, id={self.id!r})"


def issue(found: Iterable[ProphetWarning], level: int, who: str = "") -> None:
    """Gives them to Python's warnings, as if from `level` calls above the caller."""
    for warning in found:
        text = f"{who}: {warning.text}" if who else warning.text
        warnings.warn(ProphetWarning(text, warning.id), stacklevel=level + 1)
