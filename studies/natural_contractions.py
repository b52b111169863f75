#!/usr/bin/env python3
"""What contractions cost diatomic molecules: natural functions beside free primitives (docs/how-to/contractions.md).

Needs PySCF: build/release/interop-environment/bin/python studies/natural_contractions.py (made by tests/interop/run).
Restricted Hartree-Fock and MP2 (PySCF's frozen core) with spin-free one-electron X2C, point nuclei; energies in contracted functions less those in all
primitives of the library. Usage: natural_contractions.py [--molecules N2,HCl] [--library prophet-tz] [--program FILE]. Markdown rows.
"""
import subprocess
import tempfile
from pathlib import Path

from pyscf import gto, lib, mp, scf

import study
from diatomics import MOLECULES

lib.param.LIGHT_SPEED = 137.03599976  # the program's
# Contracted functions of each size, small to large, of three periods; d and f are those of prophet-tz.
SIZES = {"H": ("2s1p", "3s2p1d", "4s2p1d"), "second": ("3s2p1d", "4s3p2d1f", "5s4p2d1f"), "third": ("4s3p1d", "5s4p2d1f", "6s5p2d1f")}
ROWS = {"H": "H", **dict.fromkeys(("C", "N", "O", "F"), "second"), **dict.fromkeys(("P", "S", "Cl"), "third")}
STATES = {"H": "0 -1"}
# Free primitives of each l, the contractions without natural functions.
FREE = (1, 2, 3)


def contracted(program, folder, element, name, options):
    file = folder / f"{element}-{name}.nw"
    subprocess.run([program, "basis", "contract", folder / f"{element}.nw", "--hamiltonian", "sfx2c1e", "--nucleus", "point", "--format", "nwchem", "-o", file,
                    *options], check=True, stderr=subprocess.DEVNULL)
    return gto.basis.load(str(file), element)


def energies(first, second, distance, basis):
    molecule = gto.M(atom=f"{first} 0 0 0; {second} 0 0 {distance}", basis=basis, verbose=0)
    field = scf.RHF(molecule).sfx2c1e()
    field.conv_tol = 1e-10
    energy = field.kernel()
    if not field.converged:
        raise SystemExit(f"{first}{second}: the field did not converge")
    perturbed = mp.MP2(field)
    perturbed.set_frozen()
    return energy, perturbed.kernel(with_t2=False)[0], molecule.nao


def main():
    parser = study.parser(__doc__, "program")
    parser.add_argument("--molecules", default="N2,HCl")
    parser.add_argument("--library", default="prophet-tz")
    wanted = parser.parse_args()
    print("| | functions of each atom | number | error of SCF, hartree | error of MP2 correlation, hartree |\n| --- | --- | --- | --- | --- |")
    for molecule in wanted.molecules.split(","):
        (first, second), distance = MOLECULES[molecule].elements, MOLECULES[molecule].near
        elements = sorted({first, second})
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for element in elements:
                subprocess.run([wanted.program, "basis", "export", element, "--library", wanted.library, "--shared", "average", "--format", "nwchem", "-o",
                                folder / f"{element}.nw"], check=True, stderr=subprocess.DEVNULL)
            field, correlation, count = energies(first, second, distance, {e: gto.basis.load(str(folder / f"{e}.nw"), e) for e in elements})
            print(f"| {molecule} | all primitives | {count} | {field:.6f} | {correlation:.6f} |", flush=True)
            sets = [(f"occupied, {n} free primitives of each l", {e: ["--uncontract", str(n)] for e in elements}) for n in FREE]
            for size in range(3):
                counts = {e: SIZES[ROWS[e]][size] for e in elements}
                sets.append(("natural, " + ", ".join(f"{e} {c}" for e, c in counts.items()),
                             {e: ["--natural", counts[e], "--states", STATES.get(e, "0 1 -1")] for e in elements}))
            for title, options in sets:
                basis = {e: contracted(wanted.program, folder, e, "set", options[e]) for e in elements}
                own = energies(first, second, distance, basis)
                print(f"| {molecule} | {title} | {own[2]} | {own[0] - field:.6f} | {own[1] - correlation:.6f} |", flush=True)


if __name__ == "__main__":
    main()
