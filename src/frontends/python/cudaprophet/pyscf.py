"""Basis sets, guesses and the two-electron picture change of exact two components for PySCF, https://pyscf.org.

    from pyscf import gto, scf
    import cudaprophet.pyscf as cpp
    mol = gto.M(atom='H 0 0 0; Cl 0 0 1.2746', basis=cpp.basis(['H', 'Cl'], 'prophet-dz'), nucmod='G')
    mf = cpp.x2c(scf.GHF(mol), 'eamf').run()

Formulas and results: docs/how-to/pyscf.md. Conventions are PySCF's: its functions, its order, its speed of light; the small functions
are sigma.p chi/(2c).
"""
from __future__ import annotations

import json
import os
import tempfile
import warnings
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core
from ._atom import Atom
from ._basis import BasisSet
from ._operations import run
from ._warnings import ProphetWarning

try:
    import scipy.linalg
    from pyscf import gto, lib
    from pyscf.scf import dhf, ghf, hf, uhf
    from pyscf.x2c import sfx2c1e as _sfx2c1e
    from pyscf.x2c import x2c as _x2c
except ImportError:
    raise _core.Error("cudaprophet.pyscf needs PySCF: pip install pyscf (tried with 2.8, 2.11 and 2.14)") from None

Matrix = Any  # numpy array of two dimensions
_INTERACTIONS = {"coulomb": "none", "gaunt": "gaunt", "breit": "breit"}
_METHODS = ("sap", "x2camf", "amf-1e", "amf", "eamf")
# Below this eigenvalue of the overlap of normalised functions X is ill-determined.
_DEPENDENT = 1e-8


def _kappas(l: int) -> List[int]:
    """In PySCF's order of spinors: j = l - 1/2, then j = l + 1/2."""
    return ([l] if l > 0 else []) + [-l - 1]


def _l_of(kappa: int) -> int:
    return kappa if kappa > 0 else -kappa - 1


def _l_of_symmetry(label: str) -> int:
    """Of "d+"."""
    return "spdfghi".index(label[0])


# Exact two components.

def _inverse_root(m: Matrix) -> Tuple[Matrix, Matrix]:
    """m^(-1/2) and m^(1/2) of a positive matrix."""
    e, v = np.linalg.eigh(m)
    return (v / np.sqrt(e)) @ v.conj().T, (v * np.sqrt(e)) @ v.conj().T


class _Decoupling:
    """X and R of a Hermitian operator of four components, f c = diag(S, T/2c^2) c e."""

    def __init__(self, f: Matrix, s: Matrix, t: Matrix, c: float) -> None:
        n = len(s)
        metric = np.zeros_like(f)
        metric[:n, :n], metric[n:, n:] = s, t / (2 * c * c)
        _, vectors = scipy.linalg.eigh(f, metric)
        large, small = vectors[:n, n:], vectors[n:, n:]
        self.x: Matrix = np.linalg.solve(large.T, small.T).T
        inverse, root = _inverse_root(s)
        whole = s + self.x.conj().T @ metric[n:, n:] @ self.x
        middle, _ = _inverse_root(inverse @ whole @ inverse)
        self.r: Matrix = inverse @ middle @ root

    def fold(self, f: Matrix) -> Matrix:
        """R^H [f_LL + f_LS X + X^H f_SL + X^H f_SS X] R."""
        u = np.vstack([self.r, self.x @ self.r])
        return u.conj().T @ f @ u


def _field(d: Dict[str, Matrix]) -> Matrix:
    return np.block([[d["LL"], d["LS"]], [d["LS"].conj().T, d["SS"]]])


# Atoms.

class AtomField:
    """The average of configuration of an atom in four components in the functions of a molecule, PySCF's conventions, by kappa:
    `field[kappa]` and `density[kappa]` with blocks LL, LS, SS, `coupling[kappa]` X, `normalisation[kappa]` R, `field_2c[kappa]` and
    `density_2c[kappa]` of two components; `energy`, hartree; `constant`, the part of the picture change that its energy counts twice."""

    def __init__(self, symbol: str, exponents: Dict[int, Matrix], nucleus: Dict[str, Any], c: float, interaction: str,
                 one_electron: bool) -> None:
        highest = max(exponents)
        lists: List[Matrix] = [exponents[0]]
        for l in range(1, highest + 1):
            if l not in exponents:
                raise _core.Error(f"basis: the set of {symbol} has no {'spdfghi'[l]} functions below those of higher l; add some")
            lists += [exponents[l]] * 2
        default = Atom(symbol)
        occupied = max(_l_of_symmetry(s) for s in default.basis.symmetries)
        if occupied > highest:
            raise _core.Error(f"basis: the set of {symbol} has no {'spdfghi'[occupied]} functions, which its configuration {default.configuration} "
                              "occupies")
        atom = Atom(symbol, basis=BasisSet(lists), nucleus=nucleus, c=c, breit=_INTERACTIONS[interaction])
        record = atom.mean_field(decoupling="one-electron" if one_electron else "field")
        self.symbol, self.c, self.record = symbol, c, record
        self.energy, self.constant = float(record.energy), float(record.constant)
        self.field: Dict[int, Dict[str, Matrix]] = {}
        self.density: Dict[int, Dict[str, Matrix]] = {}
        self.coupling: Dict[int, Matrix] = {}
        self.normalisation: Dict[int, Matrix] = {}
        self.field_2c: Dict[int, Matrix] = {}
        self.density_2c: Dict[int, Matrix] = {}
        self._whole: Dict[int, Dict[str, Matrix]] = {}   # the Dirac operator with the field
        self._metric: Dict[int, Tuple[Matrix, Matrix]] = {}  # S and T
        matrices, functions = record.tables["matrices"], record.tables["functions"]
        for l, zetas in exponents.items():
            for kappa in _kappas(l):
                self._read(kappa, zetas, matrices, functions)

    def _read(self, kappa: int, zetas: Matrix, matrices: Dict[str, Matrix], functions: Dict[str, Matrix]) -> None:
        own = functions["kappa"] == kappa
        order = np.argsort(functions["exponent"][own])[np.argsort(np.argsort(zetas))]
        balance = functions["balance"][own][order]
        here, n = matrices["kappa"] == kappa, len(zetas)

        def of(name: str) -> Matrix:
            return matrices[name][here].reshape(n, n)[np.ix_(order, order)]

        small = balance / (2 * self.c)  # ours to sigma.p chi/(2c)
        parts = {"LL": np.ones((n, n)), "LS": np.tile(small, (n, 1)), "SS": np.outer(small, small)}
        self.field[kappa] = {b: (of("field_" + b.lower()) + of("gaunt_" + b.lower()) + of("gauge_" + b.lower())) * f for b, f in parts.items()}
        self.density[kappa] = {b: of("density_" + b.lower()) / f for b, f in parts.items()}
        self.coupling[kappa] = of("coupling") / small[:, None]
        self.normalisation[kappa] = of("normalisation")
        self.field_2c[kappa], self.density_2c[kappa] = of("field_2c"), of("density_2c")
        s_small, c = of("overlap_small") * parts["SS"], self.c
        kinetic = 2 * c * c * s_small
        self._metric[kappa] = of("overlap_large"), kinetic
        one = {"LL": of("nuclear_large"), "LS": kinetic, "SS": of("nuclear_small") * parts["SS"] - kinetic}
        self._whole[kappa] = {b: one[b] + self.field[kappa][b] for b in one}


