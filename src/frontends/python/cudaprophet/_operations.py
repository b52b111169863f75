"""The operations of the core as functions. Their names, settings and results follow from the tables of the core."""
from __future__ import annotations

import inspect
import json
import keyword
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

import numpy as np

from . import _core
from ._basis import BasisSet
from ._frames import Frame, are_symbols, frames_of, frames_of_arrays, is_file
from ._warnings import ProphetWarning, issue

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_EXECUTION = """
`device`: 'auto', 'cpu', 'cuda' or the numbers of GPUs, [0, 1]; `threads`: None for all; `progress`: a function that is
called with the work done, the total (0: unknown) and a note."""
_ATOMS = """
Instead of `file`: the symbols of atoms, with `positions` of shape (atoms, 3) or (frames, atoms, 3) in angstrom, and
`lattice`, rows a, b, c (or one for each frame), if they repeat; or the frames themselves: Atoms of ASE, a Universe or a
group of MDAnalysis, a Trajectory of chemfiles, or any iterable of such frames or of tuples (symbols, positions, lattice)."""


class Record:
    """The result of an operation. Its quantities and the columns of its tables are attributes, the columns as NumPy arrays;
    `to_dict()` is the JSON of the program."""

    def __init__(self, head: Dict[str, Any], title: str, report: str, tables: Dict[str, Dict[str, Any]],
                 units: Dict[str, Dict[str, str]], layouts: Dict[str, str], ok: bool = True) -> None:
        self._head, self._title, self._report, self._ok = head, title, report, ok
        self._tables, self._units, self._layouts = tables, units, layouts

    @property
    def request(self) -> Dict[str, Any]:
        """The settings as they were understood."""
        return dict(self._head["request"])

    @property
    def ok(self) -> bool:
        """Whether everything could be computed, converged and passed: exit status 0 of the program."""
        return self._ok

    @property
    def warnings(self) -> List[ProphetWarning]:
        return [ProphetWarning(w["text"], w["id"]) for w in self._head["warnings"]]

    @property
    def tables(self) -> Dict[str, Dict[str, Any]]:
        """Tables by name; each has its columns by name."""
        return self._tables

    def unit(self, column: str) -> str:
        """The unit of a column; '1' of a pure number."""
        for units in self._units.values():
            if column in units:
                return units[column]
        raise KeyError(column)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        for table in self._tables.values():
            if name in table:
                return table[name]
        if name in self._tables:
            return self._tables[name]
        if name in self._head:
            return self._head[name]
        # Without its unit: energy for energy_hartree.
        for key, value in self._head.items():
            if key.rpartition("_")[0] == name:
                return value
        raise AttributeError(f"this result has no '{name}'; it has {', '.join(self._names())}")

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self._names()]

    def _names(self) -> List[str]:
        columns = [name for table in self._tables.values() for name in table]
        return [*self._head, *self._tables, *columns]

    def to_dict(self) -> Dict[str, Any]:
        """The same as the JSON of the program."""
        whole = dict(self._head)
        for key, table in self._tables.items():
            if self._layouts[key] == "quantity":  # some quantity says the same
                continue
            lists = {name: _listed(values) for name, values in table.items()}
            if self._layouts[key] == "top":
                whole.update(lists)
            else:
                whole[key] = [dict(zip(lists, row)) for row in zip(*lists.values())] if self._layouts[key] == "rows" else lists
        return whole

    def to_dataframe(self, table: Optional[str] = None) -> Any:
        """A table, the first one unless it is named, as a pandas DataFrame; vectors and complex numbers by their parts."""
        import pandas  # type: ignore[import-untyped,import-not-found,unused-ignore]
        name = table or next(iter(self._tables))
        columns: Dict[str, Any] = {}
        for key, values in self._tables[name].items():
            if isinstance(values, np.ndarray) and values.ndim == 2:
                columns.update({f"{key}_{axis}": values[:, i] for i, axis in enumerate("xyz")})
            else:
                columns[key] = values
        return pandas.DataFrame(columns)

    def plot(self, kind: Optional[str] = None, **options: Any) -> "Figure":
        """Its picture: a function of cudaprophet.plot, the usual one of this operation unless `kind` names another, with its
        options (`ax`, `colours`, `legend`, ...)."""
        from . import plot
        return plot.draw(self, kind, **options)

    def __repr__(self) -> str:
        return f"<{self._head['operation']}: {self._title}>"

    def __str__(self) -> str:
        return self._report

    def _repr_html_(self) -> str:
        from html import escape
        return f"<pre>{escape(self._report)}</pre>"


