"""Pictures of results, with matplotlib (pip install matplotlib). Every function returns a Figure: figure.savefig("a.svg").

    import cudaprophet as cp
    from cudaprophet import plot
    plot.density(cp.Atom("Rn").energy()).savefig("rn.png")

From a shell: python -m cudaprophet plot spinors Rn --out rn.svg
"""
from __future__ import annotations

import csv
import json
import re
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core
from ._atom import Atom
from ._basis import BasisSet
from ._basis import basis as basis_of
from ._operations import Distribution, Pattern
from ._result import Array, Result, Spinor
from ._search import ChainResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["audit", "chain", "convergence", "density", "distribution", "exponents", "form_factor", "outermost", "pattern", "spinors"]

# Of s, p, d, f, g, h: distinct for the colour-blind too (Okabe and Ito).
_COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"]
_SHELLS = "KLMNOPQ"


def _figure(rows: int = 1, columns: int = 1, width: float = 7.2, height: float = 4.5, **more: Any) -> Tuple["Figure", Any]:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise _core.Error("pictures need matplotlib: pip install matplotlib") from None
    figure = Figure(figsize=(width, height), layout="constrained", dpi=150)
    axes = figure.subplots(rows, columns, **more)
    for axis in np.atleast_1d(axes).ravel():
        axis.grid(True, color="#e6e6e6", linewidth=0.6)
        axis.set_axisbelow(True)
        for side in ("top", "right"):
            axis.spines[side].set_visible(False)
    return figure, axes


def _colour(spinor: Spinor) -> str:
    return _COLOURS[spinor.l % len(_COLOURS)]


def _pretty(label: str) -> str:
    """6p3/2 with its j below."""
    match = re.fullmatch(r"(\d+[a-z])(\d+/2)", label)
    return f"${match[1][:-1]}\\mathrm{{{match[1][-1]}}}_{{{match[2]}}}$" if match else label


def _name(result: Result) -> str:
    charge = result.charge
    sign = "" if not charge else f"$^{{{f'{abs(charge):g}' if abs(charge) != 1 else ''}{'+' if charge > 0 else '-'}}}$"
    state = "" if result.converged else f" ({result.status})"  # an unbound ion's density is no ion's
    return f"{result.symbol or f'Z = {result.z:g}'}{sign}{state}"


def _where(result: Result) -> str:
    return "numerical limit" if result.is_limit else f"basis of {result.to_dict()['basis']['functions']} functions"


def _visible(grid: Array, values: Sequence[Array], share: float = 2e-3) -> Tuple[float, float]:
    """Where any of the functions is worth drawing."""
    largest = np.max(np.abs(np.vstack(values)), axis=0)
    seen = np.flatnonzero(largest > share * largest.max())
    return float(grid[seen[0]]), float(grid[min(seen[-1] + 1, len(grid) - 1)])


def outermost(result: Result) -> List[str]:
    """The spinors of the largest n in each symmetry, the weakest bound ones last."""
    last: Dict[str, Spinor] = {}
    for spinor in result.spinors.values():
        last[spinor.symmetry] = spinor
    return [s.label for s in sorted(last.values(), key=lambda s: s.energy)]


def spinors(result: Result, labels: Optional[Sequence[str]] = None) -> "Figure":
    """Large components P(r) above, small ones Q(r) below; default: the outermost spinor of each symmetry."""
    chosen = [result.spinors[label] for label in (labels if labels is not None else outermost(result))]
    grid = result.grid(4000)
    figure, (above, below) = _figure(2, 1, height=5.6, sharex=True)
    functions = [s.radial(grid) for s in chosen]
    for spinor, (large, small) in zip(chosen, functions):
        style = "--" if spinor.kappa > 0 and spinor.l > 0 else "-"
        for axis, values in ((above, large), (below, small)):
            axis.plot(grid, values, style, color=_colour(spinor), linewidth=1.4, label=_pretty(spinor.label))
    above.set_xscale("log")
    above.set_xlim(*_visible(grid, [f for pair in functions for f in pair]))
    above.set_ylabel(r"$P(r)$ / bohr$^{-1/2}$")
    below.set_ylabel(r"$Q(r)$ / bohr$^{-1/2}$")
    below.set_xlabel(r"$r$ / bohr")
    above.legend(frameon=False, ncols=2, fontsize=9)
    figure.suptitle(f"{_name(result)}: large and small components, {_where(result)}", fontsize=11)
    return figure


