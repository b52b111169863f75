"""Energies of closed-shell atoms by PySCF (https://pyscf.org), which tests/atoms/scf/two_component_test.cpp compares with:
non-relativistic, spin-free and spin-dependent X2C, point nuclei, uncontracted even-tempered sets. Writes CSV to
standard output. Needs pyscf 2.14 and minutes for Xe and Rn:

    python3 two_component_energies.py > two_component_energies.csv
"""
import sys

import numpy
from pyscf import gto, lib, scf

SPEED_OF_LIGHT = 137.03599976  # this program's
# Functions of s, p, d, f; smallest exponent and ratio of neighbours.
SETS = {
    "He": ([10], 0.15, 3.0),
    "Ne": ([14, 9], 0.12, 2.6),
    "Ar": ([16, 12], 0.06, 2.6),
    "Kr": ([17, 14, 9], 0.06, 2.6),
    "Xe": ([18, 15, 11], 0.05, 2.6),
    "Rn": ([18, 15, 12, 7], 0.05, 2.7),
}


def molecule(symbol):
    sizes, first, ratio = SETS[symbol]
    basis = [[l, [first * ratio**k, 1.0]] for l, size in enumerate(sizes) for k in range(size)]
    mol = gto.M(atom=symbol, basis={symbol: basis}, verbose=0, max_memory=6000)
    return mol


def energy(method):
    method.conv_tol = 1e-13
    method.conv_tol_grad = 1e-7
    method.max_cycle = 100
    method.kernel()
    if not method.converged:
        sys.exit("not converged")
    return method.e_tot


def main():
    lib.param.LIGHT_SPEED = SPEED_OF_LIGHT
    print("# PySCF, two_component_energies.py: point nuclei, c = 137.03599976; exponents first * ratio^k")
    print("symbol,sizes,first,ratio,nonrel,sfx2c1e,x2c1e")
    for symbol in sys.argv[1:] or SETS:
        mol = molecule(symbol)
        sizes, first, ratio = SETS[symbol]
        results = [energy(scf.RHF(mol)), energy(scf.RHF(mol).sfx2c1e()), energy(scf.GHF(mol).x2c1e())]
        numbers = ",".join(f"{e:.11f}" for e in results)
        print(f"{symbol},{' '.join(map(str, sizes))},{first},{ratio},{numbers}", flush=True)


if __name__ == "__main__":
    numpy.set_printoptions(precision=12)
    main()
