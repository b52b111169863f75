"""Pictures of many results: trends over the periodic table, differences of energies, levels."""
from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from .. import _core
from .._operations import Record
from .._result import Result
from ._atoms import HARTREE_EV
from ._files import Data, data_of, opened, several_of
from ._style import FRAME, Canvas, Colours, Legend, configuration_text, label, second_scale, species_text, term_text, whole_numbers

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HARTREE_CM = 219474.63136320  # CODATA 2018
_LABELLED = 30  # levels of a column that have room for their J
_NOBLE = {2: "He", 10: "Ne", 18: "Ar", 36: "Kr", 54: "Xe", 86: "Rn", 118: "Og"}


class _Atom(NamedTuple):
    """A row of a batch."""

    z: int
    charge: int
    energy: float
    error: Optional[float]
    functions: Optional[float]
    spinors: List[Tuple[str, float, Optional[float]]]  # label, energy, mean radius


def _atom_of_result(result: Result) -> _Atom:
    known = result.to_dict()
    functions = known["basis"]["functions"] if not result.is_limit else None
    return _Atom(round(result.z), round(result.charge), result.energy, result.error_estimate, functions,
                 [(s.label, s.energy, s.mean_radius) for s in result.spinors.values()])


def _atoms_of_rows(rows: Sequence[Dict[str, Any]]) -> List[_Atom]:
    def number(value: Any) -> Optional[float]:
        return None if value in (None, "") or value != value else float(value)

    atoms = []
    for row in rows:
        energy = number(row.get("energy"))
        if energy is None or row.get("status") not in ("converged", "ok"):
            continue
        spinors = []
        for symmetry, names in (row.get("labels") or {}).items():
            radii = (row.get("mean_radii") or {}).get(symmetry) or [None] * len(names)
            spinors += list(zip(names, row["orbital_energies"][symmetry], radii))
        functions = row.get("functions", (row.get("basis") or {}).get("functions") if isinstance(row.get("basis"), dict) else None)
        atoms.append(_Atom(round(float(row["Z"])), round(float(row.get("charge") or 0)), energy, number(row.get("error_estimate")),
                           number(functions), spinors))
    return atoms


def _atoms_of(source: Any) -> List[_Atom]:
    source = opened(source)
    results = several_of(source, Result)
    if results is not None:
        return [_atom_of_result(r) for r in results if r.status == "converged"]
    data = data_of(source)
    if data.operation != "batch":
        raise _core.Error(f"{data.name or data.operation}: expected many atoms, of the operation 'batch'")
    keys = list(data.columns)
    rows = [dict(zip(keys, values)) for values in zip(*(data.columns[key] for key in keys))]
    return _atoms_of_rows(rows)


def _outer(atom: _Atom) -> Optional[Tuple[str, float, Optional[float]]]:
    return max(atom.spinors, key=lambda s: s[1]) if atom.spinors else None


def _gaps(atoms: Sequence[_Atom], start: int) -> Dict[str, List[Tuple[int, float]]]:
    """Differences of the lowest energies of charges that are neighbours, eV, by the charge that they begin with."""
    lowest: Dict[Tuple[int, int], float] = {}
    for atom in atoms:
        key = (atom.z, atom.charge)
        lowest[key] = min(atom.energy, lowest.get(key, np.inf))
    lines: Dict[str, List[Tuple[int, float]]] = {}
    for (z, charge), energy in sorted(lowest.items()):
        if (z, charge + 1) in lowest and (charge >= 0 if start == 0 else charge == -1):
            name = species_text(f"X{abs(charge) if abs(charge) > 1 else ''}{'+' if charge > 0 else '-'}") if charge else "X"
            after = species_text(f"X{charge + 1 if charge + 1 > 1 else ''}+") if charge + 1 else "X"
            lines.setdefault(f"{name} → {after}", []).append((z, (lowest[z, charge + 1] - energy) * HARTREE_EV))
    return lines


