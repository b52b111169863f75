"""python -m cudaprophet plot [KIND] WHAT... --out FILE; 'cudaprophet plot' of the program runs it. python -m cudaprophet mcp: a
server of the Model Context Protocol (docs/how-to/assistants.md)."""
from __future__ import annotations

import argparse
import difflib
import os
import sys
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Union

from . import Atom, Error, Result, __version__, _core, chain, energies, load, names
from ._pictures import KINDS, OPTIONS, function_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def _atom(word: str) -> Atom:
    """"Rn", "86", "Fe3+", "O2-"."""
    return Atom(word)


def _results(line: argparse.Namespace) -> List[Result]:
    if not line.what:
        raise Error("say which atom, Rn for example")
    results = []
    for word in line.what:
        if word.endswith(".h5"):
            results += [load(word, name) for name in names(word)]
        else:
            results.append(_atom(word).limit() if line.limit else _atom(word).energy())
    return results


def _file(line: argparse.Namespace, expected: str) -> str:
    if len(line.what) != 1:
        raise Error(f"say which file: {expected}")
    return str(line.what[0])


def _is_table(line: argparse.Namespace) -> bool:
    """Whether a single file is named that holds no results, but what an operation wrote."""
    if len(line.what) != 1 or not os.path.isfile(line.what[0]):
        return False
    from .plot._files import Data, read
    return isinstance(read(line.what[0]), Data)


def _spinors(line: argparse.Namespace, style: Dict[str, Any]) -> "Figure":
    from . import plot
    return plot.spinors(line.what[0] if _is_table(line) else _results(line)[0], line.spinor, **style)


def _of_atoms(name: str) -> "Callable[[argparse.Namespace, Dict[str, Any]], Figure]":
    """Of atoms that are computed, results, or one file of the operation."""
    def drawn(line: argparse.Namespace, style: Dict[str, Any]) -> "Figure":
        from . import plot
        found: "Figure" = getattr(plot, name)(line.what[0] if _is_table(line) else _results(line), **style)
        return found
    return drawn


def _of_file(name: str, expected: str) -> "Callable[[argparse.Namespace, Dict[str, Any]], Figure]":
    def drawn(line: argparse.Namespace, style: Dict[str, Any]) -> "Figure":
        from . import plot
        found: "Figure" = getattr(plot, name)(_file(line, expected), **style)
        return found
    return drawn


def _of_files(name: str, expected: str) -> "Callable[[argparse.Namespace, Dict[str, Any]], Figure]":
    def drawn(line: argparse.Namespace, style: Dict[str, Any]) -> "Figure":
        from . import plot
        if not line.what:
            raise Error(f"say which files: {expected}")
        found: "Figure" = getattr(plot, name)({os.path.basename(f): f for f in line.what} if len(line.what) > 1 else line.what[0], **style)
        return found
    return drawn


def _spinor_energies(line: argparse.Namespace, style: Dict[str, Any]) -> "Figure":
    from . import plot
    if not line.what:
        raise Error("say which atom, Rn for example, or which file of its energy")
    computed: List[Union[Result, str]] = []
    for word in line.what:
        computed.append(word if os.path.isfile(word) else _atom(word).limit() if line.limit else _atom(word).energy())
    return plot.spinor_energies(computed, **style)


def _convergence(line: argparse.Namespace, style: Dict[str, Any]) -> "Figure":
    from . import plot
    return plot.convergence(_results(line)[0], **style)


def _exponents(line: argparse.Namespace, style: Dict[str, Any]) -> "Figure":
    from . import plot
    return plot.exponents(line.what[0] if line.what else "", **style)


def _errors(line: argparse.Namespace, style: Dict[str, Any]) -> "Figure":
    from . import plot
    return plot.errors(*line.what, **style)


def _chain(line: argparse.Namespace, style: Dict[str, Any]) -> "Figure":
    from . import plot
    return plot.chain(chain(_atom(line.what[0] if line.what else "Ne"), threshold=line.threshold), **style)


def _elements(words: List[str]) -> List[int]:
    """Nuclear charges of "1-18", "H-Ne", "Fe" and lists of these with commas between them."""
    found: List[int] = []
    for word in ",".join(words).split(","):
        first, dash, last = word.partition("-")
        start = round(_atom(first).z)
        found += range(start, round(_atom(last).z) + 1) if dash and last else [start]
    return found


def _trends(line: argparse.Namespace, style: Dict[str, Any]) -> "Figure":
    from . import plot
    if len(line.what) == 1 and os.path.isfile(line.what[0]):
        return plot.trends(line.what[0], line.quantity, **style)
    if not line.what:
        raise Error("say which file of 'cudaprophet batch', or which elements: 1-18")
    charges = {"ionisation": (0, 1), "affinity": (-1, 0)}.get(line.quantity or "", (0,))
    atoms = [Atom(z, charge=charge) for z in _elements(line.what) for charge in charges if z - charge > 0]
    return plot.trends(energies(atoms, limit=line.limit, progress=False), line.quantity, **style)


def _levels(line: argparse.Namespace, style: Dict[str, Any]) -> "Figure":
    from . import plot
    return plot.levels(_file(line, "of 'cudaprophet levels' (--json, --levels-csv or --hdf5)"), highest=line.highest,
                       experiment=line.experiment, lines=line.lines, **style)


