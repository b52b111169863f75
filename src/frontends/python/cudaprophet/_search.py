"""Searches for basis sets: well-tempered parameters, and the smallest set within a threshold."""
from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Tuple, Union, overload

from . import _core
from ._atom import Atom
from ._basis import BasisSet, ladder
from ._operations import FUNCTIONS, Record, call

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def _set_of(data: _core.ResultData, atom: Atom, source: str, energy: float, limit: Optional[float] = None) -> BasisSet:
    made: Any = data.ladder
    if made is None:
        basis = BasisSet(data.exponents, element=atom.symbol or None)
    else:
        basis = ladder(made["groups"], made["functions"], start=made["start"], group=made["group"], shared=made["shared"],
                       element=atom.symbol or None)
    basis.description = source
    basis.provenance = {"source": source, "energy": energy, "limit": limit, "configuration": atom.configuration,
                        "nucleus": str(json.loads(data.job.nucleus)["model"])}
    return basis


def _searched(kind: str, atom: Atom, keywords: Dict[str, Any], device: Any, threads: Optional[int], state: str, resume: bool,
              progress: Callable[..., None]) -> Tuple[Dict[str, Any], _core.ResultData]:
    """What the operation of that name says of its search, and what it found."""
    raw = call(kind, {"state": state or None, "resume": resume}, jobs=[atom._job(kind, keywords)], device=device, threads=threads,
               progress=progress)
    return json.loads(raw["head"]), raw["results"][0]


class OptimiseResult:
    """The best well-tempered parameters that a search found."""

    def __init__(self, found: Dict[str, Any], data: _core.ResultData, atom: Atom, history: List[Tuple[int, Optional[float]]]) -> None:
        self.atom = atom
        self.basis: BasisSet = _set_of(data, atom, "optimised parameters", found["energy"])
        self.energy: float = found["energy"]  #: hartree
        self.start_energy: float = found["start_energy"]  #: of the set from which the search started, hartree
        self.evaluations: int = found["evaluations"]  #: energies computed
        self.failures: int = found["failures"]  #: evaluations without an energy
        self.stopped: str = found["stopped"]  #: why
        self.seconds: float = found["seconds"]
        self.history = history  #: (search, energy or None) of every evaluation; hartree

    def plot(self, **options: Any) -> "Figure":
        """The energies of its evaluations: cudaprophet.plot.search, whose options it takes."""
        from . import plot
        return plot.search(self, **options)

    def __repr__(self) -> str:
        return (f"<OptimiseResult {self.energy:.10f} hartree from {self.start_energy:.10f}, {self.evaluations} "
                f"evaluations, {self.stopped}>")


class ChainResult:
    """The smallest set within the threshold."""

    def __init__(self, found: Dict[str, Any], data: _core.ResultData, atom: Atom, log: List[str]) -> None:
        self.atom = atom
        self.basis: BasisSet = _set_of(data, atom, f"chain, threshold {found['threshold']:g}", found["energy"], found["limit"])
        self.met: bool = found["met"]  #: whether the threshold is met
        self.threshold: float = found["threshold"]  #: largest error relative to the limit
        self.energy: float = found["energy"]  #: in the set, hartree
        self.limit: float = found["limit"]  #: the numerical limit, hartree
        self.error: float = found["error"]  #: (energy - limit) / abs(limit)
        self.optimisations: int = found["optimisations"]
        self.evaluations: int = found["evaluations"]  #: sets measured
        self.scf_runs: int = found["scf_runs"]
        self.seconds: float = found["seconds"]
        self.log = log  #: the lines that the search reported

    def plot(self, **options: Any) -> "Figure":
        """The errors of the sets that it computed: cudaprophet.plot.chain, whose options it takes."""
        from . import plot
        return plot.chain(self, **options)

    def __repr__(self) -> str:
        return (f"<ChainResult {self.basis!r}: error {self.error:.2e}, threshold {self.threshold:g}"
                f"{'' if self.met else ', NOT MET'}>")