def _of_each(atoms: Sequence[_Atom], value: Any) -> Dict[str, List[Tuple[int, float]]]:
    lines: Dict[str, List[Tuple[int, float]]] = {}
    for atom in atoms:
        found = value(atom)
        if found is not None:
            name = "neutral atoms" if atom.charge == 0 else f"charge {atom.charge:+d}"
            lines.setdefault(name, []).append((atom.z, float(found)))
    return lines


def _radius(atom: _Atom) -> Optional[float]:
    outer = _outer(atom)
    return outer[2] if outer else None


def _binding(atom: _Atom) -> Optional[float]:
    outer = _outer(atom)
    return -outer[1] * HARTREE_EV if outer else None


# Quantity: its axis, whether it is logarithmic, and the lines.
_QUANTITIES: Dict[str, Tuple[str, bool, Any]] = {
    "ionisation": (label("ionisation energy", "eV"), False, lambda atoms: _gaps(atoms, 0)),
    "affinity": (label("electron affinity", "eV"), False, lambda atoms: _gaps(atoms, -1)),
    "radius": (label("⟨$r$⟩ of the weakest bound spinor", "bohr"), False, lambda atoms: _of_each(atoms, _radius)),
    "binding": (label(r"$-\varepsilon$ of the weakest bound spinor", "eV"), False, lambda atoms: _of_each(atoms, _binding)),
    "error": (label("error of the energy", "hartree"), True, lambda atoms: _of_each(atoms, lambda a: a.error)),
    "energy": (label("−energy", "hartree"), True, lambda atoms: _of_each(atoms, lambda a: -a.energy)),
    "functions": ("functions", False, lambda atoms: _of_each(atoms, lambda a: a.functions)),
}


def trends(source: Any, quantity: Optional[str] = None, *, ax: Any = None, colours: Colours = None, legend: Legend = True) -> "Figure":
    """A quantity across the periodic table: 'ionisation' or 'affinity' (differences of energies, averages of configuration without
    correlation, eV), 'radius' (<r> of the weakest bound spinor, bohr), 'binding' (its energy, eV), 'error', 'energy' or 'functions'.

    source: cp.energies(...), or a record or file of `batch` (JSON, JSON lines, CSV, HDF5). Default: the first quantity that it has."""
    if quantity is not None and quantity not in _QUANTITIES:
        raise _core.Error(f"quantity: found {quantity!r}; expected {', '.join(_QUANTITIES)}")
    atoms = _atoms_of(source)
    if not atoms:
        raise _core.Error("no atom of these converged")
    lines: Dict[str, List[Tuple[int, float]]] = {}
    for name in [quantity] if quantity else _QUANTITIES:
        lines = _QUANTITIES[name][2](atoms)
        if lines:
            quantity = name
            break
    if not lines or quantity is None:
        raise _core.Error(f"these atoms do not have the quantity {quantity!r}; differences need two charges of each element, radii and "
                          "energies of spinors need results, HDF5 or JSON lines")
    text, logarithmic, _ = _QUANTITIES[quantity]
    canvas = Canvas(ax=ax, colours=colours, legend=legend, width=8.4)
    axis = canvas.first
    for i, (name, points) in enumerate(lines.items()):
        z, values = zip(*sorted(points))
        breaks = np.flatnonzero(np.diff(z) > 1) + 1  # elements that are missing are not bridged
        x, y = np.insert(np.array(z, dtype=float), breaks, np.nan), np.insert(np.array(values, dtype=float), breaks, np.nan)
        axis.plot(x, y, "o-", color=canvas.colour(i, name), markersize=3.5, linewidth=1.0, label=name)
    if logarithmic:
        axis.set_yscale("log")
    _periods(axis, [z for points in lines.values() for z, _ in points])
    axis.set_xlabel("$Z$")
    axis.set_ylabel(text)
    whole_numbers(axis.xaxis)
    if len(lines) > 1 or quantity in ("ionisation", "affinity"):
        canvas.legend(axis)
    canvas.title("Averages of configuration, without correlation" if quantity in ("ionisation", "affinity") else "")
    return canvas.figure


