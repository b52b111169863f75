"""Results: energies, spinors and what follows from them."""
from __future__ import annotations

import datetime
import json
import os
import re
import tempfile
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._basis import BasisSet
from ._warnings import ProphetWarning

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ._atom import Atom
    from ._operations import Record

Array = NDArray[np.float64]


_POWER = re.compile(r"r(?:\^\(?([+-]?\d+)\)?)?|1/r(?:\^(\d+))?")


def _power_of(operator: Union[str, int]) -> int:
    """k of "r^k", "1/r", "1/r^k" or k itself."""
    if isinstance(operator, (int, np.integer)) and not isinstance(operator, bool):
        operator = f"r^{int(operator)}"
    match = _POWER.fullmatch(operator.replace(" ", "").replace("**", "^")) if isinstance(operator, str) else None
    if not match or not isinstance(operator, str):
        raise _core.Error(f"expectation: found {operator!r}; expected a power of r such as 'r', 'r^2', 'r^-1' or 2")
    power = -int(match[2] or 1) if match[0].startswith("1") else int(match[1] or 1)
    if not -6 <= power <= 6:
        raise _core.Error(f"expectation: found {operator!r}; expected a power of r from -6 to 6")
    return power


def _existing(value: Optional[float], operator: Union[str, int], label: str) -> float:
    if value is None:
        raise _core.Error(f"expectation: {operator!r} does not exist for {label}: its integral diverges at the nucleus")
    return value


class Spinor:
    """One occupied spinor ``(1/r) [P(r) chi_kappa; i Q(r) chi_-kappa]``, an average over its 2j+1 components."""

    __slots__ = ("_result", "_data", "_index")

    def __init__(self, result: _core.ResultData, data: _core.SpinorData, index: int) -> None:
        self._result = result
        self._data = data
        self._index = index

    @property
    def label(self) -> str:
        """"6p3/2"."""
        return self._data.label

    @property
    def n(self) -> int:
        """Principal quantum number."""
        return self._data.n

    @property
    def kappa(self) -> int:
        """Relativistic quantum number: -(l+1) for j = l+1/2, l for j = l-1/2."""
        return self._data.kappa

    @property
    def l(self) -> int:
        """Orbital angular momentum of the large component."""
        return self.kappa if self.kappa > 0 else -self.kappa - 1

    @property
    def j(self) -> float:
        """Total angular momentum, abs(kappa) - 1/2."""
        return abs(self.kappa) - 0.5

    @property
    def symmetry(self) -> str:
        """"p+"."""
        return self._data.symmetry

    @property
    def occupation(self) -> float:
        """Number of electrons in its 2j+1 components."""
        return self._data.occupation

    @property
    def energy(self) -> float:
        """Hartree."""
        return self._data.energy

    @property
    def bound(self) -> bool:
        """Whether its electrons are bound."""
        return self._data.bound

    @property
    def mean_radius(self) -> Optional[float]:
        """<r>, bohr."""
        return self._data.mean_radius

    def radial(self, r: ArrayLike) -> Tuple[Array, Array]:
        """P and Q (bohr^-1/2) at radii r >= 0 in bohr, any shape and order.

        Normalised to integral (P^2 + Q^2) dr = 1, P > 0 next to the nucleus.
        """
        radii = np.asarray(r, dtype=float)
        large, small = self._result.radial(self._index, np.ascontiguousarray(radii).reshape(-1))
        return large.reshape(radii.shape), small.reshape(radii.shape)

    def expectation(self, operator: Union[str, int]) -> float:
        """<r^k> of one electron, bohr^k: expectation("r^2") or expectation(2); k = -6 to 6, where it exists."""
        value = self._result.expectations(_power_of(operator))[self._index]
        return _existing(value, operator, self.label)

    @property
    def coefficients(self) -> Optional[Tuple[Array, Array]]:
        """Large and small coefficients over the normalised primitives of its symmetry; None for a limit."""
        return self._result.coefficients(self._index)

    def __repr__(self) -> str:
        return f"<Spinor {self.label}: {self.occupation:g} electrons, {self.energy:.10g} hartree>"


