"""Spectra and opacities of the lines that `lines` computes, as numbers; cudaprophet.plot.spectrum draws them.

    import cudaprophet as cp
    lines = cp.lines("Fe16+", configs="2p6 | 2p5 3s | 2p5 3d")
    x = np.linspace(1.2, 1.8, 2000)                                 # nm
    y = cp.spectra.spectrum(lines, x, temperature=5e6, fwhm=0.002)  # photons per second, ion and nm

`lines` of all functions: a record of `lines`, its JSON as a dict, or a file (JSON, HDF5, CSV; a CSV file has no energies of levels, so that
it does for levels populated alike only). Axes: "wavelength" (in vacuum, nm), "air" (wavelength in air of 15 degrees, nm; in vacuum below
200 nm), "energy" (eV) and "wavenumber" (1/cm).
"""
from __future__ import annotations

import json
import math
import os
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._operations import Record
from ._result import Array

__all__ = ["AXES", "Lines", "Sticks", "air_wavelength", "expansion_opacity", "grid", "lines_of", "planck_mean", "planck_share", "populations",
           "profile", "sobolev_depths", "spectrum", "sticks", "widths"]

# CODATA 2022.
HARTREE_EV, HARTREE_CM = 27.211386245981, 219474.63136314
EV_NM = 1e7 * HARTREE_EV / HARTREE_CM  # energy times wavelength in vacuum
_BOLTZMANN = 8.617333262e-5  # eV/K
_HBAR = 6.582119569e-16  # eV s
_DALTON_EV, _DALTON_G = 931.49410372e6, 1.66053906892e-24
_LIGHT = 2.99792458e10  # cm/s
_STRENGTH = math.pi * 2.8179403205e-13 * _LIGHT  # pi e^2/(m_e c), cm^2/s
_STRENGTH_EV = 1e18 * _STRENGTH * 2 * math.pi * _HBAR  # the same for a cross section over the energy, Mb eV
_FWHM = math.sqrt(8 * math.log(2))  # of a Gaussian, in standard deviations

#: What a spectrum is drawn over, with the units.
AXES = {"wavelength": "nm", "air": "nm", "energy": "eV", "wavenumber": "cm⁻¹"}
_KINDS = ("emission", "absorption")
_BLOCK = 1_000_000  # profiles that are computed at a time


class Lines(NamedTuple):
    """The lines of one ion: places of their levels and, of each line, type, energy (eV), gf, A (1/s)."""

    type: List[str]
    lower: NDArray[np.int64]
    upper: NDArray[np.int64]
    energy: Array
    gf: Array
    rate: Array
    weight: Array  #: 2J+1 of the levels
    excitation: Optional[Array]  #: of the levels above the lowest one, eV, observed ones where there are some; None of a CSV file
    decay: Array  #: inverse lifetimes of the levels, 1/s; 0 of those that do not decay
    mass: Optional[float]  #: of the atom in u: its mass number


class Sticks(NamedTuple):
    """Lines without a width: places on the axis, strengths, and types."""

    x: Array
    strength: Array
    type: List[str]


