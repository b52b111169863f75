"""Pictures of tables of subshells: Compton profiles, magnetic form factors with their fits, incoherent scattering functions."""
from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Tuple, Union

import numpy as np

from .. import _core
from .._operations import Record
from .._result import Array
from ._files import Data, data_of
from ._style import Canvas, Colours, Legend, label, species_text

__all__ = ["magnetic", "profiles", "scattering", "subshells"]

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Source = Union[Record, Dict[str, Any], str, "os.PathLike[str]"]
_Table = Mapping[str, Any]
_COLUMNS = {"compton": ("label", "p", "J"), "bessel": ("label", "s", "j0"), "incoherent": ("q", "S")}
_MOST_CURVES = 8  # with a legend entry of their own in one panel


def _tables_of(source: Source) -> Mapping[str, _Table]:
    """The tables of a record or a file by their keys; CSV has one."""
    if isinstance(source, Record):
        if source._head["operation"] != "tables":
            raise _core.Error(f"{source._head['operation']}: expected tables of subshells, of the operation 'tables'")
        return source.tables
    if isinstance(source, (str, os.PathLike)) and os.fspath(source).endswith(".json"):
        with open(source, encoding="utf-8") as text:
            source = json.load(text)
    if isinstance(source, dict):
        if source.get("operation") != "tables":
            raise _core.Error(f"{source.get('operation')}: expected tables of subshells, of the operation 'tables'")
        return {key: _by_columns(source[key]) for key in (*_COLUMNS, "fits") if source.get(key)}
    data: Data = data_of(source)
    found = {key: data.columns for key, names in _COLUMNS.items() if set(names) <= set(data.columns)}
    if not found:
        raise _core.Error(f"{data.name or data.operation}: expected tables of subshells, of the operation 'tables'")
    return found


def _by_columns(table: Any) -> _Table:
    return table if isinstance(table, dict) else {key: [row.get(key) for row in table] for key in table[0]}


def _table(source: Source, key: str, topic: str) -> _Table:
    tables = _tables_of(source)
    if key not in tables:
        raise _core.Error(f"there is no table '{key}'; make one with what='{topic}'")
    return tables[key]


def _curves(table: _Table, x: str, y: str) -> Dict[Tuple[str, str], Tuple[Array, Array]]:
    """By species and label."""
    species = [str(s) for s in table["species"]]
    labels = [str(s) for s in table["label"]] if "label" in table else [""] * len(species)
    horizontal, values = (np.array(table[key], dtype=float) for key in (x, y))
    rows: Dict[Tuple[str, str], List[int]] = {}
    for i, key in enumerate(zip(species, labels)):
        rows.setdefault(key, []).append(i)
    return {key: (horizontal[chosen], values[chosen]) for key, chosen in rows.items()}


def _name(key: Tuple[str, str], curves: Mapping[Tuple[str, str], Any]) -> str:
    several = len({species for species, _ in curves}) > 1
    return " ".join(part for part in (species_text(key[0]) if several or not key[1] else "", key[1]) if part)


def _title(what: str, curves: Mapping[Tuple[str, str], Any]) -> str:
    species = list(dict.fromkeys(species for species, _ in curves))
    return what + (" of " + species_text(species[0]) if len(species) == 1 else "")


