#!/usr/bin/env python3
"""Energies and bond lengths of small molecules in our sets and in published ones of the same quality (docs/how-to/tiers.md).

Hartree-Fock, MP2 and, for light molecules, CCSD(T) with spin-free one-electron X2C, all functions uncontracted; PySCF. Correlated are
the valence electrons as the tiers define them: ns and np of p blocks, (n-1)d and ns of d blocks, the latter for U too, with 5f, 6s and 6p.
Heavy molecules use density fitting with one even-tempered auxiliary set for both sets that are compared. Bond lengths are minima of
parabolas through three distances.

Needs PySCF and basis_set_exchange: build/release/interop-environment/bin/python benchmarks/diatomics.py (made by tests/interop/run).
Usage: diatomics.py [--molecules N2,HCl] [--tiers dz,tz] [--results FILE] [--docs]
  --results    CSV file of energies; what it has is not computed again (docs/data/molecules.csv)
  --sets       folder of exported sets: made where it is missing, so that the rest runs where neither the program nor the Exchange is
  --ours       collection in the place of prophet-TIER: a name with TIER, or a folder with a folder of each name
  --processes  calculations side by side, each with --threads threads; 0: only the table of what the results have
  --docs       put the table into docs/how-to/tiers.md instead of printing it
"""
import argparse
import csv
import multiprocessing
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("PROPHET_PROGRAM", ROOT / "build/release/cudaprophet")
PAGE = ROOT / "docs/how-to/tiers.md"
MARKS = ("<!-- begin: benchmarks/diatomics.py -->", "<!-- end: benchmarks/diatomics.py -->")
PUBLISHED = {"dz": "dyall-v2z", "tz": "dyall-v3z", "qz": "dyall-v4z"}
STEP = 0.03  # angstrom
HEAD = ["molecule", "set", "distance", "functions", "scf", "mp2", "ccsdt", "seconds"]
ELECTRONS = {"H": 1, "Li": 3, "N": 7, "O": 8, "F": 9, "Na": 11, "Cl": 17, "K": 19, "Cu": 29, "Br": 35, "Rb": 37, "Ag": 47, "I": 53, "Cs": 55, "Au": 79, "Tl": 81,
             "Pb": 82, "Fr": 87, "U": 92}
# Occupied core shells (s, p, d, f), by element: all but the valence of the tiers. 6s and 6p of U mix with 2s of F.
CORES = {"H": (0,), "N": (1,), "O": (1,), "F": (1,), "Cl": (2, 1), "Cu": (3, 2), "Br": (3, 2, 1), "Ag": (4, 3, 1), "I": (4, 3, 2),
         "Au": (5, 4, 2, 1), "Tl": (5, 4, 3, 1), "Pb": (5, 4, 3, 1), "U": (5, 4, 3, 1),
         "Li": (1,), "Na": (2, 1), "K": (3, 2), "Rb": (4, 3, 1), "Cs": (5, 4, 2), "Fr": (6, 5, 3, 1)}


class Molecule:
    """Its atoms at a distance of two of them, in angstrom; `near`: a distance near the minimum."""
    def __init__(self, elements, near, exact=False, coupled=False, tiers=("dz", "tz", "qz")):
        self.elements, self.near, self.exact, self.coupled, self.tiers = elements, near, exact, coupled, tiers

    def atoms(self, distance):
        first, second = self.elements[:2]
        if len(self.elements) == 2:
            return [(first, (0, 0, 0)), (second, (0, 0, distance))]
        ways = [(0, 0, 1), (0, 0, -1), (0, 1, 0), (0, -1, 0), (1, 0, 0), (-1, 0, 0)]  # an octahedron about the first atom
        return [(first, (0, 0, 0))] + [(second, tuple(distance * x for x in way)) for way in ways]

    def frozen(self):
        """Numbers of core orbitals by element and l."""
        counts = {}
        for element in self.elements:
            for l, shells in enumerate(CORES[element]):
                counts[element, l] = counts.get((element, l), 0) + shells * (2 * l + 1)
        return {key: count for key, count in counts.items() if count}


