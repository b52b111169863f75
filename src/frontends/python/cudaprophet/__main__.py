"""python -m cudaprophet plot KIND WHAT... --out FILE"""
from __future__ import annotations

import argparse
import sys
from typing import List, Optional

from . import Atom, Error, Result, __version__, _core, chain, load, names

_KINDS = {
    "density": "radial density of one atom by shells, or of several",
    "spinors": "large and small components (--spinor chooses)",
    "formfactor": "X-ray form factors f(q) of one or several",
    "convergence": "the iterations of the self-consistent field",
    "exponents": "those of a collection across the periodic table (WHAT: prophet-1, universal, ...)",
    "chain": "errors of the sets that a chain tries (takes a while)",
    "audit": "a file of 'cudaprophet basis audit' (--json or --csv): errors across the periodic table",
}


def _atom(word: str) -> Atom:
    """"Rn", "86", "Fe3+", "O2-"."""
    z, charge, configuration = _core.parse_species(word)
    return Atom(z, config=configuration) if configuration else Atom(z, charge=charge or None)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m cudaprophet", description="Pictures of atoms (docs/how-to/python.md).")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True)
    plot = commands.add_parser("plot", help="draw a picture as PNG, SVG or PDF",
                               formatter_class=argparse.RawDescriptionHelpFormatter,
                               epilog="\n".join(f"  {kind:<12} {text}" for kind, text in _KINDS.items()))
    plot.add_argument("kind", choices=_KINDS)
    plot.add_argument("what", nargs="*", help="atoms such as Rn, 86, Fe3+, or results: rn.h5")
    plot.add_argument("--out", "-o", help="file.png, file.svg or file.pdf (default: KIND.png)")
    plot.add_argument("--limit", action="store_true", help="at the numerical limit instead of in a basis set")
    plot.add_argument("--spinor", action="append", metavar="LABEL", help="6p3/2, ...; several times for several")
    plot.add_argument("--threshold", type=float, default=1e-6, help="of a chain")
    return parser


def _results(words: List[str], limit: bool) -> List[Result]:
    if not words:
        raise Error("say which atom, Rn for example")
    results = []
    for word in words:
        if word.endswith(".h5"):
            results += [load(word, name) for name in names(word)]
        else:
            results.append(_atom(word).limit() if limit else _atom(word).energy())
    return results


def main(arguments: Optional[List[str]] = None) -> int:
    line = _parser().parse_args(arguments)
    from . import plot
    try:
        if line.kind == "exponents":
            figure = plot.exponents(line.what[0] if line.what else "")
        elif line.kind == "chain":
            figure = plot.chain(chain(_atom(line.what[0] if line.what else "Ne"), threshold=line.threshold))
        elif line.kind == "audit":
            if len(line.what) != 1:
                raise Error("say which file of 'cudaprophet basis audit' (--json or --csv)")
            figure = plot.audit(line.what[0])
        elif line.kind == "spinors":
            figure = plot.spinors(_results(line.what, line.limit)[0], line.spinor)
        elif line.kind == "convergence":
            figure = plot.convergence(_results(line.what, line.limit)[0])
        elif line.kind == "formfactor":
            figure = plot.form_factor(_results(line.what, line.limit))
        else:
            figure = plot.density(_results(line.what, line.limit))
        out = line.out or line.kind + ".png"
        figure.savefig(out)
    except KeyError as error:
        print(f"cudaprophet: {error.args[0]}", file=sys.stderr)
        return 2
    except (Error, OSError, ValueError) as error:
        print(f"cudaprophet: {error}", file=sys.stderr)
        return 2
    print(out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