def density(results: Union[Result, Sequence[Result]]) -> "Figure":
    """Radial density 4 pi r^2 rho: of one result with the shares of its shells, of several one line each."""
    several = list(results) if not isinstance(results, Result) else [results]
    figure, axis = _figure()
    if len(several) == 1:
        _shells(several[0], axis)
        figure.suptitle(f"{_name(several[0])}: radial density, {_where(several[0])}", fontsize=11)
    else:
        ends = []
        for i, result in enumerate(several):
            grid = result.grid(3000)
            values = result.radial_density(grid)
            ends.append(_visible(grid, [values]))
            axis.plot(grid, values, color=_COLOURS[i % len(_COLOURS)], linewidth=1.4, label=_name(result))
        axis.set_xlim(min(e[0] for e in ends), max(e[1] for e in ends))
        figure.suptitle("Radial density", fontsize=11)
    axis.set_xscale("log")
    axis.set_ylim(bottom=0)
    axis.set_xlabel(r"$r$ / bohr")
    axis.set_ylabel(r"$4\pi r^2 \rho(r)$ / bohr$^{-1}$")
    axis.legend(frameon=False, fontsize=9)
    return figure


def _shells(result: Result, axis: Any) -> None:
    grid = result.grid(3000)
    total = np.zeros_like(grid)
    for n in sorted({s.n for s in result.spinors.values()}):
        shell = np.zeros_like(grid)
        electrons = 0.0
        for spinor in result.spinors.values():
            if spinor.n == n:
                large, small = spinor.radial(grid)
                shell += spinor.occupation * (large**2 + small**2)
                electrons += spinor.occupation
        name = _SHELLS[n - 1] if n <= len(_SHELLS) else f"n = {n}"
        axis.fill_between(grid, shell, color=_COLOURS[(n - 1) % len(_COLOURS)], alpha=0.35, linewidth=0,
                          label=f"{name}, {electrons:g} electrons")
        total += shell
    axis.plot(grid, total, color="black", linewidth=1.3, label="all")
    axis.set_xlim(*_visible(grid, [total]))


def convergence(result: Result) -> "Figure":
    """How the energy, the density matrix and the DIIS error of a self-consistent field went down."""
    history = result.history
    if len(history["iteration"]) == 0:
        raise _core.Error("this result has no iterations to show: limits and results of batches keep none")
    figure, axis = _figure()
    lines = (("energy_change", "energy / hartree", "o-"), ("density_change_ll", "density matrix, LL", "s-"),
             ("density_change_sl", "density matrix, SL", "^-"), ("density_change_ss", "density matrix, SS", "v-"),
             ("diis_error", "orbital gradient / hartree", "d--"))
    for i, (key, label, style) in enumerate(lines):
        values = np.abs(history[key])
        # The first energy has no change; a change of nothing has no logarithm.
        shown = (values > 0) & ((history["iteration"] > 1) | (key == "diis_error"))
        axis.semilogy(history["iteration"][shown], values[shown], style, color=_COLOURS[i], markersize=4, linewidth=1.2,
                      label=label)
    axis.set_xlabel("iteration")
    axis.set_ylabel("largest change")
    axis.xaxis.get_major_locator().set_params(integer=True)
    axis.legend(frameon=False, fontsize=9)
    figure.suptitle(f"{_name(result)}: convergence, {result.energy:.10f} hartree", fontsize=11)
    return figure


def exponents(collection: Union[str, BasisSet] = "", elements: Sequence[Union[int, str]] = range(1, 119)) -> "Figure":
    """Exponents of a collection across the periodic table, or of one set, a panel for each l; hollow: j = l - 1/2."""
    sets = [collection] if isinstance(collection, BasisSet) else []
    for element in [] if isinstance(collection, BasisSet) else elements:
        try:
            sets.append(basis_of(element, str(collection)))
        except _core.Error:
            continue  # an element that the collection lacks
    if not sets:
        raise _core.Error(f"the collection {collection!r} has none of these elements")
    figure, axes = _figure(2, 2, width=8.4, height=6.4, sharex=True, sharey=True)
    for l, axis in enumerate(np.ravel(axes)):
        letter = "spdf"[l]
        for sign, size, hollow in (("-", 5.0, True), ("+", 1.6, False)):
            points = [(b.z, zeta) for b in sets if letter + sign in b.symmetries for zeta in b.exponents(letter + sign)]
            if points:
                z, zeta = zip(*points)
                axis.scatter(z, zeta, s=size, linewidths=0.4, color="none" if hollow else _COLOURS[l],
                             edgecolors=_COLOURS[l] if hollow else "none", label=letter + sign)
        axis.set_yscale("log")
        axis.set_title(f"{letter}", fontsize=10, loc="left")
        if l > 0:
            axis.legend(frameon=False, fontsize=8, loc="upper left", markerscale=2)
    for axis in axes[-1]:
        axis.set_xlabel("nuclear charge $Z$")
    for axis in axes[:, 0]:
        axis.set_ylabel(r"exponent / bohr$^{-2}$")
    figure.suptitle(f"Exponents of {sets[0].element}, {sets[0].name or sets[0].description}" if isinstance(collection, BasisSet)
                    else f"Exponents of the collection {sets[0].name}", fontsize=11)
    return figure


