"""Pictures of open shells: levels as a Grotrian diagram, beside experiment, and Slater integrals."""
from __future__ import annotations

import csv
import os
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from .. import _core
from .._operations import Record
from .._result import Array
from ._atoms import HARTREE_EV
from ._files import Data, data_of
from ._grotrian import Bar, draw_lines, write_wavelengths
from ._style import FRAME, Canvas, Colours, Legend, configuration_text, label, second_scale, species_text, term_text

__all__ = ["levels"]

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HARTREE_CM = 219474.63136320  # CODATA 2018
#: (J, parity, energy in cm^-1) of measured levels, or a CSV file of them.
Experiment = Union[Sequence[Tuple[Union[float, str], Union[int, str], float]], str, "os.PathLike[str]"]

_MOST_TERMS = 24  # columns of terms; of more the columns are those of J
_LETTERS = "SPDFGHIKLMNOQRTUV"  # of L = 0, 1, ...
_SHELLS = "spdfghik"
_NUMBERS = ("", "singlets", "doublets", "triplets", "quartets", "quintets", "sextets", "septets", "octets", "nonets", "decets", "undecets")
_LINE, _LETTER = 0.15, 0.062  # height of a line of text and width of a letter, inches
_BAR, _GAP = 0.4, 0.08  # length of the bar of a level, and from there to its text, inches
_EXPERIMENT = "experiment"


class _Level(NamedTuple):
    two_j: int
    odd: bool
    excitation: float  # cm^-1
    term: str  # the leading one, 3P or 3Po; empty where there is none
    configuration: str  # without parents, "2s1 2p3"; empty where it is not stated
    measured: Optional[float] = None  # the level of experiment that belongs to it, cm^-1
    place: int = -1  # among the levels of the file


class _Column(NamedTuple):
    name: str  # what stands below it
    multiplicity: int  # 0 of a column of one J
    levels: List[_Level]


def _term_of(text: str, odd: bool) -> str:
    """3P, and 3Po of odd levels, whether or not the text says so; empty where it is no term."""
    match = re.fullmatch(r"(\d+)\s*([A-Z])\s*[o*°]?", text.strip())
    return f"{match[1]}{match[2]}{'o' if odd else ''}" if match else ""


def _level(two_j: int, odd: bool, excitation: float, name: str, terms: Sequence[Any]) -> _Level:
    """`name`: "2s1 2p3(2D) 3Do (1)"; of the levels of one term and J the last part is their number."""
    words = re.sub(r" \(\d+\)$", "", name).split()
    term = _term_of(words[-1], odd) if words else ""
    configuration = " ".join(words[:-1]) if term else ""
    if not term and terms:
        term, configuration = _term_of(str(terms[0]["term"]), odd), str(terms[0].get("configuration") or "")
    return _Level(two_j, odd, excitation, term, " ".join(re.sub(r"\([^)]*\)", "", configuration).split()))


def _levels_of(data: Data) -> List[_Level]:
    """In order of energy."""
    found = data.head.get("levels")
    if data.operation == "levels" and found is None and "excitation_cm-1" in data.columns:  # a file of --levels-csv
        columns = data.columns
        rows = zip(columns["J"], columns["parity"], columns["excitation_cm-1"], columns["label"])
        levels = [_level(round(2 * float(j)), _odd(parity), float(e), str(name), []) for j, parity, e, name in rows]
        return sorted(levels, key=lambda level: level.excitation)
    if not isinstance(found, list) or not found or not isinstance(found[0], dict):
        raise _core.Error(f"{data.name or data.operation}: expected the levels of an atom, a list under the key 'levels'")
    lowest = min(float(level["energy"]) for level in found)
    levels = []
    for place, level in enumerate(found):
        excitation = level.get("excitation_energy")
        terms = sorted(level.get("terms") or [], key=lambda t: -float(t["percent"]))
        levels.append(_level(round(2 * float(level["J"])), _odd(level.get("parity", "+")),
                             HARTREE_CM * (float(level["energy"]) - lowest if excitation is None else float(excitation)),
                             str(level.get("label") or ""), terms)._replace(place=place))
    return sorted(levels, key=lambda level: level.excitation)


