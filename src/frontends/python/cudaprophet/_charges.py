"""Sums over point charges whose positions change."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core
from ._operations import place, threads_of


@dataclass(frozen=True)
class ChargeSums:
    """Sums over a periodic arrangement of point charges, for one cell: `energy` (hartree); `potentials` at each charge, of all
    others (hartree/e); `fields` (charges, 3) (hartree/(e bohr)); `forces` (charges, 3) (hartree/bohr); `virial` (3, 3), minus
    the derivative of the energy by the strain (hartree), whose trace is the energy."""
    energy: float
    potentials: Any
    fields: Any
    forces: Any
    virial: Any


class PointCharges:
    """Point charges (e) that are periodic in space and whose positions change, as in molecular dynamics: what does not depend on
    the positions, a mesh and its transforms, is kept between calls. The sums are those of `madelung`, without files and reports.

    `method`: 'ewald' (exact), 'spread', 'gather' or 'filter' (a particle mesh), or 'auto': exact up to 512 charges, otherwise
    spread. Of a mesh: `tolerance`, the error of the potentials relative to their root mean square, from which follow, unless
    they are given, the `order` of the B-splines, the points of the `mesh` (one number or three), the splitting `beta`
    (1/angstrom) and the `cutoff` (angstrom); `precision`: 'double', or 'mixed', which is faster and good to 1e-6 of the potentials.
    `background`: compensate a net charge by a uniform one; otherwise it is an error. `device`: 'auto' (a mesh on a GPU, where one
    sum would take the processor longer than a GPU takes to start), 'cpu', 'cuda' or 'cuda:N'. `threads`: None for all."""

    def __init__(self, charges: Sequence[float], *, method: str = "auto", tolerance: float = 1e-8, order: Optional[int] = None,
                 mesh: Union[int, Sequence[int], None] = None, beta: Optional[float] = None, cutoff: Optional[float] = None,
                 precision: str = "double", background: bool = False, device: Any = "auto", threads: Optional[int] = None) -> None:
        points: Optional[Tuple[int, int, int]] = None
        if mesh is not None:
            listed = [int(mesh)] * 3 if isinstance(mesh, (int, np.integer)) else [int(n) for n in mesh]
            if len(listed) != 3:
                raise _core.Error(f"mesh: found {mesh!r}; expected one number of points or three")
            points = (listed[0], listed[1], listed[2])
        self.charges = np.array(charges, dtype=np.float64)
        if self.charges.ndim != 1:
            raise _core.Error(f"charges: found an array of shape {self.charges.shape}; expected one number for each charge")
        self._sums = _core.ChargeSums(self.charges, method, tolerance, order, points, beta, cutoff, precision, background,
                                      *place(device), threads_of(threads))

    def compute(self, positions: Any, lattice: Any) -> ChargeSums:
        """The sums for positions (charges, 3), anywhere, and a lattice (3, 3), rows a, b, c, both in angstrom."""
        places = np.ascontiguousarray(positions, dtype=np.float64)
        vectors = np.ascontiguousarray(lattice, dtype=np.float64)
        if places.shape != (len(self.charges), 3):
            raise _core.Error(f"positions: found an array of shape {places.shape}; expected ({len(self.charges)}, 3), in angstrom")
        if vectors.shape != (3, 3):
            raise _core.Error(f"lattice: found an array of shape {vectors.shape}; expected (3, 3), rows a, b, c in angstrom")
        return ChargeSums(**self._sums.compute(places, vectors))

    @property
    def parameters(self) -> Dict[str, Any]:
        """How the last sums were formed: `method`, `device` and, of a mesh, `order`, `mesh`, `beta`, `cutoff` and `precision`."""
        return dict(self._sums.parameters())
