#!/usr/bin/env python3
"""Energies, bond energies and bond lengths of small molecules in our sets and in published ones of the same quality (docs/how-to/tiers.md).

Hartree-Fock, MP2 and, for light molecules, CCSD(T) with spin-free one-electron X2C, Gaussian nuclei and all functions uncontracted;
PySCF. Correlated are the valence electrons as the tiers define them: ns and np of p blocks, (n-1)d and ns of d blocks, the latter for U
too, with 5f, 6s and 6p. All but the lightest molecules use density fitting with one even-tempered auxiliary set for both sets that are compared. Bond
lengths are minima of parabolas through three distances. Bond energies are differences from the atoms' ground terms in the same set, with
the same fitting, by restricted open-shell Hartree-Fock in D2h, and MP2 (with single excitations) and CCSD(T) on it. The sets `reference-TIER` have the functions of ours, with the outer core's, and the published ones
of this tier, and a diffuse one of each l; molecules of which only dz is computed have none.

Needs PySCF and basis_set_exchange: build/release/interop-environment/bin/python studies/diatomics.py (made by tests/interop/run).
Usage: diatomics.py [--molecules N2,HCl] [--tiers dz,tz] [--results FILE] [--docs]
  --results    CSV file of energies; what it has for the exponents of today is not computed again (docs/data/molecules.csv)
  --sets       folder of exported sets: made where the program is, so that the rest runs where neither it nor the Exchange is
  --ours       collection in the place of prophet-TIER: a name with TIER, or a folder with a folder of each name
  --families   which sets to compute: ours, published, reference
  --processes  calculations side by side, each with --threads threads; 0: only the table of what the results have
  --docs       put the table into docs/how-to/tiers.md instead of printing it
"""
import csv
import hashlib
import multiprocessing
import os
import subprocess
import sys
import time
from pathlib import Path

import study
from study import PROGRAM, PUBLISHED

STEP = 0.03  # angstrom
LARGEST_MINAO = 92  # Z
LIGHT_SPEED = 137.03599976  # that of the tiers
HEAD = ["molecule", "set", "distance", "functions", "scf", "mp2", "ccsdt", "exponents", "seconds"]
# Electrons of each l in the atoms.
ATOMS = {"H": (1, 0, 0, 0), "N": (4, 3, 0, 0), "O": (4, 4, 0, 0), "F": (4, 5, 0, 0), "Na": (5, 6, 0, 0), "Cl": (6, 11, 0, 0),
         "K": (7, 12, 0, 0), "Cu": (7, 12, 10, 0), "Br": (8, 17, 10, 0), "Ag": (9, 18, 20, 0), "I": (10, 23, 20, 0), "Au": (11, 24, 30, 14), "Tl": (12, 25, 30, 14),
         "Pb": (12, 26, 30, 14), "U": (14, 30, 31, 17)}
ELECTRONS = {"H": 1, "Li": 3, "N": 7, "O": 8, "F": 9, "Na": 11, "Cl": 17, "K": 19, "Cu": 29, "Br": 35, "Rb": 37, "Ag": 47, "I": 53, "Cs": 55, "Au": 79, "Tl": 81,
             "Pb": 82, "Fr": 87, "U": 92}
# Occupied core shells (s, p, d, f), by element: all but the valence of the tiers. 6s and 6p of U mix with 2s of F.
CORES = {"H": (0,), "N": (1,), "O": (1,), "F": (1,), "Cl": (2, 1), "Cu": (3, 2), "Br": (3, 2, 1), "Ag": (4, 3, 1), "I": (4, 3, 2),
         "Au": (5, 4, 2, 1), "Tl": (5, 4, 3, 1), "Pb": (5, 4, 3, 1), "U": (5, 4, 3, 1),
         "Li": (1,), "Na": (2, 1), "K": (3, 2), "Rb": (4, 3, 1), "Cs": (5, 4, 2), "Fr": (6, 5, 3, 1)}


