"""Pictures of basis sets: exponents, errors, audits, chains, searches."""
from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from .. import _core
from .._basis import BasisSet
from .._basis import basis as basis_of
from .._result import Array
from .._search import ChainResult, OptimiseResult
from ._files import Data, data_of
from ._style import PALETTE, Canvas, Colours, Legend, label, whole_numbers

__all__ = ["audit", "chain", "errors", "exponents", "search"]

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_RELATIVE = "(energy − limit) / |limit|"
_MANY = 12  # sets from which exponents are drawn as lines across the table


def exponents(collection: Union[str, BasisSet] = "", elements: Sequence[Union[int, str]] = range(1, 119), *, ax: Any = None,
              colours: Colours = None, legend: Legend = True) -> "Figure":
    """Exponents of a collection across the periodic table, or of one set, a panel for each l; hollow or grey: j = l - 1/2.

    Lines join each exponent to the nearest one of the next element."""
    sets = [collection] if isinstance(collection, BasisSet) else []
    for element in [] if isinstance(collection, BasisSet) else elements:
        try:
            sets.append(basis_of(element, str(collection)))
        except _core.Error:
            continue  # an element that the collection lacks
    if not sets:
        raise _core.Error(f"the collection {collection!r} has none of these elements")
    letters = [letter for letter in "spdf" if any(letter + "+" in b.symmetries for b in sets)]
    rows = 1 if len(letters) == 1 else 2
    canvas = Canvas(rows, 2 if len(letters) > 1 else 1, ax=ax, colours=colours, legend=legend, width=8.4, height=6.4 if rows > 1 else 4.5,
                    sharex=True, sharey=True)
    for l, letter in enumerate(letters):
        axis = canvas.panels[min(l, len(canvas.panels) - 1)]
        for sign, name in (("-", f"{letter}−, j = l − ½"), ("+", f"{letter}+, j = l + ½" if l else "s+")):
            mine = [(b.z, np.sort(b.exponents(letter + sign))) for b in sets if letter + sign in b.symmetries]
            if mine:
                _exponents(axis, mine, canvas.colour(l, letter), sign, name)
        if canvas.own:
            axis.set_title(letter, fontsize=10, loc="left")
        canvas.legend(axis, fontsize=8, loc="upper left")
    for axis in canvas.panels[len(letters):] if canvas.own else []:
        axis.set_visible(False)
    for axis in canvas.panels:
        axis.set_yscale("log")
        axis.set_xlabel("$Z$")
        axis.set_ylabel(label(r"$\zeta$", "bohr⁻²"))
        if canvas.own:
            axis.label_outer()
        if len(sets) == 1:
            whole_numbers(axis.xaxis)
    canvas.title(f"Exponents of {sets[0].element}, {sets[0].name or sets[0].description}" if isinstance(collection, BasisSet)
                 else f"Exponents of the collection {sets[0].name}")
    return canvas.figure


def _exponents(axis: Any, sets: List[Tuple[int, Array]], colour: str, sign: str, name: str) -> None:
    """Dots; of many elements lines between those of neighbours that belong together, where dots would make patterns of their own."""
    below = sign == "-"
    if len(sets) < _MANY:
        charges = [z for z, values in sets for _ in values]
        axis.plot(charges, np.concatenate([values for _, values in sets]), "o", markersize=5 if below else 2.5, markeredgewidth=0.6, markeredgecolor=colour,
                  markerfacecolor="none" if below else colour, label=name)
        return
    across: List[float] = []
    up: List[float] = []
    for (z, values), (after, following) in zip(sets, [*sets[1:], (0, np.zeros(0))]):
        joined = _neighbours(values, following) if after == z + 1 else {}
        for i, zeta in enumerate(values):
            across += [z, after, np.nan] if i in joined else [z, np.nan]
            up += [float(zeta), float(following[joined[i]]), np.nan] if i in joined else [float(zeta), np.nan]
    axis.plot(across, up, ".-", color="#999999" if below else colour, linewidth=0.7, markersize=1, label=name)