def lines_of(lines: Any) -> Lines:
    """The lines of a record, a dict or a file, or of one ion of a file with many ("ions.h5:Nd+")."""
    if isinstance(lines, Lines):
        return lines
    if ion := ion_of(lines):
        return ion[1]
    from .plot._files import data_of  # that package imports this module
    data = data_of(lines)
    rows = data.head.get("lines")
    columns = {key: [row[key] for row in rows] for key in rows[0]} if isinstance(rows, list) and rows else data.columns
    if data.operation != "lines" or "gf" not in columns:
        raise _core.Error(f"{data.name or data.operation}: expected lines, of the operation 'lines'" +
                          ("; there are none" if data.operation == "lines" else ""))
    levels = data.head.get("levels")
    if rows or not isinstance(lines, Record):  # a record has the columns of all its tables
        _require_known(columns, "lines", data.name or "dict")
    for level in levels or []:
        _require_known(level, "levels", data.name or "dict")
    lower, upper = (np.asarray(columns[key], dtype=float).astype(np.int64) for key in ("lower", "upper"))
    rate = np.asarray(columns["A"], dtype=float)
    size = len(levels) if levels else int(max(lower.max(), upper.max())) + 1
    weight, decay = np.zeros(size), np.zeros(size)
    for place, key in ((lower, "lower_J"), (upper, "upper_J")):
        weight[place] = 2 * np.asarray(columns[key], dtype=float) + 1
    np.add.at(decay, upper, rate)
    excitation = None
    if levels:
        weight = np.array([2 * float(level["J"]) + 1 for level in levels])
        decay = np.array([1 / float(level["lifetime"]) if level.get("lifetime") else 0.0 for level in levels])
        excitation = HARTREE_EV * np.array([excitation_of(level) for level in levels])
    mass = (data.head.get("nucleus") or {}).get("mass_number")
    return Lines([str(name) for name in columns["type"]], lower, upper, HARTREE_EV * np.asarray(columns["energy"], dtype=float),
                 np.asarray(columns["gf"], dtype=float), rate, weight, excitation, decay, None if mass is None else float(mass))


def ion_of(lines: Any) -> Optional[Tuple[Dict[str, Any], Lines]]:
    """Of "ions.h5:Nd+", a group that `lines --batch --lines-hdf5` wrote: its provenance with `levels`, and its lines. None of other sources."""
    path, _, ion = os.fspath(lines).rpartition(":") if isinstance(lines, (str, os.PathLike)) else ("", "", "")
    if not path or not os.path.isfile(path):
        return None
    try:
        import h5py  # type: ignore[import-untyped,import-not-found,unused-ignore]
    except ImportError:
        raise _core.Error(f"{path}: lines of many ions need h5py: pip install h5py") from None
    with h5py.File(path, "r") as file:
        if ion not in file or "lines" not in file[ion]:
            raise _core.Error(f"{path}: has no lines of '{ion}'; it has {', '.join(sorted(file))}")
        for name in file[ion]:
            _core.require_known_name(str(name), ["provenance", "lines", "levels"], "group", f"{path}: {ion}")
        for table in ("lines", "levels"):
            _require_known(file[ion][table], table, f"{path}: {ion}")
        head = json.loads(file[ion]["provenance"].asstr()[()])
        columns = {key: np.asarray(data) for key, data in file[ion]["lines"].items()}
        levels = {key: np.asarray(file[ion]["levels"][key]) for key in file[ion]["levels"]}
    head["levels"] = [{"excitation_energy": levels["energy"][i], "J": levels["J"][i], "label": levels["label"][i].decode(),
                       "parity": "-" if levels["parity"][i] < 0 else "+", **({"error": levels["error"][i]} if "error" in levels else {})}
                      for i in range(len(levels["J"]))]
    lower, upper = (columns[key].astype(np.int64) for key in ("lower", "upper"))
    decay = np.zeros(len(levels["J"]))
    np.add.at(decay, upper, columns["A"])
    mass = (head.get("nucleus") or {}).get("mass_number")
    return head, Lines([name.decode() for name in columns["type"]], lower, upper, HARTREE_EV * columns["energy"], columns["gf"],
                       columns["A"], 2 * levels["J"] + 1, HARTREE_EV * levels["energy"], decay, None if mass is None else float(mass))


def _require_known(names: Iterable[str], table: str, place: str) -> None:
    """A misspelt name would pass as one that is not there."""
    _core.require_known_keys(json.dumps({table: [dict.fromkeys(map(str, names))]}), "lines", place)


def excitation_of(level: Dict[str, Any]) -> float:
    """Hartree above the lowest level: observed, where it was, otherwise computed."""
    observed = level.get("observed_energy")
    return float(level["excitation_energy"] if observed is None else observed)