_ATOMS: Dict[Any, AtomField] = {}
_LIGHT: List[float] = []


def _light_speed() -> float:
    c = float(lib.param.LIGHT_SPEED)
    if _LIGHT and _LIGHT[0] != c:
        before = _LIGHT[0]
        _LIGHT.clear()
        _ATOMS.clear()
        raise _core.Error(f"c: PySCF's LIGHT_SPEED changed from {before!r} to {c!r} after the atoms were computed; begin again with new objects")
    if not _LIGHT:
        _LIGHT.append(c)
    return c


def _require(mol: Any) -> None:
    if mol.cart:
        raise _core.Error("mol: cartesian functions (cart=True); expected spherical")
    for ia in range(mol.natm):
        if mol.atom_nelec_core(ia):
            raise _core.Error(f"mol: {mol.atom_pure_symbol(ia)} {ia + 1} has an effective core potential; picture change needs all electrons")


def _nucleus(mol: Any, ia: int) -> Dict[str, Any]:
    model = int(mol._atm[ia, gto.mole.NUC_MOD_OF])
    if model == gto.mole.NUC_GAUSS:
        return {"model": "gaussian", "exponent": float(mol._env[mol._atm[ia, gto.mole.PTR_ZETA]])}
    if model != gto.mole.NUC_POINT:
        raise _core.Error("mol.nucmod: a function of its own; expected point or Gaussian")
    return {"model": "point"}


class _Placed:
    """The shells of one atom in a molecule of single primitives: its functions as spherical and as spinor orbitals."""

    def __init__(self, mol: Any, ia: int) -> None:
        self.exponents: Dict[int, Any] = {}
        self.ao: Dict[int, Any] = {}      # l: spherical, functions x (2l + 1)
        self.spinor: Dict[int, Any] = {}  # kappa: spinors, functions x (2j + 1)
        first, spinors = mol.ao_loc_nr(), mol.ao_loc_2c()
        found: Dict[int, List[Tuple[float, int, int]]] = {}
        for shell in range(mol.nbas):
            if mol.bas_atom(shell) != ia:
                continue
            l, zetas, count = mol.bas_angular(shell), mol.bas_exp(shell), mol.bas_nctr(shell)
            if len(zetas) != 1 or count != 1:
                raise _core.Error("mol: contracted functions were left; expected with_x2c.xuncontract = True")
            found.setdefault(l, []).append((float(zetas[0]), int(first[shell]), int(spinors[shell])))
        for l in sorted(found):
            self.exponents[l] = np.array([f[0] for f in found[l]])
            self.ao[l] = np.array([[f[1] + m for m in range(2 * l + 1)] for f in found[l]])
            for kappa in _kappas(l):
                skip = 2 * l if kappa < 0 else 0
                self.spinor[kappa] = np.array([[f[2] + skip + m for m in range(2 * abs(kappa))] for f in found[l]])


class _Fields:
    """The atoms of an uncontracted molecule."""

    def __init__(self, mol: Any, interaction: str, one_electron: bool = False) -> None:
        _require(mol)
        self.mol, self.c = mol, _light_speed()
        self.places, self.atoms = [], []
        for ia in range(mol.natm):
            if mol.atom_charge(ia) == 0:  # a ghost has functions, but no field
                continue
            place, symbol, nucleus = _Placed(mol, ia), mol.atom_pure_symbol(ia), _nucleus(mol, ia)
            key = (symbol, tuple((l, tuple(z)) for l, z in place.exponents.items()), tuple(nucleus.items()), self.c, interaction, one_electron)
            if key not in _ATOMS:
                _ATOMS[key] = AtomField(symbol, place.exponents, nucleus, self.c, interaction, one_electron)
            self.places.append(place)
            self.atoms.append(_ATOMS[key])
        self.constant = sum(a.constant for a in self.atoms)

    def spinor(self, of: Callable[[AtomField, int], Matrix]) -> Matrix:
        """A spherical operator of all atoms, of(atom, kappa), over the spinors."""
        n = self.mol.nao_2c()
        m = np.zeros((n, n), dtype=complex)
        for place, atom in zip(self.places, self.atoms):
            for kappa, index in place.spinor.items():
                block = of(atom, kappa)
                for i in index.T:
                    m[np.ix_(i, i)] = block
        return m

    def spinor4(self, of: Callable[[AtomField, int], Dict[str, Matrix]]) -> Matrix:
        return _field({b: self.spinor(_block_of(of, b)) for b in ("LL", "LS", "SS")})

    def scalar(self, of: Callable[[AtomField, int], Matrix]) -> Matrix:
        """Its part without spin: the mean over both j, weighted by 2j + 1."""
        n = self.mol.nao_nr()
        m = np.zeros((n, n))
        for place, atom in zip(self.places, self.atoms):
            for l, index in place.ao.items():
                block = _mean(l, partial(of, atom))
                for i in index.T:
                    m[np.ix_(i, i)] = block
        return m

    def scalar4(self, of: Callable[[AtomField, int], Dict[str, Matrix]]) -> Matrix:
        return _field({b: self.scalar(_block_of(of, b)) for b in ("LL", "LS", "SS")})


