"""Many atoms: powder patterns and pair distributions."""
from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Pattern:
    """A powder pattern: `q` in 1/angstrom, `intensity` in electrons^2 (or what `form_factors` gives) per particle."""

    q: Array
    intensity: Array
    atoms: int
    frames: int
    error_bound: float
    """Of the histogram, as a part of I(0); 0 for direct sums."""
    pairs: float
    seconds: float
    device: str
    provenance: List[str]
    warnings: List[str]


@dataclass(frozen=True)
class Distribution:
    """Pair distribution functions: `r` in angstrom (centres of bins), `g` of all atoms, `partial["Co-O"]`, ..."""

    r: Array
    g: Array
    partial: Dict[str, Array]
    density: float
    pairs: float
    seconds: float
    frames: int
    warnings: List[str]


def _cache_folder() -> str:
    chosen = os.environ.get("CUDAPROPHET_CACHE")
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "cudaprophet"
    return str(Path(chosen or caches) / "form-factors")


def _positions(positions: ArrayLike) -> Array:
    array = np.ascontiguousarray(positions, dtype=np.float64)
    if array.ndim != 2 or array.shape[1] != 3:
        raise _core.Error(f"positions: found an array of shape {array.shape}; expected (atoms, 3), in angstrom")
    return array


def _atoms(symbols: Union[Sequence[str], str, "os.PathLike[str]"], positions: Optional[ArrayLike],
           name: str) -> Tuple[Optional[str], List[str], Array]:
    if positions is not None:
        return None, [str(s) for s in symbols], _positions(positions)  # type: ignore[union-attr]
    if not isinstance(symbols, (str, os.PathLike)):
        raise _core.Error(f"{name}: give symbols with positions, or the name of a file")
    return os.fspath(symbols), [], np.zeros((0, 3))


def powder(symbols: Union[Sequence[str], str, "os.PathLike[str]"], positions: Optional[ArrayLike] = None, *, q: ArrayLike,
           method: str = "histogram", precision: str = "single", form_factors: str = "computed", tolerance: float = 1e-6,
           exact_below: float = 0.0, b_iso: Optional[Mapping[str, float]] = None, threads: Optional[int] = None, device: str = "cpu") -> Pattern:
    """The intensity that a powder of particles scatters, by the formula of Debye::

        cp.powder(["Co", "O"], [[0, 0, 0], [2.13, 0, 0]], q=np.arange(0.2, 10, 0.01))
        cp.powder("coo.xyz", q=np.linspace(0.2, 10, 981))

    `symbols`: names of the atoms, with `positions` of shape (atoms, 3) in angstrom; or a file (XYZ, PDB, CIF; the mean of
    its frames). `method`: 'histogram' or 'direct'; `precision`: 'single' or 'double'; `form_factors`: 'computed',
    'waasmaier-kirfel', 'neutron' or 'constant'; `tolerance`: bound of the histogram's error as a part of I(0);
    `exact_below`: distance in angstrom below which pairs are summed one by one in double precision; `b_iso`: Debye-Waller
    factors in angstrom^2; `device`: 'cpu' or 'cuda'. Memory grows with the number of atoms, not of pairs. The atoms of a file are
    one particle, whatever its lattice; `warnings` says so, and what else is to be known.
    """
    if precision not in ("single", "double"):
        raise _core.Error(f"precision: found {precision!r}; expected 'single' or 'double'")
    file, names, places = _atoms(symbols, positions, "powder")
    return Pattern(**_core.powder(file, names, places, np.atleast_1d(np.asarray(q, dtype=np.float64)), method, precision == "double", form_factors,
                                  tolerance, exact_below, dict(b_iso or {}), _cache_folder(), threads or _core.available_threads(), device))


def pairs(symbols: Union[Sequence[str], str, "os.PathLike[str]"], positions: Optional[ArrayLike] = None, *,
          lattice: Optional[ArrayLike] = None, range: float = 0.0, bins: int = 300, density: float = 0.0, precision: str = "single",
          threads: Optional[int] = None, device: str = "cpu") -> Distribution:
    """Pair distribution functions of atoms at `positions` (atoms, 3) in angstrom, or of a file (the mean of its frames).

    `lattice`: rows a, b, c where the atoms repeat (a file has its own); `range`: largest distance, 0 for half the box (without lattice: for the
    largest distance); `density`: atoms per angstrom^3 without lattice, 0 for that of the box around all atoms.
    """
    if precision not in ("single", "double"):
        raise _core.Error(f"precision: found {precision!r}; expected 'single' or 'double'")
    box = None if lattice is None else np.asarray(lattice, dtype=np.float64)
    file, names, places = _atoms(symbols, positions, "pairs")
    if file is not None and box is not None:
        raise _core.Error("pairs: a file has a lattice of its own, or none; leave out lattice")
    return Distribution(**_core.pairs(file, names, places, box, range, bins, density,
                                      precision == "double", threads or _core.available_threads(), device))
