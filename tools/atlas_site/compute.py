"""Runs the program for every element and collects its results. All numbers of the atlas come from here."""
import csv
import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .elements import NAMES, SYMBOLS
from .errors import AtlasError

FORMATS = {"json": ".json", "nwchem": ".nw", "dirac": ".dirac", "gaussian": ".gbs", "prophet": ".basis"}
HARTREE_EV = 27.211386245988  # CODATA 2018
Q_GRID = "0:25:0.1"  # 1/angstrom
FIT = "waasmaier-kirfel"
CORRECTED = "$contrl breit='breit' qedvp='full' qedse='inner' $end\n"


class Program:
    """The program, one thread for each call: calculations run side by side."""

    def __init__(self, path):
        self.path = str(Path(path).resolve())
        if not Path(self.path).is_file():
            raise AtlasError(f"no program {path}; build it (tools/run) or name it with --program")

    def __call__(self, *arguments, allowed=(0,)):
        run = subprocess.run([self.path, *map(str, arguments)], capture_output=True, text=True)
        if run.returncode not in allowed:
            raise AtlasError(f"{self.path} {' '.join(map(str, arguments))} failed: {run.stderr.strip()}")
        return run.stdout

    def job(self, folder, name, groups, *options, allowed=(0,)):
        """The JSON of one input file. Status 3 is a result that is not bound or did not converge."""
        source, target = folder / f"{name}.inp", folder / f"{name}.json"
        source.write_text(f"Atlas: {name}\n{groups}")
        self(source, "--threads", 1, "--quiet", "--json", target, *options, allowed=allowed)
        return json.loads(target.read_text())


def radial_columns(path):
    """Columns of an --orbitals file by name, as lists of numbers."""
    with open(path, newline="") as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    return {name: [float(row[i]) for row in rows[1:]] for i, name in enumerate(rows[0])}


def difference(program, folder, z, charge, neutral):
    """Energy of the ion less that of the atom, eV; None where the ion does not hold its electrons."""
    ion = program.job(folder, f"{SYMBOLS[z - 1]}{charge:+d}", f"$nuc znuc={z} $end\n$electrons charge={charge} $end\n",
                      allowed=(0, 3))
    if ion["status"] != "converged":
        return {"status": ion["status"], "configuration": ion["configuration"]["description"]}
    return {"status": "converged", "configuration": ion["configuration"]["description"], "energy": ion["energy"],
            "difference_ev": (ion["energy"] - neutral) * HARTREE_EV}


def export_basis(program, symbol, out):
    files = {}
    for format_name, suffix in FORMATS.items():
        path = out / "basis" / f"{symbol}{suffix}"
        program("basis", "export", symbol, "--format", format_name, "-o", path)
        files[format_name] = f"basis/{path.name}"
    return files


def element(program, z, out):
    """Everything about one element; its files are written below `out`."""
    symbol, nucleus = SYMBOLS[z - 1], f"$nuc znuc={z} $end\n"
    radial = out / "data" / f"{symbol}-radial.csv"
    factor = out / "data" / f"{symbol}-formfactor.json"
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        basis = program.job(folder, symbol, nucleus + CORRECTED, "--orbitals", radial.resolve())
        limit = program.job(folder, f"{symbol}-limit", nucleus + "$contrl jobtype='limit' $end\n")
        cation = difference(program, folder, z, 1, basis["energy"]) if z > 1 else None
        anion = difference(program, folder, z, -1, basis["energy"]) if z < 118 else None  # no 119th electron
    program("formfactor", symbol, "--q", Q_GRID, "--fit", FIT, "--threads", 1, "--json", factor.resolve())
    result = {"z": z, "symbol": symbol, "name": NAMES[z - 1], "basis": basis, "limit": limit, "cation": cation,
              "anion": anion, "basis_files": export_basis(program, symbol, out), "form_factor": json.loads(factor.read_text())}
    (out / "data" / f"{symbol}.json").write_text(json.dumps(result, indent=1) + "\n")
    result["radial"] = radial_columns(radial)
    return result


def atlas(charges, program, out, jobs):
    """Results of the elements, in order. Shows on a terminal how far it is."""
    for folder in ("data", "basis"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    results = []
    with ThreadPoolExecutor(jobs) as pool:
        # The heaviest first: they take longest, and nothing waits for them at the end.
        futures = {z: pool.submit(element, program, z, out) for z in reversed(charges)}
        try:
            for z in charges:
                results.append(futures[z].result())
                if sys.stderr.isatty():
                    done = sum(f.done() for f in futures.values())
                    print(f"\r{done} of {len(charges)} elements ", end="", file=sys.stderr)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    if sys.stderr.isatty():
        print(file=sys.stderr)
    return results
