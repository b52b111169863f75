"""Pictures of results, with matplotlib (pip install matplotlib). Every function returns a Figure: figure.savefig("a.svg").

    import cudaprophet as cp
    from cudaprophet import plot
    plot.density(cp.Atom("Rn").energy()).savefig("rn.png")

Arguments of all of them: `ax`, Axes of your own to draw into (several, as many as the picture has panels); `colours`, a list, or a
dict by the names of the curves; `legend`, False for none or its place, "upper left". What they draw may be given as results and records of
this package, or as files of the program. From a shell: cudaprophet plot spinors Rn --out rn.svg
"""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Callable, Dict, Optional

from .. import _core
from .._batch import Results
from .._basis import BasisSet
from .._result import Result
from .._search import ChainResult, OptimiseResult
from ._atoms import convergence, density, form_factor, form_factor_differences, outermost, spinor_energies, spinors
from ._files import Data, data_of, read
from ._levels import levels
from ._matter import distribution, image, madelung, pattern, shape, structure
from ._sets import audit, chain, errors, exponents, search
from ._slater import slater
from ._spectrum import spectrum
from ._style import save, subplots
from ._table import differences, trends
from ._tables import magnetic, profiles, scattering, subshells

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["audit", "chain", "convergence", "density", "differences", "distribution", "draw", "errors", "exponents", "form_factor",
           "form_factor_differences", "image", "kind_of", "levels", "madelung", "magnetic", "outermost", "pattern", "profiles", "save", "scattering",
           "search", "shape", "slater", "spectrum", "spinor_energies", "spinors", "structure", "subplots", "subshells", "trends"]

_FUNCTIONS: Dict[str, Callable[..., "Figure"]] = {
    f.__name__: f for f in (audit, chain, convergence, density, differences, distribution, errors, exponents, form_factor,
                            form_factor_differences, image, levels, madelung, magnetic, pattern, profiles, scattering, search, shape, slater, spectrum,
                            spinor_energies, spinors, structure, subshells, trends)}
_OF_OPERATION = {
    "audit": "audit", "basis_compare": "errors", "basis_table": "errors", "batch": "trends", "chain": "errors",
    "compare": "differences", "energy": "spinor_energies", "formfactor": "form_factor", "levels": "levels", "limit": "spinor_energies",
    "lines": "spectrum", "madelung": "madelung", "orbitals": "density", "pairs": "distribution", "powder": "pattern", "search": "search", "slater": "slater",
    "structure": "structure", "tables": "subshells", "tier": "errors", "validate": "errors"}


def kind_of(source: Any) -> str:
    """The name of the function that draws this: a result or record, what a JSON file holds as a dict, or the name of a file."""
    if isinstance(source, (str, os.PathLike)):
        source = read(source)
    if isinstance(source, Results):
        return "density" if len(source) == 1 else "trends"
    for type_of, kind in ((Result, "density"), (ChainResult, "chain"), (OptimiseResult, "search"), (BasisSet, "exponents")):
        if isinstance(source, type_of):
            return kind
    data = data_of(source)
    if data.operation == "shape":
        return _kind_of_shape(data)
    if data.operation not in _OF_OPERATION:
        raise _core.Error(f"there is no picture of the operation '{data.operation}'; there is of {', '.join(sorted(_OF_OPERATION))}, shape")
    return _OF_OPERATION[data.operation]


def _kind_of_shape(data: Data) -> str:
    axes = [n for n in data.head.get("detector") or data.head.get("grid") or [] if n > 1]
    return "image" if len(axes) > 1 or "alpha_f" in data.columns else "shape"


def draw(source: Any, kind: Optional[str] = None, **options: Any) -> "Figure":
    """The picture of a result, a record or a file; `kind` names one of the functions of this module, and the options are its own."""
    name = (kind or kind_of(source)).replace("-", "_")
    if name not in _FUNCTIONS:
        raise _core.Error(f"kind: found {kind!r}; expected {', '.join(_FUNCTIONS)}")
    return _FUNCTIONS[name](source, **options)