def optimise(atom: Union[Atom, str, int], basis: Optional[BasisSet] = None, *, device: Any = "auto", threads: Optional[int] = None,
             state: str = "", resume: bool = False, progress: Optional[Callable[[int, int, Optional[float], bool], None]] = None,
             **keywords: Any) -> OptimiseResult:
    """Minimises the energy over the parameters of a well-tempered set, sizes and groups fixed (jobtype='bsopt'); with
    method="lbfgs" or "slsqp" by gradients, and with free="exponents" over every exponent of any set.

    basis: the set from which the search starts, with a ladder unless every exponent is free; default: that of the atom.
    state: beginning of the names of its files: STATE.best, the best set, and STATE.bsopt, which records every evaluation; `resume`
    continues from it. device: "auto" (a GPU for many starts), "cpu", "cuda" or "cuda:N". progress: called with search, evaluation, energy in
    hartree (None if there is none) and whether it is the lowest so far. keywords: those of $newuoa, rhobeg, rhoend, maxfun,
    method, starts, spread, and others of the input language.
    """
    atom = atom if isinstance(atom, Atom) else Atom(atom)
    start = basis if basis is not None else atom.keywords.get("basis")
    if isinstance(start, BasisSet) and start.ladder is None and by_gradient(keywords):
        return _optimised(atom, {"basis": start, **keywords}, device, threads, state, resume, progress)
    if not isinstance(start, BasisSet) or start.ladder is None:
        raise _core.Error("optimise() starts from a well-tempered set: basis=cp.ladder(...), or one of the library, "
                          "cp.basis('Ne')")
    begin = start
    if start.collection:
        begin = start.of(start.z)
        begin.provenance["nucleus"] = start.provenance.get("nucleus", "Gaussian")
    return _optimised(atom, {"basis": begin, **keywords}, device, threads, state, resume, progress)


def by_gradient(keywords: Dict[str, Any]) -> bool:
    """Whether the method takes sets that are no ladders."""
    return keywords.get("method", keywords.get("newuoa", {}).get("method", "")) in ("lbfgs", "slsqp")


def _optimised(atom: Atom, more: Dict[str, Any], device: Any, threads: Optional[int], state: str, resume: bool,
               progress: Optional[Callable[[int, int, Optional[float], bool], None]]) -> OptimiseResult:
    history: List[Tuple[int, Optional[float]]] = []

    def heard(_done: int, _total: int, _note: str, step: Optional[Tuple[int, int, Optional[float], bool]], _line: str) -> None:
        if step is None:
            return
        history.append((step[0], step[2]))
        if progress is not None:
            progress(*step)

    found, data = _searched("bsopt", atom, more, device, threads, state, resume, heard)
    return OptimiseResult(found, data, atom, history)


@overload
def chain(atom: Union[Atom, str, int], *, device: Any = "auto", threads: Optional[int] = None, state: str = "", resume: bool = False,
          progress: Optional[Callable[[str], None]] = None, **keywords: Any) -> ChainResult: ...


@overload
def chain(*, out: Any, elements: Any = None, **settings: Any) -> Record: ...


def chain(atom: Union[Atom, str, int, None] = None, *, device: Any = "auto", threads: Optional[int] = None, state: str = "", resume: bool = False,
          progress: Optional[Callable[..., None]] = None, **keywords: Any) -> Union[ChainResult, Record]:
    """The smallest well-tempered set within a threshold of the numerical limit (jobtype='chain').

    state: beginning of the names of its files: STATE.best, the smallest set, and STATE.chain, which records finished work; `resume`
    continues from it. device: "auto", "cpu", "cuda" or "cuda:N". progress: called with each line of the log.
    keywords: those of $chain, threshold, limit, method, probes, and others of the input language. Ctrl-C ends the search.

    Without an atom it is the command of the program: chain(elements="1-10", out="sets") writes the sets of elements as files, with the
    settings of the command (cp.tier is similar), and with `device` and `progress` like other operations.
    """
    if atom is None:
        return FUNCTIONS["chain"](device=device, threads=threads, resume=resume, progress=progress, state=state or None, **keywords)
    whose = atom if isinstance(atom, Atom) else Atom(atom)
    log: List[str] = []

    def heard(_done: int, _total: int, _note: str, _step: Any, line: str) -> None:
        if not line:
            return
        log.append(line)
        if progress is not None:
            progress(line)

    found, data = _searched("chain", whose, keywords, device, threads, state, resume, heard)
    return ChainResult(found, data, whose, log)