def profiles(source: Source, *, ax: Any = None, colours: Colours = None, legend: Legend = True) -> "Figure":
    """Compton profiles J(p) of subshells, or of whole atoms, linear and logarithmic; a record or a file of `tables`."""
    curves = _curves(_table(source, "compton", "compton"), "p", "J")
    canvas = Canvas(1, 2, ax=ax, colours=colours, legend=legend, width=9.5)
    for i, (key, (p, values)) in enumerate(curves.items()):
        for axis in canvas.panels:
            axis.plot(p, values, label=_name(key, curves), **canvas.line(i, _name(key, curves)))
    canvas.first.set_xlim(0, min(10.0, max(float(p.max()) for p, _ in curves.values())))
    if len(canvas.panels) > 1:
        canvas.panels[1].set_xscale("symlog", linthresh=1)
        canvas.panels[1].set_yscale("log")
    for axis in canvas.panels:
        axis.set_xlabel(label("$p$", "1/bohr"))
    canvas.first.set_ylabel(label("$J(p)$", "bohr"))
    canvas.legend(canvas.panels[-1], ncols=1 + len(curves) // _MOST_CURVES)
    canvas.title(_title("Compton profiles", curves))
    return canvas.figure


def magnetic(source: Source, *, ax: Any = None, colours: Colours = None, legend: Legend = True) -> "Figure":
    """Magnetic form factors <j_0>, <j_2>, <j_4>, <j_6> over sin(theta)/lambda; where there are fits, 1000 times their errors below."""
    tables = _tables_of(source)
    table = _table(source, "bessel", "magnetic")
    fits = tables.get("fits")
    canvas = Canvas(2 if fits else 1, 1, ax=ax, colours=colours, legend=legend, height=6.0 if fits else 4.5, sharex=True)
    several = _curves(table, "s", "j0")
    for rank in (0, 2, 4, 6):
        curves = _curves(table, "s", f"j{rank}")
        for i, (key, (s, values)) in enumerate(curves.items()):
            line = {**canvas.line(rank // 2, f"j{rank}"), "alpha": 1 - 0.6 * i / max(1, len(curves))}
            name = rf"$\langle j_{rank}\rangle$ {_name(key, curves) if len(curves) > 1 else ''}"
            canvas.first.plot(s, values, label=name, **line)
            if fits and len(canvas.panels) > 1:
                fitted = _fitted(fits, key, rank, s)
                canvas.panels[1].plot(s, 1000 * (fitted - values), **line)
    canvas.first.set_ylabel(r"$\langle j_k\rangle$")
    if fits and len(canvas.panels) > 1:
        canvas.panels[1].set_ylabel("1000 × error of the fit")
    canvas.panels[-1].set_xlabel(label(r"$\sin\theta/\lambda$", "1/angstrom"))
    canvas.legend(canvas.first)
    canvas.title(_title("Magnetic form factors", several) + ("" if len(several) > 1 else " " + next(iter(several))[1]))
    return canvas.figure


def _fitted(fits: _Table, key: Tuple[str, str], rank: int, s: Array) -> Array:
    for i, (species, shell, k) in enumerate(zip(fits["species"], fits["label"], fits["k"])):
        if (str(species), str(shell), round(float(k))) != (*key, rank):
            continue
        number = {name: np.nan if fits[name][i] is None else float(fits[name][i]) for name in fits if name[:1] in "AbD"}
        total = np.full_like(s, number["D"])
        for n in range(1, 6):
            if np.isfinite(number.get(f"A{n}", np.nan)):
                total += number[f"A{n}"] * np.exp(-number[f"b{n}"] * s**2)
        return np.where(s <= float(fits["s_max"][i]) + 1e-9, total * (s**2 if rank else 1.0), np.nan)
    return np.full_like(s, np.nan)


def scattering(source: Source, *, ax: Any = None, colours: Colours = None, legend: Legend = True) -> "Figure":
    """Incoherent scattering functions S(q) in electrons; a record or a file of `tables`."""
    curves = _curves(_table(source, "incoherent", "incoherent"), "q", "S")
    canvas = Canvas(1, 1, ax=ax, colours=colours, legend=legend)
    for i, (key, (q, values)) in enumerate(curves.items()):
        canvas.first.plot(q, values, label=_name(key, curves), **canvas.line(i, _name(key, curves)))
    canvas.first.set_xlim(left=0)
    canvas.first.set_ylim(bottom=0)
    canvas.first.set_xlabel(label("$q$", "1/angstrom"))
    canvas.first.set_ylabel(label("$S(q)$", "electrons"))
    if len(curves) > 1:
        canvas.legend(canvas.first)
    canvas.title(_title("Incoherent scattering function" + ("s" if len(curves) > 1 else ""), curves))
    return canvas.figure


def subshells(source: Source, *, ax: Any = None, colours: Colours = None, legend: Legend = True) -> "Figure":
    """The picture of the first table of `tables` that has one: profiles, magnetic or scattering."""
    tables = _tables_of(source)
    for key in tables:
        if key in _COLUMNS:
            draw = {"compton": profiles, "bessel": magnetic, "incoherent": scattering}[key]
            return draw(source, ax=ax, colours=colours, legend=legend)
    raise _core.Error(f"there is no picture of the tables {', '.join(tables)}; there is of what='compton', 'magnetic' and 'incoherent'")