class Molecule:
    """Its atoms at a distance of two of them, in angstrom; `near`: a distance near the minimum; `bond`: whether there are bond energies."""
    def __init__(self, elements, near, exact=False, coupled=False, tiers=("dz", "tz", "qz"), bond=True):
        self.elements, self.near, self.exact, self.coupled, self.tiers, self.bond = elements, near, exact, coupled, tiers, bond

    def atoms(self, distance):
        first, second = self.elements[:2]
        if len(self.elements) == 2:
            return [(first, (0, 0, 0)), (second, (0, 0, distance))]
        ways = [(0, 0, 1), (0, 0, -1), (0, 1, 0), (0, -1, 0), (1, 0, 0), (-1, 0, 0)]  # an octahedron about the first atom
        return [(first, (0, 0, 0))] + [(second, tuple(distance * x for x in way)) for way in ways]


MOLECULES = {
    "N2": Molecule(("N", "N"), 1.08, exact=True, coupled=True), "HF": Molecule(("H", "F"), 0.91, exact=True, coupled=True),
    "HCl": Molecule(("H", "Cl"), 1.275, exact=True, coupled=True), "Cl2": Molecule(("Cl", "Cl"), 2.0, coupled=True),
    "Na2": Molecule(("Na", "Na"), 3.17, tiers=("dz", "tz")), "NaF": Molecule(("Na", "F"), 1.96, tiers=("dz", "tz")),
    "K2": Molecule(("K", "K"), 4.20, tiers=("dz",)), "KF": Molecule(("K", "F"), 2.23, tiers=("dz",)),
    "CuH": Molecule(("Cu", "H"), 1.46), "AgH": Molecule(("Ag", "H"), 1.62), "TlH": Molecule(("Tl", "H"), 1.88),
    "Br2": Molecule(("Br", "Br"), 2.29), "PbO": Molecule(("Pb", "O"), 1.92), "I2": Molecule(("I", "I"), 2.67),
    "Au2": Molecule(("Au", "Au"), 2.5, tiers=("dz", "tz")), "UF6": Molecule(("U",) + 6 * ("F",), 1.99, tiers=("dz",), bond=False)}  # U's ground term does not converge


def frozen_in(elements, cores=CORES):
    """Numbers of core orbitals by element and l."""
    counts = {}
    for element in elements:
        for l, shells in enumerate(cores[element]):
            counts[element, l] = counts.get((element, l), 0) + shells * (2 * l + 1)
    return {key: count for key, count in counts.items() if count}


def set_names(tier, ours):
    return [ours.replace("TIER", tier), PUBLISHED[tier]]


def reference_name(name):
    return f"reference-{MOLECULES[name].tiers[-1]}"


def export(folder, name, element, core=False):
    """A set as a NWChem file of the folder; its path. Ours are written anew where the program is: they change."""
    path = Path(folder) / (Path(name).name + core * "+core") / f"{element}.nw"
    published = name in PUBLISHED.values()
    if path.exists() and (published or not Path(PROGRAM).exists()):
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    if published:
        source = path.with_suffix(".json")
        source.write_text(study.exchange().get_basis(name, elements=element, fmt="json"))
        words = [source]
    elif Path(name).is_dir():
        words = [next(Path(name).glob(f"*-{element}.basis"))]
    else:
        words = [element, "--library", name]
    subprocess.run([PROGRAM, "basis", "export", *words, *(["--with", "core"] if core else []), "--format", "nwchem", "-o", path], check=True,
                   stderr=subprocess.DEVNULL)
    return path


def export_all(wanted, name, elements):
    """The files of a set, by element: one for each element, for `reference-TIER` two."""
    if not name.startswith("reference-"):
        return {element: [export(wanted.sets, name, element)] for element in elements}
    ours, published = set_names(name.split("-")[1], wanted.ours)
    return {element: [export(wanted.sets, ours, element, core=True), export(wanted.sets, published, element)] for element in elements}


def fingerprint(files):
    """Of the exponents of a set."""
    lines = [line for element in sorted(files) for file in files[element] for line in Path(file).read_text().splitlines() if line[:1] != "#"]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:8]


