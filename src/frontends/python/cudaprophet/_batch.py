"""Many energies at once."""
from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Optional, Union

import numpy as np

from . import _core
from ._atom import Atom
from ._operations import call, place, threads_of
from ._result import Array, Result
from ._warnings import issue

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Progress = Union[bool, None, Callable[[int, int], None]]


class Results(List[Result]):
    """The results of a batch, in the order of its atoms."""

    def to_records(self) -> List[Dict[str, Any]]:
        """A flat row for each result: pandas.DataFrame(results.to_records()). Hartree, bohr."""
        return [r.to_record() for r in self]

    def to_dataframe(self) -> Any:
        """The same as a pandas.DataFrame."""
        try:
            pandas = importlib.import_module("pandas")
        except ImportError:
            raise _core.Error("to_dataframe() needs pandas (pip install pandas); to_records() does not need it") from None
        return pandas.DataFrame(self.to_records())

    def plot(self, kind: Optional[str] = None, **options: Any) -> "Figure":
        """A picture: "trends" across the periodic table unless `kind` names another function of cudaprophet.plot ("density",
        "spinor_energies", "form_factor", ...), with its options."""
        from . import plot
        return plot.draw(self, kind, **options)

    @property
    def energies(self) -> Array:
        """Total energies, hartree; NaN if there is none."""
        return np.array([r.energy if r.status != "failed" else np.nan for r in self])

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{r.symbol}</td><td>{r.charge:g}</td><td>{f'{r.energy:.8f}' if r.status != 'failed' else ''}</td>"
                       f"<td>{r.status}</td></tr>" for r in self)
        return f"<table><tr><th>atom</th><th>charge</th><th>energy / hartree</th><th>status</th></tr>{rows}</table>"


def energies(atoms: Union[Atom, str, int, Iterable[Union[Atom, str, int]]], *, limit: bool = False, threads: Optional[int] = None,
             device: str = "auto", progress: Progress = None, error_estimate: bool = True,
             **keywords: Any) -> Results:
    """Energies (hartree) of many atoms side by side, the same digits as Atom.energy(threads=1).

    atoms: Atom objects, symbols or nuclear charges, or one of them. limit: numerical limits instead. threads: None: all. device: "auto"
    (a GPU if there is one and the batch is long enough), "cpu", "cuda" or "cuda:N". progress: None (a progress bar by tqdm
    if it is installed, on a terminal), True, False, or a function of the numbers finished and in total. keywords:
    those of the input language, for all atoms.

    An atom that fails does not affect the others: it has the status "failed" and the reason, with a ProphetWarning; so has one that
    cannot be made ("H+", or a set that lacks the element), of which `atom` is None unless it was an Atom. What is wrong with every atom, as a
    misspelt keyword is, raises the Error of the first one, as `cudaprophet batch` refuses such a request. Ctrl-C ends the batch.
    """
    several = [atoms] if isinstance(atoms, (Atom, str, int, float)) else list(atoms)
    threads_of(threads)
    place(device)
    kind = "limit" if limit else "energy"
    list_of_atoms: List[Optional[Atom]] = []
    jobs: List[_core.Job] = []
    refused: Dict[int, _core.Error] = {}
    for position, given in enumerate(several):
        atom: Optional[Atom] = None
        try:
            atom = given if isinstance(given, Atom) else Atom(given)
            jobs.append(atom._job(kind, keywords))
        except _core.Error as error:
            refused[position] = error
        list_of_atoms.append(atom)
    if refused and not jobs:
        raise refused[0]
    shown = _shown(progress, len(jobs))
    options = {} if error_estimate else {"no_error_estimate": True}
    try:
        done = call("batch", options, jobs=jobs, device=device, threads=threads, progress=shown.update)["results"] if jobs else []
    finally:
        shown.close()
    for position, reason in refused.items():
        done.insert(position, _refused(several[position], kind, str(reason)))
    results = Results(Result(data, atom) for data, atom in zip(done, list_of_atoms))
    for result in results:
        issue(result.warnings, 2, result.symbol or result._data.title)
    return results


def _refused(given: Union[Atom, str, int, float], kind: str, reason: str) -> _core.ResultData:
    """The result of an atom that cannot be made, with as much of it as its name says."""
    z: Union[int, float] = 0
    charge = 0
    try:
        z, charge = (given.z, given.keywords.get("charge") or 0) if isinstance(given, Atom) else (given, 0)  # type: ignore[assignment]
        if isinstance(given, str):
            z, ion, _, _ = _core.parse_species(given)
            charge = ion or 0
    except _core.Error:
        z = 0  # no atom at all
    return _core.failed_result(str(given), kind == "limit", float(z), int(charge), reason)


class _Shown:
    """Reports progress in the way that the user chose."""

    def __init__(self, call: Optional[Callable[[int, int], None]], bar: Any, total: int) -> None:
        self.call = call
        self.bar = bar
        self.total = total
        self.finished = 0

    def update(self, done: int, *_: Any) -> None:
        while self.finished < done:
            self.finished += 1
            if self.bar is not None:
                self.bar.update(1)
            if self.call is not None:
                self.call(self.finished, self.total)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()


def _shown(progress: Progress, total: int) -> _Shown:
    if callable(progress):
        return _Shown(progress, None, total)
    if progress is False:
        return _Shown(None, None, total)
    try:
        from tqdm.auto import tqdm
    except ImportError:
        if progress:
            raise _core.Error("progress=True needs tqdm (pip install tqdm); a function of two numbers does not need it")
        return _Shown(None, None, total)
    # None as tqdm understands it: only on a terminal.
    return _Shown(None, tqdm(total=total, unit="atom", disable=None if progress is None else False), total)