def chain(result: ChainResult) -> "Figure":
    """Errors of the sets that a chain tried, against their number of functions."""
    points = []
    for line in result.log:
        match = re.search(r"(\d+) functions, expected error \S+, SCF (\S+)", line) or \
            re.search(r"(\d+) functions.*?error (\S+?)[,;)]?$", line)
        if match:
            try:
                points.append((int(match[1]), float(match[2])))
            except ValueError:
                continue  # a set without an energy
    figure, axis = _figure()
    shown = [(n, abs(e), e < 0) for n, e in points if e != 0]
    for below, marker, label in ((False, "o", "sets tried"), (True, "v", "below the limit (prolapse)")):
        some = [(n, e) for n, e, negative in shown if negative == below]
        if some:
            axis.semilogy(*zip(*some), marker, color=_COLOURS[1 if below else 0], label=label)
    axis.semilogy([result.basis.functions], [abs(result.error)], "*", color=_COLOURS[2], markersize=13, label="the set found")
    axis.axhline(result.threshold, color="black", linewidth=1, linestyle="--", label="threshold")
    axis.set_xlabel("functions")
    axis.set_ylabel("(energy − limit) / |limit|")
    axis.xaxis.get_major_locator().set_params(integer=True)
    axis.legend(frameon=False, fontsize=9)
    figure.suptitle(f"{result.atom.symbol}: errors along the chain, limit {result.limit:.8f} hartree", fontsize=11)
    return figure


def form_factor(results: Union[Result, Sequence[Result]], largest: float = 25.0) -> "Figure":
    """X-ray form factors f(q) of one result or several, q from 0 to `largest` in 1/angstrom."""
    several = list(results) if not isinstance(results, Result) else [results]
    q = np.linspace(0.0, largest, 501)
    figure, axis = _figure()
    for i, result in enumerate(several):
        axis.plot(q, result.form_factor(q), color=_COLOURS[i % len(_COLOURS)], linewidth=1.4, label=_name(result))
    axis.set_xlim(0, largest)
    axis.set_ylim(bottom=0)
    axis.set_xlabel(r"$q = 4\pi \sin\theta / \lambda$ / Å$^{-1}$")
    axis.set_ylabel("$f(q)$ / electrons")
    axis.legend(frameon=False, fontsize=9)
    figure.suptitle("X-ray form factors", fontsize=11)
    return figure


def pattern(patterns: Union[Pattern, Dict[str, Pattern]]) -> "Figure":
    """Powder patterns, linear and logarithmic; several by their names."""
    several = patterns if isinstance(patterns, dict) else {"": patterns}
    figure, axes = _figure(2, 1, height=6.0, sharex=True)
    for i, (name, p) in enumerate(several.items()):
        for axis in axes:
            axis.plot(p.q, p.intensity / p.atoms, color=_COLOURS[i % len(_COLOURS)], linewidth=1.2, label=name)
    axes[1].set_yscale("log")
    axes[1].set_xlabel(r"$q$ / angstrom$^{-1}$")
    for axis in axes:
        axis.set_ylabel(r"$I(q)/N$")
    if len(several) > 1:
        axes[0].legend(frameon=False, fontsize=9)
    return figure