def load(folder, name, elements):
    """A set's functions by element, for PySCF."""
    return functions({element: [export(folder, name, element)] for element in elements})


def functions(files):
    """Functions by element, for PySCF."""
    from pyscf import gto
    return {element: united([gto.basis.load(str(path), element) for path in paths]) for element, paths in files.items()}


def united(sets):
    """An element's functions of the first set, and of another one those that are not within a ratio of 1.5 of one that is there; then a
    diffuse one for each l, whose exponent is 2.5 times smaller than the smallest."""
    shells = list(sets[0])
    for others in sets[1:]:
        for shell in others:
            if all(there[0] != shell[0] or not 1 / 1.5 < there[1][0] / shell[1][0] < 1.5 for there in shells):
                shells.append(shell)
        for l in sorted({shell[0] for shell in shells}):
            shells.append([l, [min(shell[1][0] for shell in shells if shell[0] == l) / 2.5, 1.0]])
    return shells


def semicanonical(field):
    """An unrestricted field with the occupied orbitals of a restricted open-shell one, and virtual ones, that diagonalise the Fock matrix
    of each spin; and those matrices in them."""
    import numpy
    unrestricted = field.to_uhf()
    focks, orbitals, energies = unrestricted.get_fock(dm=unrestricted.make_rdm1()), [], []
    for fock, c, occupied in zip(focks, unrestricted.mo_coeff, unrestricted.mo_occ):
        blocks = []
        for block in (c[:, occupied > 0], c[:, occupied == 0]):
            energy, rotation = numpy.linalg.eigh(block.T @ fock @ block)
            blocks.append((energy, block @ rotation))
        energies.append(numpy.concatenate([energy for energy, _ in blocks]))
        orbitals.append(numpy.hstack([block for _, block in blocks]))
    unrestricted.mo_occ = numpy.array([sorted(occupied, reverse=True) for occupied in unrestricted.mo_occ])
    unrestricted.mo_coeff, unrestricted.mo_energy = numpy.array(orbitals), numpy.array(energies)
    return unrestricted, [c.T @ fock @ c for fock, c in zip(focks, orbitals)]


def singles(field, focks, frozen):
    """Energy of second order of single excitations: the orbitals are not those of the unrestricted field (Knowles et al., Chem. Phys. Lett.
    186, 130 (1991))."""
    total = 0.0
    for fock, energy, occupied, core in zip(focks, field.mo_energy, field.mo_occ, frozen):
        count = int(occupied.sum())
        valence = [i for i in range(count) if i not in core]
        total += (fock[valence, count:]**2 / (energy[valence, None] - energy[None, count:])).sum()
    return total


def core_orbitals(field, counts):
    """The core: of each element and l the lowest orbitals more than half of whose Mulliken population is there. Cores and valence are not
    ordered by energy: 2s of O lies below 5d of Pb. For an unrestricted field a list for each spin."""
    if field.mo_coeff[0].ndim == 2:
        return [core_of(field, orbitals[:, occupied > 0], counts) for orbitals, occupied in zip(field.mo_coeff, field.mo_occ)]
    return core_of(field, field.mo_coeff[:, field.mo_occ > 0], counts)


def core_of(field, occupied, counts):
    return core_shares(field, occupied, counts)[0]


def core_shares(field, occupied, counts):
    """The numbers of the core's orbitals, and the smallest share of their populations that is where they belong."""
    import numpy
    molecule = field.mol
    shares = numpy.asarray(occupied) * (field.get_ovlp() @ occupied)
    labels = molecule.ao_labels(fmt=None)
    places = numpy.array([(molecule.atom_symbol(atom), "spdfghi".index(shell[-1])) for atom, _, shell, _ in labels], dtype=object)
    core, smallest = [], 1.0
    for (element, l), count in counts.items():
        rows = (places[:, 0] == element) & (places[:, 1] == l)
        inside = shares[rows].sum(axis=0)
        there = [i for i in range(occupied.shape[1]) if inside[i] > 0.5]
        if len(there) < count:
            raise RuntimeError(f"found {len(there)} of {count} core orbitals of {element}, l = {l}")
        core += there[:count]
        smallest = min([smallest, *inside[there[:count]]])
    return sorted(core), smallest