def _block_of(of: Callable[[AtomField, int], Dict[str, Matrix]], block: str) -> Callable[[AtomField, int], Matrix]:
    return lambda atom, kappa: of(atom, kappa)[block]


def _mean(l: int, of: Callable[[int], Matrix]) -> Matrix:
    return ((l + 1) * of(-l - 1) + (l * of(l) if l > 0 else 0)) / (2 * l + 1)


def _split(l: int, of: Callable[[int], Matrix]) -> Matrix:
    """The factor of <l.s>."""
    return 2 * (of(-l - 1) - of(l)) / (2 * l + 1) if l > 0 else 0 * of(-1)


def _spin_part(of: Callable[[AtomField, int], Matrix]) -> Callable[[AtomField, int], Matrix]:
    def part(atom: AtomField, kappa: int) -> Matrix:
        l = _l_of(kappa)
        return _split(l, lambda k: of(atom, k)) * (l / 2 if kappa < 0 else -(l + 1) / 2)
    return part


def _difference(fields: _Fields) -> Callable[[AtomField, int], Matrix]:
    """dG: the transformed field less that of the untransformed interaction."""
    def of(a: AtomField, kappa: int) -> Matrix:
        u = np.vstack([a.normalisation[kappa], a.coupling[kappa] @ a.normalisation[kappa]])
        return u.T @ _field(a.field[kappa]) @ u - a.field_2c[kappa]
    return of


# One-electron matrices of a molecule of primitives.

class _OneElectron:
    def __init__(self, mol: Any, scalar: bool) -> None:
        self.mol, self.c, self.is_scalar = mol, float(lib.param.LIGHT_SPEED), scalar
        kinds = ("int1e_ovlp", "int1e_kin", "int1e_nuc", "int1e_pnucp") if scalar else (
            "int1e_ovlp_spinor", "int1e_spsp_spinor", "int1e_nuc_spinor", "int1e_spnucsp_spinor")
        self.s, self.t, self.v, self.w = (mol.intor_symmetric(kind) for kind in kinds)
        if not scalar:
            self.t = self.t / 2
        self.w = self.w / (4 * self.c**2)
        norms = np.sqrt(np.diag(self.s).real)
        least = np.linalg.eigvalsh(self.s / np.outer(norms, norms))[0]
        if least < _DEPENDENT:
            warnings.warn(ProphetWarning(f"the smallest eigenvalue of the overlap is {least:.1e}: X is ill-determined, and energies may lose "
                                         "digits; leave out diffuse functions", "near_dependent_functions"), stacklevel=4)
        self.h4 = np.block([[self.v, self.t], [self.t, self.w - self.t]])

    def decoupled(self, f: Matrix) -> _Decoupling:
        return _Decoupling(f, self.s, self.t, self.c)


def _sap_matrix(one: _OneElectron) -> Matrix:
    """diag(V, sigma.p V sigma.p/4c^2) of the superposed potentials of the atoms' electrons."""
    mol, fits = one.mol, sap_basis(one.mol)
    kinds = ("int1e_rinv", "int1e_prinvp") if one.is_scalar else ("int1e_rinv_spinor", "int1e_sprinvsp_spinor")
    large, small = np.zeros_like(one.v), np.zeros_like(one.v)
    for ia in range(mol.natm):
        if mol.atom_charge(ia) == 0:
            continue
        with mol.with_rinv_origin(mol.atom_coord(ia)):
            for alpha, q in fits[mol.atom_symbol(ia)][0][1:]:  # q sum to -Z
                with mol.with_rinv_zeta(alpha):
                    large -= q * mol.intor(kinds[0])
                    small -= q * mol.intor(kinds[1])
    zero = np.zeros_like(large)
    return np.block([[large, zero], [zero, small / (4 * one.c**2)]])


def _four_component_field(mol: Any, density: Matrix, interaction: str) -> Matrix:
    j, k = dhf.get_jk_coulomb(mol, density, 1)
    field = j - k
    if interaction != "coulomb":
        j, k = dhf._call_veff_gaunt_breit(mol, density, 1, None, interaction == "breit")
        field = field + j - k
    return field


class _Folded:
    """h of two components over the primitives, its constant, X and R."""

    def __init__(self, mol: Any, method: str, interaction: str, scalar: bool) -> None:
        _require(mol)
        self.one = one = _OneElectron(mol, scalar)
        self.constant = 0.0
        self.fields: Optional[_Fields] = None
        if method == "sap":
            v = _sap_matrix(one)
            self.u = one.decoupled(one.h4 + v)
            n = len(one.s)
            self.h = self.u.fold(one.h4 + v) - v[:n, :n]
            return
        one_electron = method in ("amf-1e", "x2camf")
        self.fields = fields = _Fields(mol, interaction, one_electron)
        over, over4 = (fields.scalar, fields.scalar4) if scalar else (fields.spinor, fields.spinor4)
        if one_electron:
            self.u = one.decoupled(one.h4)
            self.h = self.u.fold(one.h4)
            difference = _difference(fields)
            if method == "amf-1e":
                self.h = self.h + over(difference)
                self.constant = fields.constant
            elif not scalar:
                self.h = self.h + fields.spinor(_spin_part(difference))
            return
        if method == "amf":
            f = one.h4 + over4(lambda a, k: a.field[k])
            self.u = one.decoupled(f)
            self.h = self.u.fold(f) - over(lambda a, k: a.field_2c[k])
            self.constant = fields.constant
            return
        density = fields.spinor4(lambda a, k: a.density[k])
        field = _four_component_field(mol, density, interaction)
        self.u = one.decoupled(one.h4 + field)
        n = len(one.s)
        inverse = np.linalg.inv(self.u.r)
        self.density_2c = inverse @ density[:n, :n] @ inverse.conj().T
        j, k = _x2c.get_jk(mol, self.density_2c)
        self.h = self.u.fold(one.h4 + field) - (j - k)
        self.constant = -0.5 * float((np.einsum("ij,ji", field, density) - np.einsum("ij,ji", j - k, self.density_2c)).real)


# The helpers that PySCF asks.

def _has_functions_of_j(mol: Any) -> bool:
    return bool(mol._bas[:, gto.mole.KAPPA_OF].any())


def _with_both_j(mol: Any) -> Any:
    """The molecule with functions of one j as functions of l; primitives always are."""
    plain = mol.copy()
    plain._bas = mol._bas.copy()
    plain._bas[:, gto.mole.KAPPA_OF] = 0
    return plain