def _periods(axis: Any, charges: Sequence[int]) -> None:
    """The noble gases, where periods end."""
    for z, symbol in _NOBLE.items():
        if min(charges) <= z <= max(charges) and max(charges) > min(charges):
            axis.axvline(z, color="#c0c0c0", linewidth=0.6, zorder=0)
            axis.annotate(symbol, (z, 1), xycoords=("data", "axes fraction"), xytext=(0, 2), textcoords="offset points", ha="center",
                          fontsize=8, color=FRAME)


def differences(source: Union[Record, Dict[str, Any], str, "os.PathLike[str]"], *, ax: Any = None, colours: Colours = None,
                legend: Legend = True) -> "Figure":
    """Differences of energies in eV with their errors, of a record or file of `compare`: a bar for each; of more than 16
    of elements a point for each, across the periodic table."""
    data = data_of(source)
    if data.operation != "compare" or "eV" not in data.columns:
        raise _core.Error(f"{data.name or data.operation}: expected differences of energies, of the operation 'compare'")
    names = [str(n) for n in data.columns["difference"]]
    values = data.column("eV")
    errors = np.nan_to_num(data.column("error_hartree") * HARTREE_EV) if "error_hartree" in data.columns else np.zeros(len(values))
    kinds = [str(k) for k in data.columns.get("kind", ["difference"] * len(names))]
    if not len(names):
        raise _core.Error(f"{data.name or 'compare'}: there are no differences")
    charges = [_charge_in(name) for name in names]
    if len(names) > 16 and all(charges):
        canvas = Canvas(ax=ax, colours=colours, legend=legend, width=8.4)
        axis = canvas.first
        for i, kind in enumerate(dict.fromkeys(kinds)):
            mine = [n for n, k in enumerate(kinds) if k == kind]
            axis.errorbar([charges[n] for n in mine], values[mine], errors[mine], fmt="o", markersize=3.5, linewidth=0.8,
                          color=canvas.colour(i, kind), label=kind)
        _periods(axis, [z for z in charges if z])
        axis.set_xlabel("$Z$")
        axis.set_ylabel(label("difference", "eV"))
        canvas.legend(axis)
    else:
        canvas = Canvas(ax=ax, colours=colours, legend=legend, height=max(2.2, 0.42 * len(names) + 1.2))
        axis = canvas.first
        for i, kind in enumerate(dict.fromkeys(kinds)):
            mine = [n for n, k in enumerate(kinds) if k == kind]
            axis.barh([-n for n in mine], values[mine], xerr=errors[mine], color=canvas.colour(i, kind), height=0.6, ecolor="black", label=kind)
        for n, value in enumerate(values):
            axis.annotate(f"{value:.5g}", (max(value, 0.0), -n), xytext=(4, 0), textcoords="offset points", va="center", fontsize=8)
        axis.set_yticks([-n for n in range(len(names))], names)
        axis.set_xlim(min(0.0, float(values.min()) * 1.1), max(float(values.max()) * 1.15, 0.0))
        axis.grid(False, axis="y")
        axis.set_xlabel(label("difference", "eV"))
        if len(set(kinds)) > 1:
            canvas.legend(axis)
    canvas.title("Averages of configuration, without correlation")
    return canvas.figure


def _charge_in(name: str) -> int:
    """Z of "ionisation energy of He (1s)"; 0 where it names no element."""
    match = re.search(r"\bof ([A-Z][a-z]?)(?:\d*[+-])?(?: |$)", name)
    if not match:
        return 0
    try:
        return int(_core.atomic_number(match[1]))
    except _core.Error:
        return 0


class _Level(NamedTuple):
    two_j: int
    odd: bool
    excitation: float  # hartree
    term: str  # the leading one, 3P or 3Po; empty where there is none
    configuration: str  # with parents, "2s1 2p3(2D)"; empty where it is not stated