MIXED = 0.99  # share of a core orbital's population in its shell, below which it is mixed with the valence


def separated_core(field, elements, core_of_atom):
    """The core of a molecule. Where its canonical orbitals mix with the valence, as 4p of Sr and 2s of O do, whose energies are near, the occupied
    orbitals are rotated: the core's span what those of the atoms span (`core_of_atom`: their coefficients by element) as far as occupied orbitals
    can, and the Fock matrix is diagonal among them and among the others."""
    import numpy
    occupied = field.mo_coeff[:, field.mo_occ > 0]
    try:
        core, smallest = core_shares(field, occupied, frozen_in(elements))
        if smallest > MIXED:
            return core
    except RuntimeError:  # too few: some are mixed
        pass
    parts = [core_of_atom(element) for element in elements]
    atoms, row, column = numpy.zeros([sum(part.shape[i] for part in parts) for i in (0, 1)]), 0, 0
    for part in parts:
        atoms[row:row + part.shape[0], column:column + part.shape[1]] = part
        row, column = row + part.shape[0], column + part.shape[1]
    overlap, fock = field.get_ovlp(), field.get_fock()
    part = occupied.T @ overlap @ atoms
    shares, rotation = numpy.linalg.eigh(part @ numpy.linalg.solve(atoms.T @ overlap @ atoms, part.T))
    count = atoms.shape[1]
    if shares[-count] < 0.9:
        raise RuntimeError(f"a core orbital has only a share of {shares[-count]:.2f} in the atoms'")
    turned, orbitals, energies = occupied @ rotation[:, ::-1], [], []
    for block in (turned[:, :count], turned[:, count:]):
        energy, mix = numpy.linalg.eigh(block.T @ fock @ block)
        orbitals.append(block @ mix)
        energies.append(energy)
    virtual = field.mo_occ == 0
    field.mo_coeff = numpy.hstack([*orbitals, field.mo_coeff[:, virtual]])
    field.mo_energy = numpy.concatenate([*energies, field.mo_energy[virtual]])
    field.mo_occ = numpy.sort(field.mo_occ)[::-1]
    return list(range(count))


def solved(field, start=None):
    field.conv_tol, field.max_cycle = 1e-9, 80
    field.kernel(start)
    if not field.converged:
        raise RuntimeError("the field did not converge")
    return field


def auxiliary(molecule, basis):
    """Even-tempered functions for products of those of `basis`, the published set, for both sets that are compared."""
    from pyscf import df
    published = molecule.copy()
    published.build(basis=basis, verbose=0)
    return df.aug_etb(published, beta=1.8)


def superposed(field):
    """A density to start with, of elements that PySCF has no atoms for: occupied orbitals in the sum of the atoms' potentials."""
    import numpy
    from pyscf import gto, scf
    potentials = {element: gto.basis.load("sapgrasplarge", element) for element in set(field.mol.elements)}
    potentials = {element: numpy.array(shells[0][1:], dtype=float) for element, shells in potentials.items()}
    energies, orbitals = field.eig(field.get_hcore() + scf.hf.make_sap(field.mol, potentials), field.get_ovlp())
    return field.make_rdm1(orbitals, field.get_occ(energies, orbitals))


def of_closed_and_open(both_spins):
    """Coulomb and exchange of both spins of a restricted open-shell field from those of its closed and of its open orbitals, which are half the work."""
    import numpy
    from pyscf import lib

    def get_jk(mol=None, dm=None, *rest, **more):
        orbitals = getattr(dm, "mo_coeff", None)
        if orbitals is None or numpy.ndim(dm.mo_occ) != 2 or orbitals[0] is not orbitals[1]:
            return both_spins(mol, dm, *rest, **more)
        (up, down), occupied = dm, dm.mo_occ
        parts = lib.tag_array(numpy.array([down, up - down]), mo_coeff=orbitals, mo_occ=(occupied[1], occupied[0] - occupied[1]))
        return [numpy.array([closed + open_, closed]) for closed, open_ in both_spins(mol, parts, *rest, **more)]
    return get_jk