MOLECULES = {
    "N2": Molecule(("N", "N"), 1.08, exact=True, coupled=True), "HF": Molecule(("H", "F"), 0.91, exact=True, coupled=True),
    "HCl": Molecule(("H", "Cl"), 1.275, exact=True, coupled=True), "Cl2": Molecule(("Cl", "Cl"), 2.0, exact=True, coupled=True),
    "Na2": Molecule(("Na", "Na"), 3.17, tiers=("dz", "tz")), "NaF": Molecule(("Na", "F"), 1.96, tiers=("dz", "tz")),
    "K2": Molecule(("K", "K"), 4.20, tiers=("dz",)), "KF": Molecule(("K", "F"), 2.23, tiers=("dz",)),
    "CuH": Molecule(("Cu", "H"), 1.46), "AgH": Molecule(("Ag", "H"), 1.62), "TlH": Molecule(("Tl", "H"), 1.88),
    "Br2": Molecule(("Br", "Br"), 2.29), "PbO": Molecule(("Pb", "O"), 1.92), "I2": Molecule(("I", "I"), 2.67),
    "Au2": Molecule(("Au", "Au"), 2.5, tiers=("dz", "tz")), "UF6": Molecule(("U",) + 6 * ("F",), 1.99, tiers=("dz",))}


def set_names(tier, ours):
    return [ours.replace("TIER", tier), PUBLISHED[tier]]


def export(folder, name, element):
    """A set as a NWChem file of the folder; its path."""
    path = Path(folder) / Path(name).name / f"{element}.nw"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        if name in PUBLISHED.values():
            import basis_set_exchange
            source = path.with_suffix(".json")
            source.write_text(basis_set_exchange.get_basis(name, elements=element, fmt="json"))
            words = [source]
        elif Path(name).is_dir():
            words = [next(Path(name).glob(f"*-{element}.basis"))]
        else:
            words = [element, "--library", name]
        subprocess.run([PROGRAM, "basis", "export", *words, "--format", "nwchem", "-o", path], check=True, stderr=subprocess.DEVNULL)
    return path


def load(folder, name, elements):
    from pyscf import gto
    return {element: gto.basis.load(str(Path(folder) / Path(name).name / f"{element}.nw"), element) for element in set(elements)}


def core_orbitals(field, counts):
    """The core: of each element and l the lowest orbitals more than half of whose Mulliken population is there. Cores and valence are not
    ordered by energy: 2s of O lies below 5d of Pb."""
    import numpy
    molecule = field.mol
    occupied = field.mo_coeff[:, field.mo_occ > 0]
    shares = occupied * (field.get_ovlp() @ occupied)
    labels = molecule.ao_labels(fmt=None)
    places = numpy.array([(molecule.atom_symbol(atom), "spdfghi".index(shell[-1])) for atom, _, shell, _ in labels], dtype=object)
    core = []
    for (element, l), count in counts.items():
        rows = (places[:, 0] == element) & (places[:, 1] == l)
        there = [i for i in range(occupied.shape[1]) if shares[rows, i].sum() > 0.5]
        if len(there) < count:
            raise RuntimeError(f"found {len(there)} of {count} core orbitals of {element}, l = {l}")
        core += there[:count]
    return sorted(core)


def auxiliary(molecule, basis):
    """Even-tempered functions for products of those of the published set, for both sets that are compared."""
    from pyscf import df
    published = molecule.copy()
    published.build(basis=basis, verbose=0)
    return df.aug_etb(published, beta=2.0)


def converged(molecule, fitting):
    from pyscf import scf
    field = scf.RHF(molecule)
    if fitting is not None:
        field = field.density_fit(auxbasis=fitting)
    field = field.sfx2c1e()
    field.conv_tol, field.max_cycle = 1e-9, 80
    field.kernel()
    if not field.converged:  # second-order steps from where it stands
        newton = field.newton()
        newton.conv_tol = 1e-9
        newton.kernel(field.mo_coeff, field.mo_occ)
        field.mo_coeff, field.mo_occ, field.mo_energy, field.e_tot = newton.mo_coeff, newton.mo_occ, newton.mo_energy, newton.e_tot
        field.converged = newton.converged
    if not field.converged:
        raise RuntimeError("the field did not converge")
    return field