class _Helper:
    """What the three helpers share. `constant`: hartree, part of energy_nuc() of the mean field."""

    method: str
    interaction: str

    def _prepare(self, method: str, interaction: str) -> Any:
        self.method, self.interaction = method, interaction
        self._folded: Optional[Tuple[bytes, Any]] = None
        return self

    def _of(self, mol: Any) -> Any:
        """Kept for a geometry."""
        key = mol._atm.tobytes() + mol._bas.tobytes() + mol._env.tobytes() + repr(lib.param.LIGHT_SPEED).encode()
        if self._folded is None or self._folded[0] != key:
            self._folded = (key, _Folded(mol, self.method, self.interaction, isinstance(self, _sfx2c1e.SpinFreeX2CHelper)))
        return self._folded[1]

    def folded(self, mol: Any = None) -> Any:
        whole: Any = self
        given = mol or whole.mol
        _require(given)
        return self._of(whole.get_xmol(given)[0])

    @property
    def constant(self) -> float:
        return float(self.folded().constant)

    def reset(self, mol: Any = None) -> Any:
        self._folded = None
        parent: Any = super()
        return parent.reset(mol)


class _SpinFree(_Helper, _sfx2c1e.SpinFreeX2CHelper):  # type: ignore[misc,unused-ignore]
    def get_hcore(self, mol: Any = None) -> Matrix:
        contraction = self.get_xmol(mol or self.mol)[1]
        h = self.folded(mol).h
        return h if contraction is None else contraction.T @ h @ contraction

    def get_xmat(self, mol: Any = None) -> Matrix:
        return self._of(mol or self.get_xmol()[0]).u.x


class _Spinor(_Helper, _x2c.SpinorX2CHelper):  # type: ignore[misc,unused-ignore]
    def get_xmol(self, mol: Any = None) -> Any:
        mol = mol or self.mol
        if not _has_functions_of_j(mol):
            return super().get_xmol(mol)
        xmol = _with_both_j(mol).decontract_basis(aggregate=True)[0]
        both = gto.mole.intor_cross("int1e_ovlp_spinor", xmol, mol)
        return xmol, np.linalg.solve(xmol.intor_symmetric("int1e_ovlp_spinor"), both)

    def get_hcore(self, mol: Any = None) -> Matrix:
        contraction = self.get_xmol(mol or self.mol)[1]
        h = self.folded(mol).h
        if contraction is None:
            return h
        if len(contraction) != len(h):  # spherical: each function has both spins
            contraction = np.kron(contraction, np.eye(2))
        return contraction.conj().T @ h @ contraction

    def get_xmat(self, mol: Any = None) -> Matrix:
        return self._of(mol or self.get_xmol()[0]).u.x


class _SpinOrbital(_Helper, _x2c.SpinOrbitalX2CHelper):  # type: ignore[misc,unused-ignore]
    def get_hcore(self, mol: Any = None) -> Matrix:
        xmol, contraction = self.get_xmol(mol or self.mol)
        u = _spin_orbitals(xmol)
        h = u @ self.folded(mol).h @ u.conj().T
        if contraction is not None:
            both = scipy.linalg.block_diag(contraction, contraction)
            h = both.T @ h @ both
        return h

    def get_xmat(self, mol: Any = None) -> Matrix:
        xmol = mol or self.get_xmol()[0]
        u = _spin_orbitals(xmol)
        return u @ self._of(xmol).u.x @ u.conj().T


def _spin_orbitals(mol: Any) -> Matrix:
    """Spinors as columns over alpha and beta functions: unitary."""
    return np.vstack(mol.sph2spinor_coeff())


class _PictureChanged:
    """A mean field whose constant is part of its energy."""

    __name_mixin__ = "ProphetX2C"

    def energy_nuc(self) -> float:
        parent: Any = super()
        return float(parent.energy_nuc() + self.with_x2c.constant)  # type: ignore[attr-defined]

    def _converted(self, name: str, *arguments: Any) -> Any:
        """What PySCF's conversion makes of the mean field without the picture change, with it again."""
        mf: Any = self
        kinds = [_PictureChanged, *(k for k in (_x2c.X2C1E_GSCF, _sfx2c1e.SFX2C1E_SCF) if isinstance(mf, k))]
        kind = mf.__class__
        for mixin in kinds:
            kind = lib.drop_class(kind, mixin)
        plain = lib.view(mf, kind)
        if len(kinds) > 1:
            del plain.with_x2c
        return x2c(getattr(plain, name)(*arguments), mf.with_x2c.method, mf.with_x2c.interaction)

    def to_rhf(self) -> Any:
        return self._converted("to_rhf")

    def to_uhf(self) -> Any:
        return self._converted("to_uhf")

    def to_ghf(self) -> Any:
        return self._converted("to_ghf")

    def to_hf(self) -> Any:
        return self._converted("to_hf")

    def to_ks(self, xc: Optional[str] = "HF") -> Any:
        return self._converted("to_ks", xc)

    def to_rks(self, xc: Optional[str] = "HF") -> Any:
        return self._converted("to_rks", xc)

    def to_uks(self, xc: Optional[str] = "HF") -> Any:
        return self._converted("to_uks", xc)

    def to_gks(self, xc: Optional[str] = "HF") -> Any:
        return self._converted("to_gks", xc)


