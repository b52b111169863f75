"""Pictures of many atoms and of nanostructures: the atoms themselves, their potentials, powder patterns, pair distributions, form
factors of shapes, detector images."""
from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Tuple, Union

import numpy as np

from .. import _core
from .._operations import Record
from .._result import Array
from ._atoms import HARTREE_EV
from ._files import Data, data_of
from ._style import FRAME, MAP, Canvas, Colours, Legend, label, second_scale, species_text, whole_numbers

__all__ = ["distribution", "image", "madelung", "pattern", "shape", "structure"]

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Source = Union[Record, Dict[str, Any], str, "os.PathLike[str]"]
_Q = label("$q$", "1/angstrom")
_MOST_SITES = 40  # that have a bar of their own
_MOST_ATOMS = 20_000  # of a structure; of more those next to the viewer


def _named(sources: Any) -> Dict[str, Data]:
    """One, or several by their names; a dict with the key 'operation' is the JSON of one."""
    if isinstance(sources, Mapping) and "operation" not in sources:
        return {str(name): data_of(source) for name, source in sources.items()}
    if isinstance(sources, (list, tuple)):
        found = [data_of(source) for source in sources]
        return {data.name or str(i + 1): data for i, data in enumerate(found)}
    return {"": data_of(sources)}


def _wrong(data: Data, expected: str) -> "_core.Error":
    return _core.Error(f"{data.name or data.operation}: expected {expected}")


def pattern(patterns: Union[Source, Mapping[str, Source]], *, ax: Any = None, colours: Colours = None, legend: Legend = True) -> "Figure":
    """Powder patterns for each atom, linear above and logarithmic below; several by their names, {"cold": p, "hot": q}.

    A pattern that was fitted to a measured one (`against`) is drawn with it, its background and their difference; of those, one at a
    time. With one Axes the linear panel alone is drawn."""
    several = _named(patterns)
    if any("measured" in data.columns for data in several.values()):
        if len(several) > 1:
            raise _core.Error("patterns against measured ones: expected one at a time")
        return _against(next(iter(several.values())), ax, colours, legend)
    canvas = Canvas(2, 1, ax=ax, colours=colours, legend=legend, height=6.0, sharex=True)
    unit = "electrons²"
    for i, (name, data) in enumerate(several.items()):
        if data.operation != "powder":
            raise _wrong(data, "powder patterns, of the operation 'powder'")
        atoms = float(data.head.get("atoms") or _atoms_of(data))
        kind = str(data.head.get("form_factors", "")) or _note(data, "form factors: ")
        unit = {"neutron": "fm²", "constant": ""}.get(kind, "electrons²")
        for axis in canvas.panels:
            axis.plot(data.column("q"), data.column("intensity") / atoms, label=name, **{**canvas.line(i, name), "linewidth": 1.2})
    for axis in canvas.panels:
        axis.set_ylabel(label("$I(q)/N$", unit))
    if len(canvas.panels) > 1:
        canvas.panels[1].set_yscale("log")
    canvas.panels[-1].set_xlabel(_Q)
    if len(several) > 1:
        canvas.legend(canvas.first)
    canvas.title("Powder pattern" + ("s" if len(several) > 1 else ""))
    return canvas.figure