class Pattern(Record):
    """A powder pattern: `q` in 1/angstrom, `intensity` in electrons^2 (or what `form_factors` gives) per particle, `error_bound` of the
    histogram as a fraction of I(0) (0 for direct sums), `atoms`, `frames`, `pairs`. With `against`: `q`, `measured`, `computed`,
    `background`, `difference`, `sigma`, `r_wp`, `r_exp`, `chi_squared`, and the tables `parameters` and `mixture`."""

    @property
    def provenance(self) -> List[str]:
        """Where the amplitudes of each kind of atom come from."""
        return list(self._head["amplitudes"])

    @property
    def fitted(self) -> Dict[str, Tuple[float, float]]:
        """Of a fit: value and standard error of each parameter by its name; the error is nan where there is none."""
        table = self._tables["parameters"]
        return {name: (float(value), float(error))
                for name, value, error in zip(table["parameter"], table["value"], table["standard_error"])}


class Distribution(Record):
    """Pair distribution functions: `r` in angstrom (centres of bins), `g` of all atoms, `partial["Co-O"]`, `density` in 1/angstrom^3; or
    structure factors: `q` in 1/angstrom, `S`, `partial`."""

    @property
    def partial(self) -> Dict[str, Any]:
        """The columns of each pair of kinds of atoms."""
        total = "g_" if "g" in self._tables["columns"] else "S_"
        return {name[2:]: values for name, values in self._tables["columns"].items() if name.startswith(total)}


_RESULTS = {"pairs": Distribution, "powder": Pattern}
_TABLES = [json.loads(table) for table in _core.operations()]
_TAKE_ATOMS = {t["name"] for t in _TABLES if t["takes_atoms"]}
# For these 0 is as good as None.
_OPEN = {"pairs": ("range", "density"), "powder": ("exact_below",)}


def _listed(values: Any) -> List[Any]:
    if not isinstance(values, np.ndarray):
        return list(values)
    if np.iscomplexobj(values):
        values = np.stack([values.real, values.imag], axis=-1)
    return [None if isinstance(x, float) and not np.isfinite(x) else x for x in values.tolist()]


def _jsonable(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, BasisSet):
        return value.keywords()
    raise TypeError(f"found {value!r}; expected a number, a text, a list or a dict")


def json_of(values: Dict[str, Any]) -> str:
    """As the core reads them. Raises Error for numbers and texts that JSON does not have, under the setting's name."""
    texts = []
    for key, value in values.items():
        try:
            text = json.dumps({key: value}, default=_jsonable, allow_nan=False, ensure_ascii=False)
            text.encode("utf-8")
        except UnicodeEncodeError:
            raise _core.Error(f"{key}: found {value!r}; expected text in UTF-8, which surrogates are not") from None
        except TypeError as error:
            raise _core.Error(f"{key}: {error}") from None
        except ValueError:
            raise _core.Error(f"{key}: found a number that is infinite or nan; expected finite numbers") from None
        texts.append(text[1:-1])
    return "{" + ", ".join(texts) + "}"


def cache_folder() -> str:
    """The folder in which the program keeps results that it uses again."""
    chosen = os.environ.get("CUDAPROPHET_CACHE")
    caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return str(chosen or Path(caches) / "cudaprophet")


def place(device: Any) -> Tuple[str, List[int]]:
    """The backend and the numbers of its GPUs that `device` means."""
    if isinstance(device, str) and device in ("auto", "cpu", "cuda"):
        return device, []
    if isinstance(device, str) and device.startswith("cuda:") and device[5:].isdigit():
        return "cuda", [int(device[5:])]
    if isinstance(device, (list, tuple)) and device and all(isinstance(n, int) and n >= 0 for n in device):
        return "cuda", list(device)
    raise _core.Error(f"device: found {device!r}; expected 'auto', 'cpu', 'cuda', 'cuda:N' or numbers of GPUs")


def _frames(name: str, values: Dict[str, Any], positions: Any, lattice: Any) -> Optional[Iterator[Frame]]:
    """The atoms of arrays or of another library; None of a file."""
    if positions is not None:
        return frames_of_arrays([str(s) for s in values.pop("file", None) or []], positions, lattice)
    if lattice is not None:
        raise _core.Error(f"{name}: a file has its own lattice, or none; omit lattice")
    atoms = values.get("file")
    if atoms is None or is_file(atoms):
        return None
    if are_symbols(atoms) or not (hasattr(atoms, "__iter__") or hasattr(atoms, "atoms") or hasattr(atoms, "positions")):
        raise _core.Error(f"{name}: give symbols with positions, the name of a file, or frames")
    return frames_of(values.pop("file"))


def call(name: str, values: Dict[str, Any], *, frames: Optional[Iterator[Frame]] = None, jobs: Sequence[_core.Job] = (),
         start: Optional[_core.ResultData] = None, device: Any = "auto", threads: Optional[int] = None,
         progress: Optional[Callable[..., None]] = None) -> Dict[str, Any]:
    """The record of an operation as the core hands it over, with what it computed of `jobs` in "results"."""
    backend, devices = place(device)
    try:
        return _core.run(name, json_of(values), frames, list(jobs), start, backend, devices, threads_of(threads), "",
                         cache_folder(), "", progress)
    except _core.Error as error:
        text = str(error)
        if not text.startswith("backend cuda: "):
            raise
        raise _core.Error("device='cuda': " + text[len("backend cuda: "):]) from None


