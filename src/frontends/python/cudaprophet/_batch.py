"""Many energies at once."""
from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Optional, Union

import numpy as np

from . import _core
from ._atom import Atom, split_device, threads_of
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

    An atom that fails does not affect the others: it has the status "failed" and the reason, with a ProphetWarning. Ctrl-C ends the batch.
    """
    several = [atoms] if isinstance(atoms, (Atom, str, int, float)) else atoms
    list_of_atoms = [a if isinstance(a, Atom) else Atom(a) for a in several]
    name, number = split_device(device)
    kind = "limit" if limit else "energy"
    jobs = [atom._job(kind, keywords) for atom in list_of_atoms]
    shown = _shown(progress, len(jobs))
    try:
        done = _core.compute_all(jobs, threads_of(threads), error_estimate, name, number, "", shown.update)
    finally:
        shown.close()
    results = Results(Result(data, atom) for data, atom in zip(done, list_of_atoms))
    for result in results:
        issue(result.warnings, 2, result.symbol)
    return results


class _Shown:
    """Reports progress in the way that the user chose."""

    def __init__(self, call: Optional[Callable[[int, int], None]], bar: Any, total: int) -> None:
        self.call = call
        self.bar = bar
        self.total = total
        self.finished = 0

    def update(self, _position: int) -> None:
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