def _spectrum(line: argparse.Namespace, style: Dict[str, Any]) -> "Figure":
    from . import plot
    span = None if line.span is None else [float(end) for end in line.span.split(":")]
    return plot.spectrum(_file(line, _MADE_BY.format("lines")), kind="absorption" if line.absorption else "emission", axis=line.over, span=span,
                         temperature=line.temperature, types=line.types, power=line.power, stimulated=line.stimulated,
                         fwhm=line.fwhm, lorentz=line.lorentz, natural=line.natural, doppler=line.doppler, **style)


def _search(line: argparse.Namespace, style: Dict[str, Any]) -> "Figure":
    from . import plot
    return plot.search(_file(line, "the state of an optimisation, FILE.inp.bsopt"), **style)


def _structure(line: argparse.Namespace, style: Dict[str, Any]) -> "Figure":
    from . import plot
    return plot.structure(_file(line, "extended XYZ, CIF, or of 'cudaprophet structure' (--json, --csv or --hdf5)"), axis=line.axis, **style)


_MADE_BY = "of 'cudaprophet {}' (--json, --csv or --hdf5)"
# Kinds that take more than atoms or files.
_OWN = {"chain": _chain, "convergence": _convergence, "errors": _errors, "exponents": _exponents, "levels": _levels, "search": _search,
        "spectrum": _spectrum, "spinor-energies": _spinor_energies, "spinors": _spinors, "structure": _structure, "trends": _trends}


def _drawing(kind: str) -> "Callable[[argparse.Namespace, Dict[str, Any]], Figure]":
    takes, name = KINDS[kind].takes, function_of(kind)
    if kind in _OWN:
        return _OWN[kind]
    if takes == "atoms":
        return _of_atoms(name)
    number, operation = takes.split(" of ")
    return (_of_file if number == "file" else _of_files)(name, _MADE_BY.format(operation))


def _parser(program: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=program, description="Pictures of atoms (docs/how-to/pictures.md), and a server for assistants.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("mcp", help="serve the operations to assistants by the Model Context Protocol, on standard input and output",
                        description="Serves the operations as tools of the Model Context Protocol on standard input and output, until the client "
                        "closes them. Needs the library mcp (docs/how-to/assistants.md).")
    plot = commands.add_parser("plot", help="draw a picture as PNG, SVG or PDF", formatter_class=argparse.RawDescriptionHelpFormatter,
                               description="Draws a picture. Without a kind it is the usual one of the file.",
                               epilog="kinds:\n" + "\n".join(f"  {kind:<22} {k.text}" for kind, k in KINDS.items()))
    plot.add_argument("words", nargs="+", metavar="KIND WHAT", help="kind of picture (below); atoms such as Rn, 86, Fe3+; files of the program: "
                      "JSON, CSV, HDF5; collections of basis sets")
    for name, row in OPTIONS.items():
        default: Any = row.usual[0] if row.usual else None
        text = row.text + (f" (default: {default})" if row.usual else "")
        if not row.takes:
            plot.add_argument(name, action="store_true", help=text)
        elif row.takes == "LABEL":
            plot.add_argument(name, action="append", metavar=row.takes, help=text)
        else:
            number = row.takes == "NUMBER"
            plot.add_argument(*([name, "-o"] if name == "--out" else [name]), type=float if number else str, metavar=row.takes, help=text,
                              default=float(default) if number and row.usual else default)
    return parser


def _sorted_out(line: argparse.Namespace) -> None:
    """The kind of the picture and what it is drawn from, of the words of the command line."""
    from . import plot
    first = line.words[0].replace("_", "-")
    first = {"form-factor": "formfactor", "form-factor-differences": "formfactor-differences", "detector": "image", "orbitals": "spinors"}.get(first, first)
    if first in KINDS:
        line.kind, line.what = first, line.words[1:]
        return
    line.what = line.words
    if os.path.isfile(line.words[0]):
        kind = plot.kind_of(line.words[0]).replace("_", "-")
        line.kind = kind.replace("form-factor", "formfactor")
        return
    if "." in first or os.sep in first:
        raise Error(f"{line.words[0]}: No such file or directory")
    near = difflib.get_close_matches(first, KINDS, 1)
    meant = f"did you mean '{near[0]}'? " if near else ""
    raise Error(f"unknown kind '{line.words[0]}'; {meant}expected a file of the program, or one of {', '.join(KINDS)}")


def main(arguments: Optional[List[str]] = None, program: str = "python -m cudaprophet") -> int:
    line = _parser(program).parse_args(arguments)
    try:
        if line.command == "mcp":
            from . import _mcp
            _mcp.serve()
            return 0
        _sorted_out(line)
        colours = line.colours.split(",") if line.colours and line.kind != "image" else line.colours
        style = {key: value for key, value in (("colours", colours), ("legend", not line.no_legend)) if value is not None}
        figure = _drawing(line.kind)(line, style)
        if line.title is not None:
            figure.suptitle(line.title, fontsize=11)
        out = line.out or line.kind + ".png"
        from . import plot
        plot.save(figure, out, shades=0 if line.kind == "image" else 96)
    except KeyError as error:
        print(f"cudaprophet: error: {error.args[0]}", file=sys.stderr)
        return 2
    except (Error, OSError, ValueError) as error:
        print(f"cudaprophet: error: {error}", file=sys.stderr)
        return 2
    print(out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
