"""Pictures of spectra of lines."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Optional, Sequence, Tuple, Union

import numpy as np

from .. import _core, spectra
from ._files import data_of
from ._style import WIDTH, Canvas, Colours, Legend, label, species_text

__all__ = ["spectrum"]

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_AXES = {"wavelength": "wavelength in vacuum", "air": "wavelength in air", "energy": "photon energy", "wavenumber": "wave number"}
_LEAST = 1e-3  # of the strongest line: those that choose the ends of the axis
_WIDE = 30  # of largest over smallest: a logarithmic axis


def spectrum(source: Any, *, kind: str = "emission", axis: str = "wavelength", span: Optional[Sequence[float]] = None,
             temperature: Optional[float] = None, types: Union[str, Sequence[str], None] = None, power: bool = False,
             stimulated: bool = False, fwhm: float = 0.0, lorentz: float = 0.0, natural: bool = False, doppler: Optional[float] = None,
             mass: Optional[float] = None, ax: Any = None, colours: Colours = None, legend: Legend = True) -> "Figure":
    """The lines of an ion in emission or absorption: as sticks with a colour for each type (E1, M1, ...), or as a curve if one of
    the widths is given.

    source: a record or file of `lines` (JSON, HDF5, CSV), or its JSON as a dict. kind: "emission" or "absorption". axis: "wavelength" (nm, in
    vacuum), "air" (nm), "energy" (eV) or "wavenumber" (1/cm). span: both ends of the axis. The others are those of
    cudaprophet.spectra.spectrum, which gives the same numbers: temperature of the populations (K), types ("E1 M1"), power (eV
    instead of photons), stimulated (absorption less stimulated emission), fwhm of the instrument and lorentz in units of the axis, natural, and doppler (K) with the mass (u)."""
    data = data_of(source)
    lines = spectra.lines_of(data)
    what: Dict[str, Any] = {"kind": kind, "axis": axis, "temperature": temperature, "types": types, "power": power, "stimulated": stimulated}
    widths: Dict[str, Any] = {"fwhm": fwhm, "lorentz": lorentz, "natural": natural, "doppler": doppler, "mass": mass}
    drawn = spectra.sticks(lines, **what)
    if not np.any(drawn.strength > 0):
        raise _core.Error("spectrum: there are no lines to show")
    ends = None if span is None else _ends(span)
    canvas = Canvas(ax=ax, colours=colours, legend=legend)
    if fwhm or lorentz or natural or doppler:
        x = spectra.grid(lines, span=ends, **what, **widths)
        canvas.first.plot(x, spectra.spectrum(lines, x, **what, **widths), color=canvas.colour(0, kind), linewidth=WIDTH, label=kind)
        canvas.first.set_xlim(x[0], x[-1])
    else:
        _draw_sticks(canvas, drawn, ends)
    canvas.first.set_ylim(bottom=0)
    canvas.first.set_xlabel(label(_AXES[axis], spectra.AXES[axis]))
    canvas.first.set_ylabel(_strength_text(kind, axis, power, bool(fwhm or lorentz or natural or doppler)))
    canvas.title(f"{_ion(data.head)}{kind}{_populations_text(kind, temperature)}")
    return canvas.figure


def _ends(span: Sequence[float]) -> Tuple[float, float]:
    if len(span) != 2 or not 0 <= float(span[0]) < float(span[1]):
        raise _core.Error(f"span: found {span!r}; expected both ends of the axis, the smaller one first")
    return float(span[0]), float(span[1])


def _draw_sticks(canvas: Canvas, drawn: spectra.Sticks, ends: Optional[Tuple[float, float]]) -> None:
    axis = canvas.first
    types = sorted(set(drawn.type))
    if ends is None:
        seen = drawn.x[drawn.strength > _LEAST * drawn.strength.max()]
        low, high = float(seen.min()), float(seen.max())
        if high > _WIDE * low:
            axis.set_xscale("log")
            ends = low / 1.2, 1.2 * high
        else:
            margin = 0.05 * (high - low) or 0.01 * high
            ends = low - margin, high + margin
    for at, name in enumerate(types):
        mine = np.array([kind == name for kind in drawn.type]) & (drawn.strength > 0) & (drawn.x >= ends[0]) & (drawn.x <= ends[1])
        if mine.any():
            axis.vlines(drawn.x[mine], 0, drawn.strength[mine], color=canvas.colour(at, name), linewidth=1.2, label=name)
    axis.set_xlim(*ends)
    if len(types) > 1:
        canvas.legend(axis)


def _strength_text(kind: str, axis: str, power: bool, broadened: bool) -> str:
    unit = spectra.AXES[axis]
    if kind == "absorption":
        return label("cross section", "Mb") if broadened else label("integrated cross section", f"Mb {unit}")
    rate = "eV/s" if power else "1/s"
    return label("power per ion" if power else "photons per ion", f"{rate} per {unit}" if broadened else rate)


def _populations_text(kind: str, temperature: Optional[float]) -> str:
    if temperature is None:
        return ", all levels equally populated" if kind == "emission" else " from the lowest level"
    return f" at {temperature:g} K" if temperature < 1e5 else f" at {temperature / 1e6:g} MK"


def _ion(head: Dict[str, Any]) -> str:
    charge = round(float(head.get("charge") or 0))
    sign = "" if not charge else f"{'' if abs(charge) == 1 else abs(charge)}{'+' if charge > 0 else '-'}"
    return f"{species_text(str(head['symbol']) + sign)}: " if head.get("symbol") else ""
