"""Relativistic electronic structure of atoms: Dirac-Hartree-Fock energies and spinors::

    import cudaprophet as cp
    r = cp.Atom("Rn").energy()
    r.energy                                # hartree
    P, Q = r.spinors["6p3/2"].radial(grid)  # bohr^-1/2 at radii in bohr

Atomic units throughout unless a name says otherwise: energies in hartree, lengths in bohr, exponents in bohr^-2.
The keywords of `Atom` are those of the input files (`cp.explain()` lists them). The calculations use the same
core as the program `cudaprophet`, digit for digit.
"""
import importlib
from typing import Any, List

from ._atom import Atom
from ._basis import BasisSet, basis, collections, ladder
from ._batch import Results, energies
from ._charges import ChargeSums, PointCharges
from ._core import Error
from ._line_lists import write_lines
from ._operations import FUNCTIONS as _FUNCTIONS
from ._operations import Distribution, Pattern, Record
from ._result import Result, Spinor, Spinors, load, names, save
from ._search import ChainResult, OptimiseResult, chain, optimise
from ._core import explain as _explain
from ._core import version as __version__
from ._warnings import ProphetWarning
from . import spectra


# madelung(), ...: one function for each operation that has no other of its name.
globals().update({name: function for name, function in _FUNCTIONS.items() if name not in globals()})
Error.__module__ = __name__  # what tracebacks call it


def explain(group: str = "") -> str:
    """The keywords of a group of the input language ("nuc", "scf", ...), or of all: meanings, defaults, values."""
    return _explain(group)


def __getattr__(name: str) -> Any:
    """cp.plot, which needs matplotlib, cp.ase, which needs ASE, and cp.pyscf, which needs PySCF, are imported when they are first used."""
    if name in ("plot", "ase", "pyscf"):
        return importlib.import_module("." + name, __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> List[str]:
    """What belongs to users."""
    return sorted([*__all__, "ase", "plot", "pyscf"])


__all__ = [
    "Atom", "BasisSet", "ChainResult", "ChargeSums", "Distribution", "Error", "OptimiseResult", "Pattern", "PointCharges", "ProphetWarning", "Record", "Result", "Results", "Spinor",
    "Spinors", "__version__", "basis", "chain", "collections", "energies", "explain", "ladder", "load", "names", "optimise", "save", "spectra",
    "write_lines", *_FUNCTIONS,
]