def x2c(mf: Any, method: str = "amf", interaction: str = "coulomb") -> Any:
    """The mean field in exact two components with the picture change of the two-electron interaction.

    mf: scf.GHF, scf.GKS, scf.X2C (spinors), or scf.RHF, scf.UHF, scf.RKS, ... (the part without spin). method: 'eamf', 'amf', 'amf-1e',
    'x2camf' or 'sap'; interaction: 'coulomb', 'gaunt' or 'breit'. `mf.with_x2c.constant` is part of its energy.
    """
    if method not in _METHODS:
        raise _core.Error(f"method: found {method!r}; expected 'sap', 'amf', 'eamf', 'x2camf' or 'amf-1e'")
    if interaction not in _INTERACTIONS:
        raise _core.Error(f"interaction: found {interaction!r}; expected 'coulomb', 'gaunt' or 'breit'")
    if method == "sap" and interaction != "coulomb":
        raise _core.Error(f"method 'sap' has no {interaction.capitalize()} interaction; use 'amf' or 'eamf'")
    _require(mf.mol)
    if isinstance(mf, dhf.UHF):
        raise _core.Error("mf: a four-component mean field needs no picture change; expected scf.GHF, scf.X2C, scf.RHF, ...")
    if _has_functions_of_j(mf.mol) and not isinstance(mf, _x2c.SCF):
        raise _core.Error("basis: functions for each j belong to spinors, scf.X2C; for others contract per='l' or 'both'")
    if isinstance(mf, _x2c.SCF):
        new, helper = mf.copy(), _Spinor(mf.mol)
    elif isinstance(mf, ghf.GHF):
        new, helper = mf.x2c1e().copy(), _SpinOrbital(mf.mol)
    else:
        if method == "eamf":
            raise _core.Error("method 'eamf' is made with spinors; for a mean field without spin-orbit coupling use 'amf'")
        new, helper = mf.sfx2c1e().copy(), _SpinFree(mf.mol)
    new.with_x2c = helper._prepare(method, interaction)
    if not isinstance(new, _PictureChanged):
        new = lib.set_class(new, (_PictureChanged, new.__class__))
    return new


def spin_orbit(mf: Any) -> Matrix:
    """The spin-orbit operator to first order of a scalar mean field of x2c(): real antisymmetric matrices x, y, z over the functions of the
    molecule, h = h_sf + sum_x i hso_x sigma_x/2."""
    helper = getattr(mf, "with_x2c", None)
    if not isinstance(helper, _SpinFree) or helper.method != "amf":
        raise _core.Error("mf: expected a scalar mean field of cudaprophet.pyscf.x2c(scf.RHF(mol), 'amf')")
    mol, contraction = helper.get_xmol()
    folded = helper.folded()
    n, c, u = len(folded.one.s), folded.one.c, _spin_orbitals(mol)
    w = 2 * mol.intor("int1e_spnucsp")[:3] / (4 * c * c)
    def components(block: str) -> Matrix:
        return _components(u @ folded.fields.spinor(_spin_part(lambda a, k: a.field[k][block])) @ u.conj().T)
    ll, ls, ss = (components(b) for b in ("LL", "LS", "SS"))
    two = _components(u @ folded.fields.spinor(_spin_part(lambda a, k: a.field_2c[k])) @ u.conj().T)
    result = []
    for x in range(3):
        # i h is Hermitian: SL is minus the transpose of LS.
        f = np.block([[ll[x], ls[x]], [-ls[x].T, ss[x] + w[x]]])
        h = folded.u.fold(f) - two[x]
        result.append(h if contraction is None else contraction.T @ h @ contraction)
    return np.array(result)


def _components(m: Matrix) -> Matrix:
    """h_x, h_y, h_z of m = sum_x i h_x sigma_x/2 over alpha and beta functions."""
    n = len(m) // 2
    aa, ab, ba, bb = m[:n, :n], m[:n, n:], m[n:, :n], m[n:, n:]
    return np.array([(-1j * (ab + ba)).real, (ab - ba).real, (-1j * (aa - bb)).real])


def atoms(mol: Any, interaction: str = "coulomb") -> Dict[str, AtomField]:
    """The four-component averages of the atoms in the basis of the molecule, by symbol."""
    xmol = _x2c.SpinOrbitalX2CHelper(mol).get_xmol()[0]
    fields = _Fields(xmol, interaction)
    real = [ia for ia in range(xmol.natm) if xmol.atom_charge(ia) != 0]
    return {xmol.atom_symbol(ia): atom for ia, atom in zip(real, fields.atoms)}


# Guesses.

