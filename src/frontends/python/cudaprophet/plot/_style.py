"""The style that all pictures share: colours, frame, and how shells, species and units are written."""
from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from .. import _core

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: One for all curves, one after the other, or by the name of the curve.
Colours = Union[str, Sequence[str], Mapping[str, str], None]
#: Whether there is a legend; a text says where, "upper left".
Legend = Union[bool, str]

# Distinct for the colour-blind too; a test computes how far apart they are. All but two are Okabe and Ito's.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#882255", "#56B4E9", "#332288")
DASHES = ("-", "--", "-.", ":")
FRAME, GRID, WIDTH = "#404040", "#e6e6e6", 1.4
MAP = "inferno"  # even in lightness, for the colour-blind too

_UNITS = {"1/angstrom": "Å⁻¹", "angstrom": "Å", "degree": "°", "electrons^2": "electrons²", "angstrom^3": "Å³",
          "angstrom^6": "Å⁶", "1/angstrom^3": "Å⁻³"}
_RAISED = str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")


class Canvas:
    """The figure and the panels that a function draws into: those of the caller (`ax`), or new ones."""

    def __init__(self, rows: int = 1, columns: int = 1, *, ax: Any = None, colours: Colours = None, legend: Legend = True,
                 width: float = 7.2, height: float = 4.5, **shared: Any) -> None:
        self.own = ax is None
        self.colours = colours
        self.with_legend = legend
        if self.own:
            self.figure = new_figure(width, height)
            grid = self.figure.subplots(rows, columns, squeeze=False, **shared)
            self.panels: List[Any] = list(grid.ravel())
        else:
            self.panels = _panels(ax)
            self.figure = self.panels[0].figure
        for axis in self.panels:
            frame(axis)

    @property
    def first(self) -> Any:
        return self.panels[0]

    def colour(self, index: int, name: str = "") -> str:
        """Of the curve with this number and name."""
        if isinstance(self.colours, str):
            return self.colours
        if isinstance(self.colours, Mapping):
            return str(self.colours.get(name, PALETTE[index % len(PALETTE)]))
        chosen = self.colours or PALETTE
        return str(chosen[index % len(chosen)])

    def line(self, index: int, name: str = "") -> Dict[str, Any]:
        """Colour and dashes of a curve: two that lie on top of each other are both seen."""
        return {"color": self.colour(index, name), "linestyle": DASHES[index % len(DASHES)], "linewidth": WIDTH}

    def legend(self, axis: Any, **more: Any) -> None:
        if self.with_legend and axis.get_legend_handles_labels()[1]:
            place = self.with_legend if isinstance(self.with_legend, str) else "best"
            axis.legend(**{"frameon": False, "fontsize": 9, "loc": place, **more})

    def title(self, text: str) -> None:
        """Above a figure of its own; the caller's panels keep the caller's titles."""
        if self.own:
            self.figure.suptitle(text, fontsize=11)


def new_figure(width: float = 7.2, height: float = 4.5) -> "Figure":
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise _core.Error("pictures need matplotlib: pip install matplotlib") from None
    return Figure(figsize=(width, height), layout="constrained", dpi=150)


def subplots(rows: int = 1, columns: int = 1, *, width: float = 7.2, height: float = 4.5, **shared: Any) -> "Tuple[Figure, Any]":
    """A figure and its Axes (an array of several) in the style of these pictures, for curves of your own; sizes in inches, further
    arguments as those of matplotlib's Figure.subplots."""
    canvas = Canvas(rows, columns, width=width, height=height, **shared)
    for axis in canvas.panels:
        axis.set_prop_cycle(color=PALETTE)
    several = np.array(canvas.panels, dtype=object).reshape(rows, columns)
    return canvas.figure, canvas.first if several.size == 1 else np.squeeze(several)


def _panels(ax: Any) -> List[Any]:
    panels = list(np.ravel(np.array(ax, dtype=object)))
    if not panels or not all(hasattr(axis, "plot") for axis in panels):
        raise _core.Error(f"ax: found {ax!r}; expected Axes of matplotlib, or a list of them")
    return panels