class Spinors(Mapping):  # type: ignore[type-arg]
    """The occupied spinors by label, "6p3/2", or number; by symmetry s+, p-, p+, ..., ascending in each."""

    def __init__(self, result: _core.ResultData) -> None:
        self._list = [Spinor(result, data, i) for i, data in enumerate(result.spinors)]
        self._by_label = {s.label: s for s in self._list}

    def __getitem__(self, key: Union[str, int]) -> Spinor:
        if isinstance(key, int):
            return self._list[key]
        if key not in self._by_label:
            raise KeyError(f"there is no occupied spinor {key!r}; available: {', '.join(self._by_label)}")
        return self._by_label[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_label)

    def __len__(self) -> int:
        return len(self._list)

    @property
    def labels(self) -> List[str]:
        """"1s1/2", ..."""
        return list(self._by_label)

    @property
    def energies(self) -> Array:
        """Hartree."""
        return np.array([s.energy for s in self._list])

    @property
    def occupations(self) -> Array:
        """Electrons."""
        return np.array([s.occupation for s in self._list])

    def __repr__(self) -> str:
        return f"<Spinors {' '.join(self._by_label)}>"


class Result:
    """The result of one calculation, in a basis set or at the numerical limit. It can be pickled (without `history`)."""

    def __init__(self, data: _core.ResultData, atom: Optional["Atom"]) -> None:
        self._data = data
        self.atom = atom  #: what was computed
        self._spinors: Optional[Spinors] = None
        self._warnings: Optional[List[ProphetWarning]] = None

    @property
    def energy(self) -> float:
        """Total energy of the self-consistent field, hartree, including the self-consistent parts of Breit and QED."""
        return self._data.energy

    @property
    def total_with_corrections(self) -> float:
        """`energy` plus the corrections in first order, hartree; the same as `energy` if there are none."""
        return self._data.total_with_corrections

    @property
    def parts(self) -> Dict[str, float]:
        """Each part of the energy once, hartree: kinetic, nuclear, two_electron, gaunt, ... (docs/reference/json.md)."""
        return self._data.parts

    @property
    def status(self) -> str:
        """"converged", "not converged", "unbound", or "failed" (of a batch)."""
        return self._data.status

    @property
    def converged(self) -> bool:
        """Whether the status is "converged"."""
        return self.status == "converged"

    @property
    def reason(self) -> str:
        """Why there is no reliable energy; empty if converged."""
        return self._data.reason

    @property
    def warnings(self) -> List[ProphetWarning]:
        """Warnings for the user, each with `id` and `text`, including "failed"."""
        if self._warnings is None:
            self._warnings = [ProphetWarning(text, id) for id, text in self._data.warnings]
            if self.status == "failed":
                self._warnings.insert(0, ProphetWarning(f"failed: {self.reason}", "failed"))
        return list(self._warnings)

    @property
    def iterations(self) -> int:
        """Iterations of the self-consistent field; for a limit those at the finer resolution."""
        return self._data.iterations

    @property
    def virial_ratio(self) -> float:
        """-<V>/<c alpha.p>; 1 for a converged atom with a point nucleus."""
        return self._data.virial_ratio

    @property
    def is_limit(self) -> bool:
        """Whether it is a numerical limit."""
        return self._data.job.is_limit

    @property
    def basis_error(self) -> Optional[float]:
        """E(basis) - E(complete basis), hartree, known or estimated; None for a limit, or if it is neither."""
        return self._data.basis_error

    @property
    def estimated_error(self) -> Optional[float]:
        """For a limit, the difference of its two resolutions, hartree; None in a basis set."""
        return self._data.estimated_error

    @property
    def error_estimate(self) -> Optional[float]:
        """Error of the energy, hartree: `basis_error`, or `estimated_error` for a limit; None if there is none."""
        value = self.to_dict().get("error_estimate")
        return None if value is None else float(value)

    @property
    def properties(self) -> Dict[str, Any]:
        """What follows from the spinors, as in the JSON result (docs/reference/json.md): nucleus, hyperfine, expectation_values,
        spin_orbit_splittings, one_electron_energy, two_electron_energy. Atomic units unless a key says otherwise."""
        found = self.to_dict().get("properties")
        if found is None:
            raise _core.Error("this result has no radial functions and therefore no properties")
        return dict(found)

    @property
    def hyperfine(self) -> Dict[str, Dict[str, float]]:
        """Hyperfine integrals and constants by spinor, "6s1/2", with the keys of the JSON result (docs/reference/properties.md)."""
        return {h["label"]: {k: v for k, v in h.items() if k != "label"} for h in self.properties["hyperfine"]}

    @property
    def nuclear_density(self) -> Dict[str, Any]:
        """Electron density and potential at the nucleus, as `properties.nucleus` of the JSON result."""
        return dict(self.properties["nucleus"])

    @property
    def choices(self) -> List[str]:
        """What was chosen automatically, and why; one sentence each."""
        return self._data.choices

    @property
    def spinors(self) -> Spinors:
        """The occupied spinors."""
        if self._spinors is None:
            self._spinors = Spinors(self._data)
        return self._spinors

    @property
    def basis(self) -> Optional[BasisSet]:
        """The basis set; None for a limit."""
        if self.is_limit:
            return None
        description, symmetries = self._data.job.basis
        return BasisSet([e for _, e in symmetries], element=self.symbol or None, description=description)

    @property
    def history(self) -> Dict[str, Array]:
        """Of each SCF iteration: number, energy and energy_change (hartree), changes of the density matrix, DIIS error."""
        table = self._data.history()
        names = ("iteration", "energy", "energy_change", "density_change_ll", "density_change_sl", "density_change_ss",
                 "diis_error")
        return {name: table[:, i].copy() for i, name in enumerate(names)}

    def density(self, r: ArrayLike, derivative: int = 0) -> Array:
        """Spherical electron density, electrons per bohr^3, at radii r >= 0 in bohr, any shape: sum of n (P^2 + Q^2)/(4 pi r^2).

        derivative: 1 or 2 for its first (per bohr^4) or second (per bohr^5) derivative in r.
        """
        radii = np.asarray(r, dtype=float)
        if derivative not in (0, 1, 2):
            raise _core.Error(f"derivative: found {derivative!r}; expected 0, 1 or 2")
        flat = np.ascontiguousarray(radii).reshape(-1)
        values = self._data.density_derivative(flat, derivative) if derivative else self._data.density(flat)
        return values.reshape(radii.shape)

    def potential(self, r: ArrayLike, part: str = "effective", spin: Optional[str] = None) -> Array:
        """Potential energy of an electron, hartree, at radii r >= 0 in bohr, any shape (docs/how-to/orbitals.md).

        part: "nuclear"; "coulomb", by the density of all electrons; "xc", of a functional of the density and its gradient;
        "effective", the sum of all three, which exists with such a functional without exact exchange.
        spin: with spin='polarised', whose "xc" and "effective" are: those of an electron with spin "up" or "down", or of the
        electrons of a spinor, "2p1/2". Elsewhere it has no effect.
        """
        radii = np.asarray(r, dtype=float)
        return self._data.potential(np.ascontiguousarray(radii).reshape(-1), part, spin).reshape(radii.shape)

    def radial_density(self, r: ArrayLike) -> Array:
        """4 pi r^2 times the density, electrons per bohr, at radii in bohr: the sum of n (P^2 + Q^2)."""
        radii = np.asarray(r, dtype=float)
        return self._data.radial_density(np.ascontiguousarray(radii).reshape(-1)).reshape(radii.shape)

    def grid(self, points: int = 1000) -> Array:
        """Radii (bohr), equally spaced in ln r, from where all functions are powers of r to where they have vanished."""
        return np.geomspace(self._data.smallest_radius, self._data.largest_radius, points)

    def mean_field(self, repulsion: Optional[str] = None, basis: Any = None, **settings: Any) -> "Record":
        """The two-electron field of this atom as matrices: what Atom.mean_field() gives, by default in the same basis set."""
        if self.atom is None:
            raise _core.Error("mean_field: a result that was loaded has no atom; use cudaprophet.Atom(...).mean_field()")
        return self.atom.mean_field(repulsion=repulsion, basis=basis, **settings)

    def expectation(self, operator: Union[str, int]) -> float:
        """<sum over electrons of r^k>, bohr^k: expectation("r^2") or expectation(2); k = -6 to 6, where it exists."""
        values = self._data.expectations(_power_of(operator))
        occupied = [(s, value) for s, value in zip(self.spinors.values(), values) if s.occupation]
        return float(sum(s.occupation * _existing(value, operator, s.label) for s, value in occupied))

    def form_factor(self, q: ArrayLike) -> Array:
        """X-ray form factor f(q), electrons, at q = 4 pi sin(theta)/lambda >= 0 in 1/angstrom, any shape; f(0) = N."""
        momenta = np.asarray(q, dtype=float)
        return self._data.form_factor(np.ascontiguousarray(momenta).reshape(-1)).reshape(momenta.shape)

    def spinor_form_factors(self, q: ArrayLike) -> Dict[str, Array]:
        """The parts of f(q) by spinor, electrons, at q in 1/angstrom."""
        momenta = np.asarray(q, dtype=float)
        table = self._data.spinor_form_factors(np.ascontiguousarray(momenta).reshape(-1))
        return {label: table[:, i].reshape(momenta.shape) for i, label in enumerate(self.spinors)}

    def plot(self, kind: str = "density", **options: Any) -> "Figure":
        """A picture: "density", "spinors", "spinor_energies", "form_factor", "form_factor_differences" or "convergence" of
        cudaprophet.plot, whose options it takes (`ax`, `colours`, `legend`, ...)."""
        from . import plot
        return plot.draw(self, kind, **options)

    def electron_scattering_factor(self, q: ArrayLike) -> Array:
        """f_e(q) by the formula of Mott and Bethe, angstrom, at q = 4 pi sin(theta)/lambda in 1/angstrom."""
        momenta = np.asarray(q, dtype=float)
        return self._data.electron_factor(np.ascontiguousarray(momenta).reshape(-1)).reshape(momenta.shape)

    def save(self, file: Union[str, "os.PathLike[str]"], name: str = "") -> None:
        """Writes everything into an HDF5 file (docs/reference/hdf5.md), in one step; `cudaprophet --restart` reads it too.

        name: name of the result in the file; default: the symbol.
        """
        save(file, {name or self.symbol or "result": self})

    @property
    def input(self) -> str:
        """Text of an input file with which the program computes the same."""
        return self._data.input

    @property
    def symbol(self) -> str:
        """Symbol of the element, "Rn"; empty if the charge is not that of an element."""
        return str(json.loads(self._data.atom).get("symbol", ""))

    @property
    def z(self) -> float:
        """Nuclear charge."""
        return float(json.loads(self._data.atom)["Z"])

    @property
    def charge(self) -> float:
        """Charge of the atom: nuclear charge minus electrons."""
        return float(json.loads(self._data.atom)["charge"])

    def to_dict(self) -> Dict[str, Any]:
        """Everything that the program's --json writes, with the same keys (docs/reference/json.md)."""
        return dict(json.loads(self.to_json()))

    def to_json(self, indent: int = -1) -> str:
        """The same as text."""
        return self._data.json(indent)

    def to_record(self) -> Dict[str, Any]:
        """One flat row for a table, with the names of the CSV of `cudaprophet batch`: pandas.DataFrame(r.to_record() for r
        in results). Hartree, bohr."""
        d = json.loads(self._data.json(properties=False))
        atom = json.loads(self._data.atom)
        record: Dict[str, Any] = {
            "symbol": atom.get("symbol", ""),
            "Z": atom["Z"],
            "charge": atom["charge"],
            "configuration": d["configuration"]["description"],
            "configuration_source": d["configuration_source"],
            "nucleus": d["nucleus"]["model"],
            "job": d["job"],
            "basis": d.get("basis", {}).get("description", ""),
            "functions": d.get("basis", {}).get("functions"),
            "status": d["status"],
            "energy": d["energy"],
            "total_with_corrections": d["total_with_corrections"],
        }
        record.update(self.parts)
        record.update(virial_ratio=d["virial_ratio"], iterations=d["iterations"], error_estimate=d.get("error_estimate"),
                      warnings=";".join(w.id for w in self.warnings), reason=self.reason, hamiltonian=d["hamiltonian"],
                      breit=d["treatment"]["breit"], qed=d["treatment"]["qed"])
        return record

    def __reduce__(self) -> Tuple[Any, ...]:
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "result.h5")
            save(file, {"result": self})
            with open(file, "rb") as written:
                return (_restored, (written.read(), self.atom))

    def __repr__(self) -> str:
        energy = f"{self.energy:.10f} hartree, " if self.status != "failed" else ""
        return f"<Result of {self.symbol if self.atom is None else repr(self.atom)}: {energy}{self.status}>"

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{s.label}</td><td>{s.occupation:g}</td><td>{s.energy:.8f}</td></tr>"
                       for s in (self.spinors[label] for label in self.spinors))
        title = repr(self).strip("<>").replace("<", "&lt;")
        return (f"<p>{title}</p><table><tr><th>spinor</th><th>electrons</th><th>energy / hartree</th></tr>{rows}</table>")