class Guess:
    """An initial guess: `mf.init_guess = guess('densities')`."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def __repr__(self) -> str:
        return f"cudaprophet.pyscf.guess({self.kind!r})"

    def __call__(self, mol: Any) -> Matrix:
        """The sum over both spins, real functions."""
        return self.density(hf.RHF(mol), mol)

    def _spin_sum(self, mol: Any) -> Matrix:
        xmol, contraction = _x2c.SpinOrbitalX2CHelper(mol).get_xmol()
        fields = _Fields(xmol, "coulomb")
        u = _spin_orbitals(xmol)
        d = u @ fields.spinor(lambda a, k: a.density_2c[k]) @ u.conj().T
        n = len(d) // 2
        total = (d[:n, :n] + d[n:, n:]).real
        s = xmol.intor_symmetric("int1e_ovlp")
        p = np.linalg.solve(contraction.T @ s @ contraction, contraction.T @ s)
        return p @ total @ p.T

    def density(self, mf: Any, mol: Any = None) -> Matrix:
        """That of the class of mf."""
        mol = mol or mf.mol
        if self.kind == "sap" and isinstance(mf, dhf.UHF):
            raise _core.Error("guess: 'sap' has no four components; expected 'densities' or 'eamf' for scf.DHF")
        if isinstance(mf, dhf.UHF):
            if getattr(hf, "remove_overlap_zero_eigenvalue", False) and _dropped_small(mol):
                warnings.warn(ProphetWarning("PySCF drops small functions whose norm is below its threshold, and takes solutions of negative energy for "
                                             "occupied; set pyscf.scf.hf.remove_overlap_zero_eigenvalue = False", "small_functions_dropped"),
                              stacklevel=5)
            return self._four_components(mol)
        if self.kind == "eamf":
            raise _core.Error("guess: 'eamf' is for scf.DHF; expected 'densities' or 'sap' for others")
        if self.kind == "sap":
            if not hasattr(hf.RHF, "init_guess_by_sap"):
                raise _core.Error("guess: this PySCF has no superposed potentials; use a newer one (2.14 has them), or 'densities'")
            occupied = hf.RHF(mol)
            occupied.verbose, occupied.sap_basis = 0, sap_basis(mol)
            total = occupied.init_guess_by_sap(mol, s1e=mol.intor_symmetric("int1e_ovlp"))
        else:
            total = self._spin_sum(mol)
        if isinstance(mf, _x2c.SCF):
            if _has_functions_of_j(mol):
                raise _core.Error("guess: the set has functions of one j; start from PySCF's own guess, such as 'minao'")
            u = _spin_orbitals(mol)
            half = scipy.linalg.block_diag(total, total) / 2
            return u.conj().T @ half @ u
        if isinstance(mf, ghf.GHF):
            return scipy.linalg.block_diag(total, total) / 2
        if isinstance(mf, uhf.UHF) or getattr(mf, "istype", lambda _: False)("ROHF"):
            return np.array([total / 2, total / 2])
        return total

    def _four_components(self, mol: Any) -> Matrix:
        if not all(len(mol.bas_exp(i)) == 1 for i in range(mol.nbas)):
            raise _core.Error("guess: four components take sets of single primitives; uncontract the basis")
        if self.kind == "densities":
            return _Fields(mol, "coulomb").spinor4(lambda a, k: a.density[k])
        mf = x2c(_x2c.UHF(mol), "eamf")
        mf.verbose, mf.conv_tol = 0, 1e-10
        mf.kernel()
        u = mf.with_x2c.folded().u
        both = np.vstack([u.r, u.x @ u.r])
        return both @ mf.make_rdm1() @ both.conj().T


def _dropped_small(mol: Any) -> bool:
    """Whether a four-component mean field of PySCF drops small functions, whose norm is T/2c^2."""
    c = float(lib.param.LIGHT_SPEED)
    least = np.linalg.eigvalsh(mol.intor_symmetric("int1e_spsp_spinor") / (4 * c * c))[0]
    return bool(least < hf.overlap_zero_eigenvalue_threshold)


def guess(kind: str = "densities") -> Guess:
    """For mf.init_guess: 'densities', superposed averages of the atoms; 'sap', their superposed potentials; 'eamf', for scf.DHF, the density
    of a two-component calculation."""
    if kind not in ("densities", "sap", "eamf"):
        raise _core.Error(f"guess: found {kind!r}; expected 'densities', 'sap' or 'eamf'")
    return Guess(kind)


def _teach_guesses() -> None:
    """PySCF takes names of its own guesses only: its question for one passes ours on."""
    asked = hf.SCF.get_init_guess
    if getattr(asked, "knows_prophet", False):
        return
    classes = [hf.SCF, *{c for base in (hf.RHF, uhf.UHF, ghf.GHF, dhf.UHF, _x2c.SCF, _x2c.UHF) for c in base.__mro__}]
    for kind in dict.fromkeys(classes):
        own = kind.__dict__.get("get_init_guess")
        if own is None:
            continue

        def get_init_guess(self: Any, mol: Any = None, key: Any = "minao", _own: Any = own, **options: Any) -> Matrix:
            return key.density(self, mol) if isinstance(key, Guess) else _own(self, mol, key, **options)

        get_init_guess.knows_prophet = True  # type: ignore[attr-defined]
        kind.get_init_guess = get_init_guess


_teach_guesses()


# Basis sets and potentials of the library.

def basis(elements: Union[str, Sequence[str]], name: str = "prophet-dz", *, core: bool = False, diffuse: bool = False, core_density: bool = False,
          contract: Optional[str] = None, uncontract: int = 4, per: str = "l") -> Any:
    """Sets of the library as PySCF has them: for a list of elements a dict by symbol, for one its list of shells, [[l, [exponent, 1]], ...].

    core, diffuse, core_density: with the functions for the correlation of the outer core, for negative ions, and for the nucleus. contract: functions contracted from the
    neutral atom's, all of its l: 'amf', in exact two components with its own field; 'sfx2c', in the part of it without spin; 'x2c', in X2C of
    one electron; for each l the `uncontract` most diffuse primitives (at most all) stay beside them, and the functions are orthonormal sums of
    the others. per: 'l', the mean over both j, weighted
    by 2j + 1, fit for calculations without spin; 'j', a function for each, which spinor methods (scf.X2C) use for that j alone;
    'both', the mean and what the functions of each j lack in it (more than 1e-3 of their norm). Only 'l' goes with 'sfx2c'. A name such as
    'prophet-tz-amf' is that of a contracted set of the library.
    """
    if contract not in (None, *_CONTRACTIONS):
        raise _core.Error(f"contract: found {contract!r}; expected None, 'sfx2c', 'x2c' or 'amf'")
    if per not in ("l", "j", "both"):
        raise _core.Error(f"per: found {per!r}; expected 'l', 'j' or 'both'")
    if per != "l" and contract not in ("x2c", "amf"):
        raise _core.Error("per: functions for each j need contract='x2c' or 'amf'")
    if not isinstance(elements, str):
        return {e: basis(e, name, core=core, diffuse=diffuse, core_density=core_density, contract=contract, uncontract=uncontract, per=per) for e in elements}
    if name in contracted_names():
        if contract or core or diffuse or core_density:
            raise _core.Error(f"contract: {name} is contracted already; core, diffuse, core_density and contract belong to sets of primitives")
        return _of_library(name, elements)
    primitives = _primitives(elements, name, _groups(core, diffuse, core_density))
    return primitives if contract is None else _contracted(elements, primitives, contract, uncontract, per)[0]


def contraction_error(symbol: str, name: str = "prophet-dz", *, core: bool = False, diffuse: bool = False, core_density: bool = False,
                      contract: str = "amf", uncontract: int = 4, per: str = "l", of: str = "field") -> float:
    """What the contraction of basis() costs the neutral atom, hartree. of 'field': the sum over its electrons of the energies of spinors in the
    contracted functions less those in all primitives, exact two components in the atom's own field, which stays as it is; 'second-order': the
    energy of second order of the valence in the contracted functions less that in all primitives, in X2C of one electron (contract='sfx2c':
    without spin)."""
    if of not in ("field", "second-order"):
        raise _core.Error(f"of: found {of!r}; expected 'field' or 'second-order'")
    basis(symbol, name, contract=contract, per=per)  # refuses what there is not
    if of == "second-order" and per == "j":
        raise _core.Error("of: second order takes functions of both j; expected per='l' or 'both'")
    shells, cost = _contracted(symbol, _primitives(symbol, name, _groups(core, diffuse, core_density)), contract, uncontract, per)
    return cost if of == "field" else _second_order_lost(symbol, shells, contract)


def _second_order_lost(symbol: str, shells: List[Any], contract: str) -> float:
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", ProphetWarning)  # of properties that nobody asks for
        path = Path(folder) / "set.nw"
        path.write_text(_nwchem({symbol: shells}), encoding="utf-8")
        settings = {"atom": symbol, "bastype": "file", "file": str(path), "hamiltonian": "sfx2c1e" if contract == "sfx2c" else "x2c1e",
                    "electrons": "valence"}
        inside, whole = (float(run("correlation", {**settings, "contracted": contracted}).correlation_energy) for contracted in (True, False))
    return inside - whole


_CONTRACTIONS = ("sfx2c", "x2c", "amf")


def _contracted_file(name: str) -> Path:
    return Path(_core.basis_set_folder("")) / "contracted" / f"{name}.json"


def contracted_names() -> List[str]:
    """Of the library's contracted sets."""
    return sorted(p.stem for p in _contracted_file("").parent.glob("*.json"))


