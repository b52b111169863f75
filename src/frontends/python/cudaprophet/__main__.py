"""python -m cudaprophet plot [KIND] WHAT... --out FILE; 'cudaprophet plot' of the program runs it. python -m cudaprophet mcp: a
server of the Model Context Protocol (docs/how-to/assistants.md)."""
from __future__ import annotations

import argparse
import difflib
import os
import sys
from typing import TYPE_CHECKING, Any, Callable, Dict, List, NamedTuple, Optional, Union

from . import Atom, Error, Result, __version__, _core, chain, energies, load, names

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class _Kind(NamedTuple):
    text: str
    draw: "Callable[[argparse.Namespace, Dict[str, Any]], Figure]"


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


def _structure(line: argparse.Namespace, style: Dict[str, Any]) -> "Figure":
    from . import plot
    return plot.structure(_file(line, "extended XYZ, CIF, or of 'cudaprophet structure' (--json, --csv or --hdf5)"), axis=line.axis, **style)


_MADE_BY = "of 'cudaprophet {}' (--json, --csv or --hdf5)"
_KINDS: Dict[str, _Kind] = {
    "audit": _Kind("errors of basis sets across the periodic table, of 'cudaprophet basis audit'",
                   _of_file("audit", "of 'cudaprophet basis audit' (--json or --csv)")),
    "chain": _Kind("errors of the sets that a chain computes for an atom", _chain),
    "convergence": _Kind("iterations of the self-consistent field of an atom", _convergence),
    "density": _Kind("radial density of one atom by shells, or of several atoms", _of_atoms("density")),
    "differences": _Kind("differences of energies, of 'cudaprophet compare'", _of_file("differences", _MADE_BY.format("compare"))),
    "distribution": _Kind("pair distributions or structure factors, of 'cudaprophet pairs'",
                          _of_file("distribution", _MADE_BY.format("pairs"))),
    "errors": _Kind("errors of the sets of collections, or of tier, chain and validate", _errors),
    "exponents": _Kind("exponents of a collection across the periodic table", _exponents),
    "formfactor": _Kind("X-ray form factors of atoms, or of 'cudaprophet formfactor'", _of_atoms("form_factor")),
    "formfactor-differences": _Kind("differences of fits to X-ray form factors", _of_atoms("form_factor_differences")),
    "image": _Kind("detector image or map of intensities, of 'cudaprophet shape'", _of_file("image", _MADE_BY.format("shape"))),
    "levels": _Kind("levels as a Grotrian diagram, of 'cudaprophet levels' or 'cudaprophet lines'", _levels),
    "madelung": _Kind("potentials at the sites of a crystal, of 'cudaprophet madelung'", _of_file("madelung", _MADE_BY.format("madelung"))),
    "magnetic": _Kind("magnetic form factors with the errors of their fits, of 'cudaprophet tables'", _of_file("magnetic", _MADE_BY.format("tables"))),
    "pattern": _Kind("powder patterns, of 'cudaprophet powder'", _of_files("pattern", _MADE_BY.format("powder"))),
    "profiles": _Kind("Compton profiles of subshells, of 'cudaprophet tables'", _of_file("profiles", _MADE_BY.format("tables"))),
    "scattering": _Kind("incoherent scattering functions, of 'cudaprophet tables'", _of_file("scattering", _MADE_BY.format("tables"))),
    "search": _Kind("energies of an optimisation, of its state FILE.inp.bsopt",
                    _of_file("search", "the state of an optimisation, FILE.inp.bsopt")),
    "shape": _Kind("intensity of shapes against |q|, of 'cudaprophet shape'", _of_files("shape", _MADE_BY.format("shape"))),
    "slater": _Kind("Slater integrals and spin-orbit parameters, of 'cudaprophet slater'", _of_files("slater", _MADE_BY.format("slater"))),
    "spectrum": _Kind("spectrum of an ion in emission or absorption, of 'cudaprophet lines'", _spectrum),
    "spinor-energies": _Kind("energies of the spinors of atoms", _spinor_energies),
    "spinors": _Kind("large and small components of the spinors of an atom", _spinors),
    "structure": _Kind("atoms seen along an axis, of 'cudaprophet structure', extended XYZ or CIF", _structure),
    "subshells": _Kind("the first table of 'cudaprophet tables' that has a picture", _of_file("subshells", _MADE_BY.format("tables"))),
    "trends": _Kind("ionisation energies, radii or errors across the table, of 'cudaprophet batch'", _trends),
}