def _neighbours(values: Array, following: Array) -> Dict[int, int]:
    """Of each exponent the one of the next element that is nearest to it, where that is so for both."""
    if not len(values) or not len(following):
        return {}
    distances = np.abs(np.log(values)[:, None] - np.log(following)[None, :])
    nearest, back = distances.argmin(axis=1), distances.argmin(axis=0)
    return {i: int(j) for i, j in enumerate(nearest) if back[j] == i}


def errors(*sources: Any, elements: Sequence[Union[int, str]] = range(1, 119), ax: Any = None, colours: Colours = None,
           legend: Legend = True) -> "Figure":
    """Errors of the sets of collections across the periodic table, relative to the numerical limit.

    sources: names of collections ("prophet-dz", "prophet-tz"), or records and files of `tier`, `chain`, `validate`,
    `basis_compare` and `basis_table`. Default: the collections of the program that state their errors."""
    lines: Dict[str, Tuple[Array, Array]] = {}
    for source in sources or ("prophet-dz", "prophet-tz", "prophet-qz", "prophet-1"):
        if isinstance(source, str) and not os.path.exists(source):
            lines[source] = _stated(source, elements)
        else:
            lines.update(_found(data_of(source)))
    lines = {name: line for name, line in lines.items() if len(line[0])}
    if not lines:
        raise _core.Error("these sets state no errors")
    canvas = Canvas(ax=ax, colours=colours, legend=legend, width=8.4)
    axis = canvas.first
    marks = "os^vDPX*"
    for i, (name, (z, values)) in enumerate(lines.items()):
        axis.semilogy(z, np.where(values > 0, values, np.nan), marks[i % len(marks)] + "-", color=canvas.colour(i, name), markersize=3,
                      linewidth=0.8, label=name)
    axis.set_xlabel("$Z$")
    axis.set_ylabel(_RELATIVE)
    canvas.legend(axis)
    canvas.title("Basis-set errors")
    return canvas.figure


def _stated(collection: str, elements: Sequence[Union[int, str]]) -> Tuple[Array, Array]:
    points = []
    known = False
    for element in elements:
        try:
            found = basis_of(element, collection)
        except _core.Error:
            continue
        known = True
        if found.provenance.get("error") is not None:
            points.append((found.z, float(found.provenance["error"])))
    if not known:
        raise _core.Error(f"there is neither a file nor a collection {collection!r} with these elements")
    table = np.array(points, dtype=float).reshape(-1, 2)
    return table[:, 0], table[:, 1]


def _found(data: Data) -> Dict[str, Tuple[Array, Array]]:
    if data.operation in ("basis_compare", "basis_table"):
        return _of_text(str(data.head.get("text", "")))
    if data.operation == "validate":
        return {"default basis set": (data.column("Z"), data.column("basis_minus_limit"))}
    if data.operation in ("tier", "chain") and "error" in data.columns:
        name = data.head.get("request", {}).get("tier") or data.operation
        return {str(name): (data.column("Z"), data.column("error"))}
    raise _core.Error(f"{data.name or data.operation}: expected errors of basis sets, of tier, chain, validate or basis compare")


def _of_text(text: str) -> Dict[str, Tuple[Array, Array]]:
    """The table that compares two collections: | Z | | NAME | functions | error | NAME | functions | error |."""
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    if len(rows) < 3:
        raise _core.Error("this table has no rows")
    lines = {}
    for column, title in enumerate(rows[0]):
        if title == "error":
            points = []
            for row in rows[2:]:
                try:
                    points.append((float(row[0]), float(row[column])))
                except ValueError:
                    continue  # an element that one of them lacks
            table = np.array(points, dtype=float).reshape(-1, 2)
            lines[rows[0][column - 2]] = (table[:, 0], table[:, 1])
    return lines