def frame(axis: Any) -> None:
    """A thin frame, faint lines behind the curves."""
    axis.grid(True, color=GRID, linewidth=0.6)
    axis.set_axisbelow(True)
    axis.tick_params(which="both", width=0.6, colors=FRAME, labelcolor="black", labelsize=9)
    for spine in axis.spines.values():
        spine.set_linewidth(0.6)
        spine.set_color(FRAME)


def label(symbol: str, unit: str = "") -> str:
    """What stands at an axis: "r [bohr]"; a pure number has no brackets."""
    return f"{symbol} [{unit_text(unit)}]" if unit and unit != "1" else symbol


def unit_text(unit: str) -> str:
    return _UNITS.get(unit, unit)


def spinor_text(name: str) -> str:
    """6p3/2 with its j below."""
    match = re.fullmatch(r"(\d+)([a-z])(\d+/2)", name)
    return f"${match[1]}\\mathrm{{{match[2]}}}_{{{match[3]}}}$" if match else name


def species_text(name: str) -> str:
    """Fe3+ with its charge raised."""
    match = re.fullmatch(r"([A-Z][a-z]?)(\d*[+-])", name)
    return match[1] + match[2].translate(_RAISED) if match else name


def term_text(term: str, two_j: Optional[int] = None) -> str:
    """3P, or 3Po of odd parity, with its multiplicity raised and, where it is given, J below."""
    match = re.fullmatch(r"(\d+)\s*([A-Z])\s*(o|\*|°)?", term)
    below = "" if two_j is None else f"_{{{two_j // 2}}}" if two_j % 2 == 0 else f"_{{{two_j}/2}}"
    if not match:
        return term
    parity = r"^{\mathrm{o}}" if match[3] else ""
    return f"$^{{{match[1]}}}\\mathrm{{{match[2]}}}{below}{parity}$"


def configuration_text(configuration: str) -> str:
    """2s2 2p3(4S) with raised numbers of electrons and multiplicities."""
    raised = re.sub(r"(\d[a-z])(\d+)", lambda m: m[1] + (m[2].translate(_RAISED) if m[2] != "1" else ""), configuration)
    return re.sub(r"\((\d+)(?=[A-Z])", lambda m: "(" + m[1].translate(_RAISED), raised)


def shell_text(n: int) -> str:
    return f"n = {n}"


def visible(grid: Any, values: Sequence[Any], share: float = 2e-3) -> Tuple[float, float]:
    """Where any of the functions is worth drawing."""
    largest = np.max(np.abs(np.vstack(values)), axis=0)
    seen = np.flatnonzero(largest > share * largest.max())
    if len(seen) == 0:
        return float(grid[0]), float(grid[-1])
    return float(grid[seen[0]]), float(grid[min(seen[-1] + 1, len(grid) - 1)])


def second_scale(axis: Any, factor: float, text: str) -> None:
    """The same in another unit at the right: what is 1 at the left is `factor` there."""
    right = axis.secondary_yaxis("right", functions=(lambda value: value * factor, lambda value: value / factor))
    right.set_ylabel(text)
    right.tick_params(which="both", width=0.6, colors=FRAME, labelcolor="black", labelsize=9)
    right.spines["right"].set_linewidth(0.6)
    right.spines["right"].set_color(FRAME)


def whole_numbers(axis: Any) -> None:
    """Ticks of an axis of counts."""
    from matplotlib.ticker import MaxNLocator
    axis.set_major_locator(MaxNLocator(integer=True))


def save(figure: "Figure", file: Union[str, "os.PathLike[str]"], shades: int = 96, **more: Any) -> None:
    """Writes a picture; PNG with so many shades, which are enough for lines and take a third of the bytes. 0: with all."""
    figure.savefig(file, **more)
    if shades == 0 or not os.fspath(file).lower().endswith(".png"):
        return
    from PIL import Image
    with Image.open(file) as whole:
        small = whole.convert("RGB").quantize(shades, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    small.save(file, optimize=True)