def threads_of(threads: Optional[int]) -> int:
    """What the core takes: 0 for all."""
    if threads is None:
        return 0
    if isinstance(threads, bool) or not isinstance(threads, (int, np.integer)) or threads < 1:
        raise _core.Error(f"threads: found {threads!r}; expected a whole number, 1 or more, or None for all")
    return int(threads)


def run(name: str, values: Dict[str, Any], *, positions: Any = None, lattice: Any = None, device: Any = "auto",
        threads: Optional[int] = None, progress: Optional[Callable[[int, int, str], None]] = None) -> Record:
    """Runs an operation by its name; its settings are those of the shell with '_' for '-'."""
    given = {key: value for key, value in values.items()
             if value is not None and not (key in _OPEN.get(name, ()) and value == 0)}
    frames = _frames(name, given, positions, lattice) if positions is not None or lattice is not None or name in _TAKE_ATOMS else None
    heard = progress and (lambda done, total, note, *_: progress(done, total, note))
    raw = call(name, given, frames=frames, device=device, threads=threads, progress=heard)
    tables = {t["key"]: {c["key"]: c["values"] for c in t["columns"]} for t in raw["tables"]}
    units = {t["key"]: {c["key"]: c["unit"] for c in t["columns"]} for t in raw["tables"]}
    record = _RESULTS.get(name, Record)(json.loads(raw["head"]), raw["title"], raw["report"], tables, units,
                                        {t["key"]: t["layout"] for t in raw["tables"]}, raw["ok"])
    issue(record.warnings, 3, name)
    return record


def _refuse_place(name: str, strange: Dict[str, Any], on_gpus: bool) -> None:
    """Names of the place to compute on that an operation does not have: the shell's --backend, or device where there are no GPUs."""
    for word in ("backend", "device"):
        if word in strange:
            raise _core.Error(f"{word}: in Python this is device='auto', 'cpu', 'cuda' or 'cuda:N'" if on_gpus else
                              f"{word}: {name} computes on the CPU only; omit it")


def _spelled(setting: str) -> str:
    """The argument's name: from_ for from."""
    return setting + "_" if keyword.iskeyword(setting) else setting


def _function(table: Dict[str, Any]) -> Callable[..., Record]:
    """The function of an operation, with a signature and a docstring."""
    name, settings = table["name"], table["settings"]
    kind = inspect.Parameter
    words = [_spelled(s["name"]) for s in settings if s["positional"]]
    parameters = [kind(w, kind.POSITIONAL_OR_KEYWORD, default=None) for w in words]
    if table["takes_atoms"]:
        parameters.append(kind("positions", kind.POSITIONAL_OR_KEYWORD, default=None))
        parameters.append(kind("lattice", kind.KEYWORD_ONLY, default=None))
    parameters += [kind(_spelled(s["name"]), kind.KEYWORD_ONLY, default=None) for s in settings if not s["positional"]]
    if table["on_gpus"]:
        parameters.append(kind("device", kind.KEYWORD_ONLY, default="auto"))
    parameters += [kind(n, kind.KEYWORD_ONLY, default=None) for n in ("threads", "progress")]
    signature = inspect.Signature(parameters, return_annotation=Record)
    own = {"positions", "lattice", "device", "threads", "progress"} - {s["name"] for s in settings}

    def function(*args: Any, **kwargs: Any) -> Record:
        known = {p.name for p in parameters}
        # Names that the signature does not have are left to the core, which knows what was meant.
        strange = {k: kwargs.pop(k) for k in list(kwargs) if k not in known}
        _refuse_place(name, strange, table["on_gpus"])
        if table["takes_atoms"] and "symbols" in strange:
            kwargs["file"] = strange.pop("symbols")
        bound = {k.rstrip("_"): v for k, v in signature.bind(*args, **kwargs).arguments.items()}
        options = {k: bound.pop(k) for k in list(bound) if k in own}
        return run(name, {**bound, **strange}, **options)

    function.__name__ = function.__qualname__ = name
    function.__module__ = "cudaprophet"
    function.__signature__ = signature  # type: ignore[attr-defined]
    lines = [table["description"], ""]
    for s in settings:
        default = f" Default: {s['default']}." if s["default"] else ""
        lines.append(f"`{_spelled(s['name'])}`: {s['documentation']}; {s['expected']}.{default}")
    function.__doc__ = "\n".join(lines) + (_ATOMS if table["takes_atoms"] else "") + _EXECUTION
    return function


FUNCTIONS: Dict[str, Callable[..., Record]] = {t["name"]: _function(t) for t in _TABLES}