def _term_of(text: str, odd: bool) -> str:
    """3P, and 3Po of odd levels, whether or not the text says so; empty where it is no term."""
    match = re.fullmatch(r"(\d+)\s*([A-Z])\s*[o*°]?", text.strip())
    return f"{match[1]}{match[2]}{'o' if odd else ''}" if match else ""


def _level(two_j: int, odd: bool, excitation: float, name: str, terms: Sequence[Any]) -> _Level:
    """`name`: "2s1 2p3(2D) 3Do (1)"; of the levels of one term and J the last part is their number."""
    words = re.sub(r" \(\d+\)$", "", name).split()
    term = _term_of(words[-1], odd) if words else ""
    if not term and terms:
        return _Level(two_j, odd, excitation, _term_of(str(terms[0]["term"]), odd), str(terms[0].get("configuration") or ""))
    return _Level(two_j, odd, excitation, term, " ".join(words[:-1]) if term else "")


def _levels_of(source: Any) -> Tuple[List[_Level], str]:
    data = data_of(source.to_dict() if isinstance(source, Record) else source)
    found = data.head.get("levels")
    if data.operation == "levels" and found is None and "excitation_cm-1" in data.columns:  # a file of --levels-csv
        columns = data.columns
        rows = zip(columns["J"], columns["parity"], columns["excitation_cm-1"], columns["label"])
        return [_level(round(2 * float(j)), str(parity) == "-", float(e) / HARTREE_CM, str(name), []) for j, parity, e, name in rows], ""
    if not isinstance(found, list) or not found or not isinstance(found[0], dict):
        raise _core.Error(f"{data.name or data.operation}: expected the levels of an atom, a list under the key 'levels'")
    lowest = min(float(level["energy"]) for level in found)
    levels = []
    for level in found:
        excitation = level.get("excitation_energy")
        terms = sorted(level.get("terms") or [], key=lambda t: -float(t["percent"]))
        levels.append(_level(round(2 * float(level["J"])), str(level.get("parity", "+")).startswith(("-", "o")),
                             float(level["energy"]) - lowest if excitation is None else float(excitation), str(level.get("label") or ""),
                             terms))
    charge = round(float(data.head.get("charge") or 0))
    sign = "" if not charge else f"{'' if abs(charge) == 1 else abs(charge)}{'+' if charge > 0 else '-'}"
    return sorted(levels, key=lambda level: level.excitation), f"{data.head.get('symbol') or ''}{sign}"


def _columns_of(levels: Sequence[_Level]) -> Dict[Tuple[str, str], List[_Level]]:
    """A column for each term of each configuration; of more than 16 for each term, of more than 24 for each J ("", "J = 2")."""
    several = len({level.odd for level in levels}) > 1

    def of_j(level: _Level) -> Tuple[str, str]:
        return "", f"J = {_half(level.two_j)}{' odd' if level.odd and several else ''}"

    ranks: Dict[str, int] = {}
    for level in levels:  # ascending: the configuration of the ground level comes first
        ranks.setdefault(level.configuration, len(ranks))
    keys = ((lambda level: (level.configuration, level.term) if level.term else of_j(level), 16),
            (lambda level: ("", level.term) if level.term else of_j(level), 24), (of_j, len(levels)))
    columns: Dict[Tuple[str, str], List[_Level]] = {}
    for key, most in keys:
        columns = {}
        for level in levels:
            columns.setdefault(key(level), []).append(level)
        if len(columns) <= most:
            break
    return {name: columns[name] for name in sorted(columns, key=lambda c: (ranks.get(c[0], -1), *_order(c[1])))}