def _against(data: Data, ax: Any, colours: Colours, legend: Legend) -> "Figure":
    """The measured pattern as dots, the computed one and its background, and the difference below; all in one Axes if there is one."""
    if data.operation != "powder":
        raise _wrong(data, "powder patterns, of the operation 'powder'")
    canvas = Canvas(2, 1, ax=ax, colours=colours, legend=legend, height=5.0, sharex=True, height_ratios=(3, 1))
    over = str(data.head.get("axis") or _note(data, "axis: ") or "q")
    horizontal, measured = data.column(over), data.column("measured")
    axis, below = canvas.panels[0], canvas.panels[-1]
    axis.plot(horizontal, measured, ".", color="#777777", markersize=3, label="measured")
    axis.plot(horizontal, data.column("computed"), label="computed", color=canvas.colour(0, "computed"), linewidth=1.2)
    axis.plot(horizontal, data.column("background"), label="background", color=canvas.colour(2, "background"), linewidth=1.0, linestyle="--")
    difference = data.column("difference")
    shift = 0.0 if below is not axis else float(measured.min() - difference.max())
    below.plot(horizontal, difference + shift, label="difference", color=canvas.colour(1, "difference"), linewidth=0.8)
    below.axhline(shift, color=FRAME, linewidth=0.6, linestyle=":")
    axis.set_ylabel("intensity")
    if below is not axis:
        below.set_ylabel("difference")
    below.set_xlabel(_Q if over == "q" else label(r"$2\theta$", "degree"))
    canvas.legend(axis)
    r_wp = data.head.get("r_wp")
    canvas.title("Measured and computed powder pattern" + (f", $R_\\mathrm{{wp}}$ = {100 * float(r_wp):.1f} %" if r_wp else ""))
    return canvas.figure


def _note(data: Data, beginning: str) -> str:
    return next((note[len(beginning):] for note in data.head.get("notes", []) if note.startswith(beginning)), "")


def _atoms_of(data: Data) -> int:
    """From the note of a CSV file, "atoms: 43 Co, 38 O"."""
    return sum(int(part.split()[0]) for part in _note(data, "atoms: ").split(", ") if part) or 1


def distribution(source: Source, *, ax: Any = None, colours: Colours = None, legend: Legend = True) -> "Figure":
    """Pair distribution functions g(r), or structure factors S(q), of all atoms and in a panel for each pair of kinds: curves that
    are alike would hide each other. g(r) is drawn as the histogram that it is. With one Axes all are drawn into it."""
    data = data_of(source)
    if data.operation != "pairs":
        raise _wrong(data, "pair distributions, of the operation 'pairs'")
    symbol = "g" if "g" in data.columns else "S"
    horizontal = data.column("r" if symbol == "g" else "q")
    curves = {"all atoms": data.column(symbol)}
    kinds = list(data.head.get("kinds") or {})
    parts = {key[2:]: data.column(key) for key in sorted((key for key in data.columns if key.startswith(symbol + "_")),
                                                         key=lambda key: [kinds.index(k) for k in key[2:].split("-") if k in kinds])}
    if len(parts) > 1:
        curves.update(parts)
    canvas = Canvas(len(curves), 1, ax=ax, colours=colours, legend=legend, height=max(4.5, 1.6 * len(curves) + 0.8), sharex=True)
    steps = {"drawstyle": "steps-mid"} if symbol == "g" else {}
    for i, (name, values) in enumerate(curves.items()):
        axis = canvas.panels[i % len(canvas.panels)]
        line = canvas.line(i, name) if len(canvas.panels) < len(curves) else {"color": canvas.colour(i, name), "linewidth": 1.0}
        if i == 0 and colours is None:
            line["color"] = "black"
        axis.plot(horizontal, values, label=name, **{**line, **steps})
    for axis in canvas.panels:
        axis.axhline(1, color=FRAME, linewidth=0.6, linestyle=":")
        axis.set_ylabel(f"${symbol}({'r' if symbol == 'g' else 'q'})$")
        canvas.legend(axis, **({"loc": "upper left"} if symbol == "g" else {}))  # g(0) = 0
    canvas.panels[-1].set_xlabel(label("$r$", "angstrom") if symbol == "g" else _Q)
    canvas.first.set_xlim(horizontal.min(), horizontal.max())
    canvas.title("Pair distribution functions" if symbol == "g" else "Structure factors")
    return canvas.figure


def _body(data: Data) -> str:
    return str(data.head.get("body", "")).replace(" angstrom", " Å")