def converged(field, fitting, start=None, along_z=0.0):
    """From a density to start with, in an electric field along z, to which X2C adds no change of picture."""
    if fitting is not None:
        field = field.density_fit(auxbasis=fitting)
    field = field.sfx2c1e()
    if fitting is not None and field.istype("ROHF"):
        field.get_jk = of_closed_and_open(field.get_jk)
    if along_z:
        bare = field.get_hcore() + along_z * field.mol.intor("int1e_r")[2]
        field.get_hcore = lambda *_: bare
    if start is None and field.mol.atom_charges().max() > LARGEST_MINAO:
        start = superposed(field)
    try:
        return solved(field, start)
    except RuntimeError:  # second-order steps from where it stands
        newton = solved(field.newton())
        field.mo_coeff, field.mo_occ, field.mo_energy, field.e_tot = newton.mo_coeff, newton.mo_occ, newton.mo_energy, newton.e_tot
        field.converged = True
        return field


def occupied_irreps(element, charge=0):
    """Electrons of both spins by irreducible representation of D2h: closed shells, and open ones filled by Hund's first rule. An ion's electron
    goes into the open shell, of an atom with ns alone into it."""
    names = {0: ["Ag"], 1: ["B1u", "B2u", "B3u"], 2: ["B1g", "B2g", "B3g", "Ag", "Ag"], 3: ["B1u", "B2u", "B3u", "Au", "B1u", "B2u", "B3u"]}
    irreps = {}
    counts = list(ATOMS[element])
    if charge:
        counts[next((l for l in (2, 1, 0) if counts[l] % (4 * l + 2)), 0)] -= charge
    for l, electrons in enumerate(counts):
        shells, rest = divmod(electrons, 4 * l + 2)
        for i, name in enumerate(names[l]):
            up, down = irreps.get(name, (0, 0))
            irreps[name] = (up + shells + (i < rest), down + shells + (i < rest - 2 * l - 1))
    return {name: counts for name, counts in irreps.items() if any(counts)}


def atom_field(molecule, element, charge=0):
    """The atom's or the ion's ground term, not yet solved."""
    from pyscf import scf
    irreps = occupied_irreps(element, charge)
    molecule.symmetry, molecule.spin = "D2h", sum(up - down for up, down in irreps.values())
    molecule.build()
    field = scf.ROHF(molecule)
    field.irrep_nelec = irreps
    return field


def correlated(field, elements, fitted, coupled, molecule, core_of_atom=None):
    """Energies of the field, of MP2 and of CCSD(T), empty where it is not asked for; of an atom on a field of an open shell."""
    from pyscf import cc, mp
    total, triples, single = field.e_tot, "", 0.0
    if molecule:
        frozen = separated_core(field, elements, core_of_atom) if core_of_atom else core_orbitals(field, frozen_in(elements))
        second = (mp.dfmp2.DFMP2 if fitted else mp.MP2)(field, frozen=frozen)
    else:
        field, focks = semicanonical(field)
        frozen = core_orbitals(field, frozen_in(elements))
        second, single = (mp.dfump2.DFUMP2 if fitted else mp.UMP2)(field, frozen=frozen), singles(field, focks, frozen)
    perturbed = total + second.kernel(with_t2=False)[0] + single
    pairs = field.mol.nelectron - (2 * len(frozen) if molecule else sum(map(len, frozen))) > 1
    if coupled and not pairs:
        triples = total
    elif coupled:
        clusters = (cc.CCSD if molecule else cc.UCCSD)(field, frozen=frozen)
        clusters.conv_tol = 1e-8
        clusters.kernel()
        if not clusters.converged:
            raise RuntimeError("the clusters did not converge")
        triples = clusters.e_tot + clusters.ccsd_t()
    return total, perturbed, triples