def chain(result: ChainResult, *, ax: Any = None, colours: Colours = None, legend: Legend = True) -> "Figure":
    """Errors of the sets that a chain computed against their numbers of functions, with its threshold."""
    tried, reference = _tried(result.log)
    canvas = Canvas(ax=ax, colours=colours, legend=legend)
    axis = canvas.first
    last = result.basis.functions
    for below, marker, name in ((False, "o", "sets computed"), (True, "v", "below the limit (prolapse)")):
        some = [(n, abs(e)) for n, e in tried if (e < 0) == below and e != 0 and (n, abs(e)) != (last, abs(result.error))]
        if some:
            axis.plot(*zip(*some), marker, color=canvas.colour(1 if below else 0, name), label=name)
    axis.plot([last], [abs(result.error)], "*", color=canvas.colour(2, "result"), markersize=13, label=f"result, {last} functions")
    most = max([last, *(n for n, _ in tried)])
    if reference and reference[0] <= 1.5 * most:
        axis.plot([reference[0]], [reference[1]], "s", color=canvas.colour(3, "reference"), label="reference set")
    elif reference:  # far outside: all else would stand in a corner
        axis.plot([], [], " ", label=f"reference set (not shown): {reference[0]} functions, {reference[1]:.1e}")
    axis.axhline(result.threshold, color="black", linewidth=1, linestyle="--", label=f"threshold, {result.threshold:g}")
    axis.set_yscale("log")
    axis.set_xlim(min([last, *(n for n, _ in tried)]) - 2, axis.get_xlim()[1] + 2)
    axis.set_xlabel("functions")
    axis.set_ylabel(_RELATIVE)
    whole_numbers(axis.xaxis)
    canvas.legend(axis)
    canvas.title(f"{result.atom.symbol}: errors along the chain, limit {result.limit:.8f} hartree")
    return canvas.figure


def _tried(log: Sequence[str]) -> Tuple[List[Tuple[int, float]], Optional[Tuple[int, float]]]:
    """Functions and errors of the sets that a chain computed, and of the large one that it compares with."""
    tried: List[Tuple[int, float]] = []
    reference = None
    for line in log:
        match = re.search(r"reference of (\d+) functions, error (\S+)", line)
        if match:
            reference = (int(match[1]), float(match[2]))
            continue
        match = re.search(r"(\d+) functions, expected error \S+, SCF (\S+)", line) or \
            re.search(r"(\d+) functions.*?error (\S+?)[,;)]?(?: of \S+)?$", line)
        if match:
            try:
                tried.append((int(match[1]), float(match[2])))
            except ValueError:
                continue  # a set without an energy
    return tried, reference


def search(result: Union[OptimiseResult, str, "os.PathLike[str]"], *, ax: Any = None, colours: Colours = None,
           legend: Legend = True) -> "Figure":
    """Energies that a search for parameters evaluated, above the lowest one, and the lowest one so far.

    result: what cp.optimise() gives, or the state of an optimisation, FILE.inp.bsopt."""
    if isinstance(result, OptimiseResult):
        energies = np.array([np.nan if e is None else e for _, e in result.history], dtype=float)
        title = f"{result.atom.symbol}: search for parameters, {result.energy:.10f} hartree"
    else:
        data = data_of(result)
        if data.operation != "search":
            raise _core.Error(f"{data.name or data.operation}: expected the state of an optimisation, FILE.inp.bsopt")
        energies = data.column("energy")
        title = f"Search for parameters, {np.nanmin(energies):.10f} hartree"
    if not len(energies) or np.all(np.isnan(energies)):
        raise _core.Error("this search has evaluated no energies")
    canvas = Canvas(ax=ax, colours=colours, legend=legend)
    axis = canvas.first
    number = np.arange(1, len(energies) + 1)
    above = energies - np.nanmin(energies)
    lowest = np.fmin.accumulate(above)
    axis.plot(number, np.where(above > 0, above, np.nan), "o", color=canvas.colour(0, "evaluations"), markersize=3, label="evaluations")
    axis.plot(number, np.where(lowest > 0, lowest, np.nan), color=canvas.colour(1, "lowest so far"), linewidth=1.2, drawstyle="steps-post",
              label="lowest so far")
    axis.set_yscale("log")
    axis.set_xlabel("evaluation")
    axis.set_ylabel(label("energy above the lowest", "hartree"))
    whole_numbers(axis.xaxis)
    canvas.legend(axis)
    canvas.title(title)
    return canvas.figure


class _Row(NamedTuple):
    """An element of an audit."""

    z: float
    above: float  # energy - limit, hartree
    prolapse: Optional[float]
    errors: Dict[str, float]  # by l: error and prolapse together
    remarked: bool