def energies(task):
    """A row of the results."""
    name, tier, basis_name, distance, folder, coupled = task
    from pyscf import cc, gto, mp
    began = time.time()
    molecule = MOLECULES[name]
    built = gto.M(atom=molecule.atoms(distance), basis=load(folder, basis_name, molecule.elements), verbose=0, max_memory=40000)
    fitting = None if molecule.exact else auxiliary(built, load(folder, PUBLISHED[tier], molecule.elements))
    field = converged(built, fitting)
    frozen = core_orbitals(field, molecule.frozen())
    perturbed = mp.MP2(field, frozen=frozen) if molecule.exact else mp.dfmp2.DFMP2(field, frozen=frozen)
    correlation = perturbed.kernel(with_t2=False)[0]
    triples = ""
    if coupled:
        clusters = cc.CCSD(field, frozen=frozen)
        clusters.conv_tol = 1e-8
        clusters.kernel()
        if not clusters.converged:
            raise RuntimeError("the clusters did not converge")
        triples = f"{clusters.e_tot + clusters.ccsd_t():.8f}"
    return [name, Path(basis_name).name, f"{distance:.4f}", built.nao, f"{field.e_tot:.8f}", f"{field.e_tot + correlation:.8f}", triples,
            f"{time.time() - began:.1f}"]


def told(task):
    try:
        return energies(task), ""
    except Exception as error:  # one molecule's failure leaves the others
        return None, f"{task[0]} in {task[2]} at {task[3]:.2f} angstrom: {error}"


def read(file):
    if not Path(file).exists():
        return {}
    with open(file, newline="") as text:
        return {(row["molecule"], row["set"], row["distance"]): row for row in csv.DictReader(line for line in text if not line.startswith("#"))}


def compute(wanted):
    known = read(wanted.results)
    tasks = []
    for tier in wanted.tiers:
        for name in wanted.molecules:
            if tier not in MOLECULES[name].tiers:
                continue
            for basis_name in set_names(tier, wanted.ours):
                for element in set(MOLECULES[name].elements):
                    export(wanted.sets, basis_name, element)
                coupled = MOLECULES[name].coupled and tier in wanted.coupled
                for move in (-STEP, 0, STEP):
                    distance = MOLECULES[name].near + move
                    row = known.get((name, Path(basis_name).name, f"{distance:.4f}"))
                    if row is None or (coupled and not row["ccsdt"]):
                        tasks.append((name, tier, basis_name, distance, wanted.sets, coupled))
    if not tasks:
        return
    fresh = not Path(wanted.results).exists()
    # The number of threads is read when the libraries are loaded: in the processes that are started now.
    os.environ["OMP_NUM_THREADS"] = str(wanted.threads)
    with open(wanted.results, "a", newline="") as text, multiprocessing.get_context("spawn").Pool(wanted.processes, maxtasksperchild=1) as pool:
        rows = csv.writer(text, lineterminator="\n")
        if fresh:
            rows.writerow(HEAD)
        for row, failure in pool.imap_unordered(told, tasks):
            if failure:
                print(failure, file=sys.stderr, flush=True)
                continue
            rows.writerow(row)
            text.flush()
            print(*row, file=sys.stderr, flush=True)


def least(distance, values):
    """Energy and place of the minimum."""
    import numpy
    square, slope, constant = numpy.polyfit([-STEP, 0, STEP], values, 2)
    return constant - slope**2 / (4 * square), distance - slope / (2 * square)


SAME_ENERGY = 5e-6  # hartree: what density fitting and convergence leave
SAME_BOND = 2e-4    # angstrom: what the parabolas and the reference leave
METHODS = {"scf": "SCF", "mp2": "MP2", "ccsdt": "CCSD(T)"}


def minima(rows, name, basis_name):
    """Energy and bond length by method, and the number of functions; nothing where an energy is missing."""
    distance = MOLECULES[name].near
    points = [rows.get((name, Path(basis_name).name, f"{distance + move:.4f}")) for move in (-STEP, 0, STEP)]
    if None in points:
        return None
    found = {"functions": points[0]["functions"], "points": points}
    for method in METHODS:
        if all(p[method] for p in points):
            found[method] = least(distance, [float(p[method]) for p in points])
    return found