def shape(sources: Union[Source, Mapping[str, Source]], *, ax: Any = None, colours: Colours = None, legend: Legend = True) -> "Figure":
    """Intensities of nanostructures against the length of q, logarithmic; several by their names. For points along a line: those of
    a grid or of a detector are drawn by `image`."""
    several = _named(sources)
    canvas = Canvas(ax=ax, colours=colours, legend=legend)
    axis = canvas.first
    for i, (name, data) in enumerate(several.items()):
        if data.operation != "shape":
            raise _wrong(data, "form factors of shapes, of the operation 'shape'")
        q = np.linalg.norm(data.column("q").reshape(-1, 3), axis=1)
        order = np.argsort(q, kind="stable")
        intensity = data.column("intensity")[order]
        text = name or _body(data)
        style = {**canvas.line(i, name), "linewidth": 1.2, **({"marker": "o", "markersize": 3} if len(q) < 50 else {})}
        axis.plot(q[order], np.where(intensity > 0, intensity, np.nan), label=text, **style)
    axis.set_yscale("log")
    axis.set_xlabel(label("$|q|$", "1/angstrom"))
    axis.set_ylabel(label("$I(q)$", "angstrom^6"))
    if len(several) > 1:
        canvas.legend(axis)
        canvas.title("Form factors of shapes")
    else:
        canvas.title(_body(next(iter(several.values()))) or "Form factor of a shape")
    return canvas.figure


class _Image:
    """Values on two axes: columns along x, rows along y."""

    def __init__(self, x: Array, y: Array, values: Array, names: Tuple[str, str], note: str = "") -> None:
        self.x, self.y, self.values, self.names, self.note = x, y, values, names, note


def _image_of(data: Data) -> _Image:
    intensity = data.column("intensity")
    if "alpha_f" in data.columns:
        rows, pixels = np.unique(data.column("alpha_f")), np.unique(data.column("two_theta_f"))
        count = len(rows) * len(pixels)
        images = len(intensity) // count
        if images * count == len(intensity) and np.array_equal(data.column("alpha_f")[:count], np.repeat(rows, len(pixels))):
            return _Image(pixels, rows, intensity[:count].reshape(len(rows), len(pixels)),
                          (label(r"$2\theta_f$", "degree"), label(r"$\alpha_f$", "degree")), f", first of {images} images" if images > 1 else "")
    q = data.column("q").reshape(-1, 3)
    axes = [np.unique(q[:, i]) for i in range(3)]
    lengths = [len(a) for a in axes]
    if int(np.prod(lengths)) != len(intensity) or sum(n > 1 for n in lengths) < 2:
        raise _core.Error(f"{data.name or 'shape'}: an image needs a detector, or a grid of momenta with two axes; the points of a line are "
                          "drawn by 'shape'")
    block = intensity.reshape(lengths)
    note = ""
    if all(n > 1 for n in lengths):  # a slice of a block: where q_z is closest to 0
        at = int(np.argmin(np.abs(axes[2])))
        block, note = block[:, :, at : at + 1], f", $q_z$ = {axes[2][at]:g} Å⁻¹"
    across, up = [i for i in range(3) if block.shape[i] > 1]
    names = [label(f"$q_{axis}$", "1/angstrom") for axis in "xyz"]
    return _Image(axes[across], axes[up], np.squeeze(block).T, (names[across], names[up]), note)


def _edges(centres: Array) -> Tuple[float, float]:
    """Where the first pixel begins and the last one ends."""
    step = (centres[-1] - centres[0]) / (len(centres) - 1) if len(centres) > 1 else 1.0
    return float(centres[0] - step / 2), float(centres[-1] + step / 2)


def _equidistant(centres: Array) -> bool:
    steps = np.diff(centres)
    return len(steps) < 2 or bool(np.ptp(steps) <= 1e-6 * np.max(steps))