@lru_cache(maxsize=2)
def _contracted_elements(path: Path) -> Dict[str, Any]:
    found: Dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["elements"]
    return found


def _of_library(name: str, symbol: str) -> List[Any]:
    found = _contracted_elements(_contracted_file(name)).get(str(gto.charge(symbol)))
    if found is None:
        raise _core.Error(f"basis: {name} has no set of {symbol}")
    return [[shell["angular_momentum"][0], *[[float(z), *map(float, row)] for z, *row in zip(shell["exponents"], *shell["coefficients"])]]
            for shell in found["electron_shells"]]


def _groups(core: bool, diffuse: bool, core_density: bool) -> List[str]:
    """Those of functions that an export has on request only."""
    return [group for group, wanted in (("core", core), ("diffuse", diffuse), ("core-density", core_density)) if wanted]


def _exported(elements: str, name: str, form: str, groups: Sequence[str] = ()) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "set"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ProphetWarning)  # of programs that need contractions
            run("basis_export", {"what": elements, "library": name, "format": form, "with": ",".join(groups) or None, "out": str(path)})
        return path.read_text(encoding="utf-8")


def _primitives(symbol: str, name: str, groups: Sequence[str] = ()) -> List[Any]:
    element = next(iter(json.loads(_exported(symbol, name, "json", groups))["elements"].values()))
    shells = {(l, float(zeta)) for shell in element["electron_shells"] for l in shell["angular_momentum"] for zeta in shell["exponents"]}
    return [[l, [zeta, 1.0]] for l, zeta in sorted(shells, key=lambda s: (s[0], -s[1]))]


def _contracted(symbol: str, primitives: List[Any], contract: str, uncontract: Union[int, Dict[int, int]], per: str) -> Tuple[List[Any], float]:
    """Shells, and what the contraction costs. uncontract: of each l, or by l."""
    mol = gto.M(atom=symbol, basis={symbol: primitives}, nucmod="G", spin=None, verbose=0)
    atom, exponents = _Fields(mol, "coulomb").atoms[0], _Placed(mol, 0).exponents
    occupied = list(Atom(symbol).energy(error_estimate=False).spinors.values())
    one_electron = _spinors_of_x2c(symbol, exponents, mol) if contract == "x2c" else {}
    shells: List[Any] = []
    cost = 0.0
    for l, zetas in exponents.items():
        electrons = {kappa: [s.occupation for s in occupied if s.kappa == kappa] for kappa in _kappas(l)}
        overlap = atom._metric[-l - 1][0]
        focks = {kappa: _folded_in_atom(atom, [(kappa, 1.0)]) for kappa in _kappas(l)}
        if contract == "x2c":
            found = {kappa: one_electron.get(kappa, np.zeros((len(zetas), 0))) for kappa in focks}
        elif contract == "amf":
            found = {kappa: scipy.linalg.eigh(f, overlap)[1][:, :len(electrons[kappa])] for kappa, f in focks.items()}
        else:
            both = _folded_in_atom(atom, [(kappa, 2 * abs(kappa) / (4 * l + 2)) for kappa in focks])
            count = max(map(len, electrons.values()))
            found = {-l - 1: scipy.linalg.eigh(both, overlap)[1][:, :count]}
        most_free = uncontract if isinstance(uncontract, int) else uncontract[l]
        free = np.argsort(zetas)[:most_free]
        functions = [(k, _unit(f, overlap)) for k, f in found.items()] if per == "j" else [(0, _mean_functions(found, overlap))]
        if per == "both":
            functions = [(0, np.hstack([functions[0][1], _lacking(found, np.hstack([functions[0][1], np.eye(len(zetas))[:, free]]), overlap)]))]
        count = sum(f.shape[1] for _, f in functions)
        if count == 0 or len(zetas) <= max(f.shape[1] for _, f in functions) + most_free:
            shells += [[l, [float(z), 1.0]] for z in zetas]
            continue
        functions = [(kappa, _without(free, columns, overlap)) for kappa, columns in functions]
        for kappa, columns in functions:
            if columns.shape[1]:
                shells.append([l, *([kappa] if kappa else []), *[[float(z), *map(float, row)] for z, row in zip(zetas, columns) if row.any()]])
        shells += [[l, [float(zetas[i]), 1.0]] for i in sorted(free, key=lambda i: -zetas[i])]
        for kappa, fock in focks.items():
            own = [f for k, f in functions if k in (0, kappa)]
            space = np.hstack([*own, np.eye(len(zetas))[:, free]])
            n = np.array(electrons[kappa])
            inside = scipy.linalg.eigh(space.T @ fock @ space, space.T @ overlap @ space, eigvals_only=True)
            cost += float(n @ (inside[:len(n)] - scipy.linalg.eigh(fock, overlap, eigvals_only=True)[:len(n)]))
    return shells, cost


def _folded_in_atom(atom: AtomField, weights: Sequence[Tuple[int, float]]) -> Matrix:
    """The Dirac operator with the field of an atom in two components: of one symmetry, or of the weighted mean of both of an l."""
    f = _field({b: sum(w * atom._whole[kappa][b] for kappa, w in weights) for b in ("LL", "LS", "SS")})
    s, t = atom._metric[weights[0][0]]
    if len(weights) > 1:
        t = sum(w * atom._metric[kappa][1] for kappa, w in weights)
    return _Decoupling(f, s, t, atom.c).fold(f)


def _spinors_of_x2c(symbol: str, exponents: Dict[int, Matrix], mol: Any) -> Dict[int, Matrix]:
    """The atom's spinors in X2C of one electron by kappa, columns over the exponents."""
    lists = [np.sort(exponents[l]) for l in sorted(exponents) for _ in _kappas(l)]
    atom = Atom(symbol, basis=BasisSet(lists), nucleus=_nucleus(mol, 0), c=_light_speed(), hamiltonian="x2c1e")
    columns: Dict[int, List[Matrix]] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ProphetWarning)  # of properties that nobody asks for
        result = atom.energy(error_estimate=False)
    for s in result.spinors.values():
        place = np.argsort(np.argsort(exponents[s.l]))
        columns.setdefault(s.kappa, []).append(np.asarray(s.coefficients[0])[place])
    return {kappa: np.array(list_).T for kappa, list_ in columns.items()}


