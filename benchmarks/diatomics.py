#!/usr/bin/env python3
"""Energies and bond lengths of N2 and HCl in our sets for molecules and in published ones of the same size (docs/how-to/tiers.md).

Needs PySCF and basis_set_exchange: build/release/interop-environment/bin/python benchmarks/diatomics.py (made by tests/interop/run).
Hartree-Fock with spin-free one-electron X2C, uncontracted; a parabola through three distances.
"""
import subprocess
import tempfile
from pathlib import Path

import basis_set_exchange
import numpy
from pyscf import gto, scf

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build/release/cudaprophet"
MOLECULES = (("N", "N", 1.066), ("H", "Cl", 1.266))
TIERS = {"dz": "dyall-v2z", "tz": "dyall-v3z"}
STEP = 0.02  # angstrom


def exported(folder, element, words):
    file = Path(folder) / f"{element}.nw"
    subprocess.run([PROGRAM, "basis", "export", *words, "--format", "nwchem", "-o", file], check=True, stderr=subprocess.DEVNULL)
    return gto.basis.load(str(file), element)


def sets(folder, tier, element):
    """Name and functions of each set to compare."""
    ours = [element, "--library", f"prophet-{tier}"]
    yield f"prophet-{tier} without groups", exported(folder, element, [*ours, "--without", "polarisation,correlation"])
    yield f"prophet-{tier}", exported(folder, element, ours)
    published = Path(folder) / "published.json"
    published.write_text(basis_set_exchange.get_basis(TIERS[tier], elements=element, fmt="json"))
    yield TIERS[tier], exported(folder, element, [str(published)])


def energy(first, second, distance, basis):
    molecule = gto.M(atom=f"{first} 0 0 0; {second} 0 0 {distance}", basis=basis, verbose=0)
    field = scf.RHF(molecule).sfx2c1e()
    field.conv_tol = 1e-11
    return field.kernel()


def main():
    with tempfile.TemporaryDirectory() as folder:
        for first, second, distance in MOLECULES:
            for tier in TIERS:
                of = {element: dict(sets(folder, tier, element)) for element in {first, second}}
                for name in of[first]:
                    basis = {element: of[element][name] for element in of}
                    moves = numpy.array([-STEP, 0, STEP])
                    square, slope, least = numpy.polyfit(moves, [energy(first, second, distance + x, basis) for x in moves], 2)
                    print(f"| {first}{second} | {name} | {least - slope**2 / (4 * square):.6f} | {distance - slope / (2 * square):.4f} |")


if __name__ == "__main__":
    main()