def _odd(parity: Any) -> bool:
    return str(parity).strip().startswith(("-", "o"))


def _atom_of(data: Data) -> str:
    """Fe2+; empty where a file does not say it."""
    charge = round(float(data.head.get("charge") or 0))
    sign = "" if not charge else f"{'' if abs(charge) == 1 else abs(charge)}{'+' if charge > 0 else '-'}"
    return f"{data.head.get('symbol') or ''}{sign}"


def _half(two_j: int) -> str:
    return str(two_j // 2) if two_j % 2 == 0 else f"{two_j}/2"


# Levels of experiment.

class _Measured(NamedTuple):
    two_j: int
    odd: bool
    energy: float  # cm^-1


def _measured(j: Any, parity: Any, energy: Any) -> _Measured:
    try:
        return _Measured(round(2 * float(Fraction(str(j).strip()))), _odd(parity), float(energy))
    except (ValueError, ZeroDivisionError):
        raise _core.Error(f"experiment: found {j!r}, {parity!r}, {energy!r}; expected J (2 or '3/2'), parity ('+' or '-') and the energy in "
                          "cm^-1") from None


#: The columns that readers of levels know (docs/how-to/levels.md).
_OF_EXPERIMENT = ["ion", "J", "parity", "energy", "excitation_cm-1", "index", "weight", "energy_hartree", "label", "percent", "g",
                  "configuration", "term", "source"]


def _experiment_of(given: Experiment, data: Data) -> List[_Measured]:
    """From a list, or from a CSV file: a row of each level, or those of many atoms as src/data/nist-levels.csv has them."""
    if not isinstance(given, (str, os.PathLike)):
        return [_measured(*row) for row in given]
    path = os.fspath(given)
    try:
        with open(path, encoding="utf-8", newline="") as text:
            table = csv.DictReader(line for line in text if line.strip() and not line.startswith("#"))
            rows, keys = list(table), set(table.fieldnames or ())
    except OSError as error:
        raise _core.Error(f"{path}: {error.strerror}") from None
    except (UnicodeDecodeError, csv.Error):
        raise _core.Error(f"{path}: expected CSV with the columns J, parity and energy") from None
    if any(None in row or None in row.values() for row in rows):
        raise _core.Error(f"{path}: a row has other fields than the heading; expected as many, with decimal points")
    if {"symbol", "charge", "configuration", "levels"} <= keys:
        return _of_many_atoms(rows, data, path)
    energy = next((key for key in ("energy", "excitation_cm-1") if key in keys), "")
    if not energy or not {"J", "parity"} <= keys:
        raise _core.Error(f"{path}: expected the columns J, parity and energy (cm^-1), found {', '.join(sorted(keys)) or 'none'}")
    for key in sorted(keys):
        _core.require_known_name(key.strip(), _OF_EXPERIMENT, "column", path)
    return [_measured(row["J"], row["parity"], row[energy]) for row in rows]


def _of_many_atoms(rows: Sequence[Dict[str, str]], data: Data, path: str) -> List[_Measured]:
    """The levels of this atom's configurations above the lowest of them."""
    atom = _atom_of(data)
    if not atom:
        raise _core.Error(f"{path}: this file has the levels of many atoms, and a CSV file of levels does not say of which atom they are; "
                          "draw the JSON file")
    own = [_occupations(c) for c in data.head.get("configurations") or [data.head["configuration"]["description"]]]
    found = []
    for row in rows:
        if row["symbol"] == data.head["symbol"] and int(row["charge"]) == round(float(data.head.get("charge") or 0)):
            shells = _occupations(row["configuration"])
            if any(_same_open_shells(shells, other) for other in own):
                parity = "-" if sum(l * n for (_, l), n in shells.items()) % 2 else "+"
                found += [_measured(j, parity, energy) for j, _, energy in (level.partition(":") for level in row["levels"].split(";"))]
    if not found:
        raise _core.Error(f"{path}: there are no levels of {atom} in {' | '.join(data.head.get('configurations') or ['this configuration'])}")
    lowest = min(level.energy for level in found)
    return [level._replace(energy=level.energy - lowest) for level in found]


def _occupations(configuration: str) -> Dict[Tuple[int, int], int]:
    """Electrons of the shells (n, l) that "[He] 2s2 2p2" names."""
    return {(int(n), _SHELLS.index(l)): int(count) for n, l, count in re.findall(r"(\d+)([spdfghik])(\d+)", configuration)}


def _same_open_shells(one: Dict[Tuple[int, int], int], other: Dict[Tuple[int, int], int]) -> bool:
    return all(count == 4 * l + 2 for (n, l), count in {*one.items()} ^ {*other.items()})


def _pairs(computed: Sequence[float], measured: Sequence[float]) -> List[Tuple[int, int]]:
    """Levels of one J and parity that belong together, in order of energy on both sides. Where one side has more, those are left
    alone without which the others lie closest together."""
    if len(computed) > len(measured):
        return [(i, j) for j, i in _pairs(measured, computed)]
    cost = np.full((len(computed) + 1, len(measured) + 1), np.inf)
    cost[0] = 0.0
    for i, e in enumerate(computed):
        for j, m in enumerate(measured):
            cost[i + 1, j + 1] = min(cost[i + 1, j], cost[i, j] + abs(e - m))
    pairs, i, j = [], len(computed), len(measured)
    while i > 0:
        if cost[i, j] == cost[i, j - 1]:
            j -= 1
        else:
            i, j = i - 1, j - 1
            pairs.append((i, j))
    return pairs[::-1]


def _compared(levels: Sequence[_Level], experiment: Sequence[_Measured]) -> Tuple[List[_Level], List[_Measured]]:
    """Levels with what was measured of them, and the measured ones that nothing was computed of. Computed terms lie too far apart,
    all by a similar factor, which the first pairs tell."""
    factor = 1.0
    for last in (False, True):
        found = list(levels)
        left = []
        for symmetry in sorted({(m.two_j, m.odd) for m in experiment}):
            mine = [i for i, level in enumerate(levels) if (level.two_j, level.odd) == symmetry]
            theirs = sorted((m for m in experiment if (m.two_j, m.odd) == symmetry), key=lambda m: m.energy)
            pairs = _pairs([factor * levels[i].excitation for i in mine], [m.energy for m in theirs])
            for i, j in pairs:
                found[mine[i]] = levels[mine[i]]._replace(measured=theirs[j].energy)
            left += [m for j, m in enumerate(theirs) if j not in {pair[1] for pair in pairs}]
        both = np.array([(level.excitation, level.measured) for level in found if level.measured is not None], dtype=float).reshape(-1, 2)
        if not last and np.any(both[:, 0] > 0):
            factor = float(both[:, 0] @ both[:, 1] / (both[:, 0] @ both[:, 0]))
    return found, left


# The diagram.

def _columns_of(levels: Sequence[_Level]) -> List[_Column]:
    """A column for each term, by multiplicity, highest first, and L; of too many terms, and of levels without one, for each J."""
    several = len({level.odd for level in levels}) > 1

    def of_j(level: _Level) -> Tuple[Tuple[int, ...], str, int]:
        return (1, level.odd, level.two_j), f"J = {_half(level.two_j)}{' odd' if level.odd and several else ''}", 0

    def of_term(level: _Level) -> Tuple[Tuple[int, ...], str, int]:
        match = re.match(r"(\d+)([A-Z])", level.term)
        if not match:
            return of_j(level)
        return (0, -int(match[1]), _LETTERS.find(match[2]), level.odd), term_text(level.term), int(match[1])

    by_term = len({level.term for level in levels}) <= _MOST_TERMS
    columns: Dict[Tuple[Tuple[int, ...], str, int], List[_Level]] = {}
    for level in levels:
        columns.setdefault(of_term(level) if by_term else of_j(level), []).append(level)
    return [_Column(key[1], key[2], columns[key]) for key in sorted(columns)]


def _colour_of(levels: Sequence[_Level], columns: Sequence[_Column], canvas: Canvas) -> "Dict[_Level, Tuple[str, str]]":
    """The colour and the name of each level: configurations where there are several, else multiplicities in columns of J, else
    parities."""
    configurations = list(dict.fromkeys(level.configuration for level in levels))  # that of the ground level comes first
    multiplicities = sorted({_multiplicity(level) for level in levels}, reverse=True)
    parities = sorted({level.odd for level in levels})
    chosen = {}
    for level in levels:
        if len(configurations) > 1:
            at, name = configurations.index(level.configuration), level.configuration or "other levels"
        elif not any(column.multiplicity for column in columns) and multiplicities != [0]:
            at = multiplicities.index(_multiplicity(level))
            name = _multiplets(multiplicities[at])
        else:
            at, name = parities.index(level.odd), "odd parity" if level.odd else "even parity"
        chosen[level] = canvas.colour(at, name), name
    return chosen


def _multiplicity(level: _Level) -> int:
    """0 without a term."""
    return int(level.term.rstrip(_LETTERS + "o") or 0)


def _multiplets(multiplicity: int) -> str:
    return _NUMBERS[multiplicity] if 0 < multiplicity < len(_NUMBERS) else f"multiplicity {multiplicity}" if multiplicity else "without a term"


def _runs(levels: Sequence[_Level], close: float) -> List[List[_Level]]:
    """Levels that lie close together, and whose J go up or down one after the other, so that one text can name them."""
    runs: List[List[_Level]] = []
    for level in levels:
        run = runs[-1] if runs else []
        step = level.two_j - run[-1].two_j if run else 0
        if run and abs(step) == 2 and level.excitation - run[-1].excitation < close and (len(run) == 1 or step == run[-1].two_j - run[-2].two_j):
            run.append(level)
        else:
            runs.append([level])
    return runs


def _numbers_of(run: Sequence[_Level]) -> str:
    """"4–0", the lowest level first."""
    return _half(run[0].two_j) + ("" if len(run) == 1 else f"{', ' if len(run) == 2 else '–'}{_half(run[-1].two_j)}")


class _Text(NamedTuple):
    height: float  # of the lines that it belongs to
    place: float
    text: str


def _texts_of(column: _Column, least: float, span: float) -> List[_Text]:
    """J beside the lines of a term, one text for those too close for two; the terms in a column of J, where there is room."""
    heights = [level.excitation for level in column.levels]
    if not column.multiplicity:
        gaps = np.diff([-np.inf, *heights, np.inf])
        return [_Text(height, height, term_text(level.term)) for height, level, below, above
                in zip(heights, column.levels, gaps, gaps[1:]) if min(below, above) > least and level.term]
    runs = _runs(column.levels, 0.6 * least)
    if len(runs) * least > span:
        return []
    middles = [(run[0].excitation + run[-1].excitation) / 2 for run in runs]
    return [_Text(middle, place, _numbers_of(run)) for run, middle, place in zip(runs, middles, _apart(middles, least))]


def _apart(places: Sequence[float], least: float) -> List[float]:
    """Places of texts next to lines at ascending heights, at least so far from each other and as little moved as that takes."""
    groups: List[List[float]] = []  # sum of the heights less those of the texts below in the group, number
    for height in places:
        groups.append([height, 1])
        while len(groups) > 1 and _lowest(groups[-2]) + groups[-2][1] * least > _lowest(groups[-1]):
            last = groups.pop()
            groups[-1] = [groups[-1][0] + last[0] - last[1] * groups[-1][1] * least, groups[-1][1] + last[1]]
    return [_lowest(group) + i * least for group in groups for i in range(int(group[1]))]


def _lowest(group: List[float]) -> float:
    return group[0] / group[1]


class _Places(NamedTuple):
    """Where bars and texts stand in a column whose width is 1 and whose centre is 0."""

    bar: Tuple[float, float]
    text: float
    measured: Tuple[float, float]  # bar of experiment, at the right of the computed one
    least: float  # between two texts, cm^-1
    compared: bool


def _canvas_for(columns: Sequence[_Column], number: int, span: float, compared: bool, **more: Any) -> Tuple[Canvas, _Places]:
    """A canvas with that number of columns, each wide enough for its bars and texts, and what goes where in a column."""
    letters = 3  # of a term, in columns of J
    if any(column.multiplicity for column in columns):
        letters = max(len(text.text) for column in columns for text in _texts_of(column, 0.026 * span, np.inf))
    bars = 2.4 if compared else 1.0  # two of them, and the lines between them
    inches = max(0.65, _BAR * bars + _LETTER * letters + 0.16)
    canvas = Canvas(width=min(14.0, max(5.4, 1.5 + inches * number)), height=6.0, **more)
    box = canvas.first.get_position()
    width = box.width * canvas.figure.get_figwidth() / number
    least = _LINE / (box.height * canvas.figure.get_figheight()) * span
    text = (_GAP + _LETTER * letters) / width
    bar = min(max((0.92 - text) / bars, 0.15), 0.6, 2 * _BAR / width)
    start = -(text + bar * bars) / 2
    if not compared:
        return canvas, _Places((start, start + bar), start + bar + _GAP / width, (0.0, 0.0), least, compared)
    start += text  # the texts at the left, so that nothing lies between the bars
    return canvas, _Places((start, start + bar), start - _GAP / width, (start + 1.4 * bar, start + 2.4 * bar), least, compared)


def levels(source: Any, *, highest: Optional[float] = None, experiment: Optional[Experiment] = None, lines: Union[bool, int] = False,
           ax: Any = None, colours: Colours = None, legend: Legend = True) -> "Figure":
    """Levels of an atom as a Grotrian diagram: a column for each term, the leading one of each level, with bars at the excitation
    energies in cm^-1 and eV and J beside them. Of more than 24 terms the columns are those of J. Several configurations have
    colours of their own, {"2s2 2p2": "black"}; otherwise the multiplicities in columns of J, or the parities.

    source: a record or file of `levels` or `lines` (JSON, HDF5; of `levels` also CSV), or its JSON as a dict. highest: the largest excitation energy shown,
    cm^-1. experiment: measured levels above the same lowest one, a list of (J, parity, energy in cm^-1), or a CSV file with the
    columns J, parity and energy, or one with the levels of many atoms like src/data/nist-levels.csv; they stand beside the
    computed ones, joined by lines in order of energy within each J and parity. lines: of a record or file of `lines`, draw the 15 lines
    with the largest rates A, or as many as the number says, between the levels shown, with the wavelength in vacuum beside the
    strongest ones that have room for it."""
    data = data_of(source.to_dict() if isinstance(source, Record) else source)
    found = _levels_of(data)
    left: List[_Measured] = []
    if experiment is not None:
        found, left = _compared(found, _experiment_of(experiment, data))
    if highest is not None:
        found = [level for level in found if level.excitation <= highest]
        left = [level for level in left if level.energy <= highest]
    if not found:
        raise _core.Error("there are no levels to show")
    columns = _columns_of(found)
    top = max([level.excitation for level in found] + [level.measured or 0.0 for level in found] + [level.energy for level in left])
    span = 1.06 * top if top > 0 else 1.0
    number = len(columns) + (1 if left else 0)
    canvas, places = _canvas_for(columns, number, span, experiment is not None, ax=ax, colours=colours, legend=legend)
    axis = canvas.first
    colour_of = _colour_of(found, columns, canvas)
    for at, column in enumerate(columns):
        _draw_computed(axis, column, at, places, colour_of)
        _draw_measured(axis, column, at, places, canvas)
        if at > 0 and column.multiplicity != columns[at - 1].multiplicity:
            axis.axvline(at - 0.5, color="#c0c0c0", linewidth=0.6, zorder=0)
    if left:
        axis.hlines([level.energy for level in left], len(columns) + places.measured[0], len(columns) + places.measured[1], linewidth=1.6,
                    color=_colour_of_experiment(canvas), label=_EXPERIMENT)
    texts = [(at, text) for at, column in enumerate(columns) for text in _texts_of(column, places.least, span)]
    _write(axis, texts, places)
    ends = [0.0, span, *(text.place for _, text in texts)]
    axis.set_xlim(-0.55, number - 0.45)
    axis.set_ylim(min(ends) - 0.03 * span, max(ends) + 0.02 * span)
    axis.set_xticks(range(number), [column.name for column in columns] + (["others"] if left else []))
    axis.grid(False, axis="x")
    _scales(axis, top)
    bars = _bars_of(columns, places)
    drawn = draw_lines(axis, data, lines, bars) if lines else []
    _name_colours(axis, canvas, dict(name[::-1] for name in colour_of.values()), places.compared, sorted({line.type for line in drawn}))
    canvas.title(_title_of(data, found, columns, bool(texts)))
    if drawn:
        write_wavelengths(axis, drawn, bars)
    return canvas.figure


def _bars_of(columns: Sequence[_Column], places: _Places) -> Dict[int, Bar]:
    return {level.place: Bar(at + places.bar[0], at + places.bar[1], level.excitation)
            for at, column in enumerate(columns) for level in column.levels}


def _title_of(data: Data, found: Sequence[_Level], columns: Sequence[_Column], texts: bool) -> str:
    atom, only = species_text(_atom_of(data)), {level.configuration for level in found}
    what = f"levels of {configuration_text(only.pop())}" if len(only) == 1 and only != {""} else "levels"
    if texts:
        what += "; the numbers are $J$, lowest level first" if any(column.multiplicity for column in columns) else "; terms where there is room"
    return f"{atom}: {what}" if atom else what.capitalize()


def _draw_computed(axis: Any, column: _Column, at: int, places: _Places, colour_of: "Dict[_Level, Tuple[str, str]]") -> None:
    for colour, name in dict.fromkeys(colour_of[level] for level in column.levels):
        mine = [level.excitation for level in column.levels if colour_of[level] == (colour, name)]
        axis.hlines(mine, at + places.bar[0], at + places.bar[1], color=colour, linewidth=1.6, label=name)


def _write(axis: Any, texts: Sequence[Tuple[int, _Text]], places: _Places) -> None:
    """Beside the bars; a thin line leads to a text that had to be moved."""
    end = places.bar[0] if places.compared else places.bar[1]
    for at, text in texts:
        if abs(text.place - text.height) > 0.1 * places.least:
            axis.plot([at + end + part * (places.text - end) for part in (0.1, 0.8)], [text.height, text.place], color=FRAME, linewidth=0.4)
        axis.text(at + places.text, text.place, text.text, fontsize=8, va="center_baseline", ha="right" if places.compared else "left")


def _draw_measured(axis: Any, column: _Column, at: int, places: _Places, canvas: Canvas) -> None:
    both = [(level.excitation, level.measured) for level in column.levels if level.measured is not None]
    if not both:
        return
    axis.hlines([m for _, m in both], at + places.measured[0], at + places.measured[1], color=_colour_of_experiment(canvas), linewidth=1.6,
                label=_EXPERIMENT)
    for computed, measured in both:
        axis.plot([at + places.bar[1], at + places.measured[0]], [computed, measured], color=FRAME, linewidth=0.4)


def _colour_of_experiment(canvas: Canvas) -> str:
    named = canvas.colours if isinstance(canvas.colours, dict) else {}
    return str(named.get(_EXPERIMENT, "black"))


def _scales(axis: Any, top: float) -> None:
    """cm^-1 at the left, in thousands where there are many, and eV at the right."""
    thousands = top >= 10_000
    if thousands:
        axis.yaxis.set_major_formatter(lambda value, _: f"{value / 1000:g}")
    axis.set_ylabel(label("excitation energy", "10³ cm⁻¹" if thousands else "cm⁻¹"))
    second_scale(axis, HARTREE_EV / HARTREE_CM, label("excitation energy", "eV"))


def _name_colours(axis: Any, canvas: Canvas, names: Dict[str, str], compared: bool, types: Sequence[str]) -> None:
    """A legend above the picture, where there are no bars; none for a single colour without lines of several types."""
    if not canvas.with_legend or len(names) == 1 and not compared and len(types) < 2:
        return
    handles = dict(zip(*reversed(axis.get_legend_handles_labels())))
    shown = {("computed" if len(names) == 1 else configuration_text(name)): handles[name] for name in names if compared or len(names) > 1}
    shown.update({name: handles[name] for name in types})
    if compared and _EXPERIMENT in handles:
        shown[_EXPERIMENT] = handles[_EXPERIMENT]
    place = {"loc": canvas.with_legend} if isinstance(canvas.with_legend, str) else \
        {"loc": "lower left", "bbox_to_anchor": (0, 1), "ncol": min(len(shown), 5), "borderaxespad": 0.3} if canvas.own else {"loc": "best"}
    axis.legend(shown.values(), shown.keys(), frameon=False, fontsize=9, **place)