def distribution(g: Distribution) -> "Figure":
    """Pair distribution functions, of all atoms and of each pair of kinds."""
    figure, axis = _figure()
    axis.plot(g.r, g.g, color="black", linewidth=1.4, label="all")
    if len(g.partial) > 1:
        for i, (name, values) in enumerate(g.partial.items()):
            axis.plot(g.r, values, color=_COLOURS[i % len(_COLOURS)], linewidth=1.0, label=name)
    axis.set_xlabel(r"$r$ / angstrom")
    axis.set_ylabel(r"$g(r)$")
    axis.legend(frameon=False, fontsize=9)
    return figure


def _audit_rows(file: str) -> List[Dict[str, Any]]:
    """Rows of an audit's CSV or JSON that have an energy, with the keys of the CSV."""
    with open(file, encoding="utf-8", newline="") as text:
        start = text.read(1)
        text.seek(0)
        if start != "{":
            rows = [dict(row) for row in csv.DictReader(text)]
            if not rows or not {"minus_limit", "error_s", "prolapse_s", "set", "Z"} <= set(rows[0]):
                raise _core.Error(f"{file}: this is no audit of 'cudaprophet basis audit' (--csv or --json)")
        else:
            found = json.load(text)
            if "audit_version" not in found:
                raise _core.Error(f"{file}: this is no audit of 'cudaprophet basis audit' (--csv or --json)")
            rows = []
            for audited in found["sets"]:
                for row in audited["rows"]:
                    shares = {f"{what}_{s['l']}": s[what] for s in row["symmetries"] for what in ("error", "prolapse")}
                    remarks = "; ".join(r["kind"] + ": " + r["text"] for r in row["remarks"])
                    rows.append({**row, **shares, "set": audited["name"], "remarks": remarks})
    kept = [row for row in rows if row.get("minus_limit") not in (None, "")]
    if not kept:
        raise _core.Error(f"{file}: no element of this audit has an energy")
    return kept


def _audit_line(rows: Sequence[Dict[str, Any]], value: Any) -> Tuple[Array, Array]:
    """Z and value where that is above 0: a logarithm is drawn."""
    points = [(float(row["Z"]), value(row)) for row in rows]
    kept = np.array([p for p in points if p[1] is not None and p[1] > 0]).reshape(-1, 2)
    return kept[:, 0], kept[:, 1]


def audit(file: str) -> "Figure":
    """An audit of basis sets ('cudaprophet basis audit SET --json FILE', or --csv): distance from the limit across the
    periodic table, and what each l lacks (of the first set); rings: remarks about errors or prolapse."""
    rows = _audit_rows(file)
    names = list(dict.fromkeys(row["set"] for row in rows))
    figure, (above, below) = _figure(2, 1, width=8.4, height=7.0, sharex=True)
    for i, name in enumerate(names):
        mine = [row for row in rows if row["set"] == name]
        colour = _COLOURS[i % len(_COLOURS)]
        above.semilogy(*_audit_line(mine, lambda row: float(row["minus_limit"])), "o-", color=colour, markersize=3,
                       linewidth=1, label=name)
        above.semilogy(*_audit_line(mine, lambda row: -float(row["minus_limit"])), "v", color=colour, markersize=4,
                       markerfacecolor="none")
        marked = [row for row in mine if "_outlier: " in (row["remarks"] or "").replace("exponent_outlier", "")]
        above.semilogy(*_audit_line(marked, lambda row: abs(float(row["minus_limit"]))), "o", color="black", markersize=9,
                       markerfacecolor="none")
    first = [row for row in rows if row["set"] == names[0]]
    for i, l in enumerate("spdf"):
        def lack(row: Dict[str, Any], l: str = l) -> Optional[float]:
            error = row.get("error_" + l)
            return None if error in (None, "") else float(error) + float(row["prolapse_" + l])
        z, lacks = _audit_line(first, lack)
        if len(z):
            below.semilogy(z, lacks, "o-", color=_COLOURS[i], markersize=3, linewidth=1, label=l)
    below.semilogy(*_audit_line(first, lambda row: float(row["prolapse"]) if row["prolapse"] not in (None, "") else None), "k:",
                   linewidth=1, label="prolapse")
    above.set_ylabel("|energy − limit| / hartree")
    below.set_ylabel("lack of each l / hartree")
    if len(names) > 1:
        below.set_title(f"{names[0]} alone", fontsize=10, loc="left")
    below.set_xlabel("nuclear charge $Z$")
    above.legend(frameon=False, fontsize=9)
    below.legend(frameon=False, fontsize=9, ncols=5)
    figure.suptitle(f"Audit of {', '.join(names)}; triangles: below the limit", fontsize=11)
    return figure