def limit(rows, name, ours):
    """Bond lengths near the limit, SCF and MP2, with half the difference of the two families: quadruple zeta, and correlation energies that
    are extrapolated from triple and quadruple zeta by the third power (Helgaker et al., J. Chem. Phys. 106, 9639 (1997))."""
    families = []
    for which in (0, 1):
        triple, quadruple = (minima(rows, name, set_names(tier, ours)[which]) for tier in ("tz", "qz"))
        if quadruple is None or triple is None:
            return None
        values = []
        for small, large in zip(triple["points"], quadruple["points"]):
            fields = float(large["scf"])
            values.append(fields + (64 * (float(large["mp2"]) - fields) - 27 * (float(small["mp2"]) - float(small["scf"]))) / 37)
        families.append((quadruple["scf"][1], least(MOLECULES[name].near, values)[1]))
    return {method: (0.5 * (families[0][i] + families[1][i]), 0.5 * abs(families[0][i] - families[1][i])) for i, method in enumerate(("scf", "mp2"))}


def table(wanted):
    rows = read(wanted.results)
    lines = ["| | tier | functions | SCF, energy | MP2, energy | CCSD(T), energy | SCF, bond | MP2, bond | CCSD(T), bond |", "|" + 9 * " --- |"]
    count = {key: [0, 0] for key in ("SCF energies", "MP2 energies", "CCSD(T) energies", "SCF bonds", "MP2 bonds")}
    for name in wanted.molecules:
        reference = limit(rows, name, wanted.ours)
        for tier in wanted.tiers:
            both = [minima(rows, name, basis_name) for basis_name in set_names(tier, wanted.ours)]
            if None in both:
                continue
            mine, theirs = both
            energy, bond = {method: "" for method in METHODS}, {method: "" for method in METHODS}
            for method in METHODS:
                if method not in mine or method not in theirs:
                    continue
                difference = mine[method][0] - theirs[method][0]
                good = difference <= SAME_ENERGY
                key = METHODS[method] + " energies"
                count[key][0] += good
                count[key][1] += 1
                energy[method] = f"{1000 * difference:+.2f}" if good else f"**{1000 * difference:+.2f}**"
                lengths = [100 * mine[method][1], 100 * theirs[method][1]]
                if method in ("scf", "mp2") and reference and tier != "qz":
                    errors = [length - 100 * reference[method][0] for length in lengths]
                    good = abs(errors[0]) <= abs(errors[1]) + 100 * max(SAME_BOND, reference[method][1])
                    count[METHODS[method] + " bonds"][0] += good
                    count[METHODS[method] + " bonds"][1] += 1
                    bond[method] = (f"{errors[0]:+.2f}" if good else f"**{errors[0]:+.2f}**") + f" / {errors[1]:+.2f}"
                else:
                    bond[method] = f"{lengths[0]:.2f} / {lengths[1]:.2f}"
            functions = mine["functions"] if mine["functions"] == theirs["functions"] else f"{mine['functions']} / {theirs['functions']}"
            lines.append(f"| {name} | {tier} | {functions} | " + " | ".join([*energy.values(), *bond.values()]) + " |")
    lines += ["", "At least as good: " + ", ".join(f"{good} of {all_} {key}" for key, (good, all_) in count.items() if all_) + "."]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--molecules", type=lambda text: text.split(","), default=list(MOLECULES))
    parser.add_argument("--tiers", type=lambda text: text.split(","), default=list(PUBLISHED))
    parser.add_argument("--coupled", type=lambda text: text.split(","), default=["dz", "tz"], help="tiers with CCSD(T)")
    parser.add_argument("--results", default=ROOT / "docs/data/molecules.csv")
    parser.add_argument("--sets", default=ROOT / "build/molecules")
    parser.add_argument("--ours", default="prophet-TIER")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--docs", action="store_true")
    wanted = parser.parse_args()
    if wanted.processes:
        compute(wanted)
    if not wanted.docs:
        print(table(wanted))
        return
    before, rest = PAGE.read_text().split(MARKS[0])
    after = rest.split(MARKS[1])[1]
    PAGE.write_text(f"{before}{MARKS[0]}\n{table(wanted)}\n{MARKS[1]}{after}")


if __name__ == "__main__":
    main()