def _restored(file: bytes, atom: Optional["Atom"]) -> Result:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "result.h5")
        with open(path, "wb") as out:
            out.write(file)
        result = load(path)
    result.atom = atom
    return result


def save(file: Union[str, "os.PathLike[str]"], results: "Union[Result, Mapping[str, Result]]") -> None:
    """Writes results by name into one HDF5 file (docs/reference/hdf5.md): cp.save("all.h5", {r.symbol: r for r in results}).

    A single result is named by its symbol.
    """
    if isinstance(results, Result):
        results = {results.symbol or "result": results}
    if not isinstance(results, Mapping) or not all(isinstance(r, Result) for r in results.values()):
        raise _core.Error("save: expected a Result, or a dict of results by name")
    if not results:
        raise _core.Error("save: there is no result to write")
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    _core.save([(name, r._data) for name, r in results.items()], os.fspath(file), date)


def load(file: Union[str, "os.PathLike[str]"], name: str = "") -> Result:
    """The result of an HDF5 file, or of its group `name`; all numbers and functions are those that were written, bit for bit.

    Its `atom` is None; `symbol`, `charge`, `basis` and `to_dict()` describe what was computed. Raises Error for damaged
    files and other layouts.
    """
    if os.path.isfile(file):
        with open(file, "rb") as opened:
            if opened.read(64).lstrip()[:1] in (b"{", b"["):
                raise _core.Error(f"{os.fspath(file)}: is JSON; results are loaded from HDF5, which save() and --hdf5 write. Read it with "
                                  "json.load(), or draw it with cudaprophet.plot")
    _, data = _core.load(os.fspath(file), name)
    return Result(data, None)


def names(file: Union[str, "os.PathLike[str]"]) -> List[str]:
    """Names of the results in an HDF5 file."""
    return _core.result_ids(os.fspath(file))