def image(source: Source, *, decades: float = 6.0, ax: Any = None, colours: Union[str, None] = None, legend: Legend = True) -> "Figure":
    """The image of a detector, or a map of intensities in reciprocal space, on a logarithmic scale of so many decades.

    source: a record or file of `shape` with a detector (alpha_f, two_theta_f) or a grid of momenta; of a block the layer with
    q_z closest to 0. colours: a colour map of matplotlib; legend: whether there is a colour bar."""
    data = data_of(source)
    if data.operation != "shape":
        raise _wrong(data, "the form factor of a shape, of the operation 'shape'")
    picture = _image_of(data)
    canvas = Canvas(ax=ax, legend=legend, width=6.4, height=5.0)
    axis = canvas.first
    highest = float(np.nanmax(picture.values))
    if not highest > 0:
        raise _core.Error(f"{data.name or 'shape'}: all intensities are 0")
    from matplotlib.colors import LogNorm
    values, norm = np.maximum(picture.values, highest * 10.0**-decades), LogNorm(highest * 10.0**-decades, highest)
    if _equidistant(picture.x) and _equidistant(picture.y):
        drawn: Any = axis.imshow(values, origin="lower", aspect="auto", cmap=colours or MAP, norm=norm, interpolation="nearest",
                                 extent=(*_edges(picture.x), *_edges(picture.y)))
    else:
        drawn = axis.pcolormesh(picture.x, picture.y, values, cmap=colours or MAP, norm=norm, shading="nearest")
    axis.grid(False)
    axis.set_xlabel(picture.names[0])
    axis.set_ylabel(picture.names[1])
    if legend:
        bar = canvas.figure.colorbar(drawn, ax=axis, pad=0.02)
        bar.set_label(label("$I$", "angstrom^6"))
        bar.ax.tick_params(which="both", width=0.6, labelsize=9)
        bar.outline.set_linewidth(0.6)
    canvas.title((_body(data) or "Intensity") + picture.note)
    return canvas.figure


def madelung(source: Source, *, ax: Any = None, colours: Colours = None, legend: Legend = True) -> "Figure":
    """Electrostatic potentials at the sites of a crystal, in hartree/e and V: a bar for each site; of more than 40 sites how many of
    each element have which potential. source: a record or file of `madelung`."""
    data = data_of(source)
    if data.operation != "madelung":
        raise _wrong(data, "potentials of a crystal, of the operation 'madelung'")
    names = [str(name) for name in data.columns["label"]]
    potentials = data.column("potential")
    elements = [(re.match(r"[A-Z][a-z]?", name) or [name])[0] for name in names]
    kinds = list(dict.fromkeys(elements))
    bars = len(names) <= _MOST_SITES
    canvas = Canvas(ax=ax, colours=colours, legend=legend, width=min(12.0, max(5.0, 0.3 * len(names) + 2.2)) if bars else 7.2)
    axis = canvas.first
    for i, kind in enumerate(kinds):
        mine = [n for n, element in enumerate(elements) if element == kind]
        if bars:
            axis.bar(mine, potentials[mine], width=0.7, color=canvas.colour(i, kind), label=kind)
        else:
            axis.hist(potentials[mine], bins=_bins(potentials), color=canvas.colour(i, kind), alpha=0.8, label=kind)
    text = label(r"potential $\phi$", "hartree/e")
    if bars:
        axis.axhline(0, color=FRAME, linewidth=0.6)
        axis.set_xticks(range(len(names)), names, rotation=90 if len(names) > 12 else 0)
        axis.grid(False, axis="x")
        axis.set_ylabel(text)
        second_scale(axis, HARTREE_EV, label(r"$\phi$", "V"))
    else:
        axis.set_xlabel(text)
        axis.set_ylabel("sites")
        whole_numbers(axis.yaxis)
    if len(kinds) > 1:
        canvas.legend(axis)
    canvas.title("Electrostatic potentials of the point charges")
    return canvas.figure


def _bins(values: Array) -> Array:
    """The same for all elements; those that differ by rounding alone share one."""
    low, high = float(values.min()), float(values.max())
    least = 1e-6 * max(abs(low), abs(high)) or 1.0
    middle, half = (low + high) / 2, max(high - low, least) / 2
    return np.linspace(middle - 1.01 * half, middle + 1.01 * half, 61)


def _positions(data: Data) -> Array:
    if "positions" in data.columns:
        return data.column("positions").reshape(-1, 3)
    return np.stack([data.column(f"positions_{axis}") for axis in "xyz"], axis=-1)