def energies(task):
    """A row of the results."""
    name, basis_name, distance, files, fitted, coupled, print_ = task
    from pyscf import gto, lib, scf
    lib.param.LIGHT_SPEED = LIGHT_SPEED
    began = time.time()
    molecule = MOLECULES.get(name)
    atoms = molecule.atoms(distance) if molecule else [(name, (0, 0, 0))]
    built = gto.M(atom=atoms, basis=functions(files), nucmod="G", spin=None, verbose=0, max_memory=40000)
    fitting = auxiliary(built, functions(fitted)) if fitted else None
    field = converged(scf.RHF(built) if molecule else atom_field(built, name), fitting)
    total, perturbed, triples = field.e_tot, "", ""
    if built.nelectron == 1:
        perturbed = triples = total
    elif not basis_name.startswith("reference-"):
        total, perturbed, triples = correlated(field, molecule.elements if molecule else (name,), fitted, coupled, bool(molecule))
    place = f"{distance:.4f}" if molecule else distance
    return [name, basis_name, place, built.nao, *(f"{e:.8f}" if e != "" else "" for e in (total, perturbed, triples)), print_,
            f"{time.time() - began:.1f}"]


def told(task):
    try:
        return energies(task), ""
    except Exception as error:  # one molecule's failure leaves the others
        return None, f"{task[0]} in {task[1]} at {task[2]}: {type(error).__name__}: {error}"


def read(file):
    return {(row["molecule"], row["set"], row["distance"]): row for row in study.read_table(file)} if Path(file).exists() else {}


def write(file, rows):
    lines = Path(file).read_text().splitlines(keepends=True) if Path(file).exists() else []
    study.write_table(file, HEAD, rows, "".join(line for line in lines if line.startswith("#")))


def tasks_of(wanted):
    """What the table needs, without what the results have."""
    known, tasks = read(wanted.results), {}

    def add(name, basis_name, place, elements, tier, exact, coupled):
        files = export_all(wanted, basis_name, elements)
        fitted = None if exact else export_all(wanted, PUBLISHED[tier], elements)
        print_ = fingerprint(files)
        key = (name, Path(basis_name).name, place if isinstance(place, str) else f"{place:.4f}")
        row = known.get(key)
        if row is None or row.get("exponents") != print_ or (coupled and not row["ccsdt"]):
            known.pop(key, None)
            tasks[key] = (name, key[1], place, files, fitted, coupled, print_)

    for name in wanted.molecules:
        molecule = MOLECULES[name]
        for tier in molecule.tiers:
            if tier not in wanted.tiers:
                continue
            ours, published = set_names(tier, wanted.ours)
            families = {"ours": ours, "published": published}
            if tier == molecule.tiers[-1] != "dz":
                families["reference"] = reference_name(name)
            for family, basis_name in families.items():
                if family not in wanted.families:
                    continue
                coupled = molecule.coupled and family != "reference" and tier in wanted.coupled
                for element in set(molecule.elements) if molecule.bond else ():
                    add(element, basis_name, "exact" if molecule.exact else "fitted", {element}, tier, molecule.exact, coupled)
                for move in (-STEP, 0, STEP):
                    add(name, basis_name, molecule.near + move, set(molecule.elements), tier, molecule.exact, coupled)
    return known, list(tasks.values())


def cost(task):
    """Roughly, for the order: long calculations first."""
    name, files = task[0], task[3]
    elements = MOLECULES[name].elements if name in MOLECULES else (name,)
    size = sum(path.stat().st_size for element in elements for path in files[element])
    return size**3


