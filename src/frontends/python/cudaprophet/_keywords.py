"""Keyword arguments as keywords of the input language. Their meanings and values are defined in the core."""
from __future__ import annotations

import os
from typing import Any, Dict, List, Sequence, Tuple

import numpy as np

from . import _core
from ._basis import BasisSet, collections

Value = Tuple[bool, str]
Argument = Tuple[str, str, str, List[Value]]

# Shorter than the input language: breit=True, qed='valence'.
_BREIT = {True: "breit", False: "none", None: "none"}
_QED = {True: ("full", "inner"), "inner": ("full", "inner"), "valence": ("full", "valence"),
        False: ("none", "none"), "none": ("none", "none")}


class Keywords:
    """The arguments of a job in the form that the core takes."""

    def __init__(self) -> None:
        self.arguments: List[Argument] = []
        self.exponents: List[List[float]] = []
        self.configurations: List[List[float]] = []

    def put(self, shown: str, group: str, keyword: str, value: Any) -> None:
        self.arguments.append((shown, group, keyword, written(shown, value)))

    def add(self, name: str, value: Any) -> None:
        """An argument of a function; one that is None counts as not given."""
        if value is None:
            return
        if name == "jobtype":
            raise _core.Error("jobtype: the function determines it: Atom.energy(), Atom.limit(), optimise() and chain(); omit it")
        handler = _HANDLERS.get(name)
        if handler is not None:
            handler(self, value)
        elif isinstance(value, dict):
            for keyword, item in value.items():
                self.put(f"{name}[{keyword!r}]", name, keyword, item)
        else:
            self.put(name, "", name, value)

    def add_all(self, keywords: Dict[str, Any]) -> None:
        for name, value in keywords.items():
            self.add(name, value)

    def _nucleus(self, value: Any) -> None:
        if isinstance(value, dict):
            for keyword, item in value.items():
                self.put(f"nucleus[{keyword!r}]", "nuc", keyword, item)
        elif is_measured(value):
            self.put("nucleus", "nuc", "rnuc", "experimental")
        else:
            self.put("nucleus", "nuc", "nucmdl", value)

    def _breit(self, value: Any) -> None:
        self.put("breit", "contrl", "breit", _BREIT.get(value, value) if isinstance(value, bool) else value)

    def _qed(self, value: Any) -> None:
        known = _QED.get(value) if isinstance(value, (bool, str)) else None
        if known is None:
            raise _core.Error(f"qed: found {value!r}; expected True, False, 'inner' (the same as True) or 'valence'; "
                              "qedvp, qedse and qedscf give more control")
        self.put("qed", "contrl", "qedvp", known[0])
        self.put("qed", "contrl", "qedse", known[1])

    def _basis(self, value: Any) -> None:
        if is_basis_file(value):
            self.put("basis", "bas", "bastype", "file")
            self.put("basis", "bas", "file", os.fspath(value))
        elif isinstance(value, str):
            self.put("basis", "bas", "library", value)
        elif isinstance(value, BasisSet):
            self._basis_set(value)
        elif isinstance(value, dict):
            for keyword, item in value.items():
                self.put(f"basis[{keyword!r}]", "bas", keyword, item)
        else:
            raise _core.Error(f"basis: found {value!r}; expected the name of a collection such as 'universal', a "
                              "file or folder, or a BasisSet, which cp.basis() and cp.ladder() make")

    def _basis_set(self, basis: BasisSet) -> None:
        if basis.collection:
            self.put("basis", "bas", "library", basis.collection)
        elif basis.ladder is not None:
            ladder = basis.ladder
            self.put("basis", "bas", "bastype", "wtbs")
            self.put("basis", "bas", "nsym", len(ladder["functions"]))
            self.put("basis", "bas", "ngroup", len(ladder["groups"]))
            self.put("basis", "wtbs", "wtbspara", [x for group in ladder["groups"] for x in group])
            self.put("basis", "wtbs", "nbs", ladder["functions"])
            self.put("basis", "wtbs", "start", ladder["start"])
            self.put("basis", "wtbs", "groups", ladder["group"])
            self.put("basis", "wtbs", "pool", "shared" if ladder["shared"] else "symmetry")
        else:
            self.put("basis", "bas", "bastype", "rdin")
            self.put("basis", "bas", "nsym", len(basis.symmetries))
            self.exponents = [basis.exponents(s).tolist() for s in basis.symmetries]

    def _configurations(self, value: Any) -> None:
        rows = [[float(n) for n in row] for row in value]
        self.put("configurations", "seconfig", "nconf", len(rows))
        self.configurations = rows


def is_basis_file(value: Any) -> bool:
    """Whether a basis is the name of a file or of a folder of .basis files: a path, or a name with a dot that is no collection's."""
    if isinstance(value, str):
        return os.sep in value or ("." in value and value not in collections())
    return isinstance(value, os.PathLike)


def is_measured(nucleus: Any) -> bool:
    """Whether a nucleus stands for the measured radius rather than for a model."""
    return isinstance(nucleus, str) and nucleus.strip().lower() == "experimental"


_HANDLERS = {
    "nucleus": Keywords._nucleus,
    "breit": Keywords._breit,
    "qed": Keywords._qed,
    "basis": Keywords._basis,
    "configurations": Keywords._configurations,
}


def written(shown: str, value: Any) -> List[Value]:
    """A value, or the values of a sequence, as an input file would hold them."""
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_one(shown, item) for item in value]
    return [_one(shown, value)]


def _one(shown: str, value: Any) -> Value:
    if isinstance(value, str):
        return (True, value)
    if isinstance(value, (bool, np.bool_)):
        return (False, ".true." if value else ".false.")
    if isinstance(value, (int, np.integer)):
        return (False, str(int(value)))
    if isinstance(value, (float, np.floating)):
        return (False, repr(float(value)))
    raise _core.Error(f"{shown}: found {value!r}; expected a number, a text, True or False")


def basis_keywords(names: Sequence[str]) -> List[str]:
    """Those that are about a basis set or about convergence in one, which a limit does without."""
    known = {"basis", *_core.names_of_groups(["bas", "wtbs", "scf"])}
    return [n for n in names if n in known]
