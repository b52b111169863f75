"""Pictures of Slater integrals and spin-orbit parameters: of one atom as bars, of several as curves."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, NamedTuple, Sequence, Tuple, Union

import numpy as np

from .. import _core
from .._operations import Record
from ._files import Data, data_of
from ._style import DASHES, WIDTH, Canvas, Colours, Legend, configuration_text, label, species_text

__all__ = ["slater"]

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Source = Union[Record, Dict[str, Any], str, "os.PathLike[str]"]


class _Parameter(NamedTuple):
    integral: str  # F, G, R, h, zeta or zeta_radial
    shells: str  # "2p,3d"
    k: int

    @property
    def text(self) -> str:
        if self.is_zeta:
            below = "" if self.integral == "zeta" else r"_{\mathrm{radial}}"
            return rf"$\zeta{below}$({self.shells})"
        return f"$h$({self.shells})" if self.integral == "h" else f"${self.integral}^{{{self.k}}}$({self.shells})"

    @property
    def is_zeta(self) -> bool:
        return self.integral.startswith("zeta")


class _Atom(NamedTuple):
    name: str  # "Fe2+", or the file where that does not say it
    z: int  # 0 where it is not known
    configuration: str
    unit: str
    values: Dict[_Parameter, float]


def _atom_of(source: Source, name: str = "") -> _Atom:
    data = data_of(source.to_dict() if isinstance(source, Record) else source)
    if data.operation != "slater" or "integral" not in data.columns:
        raise _core.Error(f"{data.name or data.operation}: expected Slater integrals, of the operation 'slater'")
    values = {_Parameter(str(integral), str(shells), round(float(k))): float(value) for integral, shells, k, value
              in zip(*(data.columns[key] for key in ("integral", "shells", "k", "value")))}
    symbol, charge = str(data.head.get("symbol") or ""), round(float(data.head.get("charge") or 0))
    sign = "" if not charge else f"{'' if abs(charge) == 1 else abs(charge)}{'+' if charge > 0 else '-'}"
    return _Atom(symbol + sign if symbol else name or os.path.basename(data.name), round(float(data.head.get("Z") or 0)),
                 _configuration(data), str(data.head.get("unit") or "unit of the file"), values)


def _configuration(data: Data) -> str:
    several = data.head.get("configurations")
    return " | ".join(several) if several else str((data.head.get("configuration") or {}).get("description") or "")


def _atoms_of(sources: Any) -> List[_Atom]:
    if isinstance(sources, Mapping) and "operation" not in sources:
        atoms = [_atom_of(source, str(name)) for name, source in sources.items()]
    elif isinstance(sources, (list, tuple)):
        atoms = [_atom_of(source, str(i + 1)) for i, source in enumerate(sources)]
    else:
        atoms = [_atom_of(sources)]
    units = {atom.unit for atom in atoms}
    if len(units) != 1:
        raise _core.Error(f"slater: these have different units: {', '.join(sorted(units)) or 'none'}")
    return atoms


def slater(sources: Union[Source, Sequence[Source], Mapping[str, Source]], *, ax: Any = None, colours: Colours = None,
           legend: Legend = True) -> "Figure":
    """Slater integrals F^k, G^k, R^k above, spin-orbit parameters zeta below: of one atom a bar for each, of several, such as the
    elements of a series, curves from atom to atom. With one Axes all are drawn into it.

    sources: records or files of `slater` (JSON, CSV, HDF5); several as a list, or as a dict by name."""
    atoms = _atoms_of(sources)
    parameters = list(dict.fromkeys(parameter for atom in atoms for parameter in atom.values))
    if not parameters:
        raise _core.Error("slater: there are no open shells, and so no parameters")
    parts = [part for part in ([p for p in parameters if not p.is_zeta], [p for p in parameters if p.is_zeta]) if part]
    shells = list(dict.fromkeys(parameter.shells for parameter in parameters))
    single = len(atoms) == 1
    canvas = Canvas(len(parts), 1, ax=ax, colours=colours, legend=legend, sharex=not single,
                    height=0.26 * len(parameters) + 0.6 + 0.7 * len(parts) if single else 2.9 * len(parts) + 0.4,
                    gridspec_kw={"height_ratios": [len(part) + 0.5 for part in parts]} if single else None)
    panels = [canvas.panels[min(i, len(canvas.panels) - 1)] for i in range(len(parts))]
    for part, axis in zip(parts, panels):
        if single:
            _bars(axis, parameters if len(canvas.panels) == 1 else part, atoms[0], shells, canvas)
        else:
            _curves(axis, part, atoms, shells, canvas)
    if single:
        canvas.title(f"{species_text(atoms[0].name)}{' ' if atoms[0].name else ''}{configuration_text(atoms[0].configuration)}")
    else:
        canvas.title("Slater integrals and spin–orbit parameters")
    return canvas.figure


def _bars(axis: Any, part: Sequence[_Parameter], atom: _Atom, shells: Sequence[str], canvas: Canvas) -> None:
    if axis.patches:  # one panel for all: they are there
        return
    values = np.array([atom.values[parameter] for parameter in part])
    places = -np.arange(len(part), dtype=float)
    axis.barh(places, values, height=0.62, color=[canvas.colour(shells.index(p.shells), p.shells) for p in part])
    for place, value in zip(places, values):
        axis.annotate(f"{value:.5g}", (max(value, 0.0), place), xytext=(4, 0), textcoords="offset points", va="center", fontsize=8)
    axis.set_yticks(places, [parameter.text for parameter in part])
    axis.set_xlim(1.12 * min(0.0, float(values.min())), 1.15 * max(0.0, float(values.max())))
    axis.set_ylim(places[-1] - 0.6, 0.6)
    axis.grid(False, axis="y")
    axis.set_xlabel(label("value", atom.unit))


def _curves(axis: Any, part: Sequence[_Parameter], atoms: Sequence[_Atom], shells: Sequence[str], canvas: Canvas) -> None:
    """One colour for each pair of shells, one kind of line for each integral of the pair."""
    charges = [atom.z for atom in atoms]
    ordered = sorted(atoms, key=lambda atom: atom.z) if all(charges) and len(set(charges)) == len(atoms) else list(atoms)
    number: Dict[str, int] = {}
    values: List[float] = []
    for parameter in part:
        at = number[parameter.shells] = number.get(parameter.shells, -1) + 1
        points: List[Tuple[int, float]] = [(i, atom.values[parameter]) for i, atom in enumerate(ordered) if parameter in atom.values]
        axis.plot(*zip(*points), "o", linestyle=DASHES[at % len(DASHES)], markersize=4, linewidth=WIDTH, label=parameter.text,
                  color=canvas.colour(shells.index(parameter.shells), parameter.shells))
        values += [value for _, value in points]
    if min(values) > 0 and max(values) > 30 * min(values):  # 2p and 3d
        axis.set_yscale("log")
    elif min(values) > 0:
        axis.set_ylim(bottom=0)
    axis.set_xticks(range(len(ordered)), [species_text(atom.name) for atom in ordered])
    if max(len(atom.name) for atom in ordered) * len(ordered) > 60:
        axis.tick_params(axis="x", labelrotation=90)
    what = r"$\zeta$" if part[0].is_zeta else ", ".join(f"${letter}^k$" for letter in dict.fromkeys(p.integral for p in part))
    axis.set_ylabel(label(what, ordered[0].unit))
    if canvas.with_legend:
        place = {"loc": canvas.with_legend} if isinstance(canvas.with_legend, str) else {"loc": "center left", "bbox_to_anchor": (1, 0.5)}
        axis.legend(frameon=False, fontsize=9, **place)