def structure(source: Source, *, axis: str = "z", ax: Any = None, colours: Colours = None, legend: Legend = True) -> "Figure":
    """The atoms of a structure as they are seen along an axis, x, y or z; those farther from the viewer are paler. Of more than 20000
    atoms the nearest ones are shown. source: a record or file of `structure`, extended XYZ or CIF."""
    if axis not in ("x", "y", "z"):
        raise _core.Error(f"axis: found {axis!r}; expected x, y or z")
    data = data_of(source)
    if data.operation != "structure":
        raise _wrong(data, "atoms, of the operation 'structure'")
    places = _positions(data)
    if not len(places):
        raise _core.Error(f"{data.name or 'structure'}: there are no atoms")
    depth = "xyz".index(axis)
    across, up = (depth + 1) % 3, (depth + 2) % 3
    order = np.argsort(places[:, depth], kind="stable")[-_MOST_ATOMS:]
    kinds = list(dict.fromkeys(str(symbol) for symbol in data.columns["symbols"]))
    canvas = Canvas(ax=ax, colours=colours, legend=legend, width=6.4, height=5.6)
    from matplotlib.collections import EllipseCollection
    from matplotlib.colors import to_rgb
    paints = np.array([to_rgb(canvas.colour(i, kind)) for i, kind in enumerate(kinds)])[[kinds.index(str(data.columns["symbols"][i])) for i in order]]
    heights = places[order, depth]
    near = ((heights - heights[0]) / max(float(heights[-1] - heights[0]), 1e-9))[:, None]
    size = 0.85 * _nearest(places)
    panel = canvas.first
    panel.add_collection(EllipseCollection(
        size, size, 0, units="xy", offsets=places[order][:, [across, up]], offset_transform=panel.transData,
        facecolors=1 - (1 - paints) * (0.35 + 0.65 * near), edgecolors=FRAME, linewidths=0.4 if len(order) < 3000 else 0.1))
    shown = [places[order][:, [across, up]]] + _outline(data, across, up, panel)
    low, high = np.min(np.vstack(shown), axis=0) - 0.7 * size, np.max(np.vstack(shown), axis=0) + 0.7 * size
    panel.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal", xlabel=label(f"${'xyz'[across]}$", "angstrom"),
              ylabel=label(f"${'xyz'[up]}$", "angstrom"))
    panel.grid(False)
    for i, kind in enumerate(kinds):
        panel.plot([], [], "o", color=canvas.colour(i, kind), markeredgecolor=FRAME, markeredgewidth=0.4, label=species_text(kind))
    canvas.legend(panel, **({} if isinstance(legend, str) else {"loc": "center left", "bbox_to_anchor": (1, 0.5)}))
    canvas.title(f"{data.head.get('title') or 'Atoms'}: {len(places)} atoms" + (f", {len(order)} shown" if len(order) < len(places) else ""))
    return canvas.figure


def _nearest(places: Array) -> float:
    """The distance between neighbours, at the atom in the middle."""
    if len(places) == 1:
        return 2.0
    middle = places[np.argmin(np.sum((places - places.mean(axis=0)) ** 2, axis=1))]
    distances = np.sort(np.linalg.norm(places - middle, axis=1))
    return float(distances[1]) or 2.0


def _outline(data: Data, across: int, up: int, panel: Any) -> List[Array]:
    """Draws the edges of the cell of a periodic structure; its corners."""
    lattice = data.head.get("lattice_angstrom")
    if lattice is None:
        return []
    vectors = np.array(lattice, dtype=float).reshape(3, 3)
    for i in range(3):
        others = [vectors[j] for j in range(3) if j != i]
        for start in (0 * others[0], others[0], others[1], others[0] + others[1]):
            edge = np.stack([start, start + vectors[i]])
            panel.plot(edge[:, across], edge[:, up], color=FRAME, linewidth=0.6, zorder=0)
    corners = np.array([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)]) @ vectors
    return [corners[:, [across, up]]]