def air_wavelength(vacuum: ArrayLike) -> Array:
    """The wavelength (nm) in air of 15 degrees Celsius and 101325 Pa, from 200 nm on; below, that in vacuum. E. R. Peck and K. Reeder,
    J. Opt. Soc. Am. 62 (1972) 958, whose formula is fitted up to 1700 nm; beyond, the refractivity hardly changes."""
    wavelength = np.asarray(vacuum, dtype=float)
    square = 1e6 / np.maximum(wavelength, 200.0) ** 2
    index = 1 + 1e-8 * (8060.51 + 2480990 / (132.274 - square) + 17455.7 / (39.32957 - square))
    return np.where(wavelength < 200, wavelength, wavelength / index)


def populations(lines: Any, temperature: Optional[float] = None) -> Array:
    """The share of each level (their sum is 1), of Boltzmann at `temperature` in K: (2J+1) exp(-E/kT) over its sum; 0: all in the lowest
    level. None: 1 in every level."""
    found = lines_of(lines)
    if temperature is None:
        return np.ones(len(found.weight))
    _check("temperature", temperature, least=0.0)
    if temperature == 0:
        share = np.zeros(len(found.weight))
        share[0 if found.excitation is None else int(np.argmin(found.excitation))] = 1.0
        return share
    if found.excitation is None:
        raise _core.Error("temperature: a CSV file of lines has no energies of levels; give the JSON or HDF5 file")
    share = found.weight * np.exp(-(found.excitation - found.excitation.min()) / (_BOLTZMANN * temperature))
    return np.asarray(share / share.sum())


def sticks(lines: Any, *, kind: str = "emission", axis: str = "wavelength", temperature: Optional[float] = None,
           types: Union[str, Sequence[str], None] = None, power: bool = False, stimulated: bool = False) -> Sticks:
    """The lines at their places, in the order in which they were computed.

    kind: "emission": photons per second and ion, the population of the upper level times A; with power=True the eV per second. Or
    "absorption": the cross section of an ion integrated over the axis (Mb times its unit; 1 Mb = 1e-18 cm^2), 109.76 Mb eV f for each
    line on an axis of energies. temperature: K of the populations; None: emission with one ion in every level, absorption from the
    lowest level. types: "E1", "E1 M1"; all if None. stimulated: less the emission that the radiation stimulates, which is absorption
    times 1 - exp(-E/kT) for the energy E of the line."""
    _check_name("kind", kind, _KINDS)
    _check_name("axis", axis, AXES)
    if stimulated and kind != "absorption":
        raise _core.Error("stimulated: is of absorption alone; give kind='absorption'")
    every = lines_of(lines)
    chosen = _of_types(every, types)
    found = _select(every, chosen)
    x = _places(found.energy, axis)
    if kind == "emission":
        strength = populations(every, temperature)[found.upper] * found.rate * (found.energy if power else 1.0)
    else:
        f = found.gf / found.weight[found.lower]
        strength = populations(every, temperature or 0.0)[found.lower] * f * _STRENGTH_EV * x / found.energy  # |dx/dE| = x/E on every axis
        if stimulated:
            strength = strength * _net_share(found.energy, temperature or 0.0)
    return Sticks(x, strength, found.type)


