"""Pictures of many results: trends over the periodic table, differences of energies."""
from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from .. import _core
from .._operations import Record
from .._result import Result
from ._atoms import HARTREE_EV
from ._files import data_of, opened, several_of
from ._style import FRAME, Canvas, Colours, Legend, label, species_text, whole_numbers

__all__ = ["differences", "trends"]

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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