def _half(two_j: int) -> str:
    return str(two_j // 2) if two_j % 2 == 0 else f"{two_j}/2"


def _order(column: str) -> Tuple[int, int, float, str]:
    """By multiplicity, highest first, then by L; columns without a term last, by J."""
    match = re.match(r"(\d+)([A-Z])", column)
    if match:
        return 0, -int(match[1]), float("SPDFGHIKLMNOQRTUV".find(match[2])), column
    number = re.search(r"(\d+)(/2)?", column)
    return 1, 0, float(number[1]) / (2 if number[2] else 1) if number else 0.0, column


def _apart(places: Sequence[float], least: float) -> List[float]:
    """Places of texts next to lines at ascending heights, at least so far from each other and as little moved as that takes."""
    groups: List[List[float]] = []  # sum of the heights less those of the texts below in the group, number
    for height in places:
        groups.append([height, 1])
        while len(groups) > 1 and _lowest(groups[-2], least) + groups[-2][1] * least > _lowest(groups[-1], least):
            last = groups.pop()
            groups[-1] = [groups[-1][0] + last[0] - last[1] * groups[-1][1] * least, groups[-1][1] + last[1]]
    return [_lowest(group, least) + i * least for group in groups for i in range(int(group[1]))]


def _lowest(group: List[float], least: float) -> float:
    return group[0] / group[1]


def levels(source: Any, *, highest: Optional[float] = None, ax: Any = None, colours: Colours = None, legend: Legend = True) -> "Figure":
    """Levels of an atom as a Grotrian diagram: a column for each term, lines at the excitation energies in cm^-1 and eV with J
    beside them; the term is the leading one of each level. Even and odd levels differ in colour.

    source: a record or JSON file of `levels`, or its JSON as a dict. highest: the largest excitation energy shown, cm^-1."""
    found, title = _levels_of(source)
    if highest is not None:
        found = [level for level in found if level.excitation * HARTREE_CM <= highest]
    if not found:
        raise _core.Error("there are no levels to show")
    columns = _columns_of(found)
    configurations = {level.configuration for level in found}
    canvas = Canvas(ax=ax, colours=colours, legend=legend, width=min(14.0, max(6.0, 1.8 + 0.95 * len(columns))), height=6.4)
    axis = canvas.first
    top = max(level.excitation for level in found) * HARTREE_CM
    span = 1.08 * top if top > 0 else 1.0
    texts = [0.0]
    for at, ((_, column), mine) in enumerate(columns.items()):
        heights = np.array([level.excitation * HARTREE_CM for level in mine])
        for odd, name in ((False, "even parity"), (True, "odd parity")):
            some = heights[[level.odd == odd for level in mine]]
            if len(some):
                axis.hlines(some, at - 0.38, at + 0.1, color=canvas.colour(int(odd), name), linewidth=1.6, label=name)
        if len(mine) > _LABELLED or column.startswith("J"):
            continue
        places = _apart(list(heights), 0.024 * span)
        texts += places
        for level, height, text in zip(mine, heights, places):
            axis.plot([at + 0.1, at + 0.16], [height, text], color=FRAME, linewidth=0.4)
            axis.text(at + 0.17, text, _half(level.two_j), fontsize=8, va="center")
    axis.set_xlim(-0.6, len(columns) - 0.4)
    axis.set_ylim(min(texts) - 0.03 * span, max(max(texts) + 0.03 * span, span))
    axis.set_xticks(range(len(columns)), [term_text(term) + (f"\n{configuration_text(name)}" if name and len(configurations) > 1 else "")
                                          for name, term in columns])
    axis.tick_params(axis="x", labelsize=8 if len(configurations) > 1 else 9)
    axis.grid(False, axis="x")
    axis.set_ylabel(label("excitation energy", "cm⁻¹"))
    second_scale(axis, HARTREE_EV / HARTREE_CM, label("excitation energy", "eV"))
    if len({level.odd for level in found}) > 1 and canvas.with_legend:
        unique = dict(zip(*reversed(axis.get_legend_handles_labels())))
        axis.legend([unique[name] for name in sorted(unique)], sorted(unique), frameon=False, fontsize=9)
    only = configuration_text(next(iter(configurations))) if len(configurations) == 1 else ""
    what = "levels" + (f" of {only}" if only else "") + ("; the numbers are J" if axis.texts else "")
    canvas.title(f"{species_text(title)}: {what}" if title else what.capitalize())
    return canvas.figure
