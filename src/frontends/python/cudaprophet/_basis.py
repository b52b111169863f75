"""Basis sets: from the library, files of other programs, ladders and exponents."""
from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core

_LETTERS = "spdfghik"


def _labels(count: int) -> List[str]:
    """s+, p-, p+, d-, ..."""
    labels = ["s+"]
    for letter in _LETTERS[1:]:
        labels += [letter + "-", letter + "+"]
    return labels[:count]


class BasisSet:
    """Primitive Gaussians: exponents (bohr^-2) of the large components of s+, p-, p+, d-, ... in this order.

    The small components follow by restricted kinetic balance. `cp.basis()` reads sets, `cp.ladder()` makes well-tempered
    ones; BasisSet([[...], [...], ...]) takes plain exponents, a list for each symmetry.
    """

    def __init__(self, exponents: Sequence[ArrayLike], *, element: Union[str, int, None] = None, name: str = "",
                 description: str = "given by exponents", collection: str = "",
                 ladder: Optional[Dict[str, Any]] = None, provenance: Optional[Dict[str, Any]] = None) -> None:
        try:
            self._exponents = [np.array(e, dtype=float, ndmin=1) for e in exponents]
        except (TypeError, ValueError):
            raise _core.Error(f"exponents: found {exponents!r}; expected a list of numbers for each symmetry (cp.basis() reads sets by name)"
                              ) from None
        if len(self._exponents) > 15:
            raise _core.Error(f"a basis set has at most 15 symmetries (s+ to the upper one of l = 7), not {len(exponents)}")
        for values in self._exponents:
            values.setflags(write=False)
        self.z: int = _charge_of(element) if element is not None else 0  #: nuclear charge; 0: no element
        self.name = name  #: of the collection or set
        self.description = description  #: where it comes from, one line
        self.collection = collection  #: of the library; empty for a set of your own
        #: of a well-tempered set: groups (alpha, beta, delta, gamma), functions, start, group, shared; otherwise None
        self.ladder = ladder
        #: energy and limit (hartree), source, nucleus, nucleus_size (keywords of $nuc, of an input file), ..., as far as known
        self.provenance = dict(provenance or {})

    @property
    def element(self) -> str:
        """Symbol, "Rn"; empty if the set belongs to no element."""
        return _core.symbol_of(self.z) if self.z else ""

    @property
    def symmetries(self) -> List[str]:
        """"s+", "p-", "p+", ..."""
        return _labels(len(self._exponents))

    def exponents(self, symmetry: str) -> NDArray[np.float64]:
        """Exponents of one symmetry such as "p+", bohr^-2."""
        labels = self.symmetries
        if symmetry not in labels:
            raise _core.Error(f"this basis set has no symmetry {symmetry!r}; it has {', '.join(labels)}")
        return self._exponents[labels.index(symmetry)]

    @property
    def sizes(self) -> List[int]:
        """Functions of each symmetry."""
        return [len(e) for e in self._exponents]

    @property
    def functions(self) -> int:
        """Number of functions of the large component, one for each exponent."""
        return sum(self.sizes)

    def write(self, format: str = "nwchem", file: Union[str, "os.PathLike[str]", None] = None) -> str:
        """The set as text: "prophet" (ladders only), "json" (Basis Set Exchange), "nwchem", "dirac", "gaussian".

        All formats except "prophet" have one list for each l, the union of those of l-1/2 and l+1/2. `file`: also write it to this file.
        """
        if not self.z:
            raise _core.Error("this basis set belongs to no element; name one: basis.of('Rn').write(...)")
        text = self._own_text() if format.lower() == "prophet" else _core.write_sets(
            [(self.z, self.name or "cudaprophet", self.description, [e.tolist() for e in self._exponents])], format)
        if file is not None:
            _core.write_file(os.fspath(file), text)
        return text

    def of(self, element: Union[str, int]) -> "BasisSet":
        """The same functions as a set of this element (no longer one of the library). One of a file keeps its nucleus."""
        kept = ("nucleus", "nucleus_size") if _charge_of(element) == self.z else ("nucleus",)
        nucleus = {k: v for k, v in self.provenance.items() if k in kept and not self.collection}
        return BasisSet(self._exponents, element=element, name=self.name, description=self.description,
                        ladder=self.ladder, provenance=nucleus)

    def keywords(self) -> Dict[str, Any]:
        """The keywords that ask for it: those of $bas, $wtbs and the exponents behind them, and the nucleus of a set of your own."""
        if self.collection:
            return {"library": self.collection}
        made_for: Dict[str, Any] = {}
        if self.provenance.get("nucleus"):
            made_for = {"nucleus": {"model": str(self.provenance["nucleus"]).lower(), **self.provenance.get("nucleus_size", {})}}
        if self.ladder is None:
            return {"bastype": "rdin", "nsym": len(self._exponents), "exponents": [e.tolist() for e in self._exponents], **made_for}
        ladder = self.ladder
        return {**made_for, "bastype": "wtbs", "nsym": len(ladder["functions"]), "ngroup": len(ladder["groups"]),
                "wtbspara": [x for group in ladder["groups"] for x in group], "nbs": ladder["functions"], "start": ladder["start"],
                "groups": ladder["group"], "pool": "shared" if ladder["shared"] else "symmetry"}

    def _own_text(self) -> str:
        if self.ladder is None:
            raise _core.Error("format='prophet' is for well-tempered sets, and this one has no ladder; expected 'json', "
                              "'nwchem', 'dirac' or 'gaussian'")
        p = self.provenance
        return _core.own_file_text(self.z, self.name or "own", str(p.get("configuration", "")),
                                   str(p.get("nucleus", "Gaussian")), _ladder_tuple(self.ladder),
                                   str(p.get("source", "")), p.get("energy"), p.get("limit"))

    def __len__(self) -> int:
        return self.functions

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, BasisSet) and self.z == other.z and self.collection == other.collection
                and len(self._exponents) == len(other._exponents)
                and all(np.array_equal(a, b) for a, b in zip(self._exponents, other._exponents)))

    def __hash__(self) -> int:
        return hash((self.z, self.collection, tuple(self.sizes)))

    def __repr__(self) -> str:
        sizes = " ".join(f"{n}{s}" for n, s in zip(self.sizes, self.symmetries))
        start = " ".join(word for word in (self.element, self.name) if word)
        return f"<BasisSet {start + ': ' if start else ''}{sizes}, {self.functions} functions>"


