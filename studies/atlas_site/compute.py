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
from .levels import line_of

FORMATS = {"json": ".json", "nwchem": ".nw", "dirac": ".dirac", "gaussian": ".gbs", "prophet": ".basis"}
HARTREE_EV = 27.211386245988  # CODATA 2018
Q_GRID = "0:25:0.1"  # 1/angstrom
FIT = "waasmaier-kirfel"
SETS = ("prophet-dz", "prophet-tz", "prophet-qz", "prophet-l", "prophet-1", "universal")
CHARGES = (-1, 1, 2, 3)
LONGEST_LEVELS = 120  # seconds
MOST_LEVELS = 60
OF_LEVELS = ("J", "parity", "energy", "excitation_energy", "label", "percent", "terms", "g")
CORRECTED = "$contrl breit='breit' qedvp='full' qedse='inner' $end\n"


class Program:
    """The program, one thread for each call: calculations run side by side."""

    def __init__(self, path):
        self.path = str(Path(path).resolve())
        if not Path(self.path).is_file():
            raise AtlasError(f"no program {path}; build it (tools/run) or name it with --program")
        self.has_levels = subprocess.run([self.path, "levels", "--help"], capture_output=True).returncode == 0

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


def ion(program, folder, z, charge, neutral):
    """The ion and its energy less that of the atom, eV; without an energy where it is not bound or did not converge."""
    found = program.job(folder, f"{SYMBOLS[z - 1]}{charge:+d}", f"$nuc znuc={z} $end\n$electrons charge={charge} $end\n",
                        allowed=(0, 3))
    result = {"charge": charge, "status": found["status"], "configuration": found["configuration"]["description"]}
    if found["status"] == "converged":
        result.update(energy=found["energy"], difference_ev=(found["energy"] - neutral) * HARTREE_EV)
    return result


def set_errors(program, symbol, folder):
    """Error of every collection that has a set of this element: its energy less the limit, hartree."""
    file = folder / "audit.json"
    program("basis", "audit", *SETS, "--elements", symbol, "--threads", 1, "--quiet", "--json", file, allowed=(0, 1, 3))
    rows = [(audited["name"], row) for audited in json.loads(file.read_text())["sets"] for row in audited["rows"]]
    return [{"set": name, "sizes": row["sizes"], "functions": row["functions"], "error": row["minus_limit"]}
            for name, row in rows if row.get("minus_limit") is not None]


def levels(program, symbol, folder, table):
    """All levels of the ground configuration in order of energy, which are also written to the CSV file `table`; none where the program has
    no such command or it cannot be done."""
    if not program.has_levels:
        return []
    file = folder / "levels.json"
    try:
        # The fields of some averages with open f shells need more than the 50 iterations of the default.
        run = subprocess.run([program.path, "levels", symbol, "--json", str(file), "--levels-csv", str(table), "--breit", "breit",
                              "--maxitr", "200", "--threads", "1"], capture_output=True, timeout=LONGEST_LEVELS)
    except subprocess.TimeoutExpired:
        return []
    if run.returncode != 0 or not file.is_file():
        return []
    return sorted(json.loads(file.read_text()).get("levels") or [], key=lambda level: level["energy"])


def lowest_levels(found):
    """What the page and its data tell of them; None where there are none."""
    lowest = [{key: level[key] for key in OF_LEVELS if key in level} for level in found[:MOST_LEVELS]]
    for level in lowest:
        level["terms"] = (level.get("terms") or [])[:3]
    return {"count": len(found), "levels": lowest} if found else None


def export_basis(program, symbol, out):
    files = {}
    for format_name, suffix in FORMATS.items():
        path = out / "basis" / f"{symbol}{suffix}"
        program("basis", "export", symbol, "--format", format_name, "-o", path)
        files[format_name] = f"basis/{path.name}"
    return files


def of_charge(ions, charge):
    return next((i for i in ions if i["charge"] == charge), None)


def element(program, z, out):
    """Everything about one element; its files are written below `out`."""
    symbol, nucleus = SYMBOLS[z - 1], f"$nuc znuc={z} $end\n"
    radial = out / "data" / f"{symbol}-radial.csv"
    factor = out / "data" / f"{symbol}-formfactor.json"
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        basis = program.job(folder, symbol, nucleus + CORRECTED, "--orbitals", radial.resolve())
        limit = program.job(folder, f"{symbol}-limit", nucleus + "$contrl jobtype='limit' $end\n")
        # An ion has an electron at least, and 118 at most.
        ions = [ion(program, folder, z, charge, basis["energy"]) for charge in CHARGES if 1 <= z - charge <= 118]
        sets = set_errors(program, symbol, folder)
        found_levels = levels(program, symbol, folder, (out / "data" / f"{symbol}-levels.csv").resolve())
    # Those that are installed with the program.
    tables = out / "data" / f"{symbol}-momentum.json"
    program("tables", symbol, "--what", "compton,incoherent", "--by", "nl,atom", "--data", "shipped", "--threads", 1, "--quiet", "--json", tables.resolve())
    program("formfactor", symbol, "--q", Q_GRID, "--fit", FIT, "--threads", 1, "--json", factor.resolve())
    result = {"z": z, "symbol": symbol, "name": NAMES[z - 1], "basis": basis, "limit": limit, "ions": ions,
              "cation": of_charge(ions, 1), "anion": of_charge(ions, -1), "sets": sets, "levels": lowest_levels(found_levels),
              "basis_files": export_basis(program, symbol, out), "form_factor": json.loads(factor.read_text())}
    (out / "data" / f"{symbol}.json").write_text(json.dumps(result, indent=1) + "\n")
    result["momentum"] = json.loads(tables.read_text())
    result["radial"] = radial_columns(radial)
    result["lines"] = [line_of(level, found_levels[0]["energy"]) for level in found_levels]
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
