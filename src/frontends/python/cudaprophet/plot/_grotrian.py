"""Lines between the levels of a Grotrian diagram."""
from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Tuple

import numpy as np

from .. import _core, spectra
from ._files import Data

_USUAL = 15  # lines that are drawn
_WRITTEN = 8  # wavelengths, at most
_COLOUR = "#808080"
_DASHES = {"E1": "-", "M1": "--", "E2": "-.", "M2": ":", "E3": (0, (4, 1, 1, 1, 1, 1)), "M3": (0, (1, 3))}
_PARTS = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82)  # of a line, where its wavelength may stand


class Bar(NamedTuple):
    """Where the bar of a level lies."""

    left: float
    right: float
    height: float


class Drawn(NamedTuple):
    type: str
    wavelength: float  # in vacuum, nm
    start: Tuple[float, float]  # on the bar of the upper level
    end: Tuple[float, float]


def draw_lines(axis: Any, data: Data, number: int, bars: Dict[int, Bar]) -> List[Drawn]:
    """The lines with the largest rates between levels that have bars, the strongest first, of two levels the one with the largest; True:
    the usual number of them."""
    found = spectra.lines_of(data)
    most = _USUAL if number is True else int(number)
    if most < 1:
        raise _core.Error(f"lines: found {number!r}; expected True or the number of lines")
    shown = np.isin(found.lower, list(bars)) & np.isin(found.upper, list(bars)) & (found.rate > 0)
    strongest: Dict[Tuple[int, int], int] = {}
    for i in np.argsort(-found.rate, kind="stable"):
        if shown[i]:
            strongest.setdefault((int(found.upper[i]), int(found.lower[i])), int(i))
    pairs = list(strongest)[:most]
    chosen, ends = [strongest[pair] for pair in pairs], _ends(pairs, bars)
    drawn = [Drawn(found.type[i], float(spectra.EV_NM / found.energy[i]), *pair) for i, pair in zip(chosen, ends)]
    for line in reversed(drawn):
        axis.plot(*zip(line.start, line.end), color=_COLOUR, linewidth=0.7, linestyle=_DASHES.get(line.type, "-"), zorder=1.5, label=line.type)
    return drawn


def _ends(pairs: List[Tuple[int, int]], bars: Dict[int, Bar]) -> List[Tuple[Tuple[float, float], Tuple[float, float]]]:
    """Places on the bars of the upper and the lower level: the lines of a bar share its length, in order of where they lead."""
    def middle(level: int) -> float:
        return (bars[level].left + bars[level].right) / 2

    others: Dict[int, List[Tuple[float, int, int]]] = {}
    for at, (upper, lower) in enumerate(pairs):
        others.setdefault(upper, []).append((middle(lower), at, 0))
        others.setdefault(lower, []).append((middle(upper), at, 1))
    ends = [[(0.0, 0.0), (0.0, 0.0)] for _ in pairs]
    for level, lines in others.items():
        bar = bars[level]
        for rank, (_, at, side) in enumerate(sorted(lines)):
            ends[at][side] = bar.left + (rank + 1) / (len(lines) + 1) * (bar.right - bar.left), bar.height
    return [(start, end) for start, end in ends]


def write_wavelengths(axis: Any, drawn: List[Drawn], bars: Dict[int, Bar]) -> None:
    """Beside the strongest lines, where there is room; nanometres, of long waves micrometres. The panel has its place and its ends."""
    axis.figure.draw_without_rendering()
    taken = [text.get_window_extent().expanded(1.02, 1.1) for text in axis.texts if text.get_text()]
    for text in axis.texts:
        text.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 0.2})  # lines pass behind
    for bar in bars.values():
        (left, height), (right, _) = axis.transData.transform([(bar.left, bar.height), (bar.right, bar.height)])
        taken.append(_box(left, height - 2, right, height + 2))
    frame, written = axis.get_window_extent(), 0
    for line in drawn:
        if written == _WRITTEN:
            return
        text = axis.text(*line.start, wavelength_text(line.wavelength), fontsize=7, ha="center", va="center", zorder=3,
                         bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6})
        for part in _PARTS:
            text.set_position([a + part * (b - a) for a, b in zip(line.start, line.end)])
            box = text.get_window_extent().expanded(1.04, 1.15)
            if frame.x0 < box.x0 and box.x1 < frame.x1 and frame.y0 < box.y0 and box.y1 < frame.y1 and \
                    not any(box.overlaps(other) for other in taken):
                taken.append(box)
                written += 1
                break
        else:
            text.remove()


def _box(left: float, low: float, right: float, high: float) -> Any:
    from matplotlib.transforms import Bbox
    return Bbox.from_extents(left, low, right, high)


def wavelength_text(wavelength: float) -> str:
    """Four digits: 574.0 nm."""
    number, unit = (wavelength, "nm") if wavelength < 1e4 else (wavelength / 1000, "µm")
    return f"{number:#.4g}".rstrip(".") + " " + unit if number < 1e4 else f"{number:.0f} {unit}"
