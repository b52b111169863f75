"""Pictures of atoms: spinors, densities, form factors, convergence."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from .. import _core
from .._operations import Record, run
from .._result import Array, Result, Spinor
from ._files import Data, data_of, opened, read, results_of, several_of
from ._style import FRAME, WIDTH, Canvas, Colours, Legend, label, second_scale, shell_text, species_text, spinor_text, visible, whole_numbers

__all__ = ["convergence", "density", "form_factor", "form_factor_differences", "outermost", "spinor_energies", "spinors"]

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HARTREE_EV = 27.211386245988  # CODATA 2018
_LETTERS = "spdfghik"
Source = Union[Result, Sequence[Result], Record, Dict[str, Any], str, "os.PathLike[str]"]


def name_of(result: Result) -> str:
    charge = result.charge
    sign = "" if not charge else f"{'' if abs(charge) == 1 else f'{abs(charge):g}'}{'+' if charge > 0 else '-'}"
    state = "" if result.converged else f" ({result.status})"  # the density of an unbound ion is not that of an ion
    name = species_text(result.symbol + sign) if result.symbol else f"Z = {result.z:g}" + (f", charge {charge:+g}" if charge else "")
    return name + state


def where_of(result: Result) -> str:
    return "numerical limit" if result.is_limit else f"basis of {result.to_dict()['basis']['functions']} functions"


def outermost(result: Result) -> List[str]:
    """The spinors of the largest n in each symmetry, the weakest bound ones last."""
    last: Dict[str, Spinor] = {}
    for spinor in result.spinors.values():
        last[spinor.symmetry] = spinor
    return [s.label for s in sorted(last.values(), key=lambda s: s.energy)]


class _Functions(NamedTuple):
    """Radial functions of an atom, from a result or from a file of --orbitals."""

    title: str
    grid: Array
    pairs: Dict[str, Tuple[Array, Array]]  # P and Q by label
    electrons: Dict[str, float]
    density: Array  # 4 pi r^2 rho


def _functions_of(source: Any, points: int) -> _Functions:
    if isinstance(source, (str, os.PathLike)):
        found = read(source)
        if isinstance(found, Data):
            return _of_table(found)
        source = found
    results = results_of(source)
    result = results[0]
    grid = result.grid(points)
    pairs = {s.label: s.radial(grid) for s in result.spinors.values()}
    electrons = {s.label: s.occupation for s in result.spinors.values()}
    density = np.zeros_like(grid)
    for name, (large, small) in pairs.items():
        density += electrons[name] * (large**2 + small**2)
    return _Functions(f"{name_of(result)}: {{}}, {where_of(result)}", grid, pairs, electrons, density)


def _of_table(data: Data) -> _Functions:
    if data.operation != "orbitals":
        raise _core.Error(f"{data.name}: expected the radial functions of an atom, from --orbitals or --hdf5")
    pairs = {key[2:]: (data.column(key), data.column("Q_" + key[2:])) for key in data.columns if key.startswith("P_")}
    notes = dict(note.split(": ", 1) for note in data.head["notes"] if ": " in note and not note.startswith("spinor: "))
    words = [note[8:].split(", ") for note in data.head["notes"] if note.startswith("spinor: ")]
    electrons = {w[0]: float(w[1].split()[-1]) for w in words}
    radii = data.column("r")
    atom = notes.get("atom", "").split(",")[0]
    return _Functions(f"{species_text(atom)}: {{}}", radii, pairs, electrons, 4 * np.pi * radii**2 * data.column("density"))


def _outermost_labels(functions: _Functions) -> List[str]:
    last: Dict[str, str] = {}
    for name in functions.pairs:
        symmetry = name.lstrip("0123456789")
        if symmetry not in last or _n(name) > _n(last[symmetry]):
            last[symmetry] = name
    return list(last.values())


def _n(name: str) -> int:
    return int(name[: len(name) - len(name.lstrip("0123456789"))])


def _l(name: str) -> int:
    return _LETTERS.index(name.lstrip("0123456789")[0])


def _below(name: str) -> bool:
    """Whether j = l - 1/2."""
    return int(name.lstrip("0123456789")[1:].split("/")[0]) < 2 * _l(name)


def spinors(source: Source, labels: Optional[Sequence[str]] = None, *, ax: Any = None, colours: Colours = None,
            legend: Legend = True) -> "Figure":
    """Large components P(r) above, small components Q(r) below, of the outermost spinor of each symmetry unless `labels` names
    others; dashed where j = l - 1/2. source: a result, or a file of --orbitals or --hdf5. With one Axes only P is drawn."""
    result = source if isinstance(source, Result) else None
    functions = _functions_of(source, 4000)
    if result is not None and labels is None:
        labels = outermost(result)
    chosen = list(labels) if labels is not None else _outermost_labels(functions)
    for name in chosen:
        if name not in functions.pairs:
            raise KeyError(f"there is no occupied spinor {name!r}; there is: {', '.join(functions.pairs)}")
    shells = list(dict.fromkeys((_n(name), _l(name)) for name in chosen))
    several = len({l for _, l in shells}) < len(shells)  # then the letter alone does not tell them apart
    canvas = Canvas(2, 1, ax=ax, colours=colours, legend=legend, height=5.6, sharex=True)
    for name in chosen:
        shell = (_n(name), _l(name))
        colour = canvas.colour(shells.index(shell) if several else shell[1], name)
        for axis, values in zip(canvas.panels, functions.pairs[name]):
            axis.plot(functions.grid, values, "--" if _below(name) else "-", color=colour, linewidth=WIDTH, label=spinor_text(name))
    for axis, symbol in zip(canvas.panels, ("P", "Q")):
        axis.set_ylabel(label(f"${symbol}(r)$", "bohr$^{-1/2}$"))
    canvas.first.set_xscale("log")
    canvas.first.set_xlim(*visible(functions.grid, [f for name in chosen for f in functions.pairs[name]]))
    canvas.panels[-1].set_xlabel(label("$r$", "bohr"))
    canvas.legend(canvas.first, ncol=2)
    canvas.title(functions.title.format("large and small components"))
    return canvas.figure


def density(source: Source, *, ax: Any = None, colours: Colours = None, legend: Legend = True) -> "Figure":
    """Radial density 4 pi r^2 rho(r): of one result with the parts of its shells n = 1, 2, ..., of several one line each.

    source: results, or a file of --orbitals or --hdf5."""
    canvas = Canvas(ax=ax, colours=colours, legend=legend)
    axis = canvas.first
    results = None if isinstance(source, (str, os.PathLike)) else results_of(source)
    if results is None or len(results) == 1:
        functions = _functions_of(source, 3000)
        _shells(functions, canvas)
        canvas.title(functions.title.format("radial density"))
    else:
        ends = []
        for i, result in enumerate(results):
            grid = result.grid(3000)
            values = result.radial_density(grid)
            ends.append(visible(grid, [values]))
            axis.plot(grid, values, label=name_of(result), **canvas.line(i, name_of(result)))
        axis.set_xlim(min(e[0] for e in ends), max(e[1] for e in ends))
        canvas.title("Radial density")
    axis.set_xscale("log")
    axis.set_ylim(bottom=0)
    axis.set_xlabel(label("$r$", "bohr"))
    axis.set_ylabel(label(r"$4\pi r^2 \rho(r)$", "bohr⁻¹"))
    canvas.legend(axis)
    return canvas.figure


def _shells(functions: _Functions, canvas: Canvas) -> None:
    axis = canvas.first
    for n in sorted({_n(name) for name in functions.electrons}):
        mine = [name for name in functions.electrons if _n(name) == n]
        shell = np.zeros_like(functions.grid)
        for name in mine:
            large, small = functions.pairs[name]
            shell += functions.electrons[name] * (large**2 + small**2)
        electrons = sum(functions.electrons[name] for name in mine)
        colour = canvas.colour(n - 1, shell_text(n))
        axis.fill_between(functions.grid, shell, color=colour, alpha=0.25, linewidth=0)
        axis.plot(functions.grid, shell, color=colour, linewidth=1.0,
                  label=f"{shell_text(n)}, {electrons:.4g} electron{'' if electrons == 1 else 's'}")
    axis.plot(functions.grid, functions.density, color="black", linewidth=WIDTH, label="all shells")
    axis.set_xlim(*visible(functions.grid, [functions.density]))


class _Energies(NamedTuple):
    name: str
    energies: Dict[str, float]  # hartree, by label


def _energies_of(source: Any) -> List[_Energies]:
    source = opened(source)
    results = several_of(source, Result)
    if results is not None:
        return [_Energies(name_of(r), {s.label: s.energy for s in r.spinors.values()}) for r in results]
    if isinstance(source, (list, tuple)):
        return [energies for item in source for energies in _energies_of(item)]
    data = data_of(source)
    if "orbitals" not in data.head:
        raise _core.Error(f"{data.name or data.operation}: expected the result of 'energy' or 'limit', with its spinors")
    charge = float(data.head.get("charge", 0))
    sign = "" if not charge else f"{'' if abs(charge) == 1 else f'{abs(charge):g}'}{'+' if charge > 0 else '-'}"
    return [_Energies(species_text(data.head.get("symbol", "") + sign), {o["label"]: float(o["energy"]) for o in data.head["orbitals"]})]


def spinor_energies(source: Any, *, ax: Any = None, colours: Colours = None, legend: Legend = True) -> "Figure":
    """Energies of the occupied spinors, deepest below, a column for each symmetry.

    source: results, records of `energy` or `limit`, or files of them (JSON, HDF5); several stand side by side."""
    several = _energies_of(source)
    canvas = Canvas(ax=ax, colours=colours, legend=legend, height=5.2)
    axis = canvas.first
    order = sorted({name.lstrip("0123456789") for atom in several for name in atom.energies},
                   key=lambda s: (_LETTERS.index(s[0]), int(s[1:].split("/")[0])))
    width = 0.8 / len(several)
    for i, atom in enumerate(several):
        bound = {name: energy for name, energy in atom.energies.items() if energy < 0}  # others have no place on the scale
        places = np.array([order.index(name.lstrip("0123456789")) for name in bound], dtype=float) - 0.4 + i * width
        axis.hlines([-e for e in bound.values()], places, places + 0.92 * width, linewidth=1.8,
                    color=canvas.colour(i, atom.name), label=atom.name)
        if len(several) == 1:
            for (name, energy), place in zip(bound.items(), places):
                axis.annotate(spinor_text(name), (place + 0.4, -energy), xytext=(0, 2.5), textcoords="offset points", ha="center",
                              fontsize=8)
    axis.set_yscale("log")
    low, high = axis.get_ylim()
    axis.set_ylim(max(low, high), min(low, high) / 1.4)
    axis.set_xlim(-0.6, len(order) - 0.4)
    axis.set_xticks(range(len(order)), [spinor_text("0" + s).replace("$0", "$") for s in order])
    axis.grid(False, axis="x")
    axis.set_ylabel(label(r"$-\varepsilon$", "hartree"))
    second_scale(axis, HARTREE_EV, label(r"$-\varepsilon$", "eV"))
    if len(several) > 1:
        canvas.legend(axis)
    canvas.title(", ".join(atom.name for atom in several) + ": energies of the spinors")
    return canvas.figure


def convergence(result: Result, *, ax: Any = None, colours: Colours = None, legend: Legend = True) -> "Figure":
    """Changes of the energy and of the density matrix, and the DIIS error, of every iteration of a self-consistent field."""
    result = results_of(result)[0]
    history = result.history
    if len(history["iteration"]) == 0:
        raise _core.Error("this result has no iterations to show: limits, files and results of batches keep none")
    canvas = Canvas(ax=ax, colours=colours, legend=legend)
    axis = canvas.first
    lines = (("energy_change", "energy [hartree]", "o-"), ("density_change_ll", "density matrix, LL", "s-"),
             ("density_change_sl", "density matrix, SL", "^-"), ("density_change_ss", "density matrix, SS", "v-"),
             ("diis_error", "orbital gradient [hartree]", "d--"))
    for i, (key, name, style) in enumerate(lines):
        values = np.abs(history[key])
        # The first energy has no change; a change of nothing has no logarithm.
        shown = (values > 0) & ((history["iteration"] > 1) | (key == "diis_error"))
        axis.semilogy(history["iteration"][shown], values[shown], style, color=canvas.colour(i, name), markersize=4, linewidth=1.2,
                      label=name)
    axis.set_xlabel("iteration")
    axis.set_ylabel("largest change")
    whole_numbers(axis.xaxis)
    canvas.legend(axis)
    canvas.title(f"{name_of(result)}: convergence, {result.energy:.10f} hartree")
    return canvas.figure


class _Factors(NamedTuple):
    """Form factors by species; the fits that came with them."""

    q: Array
    factors: Dict[str, Array]
    fits: Dict[str, Dict[str, Any]]
    electron: bool


def _factors_of(source: Any, largest: float) -> _Factors:
    source = opened(source)
    results = several_of(source, Result)
    if results is not None:
        q = np.linspace(0.0, largest, 501)
        return _Factors(q, {_plain(r): r.form_factor(q) for r in results}, {}, False)
    data = data_of(source)
    if data.operation != "formfactor":
        raise _core.Error(f"{data.name or data.operation}: expected form factors, of the operation 'formfactor'")
    species = data.head.get("species", [])
    if species and isinstance(species[0], dict):
        factors = {s["name"]: np.array([np.nan if x is None else x for x in s["f"]], dtype=float) for s in species if "f" in s}
        fits = {s["name"]: s["fit"] for s in species if "fit" in s}
        if factors:
            return _Factors(np.array(data.head["q"], dtype=float), factors, fits, data.head.get("kind") != "x-ray")
    columns = {key: data.column(key) for key in data.columns if key not in ("q", "provenance")}
    electron = any("lectron scattering" in note for note in data.head.get("notes", []))
    return _Factors(data.column("q"), columns, {}, electron)


def _plain(result: Result) -> str:
    charge = result.charge
    sign = "" if not charge else f"{'' if abs(charge) == 1 else f'{abs(charge):g}'}{'+' if charge > 0 else '-'}"
    return f"{result.symbol or f'Z = {result.z:g}'}{sign}" + ("" if result.converged else f" ({result.status})")


def _text(name: str) -> str:
    species, space, state = name.partition(" (")
    return species_text(species) + space + state


_Q = label(r"$q = 4\pi \sin\theta / \lambda$", "1/angstrom")


def form_factor(source: Source, largest: float = 25.0, *, ax: Any = None, colours: Colours = None, legend: Legend = True) -> "Figure":
    """X-ray form factors f(q) of results, q from 0 to `largest` in 1/angstrom; or those of a record or file of `formfactor`."""
    found = _factors_of(source, largest)
    canvas = Canvas(ax=ax, colours=colours, legend=legend)
    axis = canvas.first
    for i, (name, values) in enumerate(found.factors.items()):
        axis.plot(found.q, values, label=_text(name), **canvas.line(i, name))
    axis.set_xlim(found.q.min(), found.q.max())
    if not found.electron:
        axis.set_ylim(bottom=0)
    axis.set_xlabel(_Q)
    axis.set_ylabel(label("$f_e(q)$", "angstrom") if found.electron else label("$f(q)$", "electrons"))
    canvas.legend(axis)
    canvas.title("Electron scattering factors" if found.electron else "X-ray form factors")
    return canvas.figure


def _published(name: str, q: Array) -> Optional[Array]:
    """The fit of Waasmaier and Kirfel (1995): the amplitude of a single atom; None where they have none of this species."""
    try:
        record = run("powder", {"file": [name], "q": q, "form_factors": "waasmaier-kirfel", "method": "direct", "precision": "double"},
                     positions=np.zeros((1, 3)))
    except _core.Error:
        return None
    return np.asarray(np.sqrt(record.intensity))


def _fitted(fit: Mapping[str, Any], q: Array) -> Array:
    squares = (q / (4 * np.pi)) ** 2
    values = np.full_like(q, float(fit.get("c") or 0.0))
    for a, b in zip(fit["a"], fit["b"]):
        values += a * np.exp(-b * squares)
    return values


def form_factor_differences(source: Source, fits: Optional[Mapping[str, Mapping[str, Any]]] = None, largest: float = 25.0, *,
                            ax: Any = None, colours: Colours = None, legend: Legend = True) -> "Figure":
    """What fits of X-ray form factors differ by from those that were computed, f_fit(q) - f(q).

    fits: by species, {"Fe": {"a": [...], "b": [...], "c": 0}} of c + sum a exp(-b s^2), s = q/4pi; default: those that a
    record of `formfactor` with `fit` has, else the published ones of Waasmaier and Kirfel (1995)."""
    found = _factors_of(source, largest)
    if found.electron:
        raise _core.Error("differences to fits are drawn of X-ray form factors, not of electron scattering factors")
    own = fits if fits is not None else found.fits
    canvas = Canvas(ax=ax, colours=colours, legend=legend)
    axis = canvas.first
    drawn, ends = 0, 0.0
    for i, (name, values) in enumerate(found.factors.items()):
        fit = _fitted(own[name], found.q) if name in own else None if own else _published(name, found.q)
        if fit is None:
            continue
        end = 4 * np.pi * float(own[name].get("largest_s", np.inf)) if name in own else 4 * np.pi * 6.0
        shown = found.q <= end
        ends = max(ends, float(found.q[shown].max()))
        axis.plot(found.q[shown], (fit - values)[shown], label=_text(name), **canvas.line(i, name))
        drawn += 1
    if not drawn:
        raise _core.Error(f"there is no fit of {', '.join(found.factors)}")
    axis.axhline(0, color=FRAME, linewidth=0.6)
    axis.set_xlim(found.q.min(), ends)
    axis.set_xlabel(_Q)
    axis.set_ylabel(label(r"$f_\mathrm{fit}(q) - f(q)$", "electrons"))
    canvas.legend(axis)
    kind = "the fits given" if fits is not None else "fits to them" if own else "the fits of Waasmaier and Kirfel (1995)"
    canvas.title(f"X-ray form factors: {kind}, less the computed ones")
    return canvas.figure
