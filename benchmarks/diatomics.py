#!/usr/bin/env python3
"""Energies and bond lengths of diatomic molecules in our sets and in published ones of the same quality (docs/how-to/tiers.md).

Needs PySCF and basis_set_exchange: build/release/interop-environment/bin/python benchmarks/diatomics.py (made by tests/interop/run).
Restricted Hartree-Fock and MP2 (PySCF's frozen core) with spin-free one-electron X2C, uncontracted; parabolas through three distances.
Usage: diatomics.py [--molecules N2,HCl] [--tiers dz,tz] [--collections prophet-TIER,...]; TIER stands for the tier. Markdown rows.
"""
import argparse
import subprocess
import tempfile
from pathlib import Path

import basis_set_exchange
import numpy
from pyscf import gto, mp, scf

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build/release/cudaprophet"
# Two elements and a distance near the minimum, angstrom.
MOLECULES = {"N2": ("N", "N", 1.08), "CO": ("C", "O", 1.12), "HF": ("H", "F", 0.91), "HCl": ("H", "Cl", 1.275), "Cl2": ("Cl", "Cl", 2.0),
             "P2": ("P", "P", 1.9), "CuH": ("Cu", "H", 1.48), "Br2": ("Br", "Br", 2.29), "AgH": ("Ag", "H", 1.64)}
PUBLISHED = {"dz": "dyall-v2z", "tz": "dyall-v3z", "qz": "dyall-v4z"}
STEP = 0.03  # angstrom


def exported(folder, element, words):
    file = Path(folder) / f"{element}.nw"
    subprocess.run([PROGRAM, "basis", "export", *words, "--format", "nwchem", "-o", file], check=True, stderr=subprocess.DEVNULL)
    return gto.basis.load(str(file), element)


def functions(folder, name, element):
    """Of a collection of the program, or of a published set."""
    if name not in PUBLISHED.values():
        return exported(folder, element, [element, "--library", name])
    published = Path(folder) / "published.json"
    published.write_text(basis_set_exchange.get_basis(name, elements=element, fmt="json"))
    return exported(folder, element, [str(published)])


def energies(first, second, distance, basis):
    molecule = gto.M(atom=f"{first} 0 0 0; {second} 0 0 {distance}", basis=basis, verbose=0)
    field = scf.RHF(molecule).sfx2c1e()
    field.conv_tol = 1e-10
    energy = field.kernel()
    if not field.converged:
        raise SystemExit(f"{first}{second}: the field did not converge")
    perturbed = mp.MP2(field)
    perturbed.set_frozen()
    return energy, energy + perturbed.kernel(with_t2=False)[0], molecule.nao


def least(distance, moves, values):
    square, slope, constant = numpy.polyfit(moves, values, 2)
    return constant - slope**2 / (4 * square), distance - slope / (2 * square)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--molecules", default="N2,HCl")
    parser.add_argument("--tiers", default="dz,tz")
    parser.add_argument("--collections", default="prophet-TIER")
    wanted = parser.parse_args()
    print("| | set | functions | SCF, hartree | bond, angstrom | MP2, hartree | bond, angstrom |\n| --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for molecule in wanted.molecules.split(","):
            first, second, distance = MOLECULES[molecule]
            for tier in wanted.tiers.split(","):
                names = [name.replace("TIER", tier) for name in wanted.collections.split(",")] + [PUBLISHED[tier]]
                for name in names:
                    basis = {element: functions(folder, name, element) for element in {first, second}}
                    moves = numpy.array([-STEP, 0, STEP])
                    points = [energies(first, second, distance + x, basis) for x in moves]
                    field, bond = least(distance, moves, [p[0] for p in points])
                    perturbed, correlated = least(distance, moves, [p[1] for p in points])
                    print(f"| {molecule} | {name} | {points[0][2]} | {field:.6f} | {bond:.4f} | {perturbed:.6f} | {correlated:.4f} |", flush=True)


if __name__ == "__main__":
    main()