def compute(wanted):
    """The number of calculations that failed."""
    known, tasks = tasks_of(wanted)
    failures = 0
    if not tasks:
        return failures
    write(wanted.results, known.values())
    # The number of threads is read when the libraries are loaded: in the processes that are started now.
    for library in ("OMP", "OPENBLAS"):
        os.environ[f"{library}_NUM_THREADS"] = str(wanted.threads)
    order = sorted(tasks, key=cost, reverse=True)
    with open(wanted.results, "a", newline="") as text, multiprocessing.get_context("spawn").Pool(wanted.processes, maxtasksperchild=1) as pool:
        rows = csv.writer(text, lineterminator="\n")
        for row, failure in pool.imap_unordered(told, order):
            if failure:
                failures += 1
                print(failure, file=sys.stderr, flush=True)
                continue
            rows.writerow(row)
            text.flush()
            print(*row, file=sys.stderr, flush=True)
    return failures


def least(distance, values):
    """Energy and place of the minimum."""
    import numpy
    square, slope, constant = numpy.polyfit([-STEP, 0, STEP], values, 2)
    return constant - slope**2 / (4 * square), distance - slope / (2 * square)


SAME_ENERGY = 5e-6  # hartree: what convergence and density fitting leave of the difference of two sets
SAME_BOND = 2e-4    # angstrom: what the parabolas leave
METHODS = {"scf": "SCF", "mp2": "MP2", "ccsdt": "CCSD(T)"}


class Curve:
    """A molecule in a set: its energies by method at the three distances, hartree; None where one is missing."""
    def __init__(self, rows, name, basis_name):
        molecule = MOLECULES[name]
        self.distance = molecule.near
        points = [rows.get((name, Path(basis_name).name, f"{molecule.near + move:.4f}")) for move in (-STEP, 0, STEP)]
        atoms = [rows.get((element, Path(basis_name).name, "exact" if molecule.exact else "fitted")) for element in molecule.elements if molecule.bond]
        self.complete = None not in points and None not in atoms
        if not self.complete:
            return
        self.functions = points[0]["functions"]
        self.values = {method: [float(p[method]) for p in points] for method in METHODS if all(p[method] for p in points)}
        self.atoms = {method: sum(float(atom[method]) for atom in atoms) for method in METHODS if atoms and all(atom[method] for atom in atoms)}

    def has_bond(self, method):
        """Whether there are energies of the molecule and of all its atoms."""
        return method in self.values and method in self.atoms

    def correlation(self, method):
        return [value - field for value, field in zip(self.values[method], self.values["scf"])]

    def energy(self, method):
        return least(self.distance, self.values[method])[0]

    def length(self, method):
        return least(self.distance, self.values[method])[1]

    def bond_energy(self, method):
        return self.atoms[method] - self.energy(method)


class Limit:
    """Bond energies and lengths near the limit by method, with their uncertainties. SCF: in the reference set. Correlation energies are
    extrapolated from the two largest tiers by the third power (Helgaker et al., J. Chem. Phys. 106, 9639 (1997)) and averaged over the two
    families, half of whose difference is the uncertainty."""
    def __init__(self, rows, name, ours):
        self.bond_energies, self.lengths = {}, {}
        reference = Curve(rows, name, reference_name(name))
        if not reference.complete:
            return
        self.bond_energies["scf"], self.lengths["scf"] = (reference.bond_energy("scf"), 0), (reference.length("scf"), 0)
        tiers = MOLECULES[name].tiers[-2:]
        largest = {"dz": 2, "tz": 3, "qz": 4}[tiers[1]]
        families = [[Curve(rows, name, set_names(tier, ours)[which]) for tier in tiers] for which in (0, 1)]
        if not all(curve.complete for family in families for curve in family):
            return

        def extrapolated(small, large):
            return (largest**3 * large - (largest - 1)**3 * small) / (largest**3 - (largest - 1)**3)

        for method in ("mp2", "ccsdt"):
            if not all(curve.has_bond(method) for family in families for curve in family):
                continue
            both = []
            for small, large in families:
                molecule = [f + extrapolated(s, l) for f, s, l in zip(reference.values["scf"], small.correlation(method), large.correlation(method))]
                atoms = reference.atoms["scf"] + extrapolated(*(curve.atoms[method] - curve.atoms["scf"] for curve in (small, large)))
                energy, length = least(reference.distance, molecule)
                both.append((atoms - energy, length))
            for values, (a, b) in zip((self.bond_energies, self.lengths), zip(*both)):
                values[method] = (0.5 * (a + b), 0.5 * abs(a - b))


