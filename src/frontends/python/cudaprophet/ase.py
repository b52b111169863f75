"""The charges of a crystal as a calculator of ASE, https://wiki.fysik.dtu.dk/ase.

    import cudaprophet as cp
    salt.calc = cp.ase.Madelung(charges={"K": 1, "Cl": -1})
    salt.get_potential_energy()  # eV
"""
from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

import numpy as np
from ase.calculators.calculator import Calculator, all_changes
from ase.units import Hartree

from . import _core
from ._charges import PointCharges

_BOHR = 0.529177210903  # angstrom: positions are divided by it where they become energies


class Madelung(Calculator):  # type: ignore[misc,unused-ignore]
    """The electrostatic energy of point charges in a crystal or periodic box, with forces and stress; short-range interactions
    come from another calculator (`ase.calculators.mixing.SumCalculator` adds them).

    `charges`: by symbol, {"K": 1, "Cl": -1}, or one for each atom (e); None: the initial charges of the atoms. The other options
    are those of `cudaprophet.PointCharges`. Besides energy (eV), forces (eV/angstrom) and stress (eV/angstrom^3), the results have
    `potentials`, those of all other charges at each atom (V), and `charges`."""

    implemented_properties = ["energy", "free_energy", "forces", "stress", "charges"]

    def __init__(self, charges: Union[Mapping[str, float], Sequence[float], None] = None, *, tolerance: float = 1e-8, **options: Any) -> None:
        super().__init__()  # type: ignore[no-untyped-call,unused-ignore]
        self._charges, self._options = charges, {"tolerance": tolerance, **options}
        self._sums: Optional[PointCharges] = None

    def _of(self, atoms: Any) -> Any:
        if self._charges is None:
            return np.asarray(atoms.get_initial_charges(), dtype=np.float64)
        if isinstance(self._charges, Mapping):
            symbols: List[str] = atoms.get_chemical_symbols()
            for symbol in symbols:
                if symbol not in self._charges:
                    raise _core.Error(f"charges: there is none for {symbol}; add it to the dict")
            return np.array([self._charges[s] for s in symbols], dtype=np.float64)
        return np.asarray(self._charges, dtype=np.float64)

    def calculate(self, atoms: Any = None, properties: Sequence[str] = ("energy",), system_changes: Sequence[str] = tuple(all_changes)) -> None:
        super().calculate(atoms, list(properties), list(system_changes))  # type: ignore[no-untyped-call,unused-ignore]
        box: Any = self.atoms
        if not all(box.pbc):
            raise _core.Error("the atoms must be periodic along all three vectors of their cell")
        charges = self._of(box)
        if self._sums is None or not np.array_equal(self._sums.charges, charges):
            self._sums = PointCharges(charges, **self._options)
        sums = self._sums.compute(box.get_positions(), box.cell[:])
        # In ASE, stress is the derivative of the energy by the strain over the volume: xx, yy, zz, yz, xz, xy.
        stress = -sums.virial * Hartree / box.get_volume()
        results: Dict[str, Any] = {
            "energy": sums.energy * Hartree, "free_energy": sums.energy * Hartree, "forces": sums.forces * (Hartree / _BOHR),
            "stress": stress[[0, 1, 2, 1, 0, 0], [0, 1, 2, 2, 2, 1]], "charges": charges, "potentials": sums.potentials * Hartree}
        self.results = results