def _number(value: Any) -> Optional[float]:
    return None if value is None or value == "" or value != value else float(value)


def _audit_rows(source: Any) -> Dict[str, List[_Row]]:
    """Rows of an audit that have an energy, by set."""
    data = data_of(source)
    if data.operation != "audit":
        raise _core.Error(f"{data.name or data.operation}: this is no audit of 'cudaprophet basis audit' (--csv or --json)")
    rows: List[Dict[str, Any]] = []
    if "sets" in data.head:
        for audited in data.head["sets"]:
            for row in audited["rows"]:
                shares = {f"{what}_{s['l']}": s[what] for s in row["symmetries"] for what in ("error", "prolapse")}
                remarks = "; ".join(r["kind"] + ": " + r["text"] for r in row["remarks"])
                rows.append({**row, **shares, "set": audited["name"], "remarks": remarks})
    else:
        keys = list(data.columns)
        rows = [dict(zip(keys, values)) for values in zip(*(data.columns[key] for key in keys))]
    found: Dict[str, List[_Row]] = {}
    for row in rows:
        above = _number(row.get("minus_limit"))
        if above is None:
            continue
        lacks = {l: (_number(row.get("error_" + l)), _number(row.get("prolapse_" + l))) for l in "spdf"}
        text = row.get("remarks")
        remarked = "_outlier: " in (text if isinstance(text, str) else "").replace("exponent_outlier", "")
        found.setdefault(str(row["set"]), []).append(
            _Row(float(row["Z"]), above, _number(row.get("prolapse")),
                 {l: error + (prolapse or 0.0) for l, (error, prolapse) in lacks.items() if error is not None}, remarked))
    if not found:
        raise _core.Error(f"{data.name or 'audit'}: no element of this audit has an energy")
    return found


def _positive(points: Sequence[Tuple[float, Optional[float]]]) -> Tuple[Array, Array]:
    """Those above 0: a logarithm is drawn."""
    table = np.array([(z, value) for z, value in points if value is not None and value > 0], dtype=float).reshape(-1, 2)
    return table[:, 0], table[:, 1]


def audit(file: Any, *, ax: Any = None, colours: Colours = None, legend: Legend = True) -> "Figure":
    """An audit of basis sets: distance from the limit across the periodic table, and below it a panel for each set with the
    errors by l. Triangles lie below the limit; rings have remarks about their errors or prolapse.

    file: of 'cudaprophet basis audit SET --json FILE' or --csv, or a record of `audit`."""
    sets = _audit_rows(file)
    canvas = Canvas(1 + len(sets), 1, ax=ax, colours=colours, legend=legend, width=8.4, height=3.4 + 2.6 * len(sets), sharex=True)
    above = canvas.first
    for i, (name, rows) in enumerate(sets.items()):
        colour = canvas.colour(i, name)
        above.semilogy(*_positive([(r.z, r.above) for r in rows]), "o-", color=colour, markersize=3, linewidth=1, label=name)
        above.semilogy(*_positive([(r.z, -r.above) for r in rows]), "v", color=colour, markersize=4, markerfacecolor="none")
        above.semilogy(*_positive([(r.z, abs(r.above)) for r in rows if r.remarked]), "o", color="black", markersize=9,
                       markerfacecolor="none")
    above.set_ylabel(label("|energy − limit|", "hartree"))
    canvas.legend(above)
    for axis, (name, rows) in zip(canvas.panels[1:], sets.items()):
        for i, l in enumerate("spdf"):
            z, values = _positive([(r.z, r.errors.get(l)) for r in rows])
            if len(z):
                axis.semilogy(z, values, "o-", color=PALETTE[i], markersize=3, linewidth=1, label=l)
        z, values = _positive([(r.z, r.prolapse) for r in rows])
        if len(z):
            axis.semilogy(z, values, color="black", linestyle=":", linewidth=1, label="prolapse")
        axis.set_ylabel(label("error of each $l$", "hartree"))
        if canvas.own:
            axis.set_title(name, fontsize=10, loc="left")
        canvas.legend(axis, ncol=5)
    canvas.panels[-1].set_xlabel("$Z$")
    canvas.title(f"Audit of {', '.join(sets)}")
    return canvas.figure