def spectrum(lines: Any, x: ArrayLike, *, kind: str = "emission", axis: str = "wavelength", temperature: Optional[float] = None,
             types: Union[str, Sequence[str], None] = None, power: bool = False, stimulated: bool = False, fwhm: float = 0.0,
             lorentz: float = 0.0, natural: bool = False, doppler: Optional[float] = None, mass: Optional[float] = None) -> Array:
    """The spectrum at the places x of the axis: emission in photons (with power=True eV) per second, ion and unit of the axis, or the
    cross section of absorption in Mb. Every line has a profile of area 1 around its place; the first arguments are those of `sticks`.

    fwhm: full width at half maximum of a Gaussian, that of the instrument, in the unit of the axis. lorentz: that of a Lorentzian.
    natural: add the sum of the decay rates of both levels to the Lorentzian. doppler: a temperature in K, of which the thermal motion
    widens the Gaussian, with the mass of the atom in u (its mass number unless `mass` is given). Gaussians and Lorentzians together
    make Voigt profiles, which need scipy."""
    places = np.atleast_1d(np.asarray(x, dtype=float))
    drawn = sticks(lines, kind=kind, axis=axis, temperature=temperature, types=types, power=power, stimulated=stimulated)
    sigma, gamma = widths(lines, axis=axis, types=types, fwhm=fwhm, lorentz=lorentz, natural=natural, doppler=doppler, mass=mass)
    if len(drawn.x) and np.any(sigma + gamma == 0):
        raise _core.Error("spectrum: there are lines without a width; give fwhm, lorentz, natural or doppler, or draw sticks")
    total = np.zeros(places.size)
    step = max(1, _BLOCK // max(places.size, 1))
    for start in range(0, len(drawn.x), step):
        part = slice(start, start + step)
        total += drawn.strength[part] @ profile(places.ravel() - drawn.x[part, None], sigma[part, None], gamma[part, None])
    return total.reshape(places.shape)


def widths(lines: Any, *, axis: str = "wavelength", types: Union[str, Sequence[str], None] = None, fwhm: float = 0.0, lorentz: float = 0.0,
           natural: bool = False, doppler: Optional[float] = None, mass: Optional[float] = None) -> Tuple[Array, Array]:
    """Of each line the standard deviation of its Gaussian and the half width at half maximum of its Lorentzian, in units of the axis;
    the arguments are those of `spectrum`."""
    for name, value in (("fwhm", fwhm), ("lorentz", lorentz), ("doppler", doppler or 0.0)):
        _check(name, value, least=0.0)
    _check_name("axis", axis, AXES)
    every = lines_of(lines)
    found = _select(every, _of_types(every, types))
    slope = _places(found.energy, axis) / found.energy  # |dx/dE|; in air that of the refractivity is left out
    variance = np.full(len(slope), (fwhm / _FWHM) ** 2)
    if doppler:
        variance += (found.energy * slope) ** 2 * _BOLTZMANN * doppler / (_mass(found, mass) * _DALTON_EV)
    gamma = np.full(len(slope), lorentz / 2)
    if natural:
        gamma += 0.5 * _HBAR * (found.decay[found.lower] + found.decay[found.upper]) * slope
    return np.sqrt(variance), gamma


def profile(distance: Array, sigma: Array, gamma: Array) -> Array:
    """A Gaussian with the standard deviation sigma, a Lorentzian with the half width at half maximum gamma, or the convolution of both;
    its area is 1. The arrays are broadcast together."""
    if not np.any(gamma):
        return np.asarray(np.exp(-0.5 * (distance / sigma) ** 2) / (sigma * np.sqrt(2 * np.pi)))
    if not np.any(sigma):
        return np.asarray(gamma / (np.pi * (distance ** 2 + gamma ** 2)))
    try:
        from scipy.special import voigt_profile  # type: ignore[import-untyped,import-not-found,unused-ignore]
    except ImportError:
        raise _core.Error("Voigt profiles need scipy: pip install scipy; or give widths of Gaussians alone (fwhm, doppler) or of Lorentzians "
                          "alone (lorentz, natural)") from None
    return np.asarray(voigt_profile(distance, sigma, gamma), dtype=float)


def grid(lines: Any, *, points: int = 2000, span: Optional[Tuple[float, float]] = None, kind: str = "emission", axis: str = "wavelength",
         temperature: Optional[float] = None, types: Union[str, Sequence[str], None] = None, power: bool = False, stimulated: bool = False,
         **shape: Any) -> Array:
    """Places of the axis that show a spectrum of these arguments: even ones from end to end, and more around the 300 strongest lines.
    span: both ends; otherwise all lines with a thousandth of the strongest one. shape: the widths, as in `spectrum`."""
    drawn = sticks(lines, kind=kind, axis=axis, temperature=temperature, types=types, power=power, stimulated=stimulated)
    sigma, gamma = widths(lines, axis=axis, types=types, **shape)
    seen = np.flatnonzero(drawn.strength > 1e-3 * drawn.strength.max(initial=0.0))
    if span is None:
        if not len(seen):
            raise _core.Error("there are no lines to show")
        width = _FWHM * sigma[seen] + 2 * gamma[seen]
        low, high = float(np.min(drawn.x[seen] - 5 * width)), float(np.max(drawn.x[seen] + 5 * width))
        margin = 0.02 * (high - low) or 0.01 * high
        span = (max(low - margin, 0.5 * float(drawn.x[seen].min())), high + margin)
    inside = seen[(drawn.x[seen] >= span[0]) & (drawn.x[seen] <= span[1])]
    strongest = inside[np.argsort(-drawn.strength[inside])[:300]]
    around = np.sinh(np.linspace(-3.5, 3.5, 61)) / 4  # denser at the centre
    dense = drawn.x[strongest, None] + (_FWHM * sigma[strongest] + 2 * gamma[strongest])[:, None] * around
    every = np.unique(np.concatenate([np.linspace(*span, points), dense.ravel()]))
    return every[(every >= span[0]) & (every <= span[1])]


# Opacities of expanding matter.

def sobolev_depths(lines: Any, *, temperature: float, density: float, time: float, stimulated: bool = False) -> Array:
    """The Sobolev optical depth of each line in matter that has expanded freely for `time` (s):

        tau = (pi e^2/(m_e c)) f n_lower lambda t,

    with `density` ions per cm^3, of which the Boltzmann share at `temperature` (K) is in the lower level. stimulated: times
    1 - g_l n_u/(g_u n_l) = 1 - exp(-E/kT), what remains beside stimulated emission. V. V. Sobolev, Moving Envelopes of Stars (1960)."""
    _check("density", density, least=0.0)
    _check("time", time, least=0.0)
    found = lines_of(lines)
    lower = density * populations(found, temperature)[found.lower]
    depths = _STRENGTH * found.gf / found.weight[found.lower] * lower * (1e-7 * EV_NM / found.energy) * time
    return depths * _net_share(found.energy, temperature) if stimulated else depths


def expansion_opacity(lines: Any, edges: ArrayLike, *, temperature: float, density: float, time: float, mass: Optional[float] = None,
                      share: float = 1.0, stimulated: bool = False) -> Array:
    """The expansion opacity in cm^2/g of the lines in each bin of wavelengths in vacuum,

        kappa = 1/(c t rho) sum (lambda/Delta lambda) (1 - exp(-tau)),

    tau of `sobolev_depths`, with `stimulated` as there. edges: nm, ascending, one more than bins. temperature: K. density: rho of all matter, g/cm^3. time: since the
    explosion, s. mass: of the atom in u (default: its mass number). share: the share of this ion in the mass. Opacities of several
    ions in the same matter add. R. G. Eastman and P. A. Pinto, ApJ 412 (1993) 731; A. H. Karp et al., ApJ 214 (1977) 161."""
    ends = _edges(edges)
    found = lines_of(lines)
    if not (density > 0 and time > 0):
        raise _core.Error(f"density, time: found {density:g} and {time:g}; expected more than 0")
    if not 0 <= share <= 1:
        raise _core.Error(f"share: found {share:g}; expected 0 to 1")
    ions = density * share / (_mass(found, mass) * _DALTON_G)
    depths = sobolev_depths(found, temperature=temperature, density=ions, time=time, stimulated=stimulated)
    wavelength = EV_NM / found.energy
    sums, _ = np.histogram(wavelength, bins=ends, weights=wavelength * -np.expm1(-depths))
    return np.asarray(sums / np.diff(ends) / (_LIGHT * time * density))


def planck_mean(edges: ArrayLike, opacity: ArrayLike, temperature: float) -> float:
    """The mean of an opacity, given in each bin of wavelengths (edges in nm), with the share of a black body's radiation at `temperature`
    (K) in each bin as weight, in the unit of the opacity. Outside the bins the opacity counts as zero."""
    ends, values = _edges(edges), np.asarray(opacity, dtype=float)
    if values.shape != (len(ends) - 1,):
        raise _core.Error(f"opacity: found an array of shape {values.shape}; expected ({len(ends) - 1},), one for each bin")
    return float(values @ np.diff(planck_share(ends, temperature)))


def planck_share(wavelength: ArrayLike, temperature: float) -> Array:
    """The share of a black body's radiation below a wavelength (nm): 15/pi^4 times the integral of x^3/(e^x - 1) from hc/(lambda kT) on,
    as the series of exp(-nx)."""
    if not 0 < temperature < math.inf:
        raise _core.Error(f"temperature: found {temperature!r}; expected more than 0, in K")
    with np.errstate(divide="ignore"):
        x = EV_NM / (np.asarray(wavelength, dtype=float) * _BOLTZMANN * temperature)
    near = np.minimum(x, 1.0)  # there the series of x^3/(e^x - 1) in powers of x converges better: x^2 - x^3/2 + x^4/12 - ...
    small = 1 - 15 / np.pi ** 4 * near ** 3 * (1 / 3 - near / 8 + near ** 2 / 60 - near ** 4 / 5040 + near ** 6 / 272160 -
                                               near ** 8 / 13305600 + near ** 10 / 622702080)
    far = np.clip(x, 1.0, 700.0)[..., None]
    n = np.arange(1, 40)
    large = 15 / np.pi ** 4 * np.sum(np.exp(-n * far) * (far ** 3 / n + 3 * far ** 2 / n ** 2 + 6 * far / n ** 3 + 6 / n ** 4), axis=-1)
    return np.asarray(np.where(x < 1, small, large))


# Parts.

def _net_share(energy: Array, temperature: float) -> Array:
    """What of absorption remains beside stimulated emission: 1 - exp(-E/kT), 1 at no temperature."""
    if temperature == 0:
        return np.ones(energy.shape)
    return np.asarray(-np.expm1(-energy / (_BOLTZMANN * temperature)))


def _places(energy: Array, axis: str) -> Array:
    if axis == "energy":
        return energy
    if axis == "wavenumber":
        return energy * (HARTREE_CM / HARTREE_EV)
    return air_wavelength(EV_NM / energy) if axis == "air" else np.asarray(EV_NM / energy)


def _of_types(lines: Lines, types: Union[str, Sequence[str], None]) -> NDArray[np.bool_]:
    if types is None:
        return np.ones(len(lines.type), dtype=bool)
    wanted = set(types.replace(",", " ").split() if isinstance(types, str) else types)
    unknown = wanted - {kind + order for kind in "EM" for order in "123"}
    if unknown:
        raise _core.Error(f"types: found {', '.join(sorted(unknown))}; expected E1, M1, E2, M2, E3 or M3")
    return np.array([name in wanted for name in lines.type], dtype=bool)


def _select(lines: Lines, chosen: NDArray[np.bool_]) -> Lines:
    if chosen.all():
        return lines
    return lines._replace(type=[name for name, keep in zip(lines.type, chosen) if keep], lower=lines.lower[chosen], upper=lines.upper[chosen],
                          energy=lines.energy[chosen], gf=lines.gf[chosen], rate=lines.rate[chosen])


def _mass(lines: Lines, given: Optional[float]) -> float:
    mass = lines.mass if given is None else given
    if mass is None:
        raise _core.Error("mass: these lines do not say the mass of their atom; give it, in u")
    if not mass > 0:
        raise _core.Error(f"mass: found {mass:g}; expected more than 0, in u")
    return mass


def _edges(edges: ArrayLike) -> Array:
    ends = np.asarray(edges, dtype=float)
    if ends.ndim != 1 or len(ends) < 2 or not np.all(np.isfinite(ends)) or np.any(np.diff(ends) <= 0) or ends[0] < 0:
        raise _core.Error("edges: expected two or more ascending wavelengths in nm")
    return ends


def _check(name: str, value: float, least: float) -> None:
    if not value >= least:
        raise _core.Error(f"{name}: found {value!r}; expected {least:g} or more")


def _check_name(name: str, value: str, known: Any) -> None:
    if value not in known:
        raise _core.Error(f"{name}: found {value!r}; expected {', '.join(known)}")