def _unit(functions: Matrix, overlap: Matrix) -> Matrix:
    """Columns of norm 1, their largest coefficient positive."""
    made = functions / np.sqrt(np.einsum("pi,pq,qi->i", functions, overlap, functions))
    return made * np.sign([column[np.argmax(abs(column))] for column in made.T])


def _without(free: Any, functions: Matrix, overlap: Matrix) -> Matrix:
    """Functions that span with the free primitives what these functions span with them: without them and orthonormal. Outer orbitals are nearly
    sums of the free primitives and alike further in, so that side by side all would be nearly dependent. What is left out is below 1e-7."""
    rest = np.setdiff1d(np.arange(len(overlap)), free)
    root = scipy.linalg.cholesky(overlap[np.ix_(rest, rest)])
    directions, triangle = np.linalg.qr(root @ functions[rest])
    made = np.zeros((len(overlap), functions.shape[1]))
    made[rest] = scipy.linalg.solve_triangular(root, directions)
    return _unit(made[:, abs(np.diag(triangle)) > 1e-7], overlap)


# Parts of the norm of a function that are below this are left out.
_LACKING = 1e-3


def _lacking(found: Dict[int, Matrix], held: Matrix, overlap: Matrix) -> Matrix:
    """What the functions of each j lack in the span of `held`, as orthonormal functions, the largest parts first. Those of all shells are alike
    near the nucleus, so that a few do for all."""
    inverse, root = _inverse_root(overlap)
    inside, _ = np.linalg.qr(root @ held)
    outside = root @ np.hstack([_unit(f, overlap) for f in found.values()])
    outside -= inside @ (inside.T @ outside)
    directions, sizes, _ = np.linalg.svd(outside, full_matrices=False)
    return _unit(inverse @ directions[:, sizes > _LACKING], overlap)


def _mean_functions(found: Dict[int, Matrix], overlap: Matrix) -> Matrix:
    """Of both j, each weighted by its places; where only one is occupied, that one."""
    columns = []
    for i in range(max(f.shape[1] for f in found.values())):
        there = [(2 * abs(kappa), f[:, i]) for kappa, f in found.items() if i < f.shape[1]]
        first = there[0][1]
        columns.append(sum(w * (f if first @ overlap @ f > 0 else -f) for w, f in there))
    return _unit(np.array(columns).T, overlap) if columns else np.zeros((len(overlap), 0))


def register(folder: Union[str, "os.PathLike[str]"], names: Sequence[str] = ("prophet-dz", "prophet-tz", "prophet-qz")) -> None:
    """Makes names of the library's sets known to PySCF, gto.M(basis='prophet-tz'): writes them into the folder, which becomes
    pyscf.gto.basis.USER_BASIS_DIR. That is a setting of the whole process; another one that is there already is refused."""
    from pyscf.gto import basis as sets
    where = Path(folder).resolve()
    before = getattr(sets, "USER_BASIS_DIR", "")
    if before and Path(before).resolve() != where:
        raise _core.Error(f"register: pyscf.gto.basis.USER_BASIS_DIR is {before} already; give this folder, or clear it")
    where.mkdir(parents=True, exist_ok=True)
    for name in names:
        text = _nwchem(_all_of_library(name)) if name in contracted_names() else _exported(_elements_of_library(name), name, "nwchem")
        (where / f"{name}.dat").write_text(text, encoding="utf-8")
        key = name.replace("-", "").lower()
        if hasattr(sets, "USER_BASIS_ALIAS"):
            sets.USER_BASIS_ALIAS[key] = f"{name}.dat"
        else:  # older versions know their own names only, but follow those to any path
            sets.ALIAS[key] = str(where / f"{name}.dat")
    sets.USER_BASIS_DIR = str(where)


def _nwchem(sets: Dict[str, List[Any]]) -> str:
    """Shells by symbol in NWChem's format."""
    lines = ['BASIS "ao basis" SPHERICAL PRINT']
    for symbol, shells in sets.items():
        lines.append(f"#BASIS SET: {symbol}")  # by which PySCF finds it
        for l, *rows in shells:
            lines += [f"{symbol} {'SPDFGHI'[l]}", *(" ".join(repr(x) for x in row) for row in rows)]
    return "\n".join([*lines, "END", ""])


def _elements_of_library(name: str) -> str:
    """The elements that a collection has sets of; all, where it has none, so that what reads it says so."""
    return ",".join(str(z) for z in range(1, 119) if _core.library_set(z, name, "") is not None) or "1-118"


def _all_of_library(name: str) -> Dict[str, List[Any]]:
    symbols = [_core.symbol_of(int(z)) for z in _contracted_elements(_contracted_file(name))]
    return {symbol: _of_library(name, symbol) for symbol in symbols}


_SAP: Dict[str, Matrix] = {}


def sap_basis(mol: Any) -> Dict[str, Any]:
    """The potentials of the electrons of the molecule's atoms for mf.sap_basis: by symbol a shell [[0, [exponent, charge], ...]] whose charges
    sum to -Z."""
    if not _SAP:
        path = Path(_core.basis_set_folder("")) / "sap" / "sap_prophet_lda_x.json"
        for z, element in json.loads(path.read_text(encoding="utf-8"))["elements"].items():
            shell = element["electron_shells"][0]
            _SAP[_core.symbol_of(int(z))] = np.array([[float(a) for a in shell["exponents"]], [float(q) for q in shell["coefficients"][0]]]).T
    found = {}
    for ia in range(mol.natm):
        symbol = mol.atom_pure_symbol(ia)
        if mol.atom_charge(ia) and symbol not in _SAP:
            raise _core.Error(f"mol: there is no fitted potential of {symbol}; compute one with cudaprophet.sap()")
        rows = _SAP[symbol] if mol.atom_charge(ia) else np.array([[1.0, 0.0]])
        found[mol.atom_symbol(ia)] = [[0, *rows.tolist()]]
    return found