def _charge_of(element: Union[str, int]) -> int:
    return _core.atomic_number(element) if isinstance(element, str) else int(element)


def _ladder_tuple(ladder: Dict[str, Any]) -> Tuple[Any, ...]:
    return (list(ladder["groups"]), list(ladder["functions"]), list(ladder["start"]), list(ladder["group"]),
            bool(ladder["shared"]))


def basis(what: Union[str, int, "os.PathLike[str]"], collection: str = "", *, element: Union[str, int, None] = None,
          format: Optional[str] = None) -> BasisSet:
    """A basis set of the library, or of a file.

    basis("Rn"), basis("Rn", "universal"): the set of an element from a collection (default: the program's default one).
    basis("file.json", element="Rn"): a set from a file, if the name has a dot or a folder: files of this program (.basis, .inp, .best),
    Basis Set Exchange JSON, NWChem, DIRAC or Gaussian, recognised by their content or given by `format`. `element` may be
    omitted if the file has one set. Of contracted functions the primitives are taken.
    """
    if isinstance(what, os.PathLike):
        return _from_file(Path(what), element, format)
    if isinstance(what, str) and (format is not None or "." in what or os.sep in what):
        return _from_file(Path(what), element, format)
    z = _charge_of(what)
    found = _core.library_set(z, collection, "")
    if found is None:
        raise _core.Error(f"the library has no basis set for {what!r} in this collection; available: "
                          f"{', '.join(collections())}")
    return _set_of(found, found["name"])


def _set_of(found: Dict[str, Any], collection: str) -> BasisSet:
    ladder = found.get("ladder")
    if ladder is not None and not ladder["groups"]:
        ladder = None  # a set of exponents of its own
    provenance = dict(found.get("provenance", {}))
    for key in ("configuration", "nucleus", "nucleus_size"):
        if key in found:
            provenance[key] = found[key]
    return BasisSet(found["exponents"], element=found["z"], name=found["name"], description=found["comment"] or found["name"],
                    collection=collection, ladder=ladder, provenance=provenance)


def _from_file(path: Path, element: Union[str, int, None], format: Optional[str]) -> BasisSet:
    sets = _core.read_sets(str(path), _charge_of(element) if element is not None else 0, format or "")
    if len(sets) != 1:
        raise _core.Error(f"{path}: the file has sets of {len(sets)} elements; name one: element='Rn'")
    return _set_of(sets[0], "")


def ladder(groups: Sequence[Sequence[float]], functions: Sequence[int], *, start: Optional[Sequence[int]] = None,
           group: Optional[Sequence[int]] = None, shared: bool = True,
           element: Union[str, int, None] = None) -> BasisSet:
    """A well-tempered set: zeta_1 = alpha, zeta_k = zeta_(k-1) beta (1 + gamma (k/M)^delta), bohr^-2.

    groups: (alpha, beta, delta, gamma) each. functions: exponents of each symmetry s+, p-, p+, ... start: index of the
    first one in its ladder, from 1 (default: 1). group: number of its group, from 1 (default: 1). shared: whether M is
    the largest last index of a group (the default, as in $wtbs), not that of each symmetry.
    """
    count = len(functions)
    made: Dict[str, Any] = {
        "groups": [_four(g) for g in groups],
        "functions": [int(n) for n in functions],
        "start": [int(n) for n in start] if start is not None else [1] * count,
        "group": [int(n) for n in group] if group is not None else [1] * count,
        "shared": bool(shared),
    }
    exponents = _core.ladder_exponents(_ladder_tuple(made))
    return BasisSet(exponents, element=element, description="well-tempered", ladder=made)


def _four(group: Sequence[float]) -> Tuple[float, float, float, float]:
    if len(group) != 4:
        raise _core.Error(f"groups: found {len(group)} parameters; expected alpha, beta, delta, gamma")
    alpha, beta, delta, gamma = group
    return (float(alpha), float(beta), float(delta), float(gamma))


def collections() -> List[str]:
    """Names of the collections of the library."""
    folder = Path(_core.basis_set_folder(""))
    return sorted(p.name for p in folder.iterdir() if p.is_dir() and p.name != "reference")