def _parser(program: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=program, description="Pictures of atoms (docs/how-to/pictures.md), and a server for assistants.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("mcp", help="serve the operations to assistants by the Model Context Protocol, on standard input and output",
                        description="Serves the operations as tools of the Model Context Protocol on standard input and output, until the client "
                        "closes them. Needs the library mcp (docs/how-to/assistants.md).")
    plot = commands.add_parser("plot", help="draw a picture as PNG, SVG or PDF", formatter_class=argparse.RawDescriptionHelpFormatter,
                               description="Draws a picture. Without a kind it is the usual one of the file.",
                               epilog="kinds:\n" + "\n".join(f"  {kind:<22} {k.text}" for kind, k in _KINDS.items()))
    plot.add_argument("words", nargs="+", metavar="KIND WHAT", help="kind of picture (below); atoms such as Rn, 86, Fe3+; files of the program: "
                      "JSON, CSV, HDF5; collections of basis sets")
    plot.add_argument("--out", "-o", metavar="FILE", help="file.png, file.svg or file.pdf (default: KIND.png)")
    plot.add_argument("--limit", action="store_true", help="at the numerical limit instead of in a basis set")
    plot.add_argument("--spinor", action="append", metavar="LABEL", help="6p3/2, ...; several times for several")
    plot.add_argument("--threshold", type=float, default=1e-6, metavar="NUMBER", help="of a chain (default: 1e-6)")
    plot.add_argument("--quantity", metavar="NAME", help="of trends: ionisation, affinity, radius, binding, error, energy or functions")
    plot.add_argument("--highest", type=float, metavar="NUMBER", help="largest excitation energy of levels, cm^-1")
    plot.add_argument("--experiment", metavar="FILE", help="measured levels beside the computed ones: CSV with columns J, parity, energy (cm^-1)")
    plot.add_argument("--lines", action="store_true", help="draw the strongest lines between levels, of a file of 'cudaprophet lines'")
    plot.add_argument("--over", default="wavelength", metavar="NAME",
                      help="what a spectrum is drawn over: wavelength (in vacuum), air, energy or wavenumber (default: wavelength)")
    plot.add_argument("--span", metavar="LIST", help="both ends of that axis, 1.2:1.8, in nm, eV or 1/cm")
    plot.add_argument("--absorption", action="store_true", help="the spectrum in absorption instead of emission")
    plot.add_argument("--types", metavar="LIST", help="types of lines of a spectrum, 'E1 M1' (default: all)")
    plot.add_argument("--temperature", type=float, metavar="NUMBER", help="K of the populations of levels (default: all levels equally populated; in "
                      "absorption the lowest level)")
    plot.add_argument("--power", action="store_true", help="emission in eV instead of photons")
    plot.add_argument("--stimulated", action="store_true", help="absorption less stimulated emission at the temperature")
    plot.add_argument("--fwhm", type=float, default=0.0, metavar="NUMBER", help="full width at half maximum of a Gaussian, in the unit of the axis")
    plot.add_argument("--lorentz", type=float, default=0.0, metavar="NUMBER",
                      help="full width at half maximum of a Lorentzian, in the unit of the axis")
    plot.add_argument("--natural", action="store_true", help="add the natural widths to the Lorentzian")
    plot.add_argument("--doppler", type=float, metavar="NUMBER", help="add the Doppler width at this temperature, K, to the Gaussian")
    plot.add_argument("--axis", default="z", metavar="NAME", help="x, y or z, along which a structure is seen (default: z)")
    plot.add_argument("--title", metavar="TEXT", help="instead of the usual one")
    plot.add_argument("--colours", metavar="LIST", help="names or #rrggbb with commas between them; of an image a colour map")
    plot.add_argument("--no-legend", action="store_true", help="draw no legend")
    return parser


def _sorted_out(line: argparse.Namespace) -> None:
    """The kind of the picture and what it is drawn from, of the words of the command line."""
    from . import plot
    first = line.words[0].replace("_", "-")
    first = {"form-factor": "formfactor", "form-factor-differences": "formfactor-differences", "detector": "image", "orbitals": "spinors"}.get(first, first)
    if first in _KINDS:
        line.kind, line.what = first, line.words[1:]
        return
    line.what = line.words
    if os.path.isfile(line.words[0]):
        kind = plot.kind_of(line.words[0]).replace("_", "-")
        line.kind = kind.replace("form-factor", "formfactor")
        return
    if "." in first or os.sep in first:
        raise Error(f"{line.words[0]}: No such file or directory")
    near = difflib.get_close_matches(first, _KINDS, 1)
    meant = f"did you mean '{near[0]}'? " if near else ""
    raise Error(f"unknown kind '{line.words[0]}'; {meant}expected a file of the program, or one of {', '.join(_KINDS)}")


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
        figure = _KINDS[line.kind].draw(line, style)
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
