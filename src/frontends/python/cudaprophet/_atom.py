"""Atoms and ions: the input of calculations."""
from __future__ import annotations

import json
import os
from typing import Any, Dict, List, Optional, Tuple, Union

from . import _core
from ._basis import BasisSet, collections
from ._operations import FUNCTIONS, Record, call, json_of, place
from ._result import Result
from ._warnings import issue


class Atom:
    """An immutable atom or ion: its nucleus, electrons, Hamiltonian and, if given, its basis set.

    Args:
        element: symbol ("Rn"), nuclear charge (86), an ion ("Fe3+", "Fe2+ [Ar] 3d5.4s1") or an isotope ("133Cs", "43Ca+").
        charge: charge of the ion, before any hole; without `config` the ion has its default configuration.
        config: configuration such as "[Xe] 4f14 5d10 6s2 6p1"; partly filled shells are averaged over both j, or given by j:
            "6p1/2", "6p1/2:2 6p3/2:1"; closed inner shells may be left out ("6p1"). It must have the electrons of `element` and
            `charge`; where no charge is given, others than those of the neutral atom are a warning of the results. Default: that of
            experiment if it is known, otherwise one by rule (`configuration_source` states which).
        hole, promote: "2p" takes an electron out of a shell, so that the atom has one charge more; "2p->3d" moves one.
        nucleus: "point", "sphere", "gaussian", "fermi", or a dict of the keywords of $nuc, dict(model="fermi", rms=5.6):
            rms and skin in fm, radius in bohr, exponent in bohr^-2; or "experimental": a Gaussian with the measured charge
            radius (Angeli and Marinova 2013) of the isotope, nucleus="experimental", isotope=57. Default: Gaussian; with
            a BasisSet, the model for which it was made. Sets of files that state none are for a Gaussian nucleus; with
            exponents or ladders of your own it is a point (the result then has a warning).
        basis: name of a collection ("universal"), a file or a folder of .basis files ("au.nw", "./sets"), or a BasisSet,
            which must be one of the element or of none. Default: chosen automatically for the atom.
        breit: True or "breit", "gaunt"; in first order (see `Result.total_with_corrections`) unless breitscf=True.
        qed: True or "inner", "valence": vacuum polarisation and self-energy, in first order unless qedscf=True; qedvp and
            qedse give more control.
        keywords: every other keyword of the input language by its name or alias (c=137.0, maxitr=100, rms=5.6, ...;
            `cp.explain()` lists all), or a group by its name: scf=dict(maxitr=100).

    Raises Error with all errors, as the program reports them for an input file.
    """

    __slots__ = ("_z", "_keywords", "_jobs", "_checked")

    _z: Union[int, float]
    _keywords: Dict[str, Any]
    _jobs: Dict[Any, _core.Job]

    def __init__(self, element: Union[str, int, float], *, charge: Optional[int] = None, config: Optional[str] = None,
                 nucleus: Union[str, int, Dict[str, Any], None] = None, basis: Union[str, BasisSet, Dict[str, Any], None] = None,
                 breit: Union[bool, str, None] = None, qed: Union[bool, str, None] = None, **keywords: Any) -> None:
        given = dict(charge=charge, config=config, nucleus=nucleus, basis=basis, breit=breit, qed=qed, **keywords)
        z: Union[int, float]
        if isinstance(element, str):
            z, ion, shells, mass = _core.parse_species(element)
            for name, meant in (("charge", ion), ("config", shells or None), ("mass", mass)):
                if meant is not None and given.get(name) is not None:
                    what = "configuration" if name == "config" else name
                    raise _core.Error(f"'{element}' names the {what} already; omit one of them")
                if meant is not None:
                    given[name] = meant
        else:
            z = element
        object.__setattr__(self, "_z", z)
        object.__setattr__(self, "_keywords", {k: v for k, v in given.items() if v is not None})
        object.__setattr__(self, "_jobs", {})
        _core.check_job("energy", json_of(self._request("energy", {})))
        self._check_collection()

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("an Atom is immutable; make another one, with replace() for example")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("an Atom is immutable")

    def replace(self, **keywords: Any) -> "Atom":
        """The same atom except for these keywords; None removes a keyword."""
        return Atom(self._z, **{**self._keywords, **keywords})

    @property
    def z(self) -> Union[int, float]:
        """Nuclear charge."""
        return self._z

    @property
    def symbol(self) -> str:
        """Symbol of the element, "Rn"; empty if the charge is not that of an element."""
        whole = float(self._z).is_integer() and 1 <= self._z <= _core.last_element
        return _core.symbol_of(int(self._z)) if whole else ""

    @property
    def charge(self) -> float:
        """Charge of the atom: nuclear charge minus electrons."""
        charge = self._z - self.electrons
        return int(charge) if float(charge).is_integer() else charge

    @property
    def electrons(self) -> float:
        """Number of electrons."""
        n = json.loads(self._job("energy", {}).configuration)["electrons"]
        return int(n) if float(n).is_integer() else float(n)

    @property
    def configuration(self) -> str:
        """Configuration, "[Xe] 4f14 5d10 6s2 6p6"."""
        return str(json.loads(self._job("energy", {}).configuration)["description"])

    @property
    def configuration_source(self) -> str:
        """The source of the configuration: "given", or for a default "nist" (tables of experiment) or "rule"."""
        return str(json.loads(self._job("energy", {}).configuration)["source"])

    @property
    def nucleus(self) -> Dict[str, Any]:
        """Model and parameters of the nucleus, keys as in the JSON result (lengths in bohr)."""
        return dict(json.loads(self._job("energy", {}).nucleus))

    @property
    def basis(self) -> BasisSet:
        """The basis set of energy(), chosen or named."""
        description, symmetries = self._job("energy", {}).basis
        return BasisSet([e for _, e in symmetries], element=self.symbol or None, description=description)

    @property
    def choices(self) -> List[str]:
        """What was chosen automatically for energy(), and why; one sentence each."""
        return list(self._job("energy", {}).choices)

    @property
    def keywords(self) -> Dict[str, Any]:
        """The arguments with which the atom was made, without the element."""
        return dict(self._keywords)

    @property
    def input(self) -> str:
        """Text of an input file with which the program computes the same energy."""
        return self._job("energy", {}).input

    def energy(self, *, threads: Optional[int] = None, device: str = "auto", error_estimate: bool = True,
               start: Optional[Result] = None, **keywords: Any) -> Result:
        """The Dirac-Hartree-Fock energy in a basis set.

        threads: threads of the processor; None: all. device: "auto", "cpu", "cuda" or "cuda:N" (a GPU uses stored integrals,
        fock="stored"). error_estimate: whether to estimate the error of the basis set if it is not known. start: a
        result, in any basis set, from whose spinors the iterations start. keywords: further keywords of the input language,
        such as maxitr or fock.

        A field that does not converge, or an atom with unbound electrons, gives a result with a ProphetWarning;
        other failures raise Error. Ctrl-C ends the computation.
        """
        result = self._computed("energy", keywords, threads, device, error_estimate, start)
        if keywords:
            result.atom = self.replace(**keywords)
        return result

    def limit(self, *, threads: Optional[int] = None, **keywords: Any) -> Result:
        """The numerical (complete-basis) limit of the same energy; needs no basis set.

        The basis set of the atom is not used, except for its nucleus, which is the same as that of energy().
        """
        return self._computed("limit", keywords, threads, "auto", False)

    def levels(self, **settings: Any) -> Record:
        """The energy levels of the atom's open shells: what cp.levels() gives, with its settings.

        settings: core_valence=True, spinors="limit", calibrate="nist", threads=4, ...; those of the input language and those of the
        function. `record.levels` is a list with J, parity, energy, label, terms and g of each; `record.to_dataframe()` the same as a table.
        """
        return self._operated("levels", settings)

    def lines(self, **settings: Any) -> Record:
        """The lines between all levels of the atom's configurations: what cp.lines() gives, with its settings.

        `record.lines` has columns with type, lower and upper level, energy, wavelengths, S, gf and A; `record.levels` is a list of the levels
        with their lifetimes.
        """
        return self._operated("lines", settings)

    def slater(self, **settings: Any) -> Record:
        """Slater integrals and spin-orbit parameters of the atom's open shells: what cp.slater() gives, with its settings."""
        return self._operated("slater", settings)

    def mean_field(self, *, repulsion: Optional[str] = None, basis: Any = None, **settings: Any) -> Record:
        """The two-electron field of the atom as matrices over the functions of its basis set: what cp.mean_field() gives, with its settings.

        repulsion: "coulomb", "gaunt" or "breit"; default: that of the atom's keyword breit. basis: another one than the atom's, as Atom takes
        them; the nucleus stays the atom's. `record.matrices` has a row for each element of the matrices of each kappa, `record.functions` one
        for each function.
        """
        for name in ("breit", "interaction"):
            if name in settings:
                raise _core.Error(f"{name}: mean_field() calls it repulsion; expected repulsion='coulomb', 'gaunt' or 'breit'")
        if repulsion is not None:
            if repulsion not in ("coulomb", "gaunt", "breit"):
                raise _core.Error(f"repulsion: found {repulsion!r}; expected 'coulomb', 'gaunt' or 'breit'")
            settings["breit"] = "none" if repulsion == "coulomb" else repulsion
        if basis is not None:
            self._check_element(basis)
            its = self._keywords.get("basis")
            size = its.provenance.get("nucleus_size", {}) if isinstance(its, BasisSet) else {}
            settings["basis"] = {**keywords_of(basis), "nucleus": {"model": str(self.nucleus["model"]).lower(), **size}}
        return self._operated("mean_field", settings)

    def _operated(self, kind: str, settings: Dict[str, Any]) -> Record:
        """What the function of this kind gives of the atom and its keywords."""
        return FUNCTIONS[kind](**{**self._request(kind, settings), "atom": self.symbol or self._z})

    def _computed(self, kind: str, keywords: Dict[str, Any], threads: Optional[int], device: str,
                  error_estimate: bool, start: Optional[Result] = None) -> Result:
        job = self._job(kind, keywords, place(device)[0])
        raw = call(kind, {} if error_estimate or kind == "limit" else {"no_error_estimate": True}, jobs=[job],
                   start=None if start is None else start._data, device=device, threads=threads)
        result = Result(raw["results"][0], self)
        if result.warnings:
            issue(result.warnings, 3)
        return result

    def _request(self, kind: str, more: Dict[str, Any]) -> Dict[str, Any]:
        """The atom's keywords and these as the core takes them."""
        own = {k: v for k, v in self._keywords.items() if k not in more}
        given = {**own, **more}
        self._check_element(given.get("basis"))
        if kind in ("limit", "chain") or more.get("spinors") == "limit":
            unused = _core.names_of_groups(["bas", "wtbs", "scf"])
            made_for = self._made_for(given)
            given = {**{k: v for k, v in own.items() if k not in unused}, **more}
            if made_for:
                given["basis"] = {**keywords_of(given.get("basis")), "nucleus": made_for}
        if isinstance(given.get("basis"), os.PathLike):
            given["basis"] = keywords_of(given["basis"])
        return {"atom": self._z, **given}

    def _check_collection(self) -> None:
        """A collection that is named has a set for the element."""
        name = self._keywords.get("basis")
        if isinstance(name, str) and not is_basis_file(name) and self.symbol and _core.library_set(int(self._z), name, "") is None:
            raise _core.Error(f"basis: found {name!r}; expected a collection that has a set for {self.symbol}; available: "
                              f"{', '.join(collections())}")

    def _check_element(self, basis: Any) -> None:
        """A set is for its element."""
        if isinstance(basis, BasisSet) and basis.z and basis.z != self._z:
            raise _core.Error(f"basis: found a set of {basis.element}; expected one of {self.symbol or self._z}"
                              + (f", or basis.of({self.symbol!r}) if these functions are meant" if self.symbol else ""))

    def _made_for(self, given: Dict[str, Any]) -> Dict[str, Any]:
        """The nucleus of energy() that follows from the basis; empty where none is named. Own functions say it or mean a point; for a file or
        a collection it is found as energy() does."""
        basis = given.get("basis")
        point = {"model": _core.nucleus_of_own_functions()}
        if isinstance(basis, BasisSet) and not basis.collection:
            return dict(basis.keywords().get("nucleus", point))
        own = {**given, **(given.get("bas") or {}), **(basis if isinstance(basis, dict) else {})}
        if own.get("bastype", own.get("type")) in ("wtbs", "rdin"):
            return point
        named = basis is not None or "library" in own or "file" in own
        return {"model": str(self.nucleus["model"]).lower()} if named and not {"nucleus", "nucmdl", "model"} & {*given} else {}

    def _job(self, kind: str, keywords: Dict[str, Any], device: str = "auto") -> _core.Job:
        """The job of this kind with every default filled in; kept, since what it needs is never cheap."""
        key: Optional[Tuple[str, str]] = (kind, device) if not keywords else None
        if key is not None and key in self._jobs:
            return self._jobs[key]
        job = _core.make_job(kind, json_of(self._request(kind, keywords)), repr(self), device)
        if key is not None:
            self._jobs[key] = job
        return job

    def __repr__(self) -> str:
        element = repr(self.symbol) if self.symbol else repr(self._z)
        return f"Atom({', '.join([element, *(f'{k}={v!r}' for k, v in self._keywords.items())])})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Atom) and self._z == other._z and self._keywords == other._keywords

    def __hash__(self) -> int:
        return hash((self._z, repr(sorted(self._keywords.items(), key=lambda item: item[0]))))

    def __reduce__(self) -> Tuple[Any, ...]:
        return (_restored, (self._z, self._keywords))


def _restored(z: Union[int, float], keywords: Dict[str, Any]) -> Atom:
    return Atom(z, **keywords)


def keywords_of(basis: Any) -> Dict[str, Any]:
    """What `basis` says, as a dict of keywords."""
    if isinstance(basis, BasisSet):
        return basis.keywords()
    if isinstance(basis, os.PathLike):
        return {"file": basis}
    return dict(basis) if isinstance(basis, dict) else {} if basis is None else {"name": basis}


def is_basis_file(value: Any) -> bool:
    """Whether a basis is a file, or a folder of sets, rather than a collection of the library."""
    return isinstance(value, os.PathLike) or (isinstance(value, str) and _core.names_basis_file(value))