def table(wanted):
    rows = read(wanted.results)
    names = METHODS.values()
    lines = ["| | tier | functions | SCF, energy | " + " | ".join(
        [f"{method}, bond energy" for method in names] + [f"{method}, correlation" for method in names if method != "SCF"] +
        [f"{method}, bond length" for method in names]) + " |", "|" + 12 * " --- |"]
    count = {}

    def judged(text, good, what):
        of = count.setdefault(what, [0, 0])
        of[0] += good
        of[1] += 1
        return text if good else f"**{text}**"

    def compared(both, limit, same, scale, what):
        """A pair of values, or of errors where there is a limit."""
        if limit is None:
            return " / ".join(f"{scale * value:.2f}" for value in both)
        errors = [value - limit[0] for value in both]
        good = abs(errors[0]) <= abs(errors[1]) + max(same, limit[1])
        return judged(f"{scale * errors[0]:+.2f}", good, what) + f" / {scale * errors[1]:+.2f}"

    for name in wanted.molecules:
        limit = Limit(rows, name, wanted.ours)
        for tier in wanted.tiers:
            if tier not in MOLECULES[name].tiers:
                continue
            both = [Curve(rows, name, basis_name) for basis_name in set_names(tier, wanted.ours)]
            if not all(curve.complete for curve in both):
                continue
            mine, theirs = both
            cells = [mine.functions if mine.functions == theirs.functions else f"{mine.functions} / {theirs.functions}"]
            cells.append(f"{1000 * (mine.energy('scf') - theirs.energy('scf')):+.2f}")
            for method, title in METHODS.items():
                cells.append(compared([curve.bond_energy(method) for curve in both], limit.bond_energies.get(method), SAME_ENERGY, 1000,
                                      f"{title} bond energies") if all(curve.has_bond(method) for curve in both) else "")
            there = [method for method in METHODS if all(method in curve.values for curve in both)]
            for method in list(METHODS)[1:]:
                if method not in there:
                    cells.append("")
                    continue
                difference = mine.correlation(method)[1] - theirs.correlation(method)[1]
                cells.append(judged(f"{1000 * difference:+.2f}", difference <= SAME_ENERGY, f"{METHODS[method]} correlation energies"))
            for method, title in METHODS.items():
                cells.append(compared([curve.length(method) for curve in both], limit.lengths.get(method), SAME_BOND, 100,
                                      f"{title} bond lengths") if method in there else "")
            lines.append(f"| {name} | {tier} | " + " | ".join(map(str, cells)) + " |")
    lines += ["", "At least as good: " + ", ".join(f"{good} of {all_} {what}" for what, (good, all_) in count.items()) + "."]
    return "\n".join(lines)


def main():
    parser = study.parser(__doc__, "docs")
    parser.add_argument("--molecules", type=lambda text: text.split(","), default=list(MOLECULES))
    parser.add_argument("--tiers", type=lambda text: text.split(","), default=list(PUBLISHED))
    parser.add_argument("--coupled", type=lambda text: text.split(","), default=list(PUBLISHED), help="tiers with CCSD(T)")
    parser.add_argument("--families", type=lambda text: text.split(","), default=["ours", "published", "reference"])
    parser.add_argument("--results", default=study.ROOT / "docs/data/molecules.csv")
    parser.add_argument("--sets", default=study.ROOT / "build/molecules")
    parser.add_argument("--ours", default="prophet-TIER")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    wanted = parser.parse_args()
    failures = compute(wanted) if wanted.processes else 0
    if wanted.docs:
        study.put(table(wanted), "how-to/tiers.md", "studies/diatomics.py")
    else:
        print(table(wanted))
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
