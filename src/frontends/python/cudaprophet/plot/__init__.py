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
from .._pictures import KINDS, function_of
from .._result import Result
from .._search import ChainResult, OptimiseResult
from . import _atoms, _levels, _matter, _sets, _slater, _spectrum, _table, _tables
from ._atoms import *
from ._files import Data, data_of, read
from ._levels import *
from ._matter import *
from ._sets import *
from ._slater import *
from ._spectrum import *
from ._style import save, subplots
from ._table import *
from ._tables import *

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw", "kind_of", "save", "subplots"]
__all__ += _atoms.__all__
__all__ += _levels.__all__
__all__ += _matter.__all__
__all__ += _sets.__all__
__all__ += _slater.__all__
__all__ += _spectrum.__all__
__all__ += _table.__all__
__all__ += _tables.__all__

_FUNCTIONS: Dict[str, Callable[..., "Figure"]] = {function_of(kind): globals()[function_of(kind)] for kind in KINDS}
_OF_OPERATION = {operation: function_of(kind) for kind, row in KINDS.items() for operation in row.usual}


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
