"""Many energies at once."""
from __future__ import annotations

from typing import Any, Callable, Dict, Iterable, List, Optional, Union

from . import _core
from ._atom import Atom, split_device
from ._result import Result
from ._warnings import issue

Progress = Union[bool, None, Callable[[int, int], None]]


class Results(List[Result]):
    """The results of a batch, in the order of its atoms."""

    def to_records(self) -> List[Dict[str, Any]]:
        """A flat row for each: pandas.DataFrame(results.to_records()). Hartree, bohr."""
        return [r.to_record() for r in self]


def energies(atoms: Iterable[Union[Atom, str, int]], *, limit: bool = False, threads: Optional[int] = None,
             device: str = "auto", progress: Progress = None, error_estimate: bool = True,
             **keywords: Any) -> Results:
    """Energies (hartree) of many atoms side by side; the digits are those of Atom.energy().

    atoms: Atom objects, symbols or nuclear charges. limit: numerical limits instead. threads: None: all. device: "auto"
    (a GPU where there is one and the batch is worth its start), "cpu", "cuda" or "cuda:N". progress: None (a bar by tqdm
    where that is installed, on a terminal), True, False, or a function of the numbers finished and in total. keywords:
    those of the input language, for all atoms.

    An atom that fails does so alone: status "failed" and the reason, with a ProphetWarning. Ctrl-C ends the batch.
    """
    list_of_atoms = [a if isinstance(a, Atom) else Atom(a) for a in atoms]
    name, number = split_device(device)
    kind = "limit" if limit else "energy"
    jobs = [atom._job(kind, keywords) for atom in list_of_atoms]
    shown = _shown(progress, len(jobs))
    try:
        done = _core.compute_all(jobs, threads or 0, error_estimate, name, number, "", shown.update)
    finally:
        shown.close()
    results = Results(Result(data, atom) for data, atom in zip(done, list_of_atoms))
    for result in results:
        issue(result.warnings, 2, result.symbol)
    return results


class _Shown:
    """Calls what the user wants to hear of progress."""

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
            raise _core.Error("progress=True needs tqdm (pip install tqdm); a function of two numbers does without")
        return _Shown(None, None, total)
    # None as tqdm understands it: only on a terminal.
    return _Shown(None, tqdm(total=total, unit="atom", disable=None if progress is None else False), total)
