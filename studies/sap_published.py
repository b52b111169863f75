"""Compares the atomic potentials of basis_sets/sap with the published fits sap_grasp_small and sap_grasp_large of the Basis
Set Exchange's package (S. Lehtola, L. Visscher, E. Engel, J. Chem. Phys. 152, 144105 (2020)): the largest and the
root-mean-square difference of r V over ln r, 1e-4 to 30 bohr, element by element.

Usage: studies/sap_published.py [FITS]      needs numpy, scipy and basis_set_exchange
"""
import json
import pathlib
import sys

import basis_set_exchange
import numpy
from scipy.special import erf

import study

FITS = study.ROOT / "basis_sets" / "sap" / "sap_prophet_lda_x.json"


def charge(shell, r):
    """r V of a fit: sum of c_k erf(sqrt(alpha_k) r)."""
    exponents = numpy.array(shell["exponents"], dtype=float)
    coefficients = numpy.array(shell["coefficients"][0], dtype=float)
    return erf(numpy.sqrt(exponents) * r[:, None]) @ coefficients


def main():
    own = json.loads(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else FITS).read_text())["elements"]
    r = numpy.geomspace(1e-4, 30, 2000)
    for name in ("sap_grasp_small", "sap_grasp_large"):
        published = basis_set_exchange.get_basis(name)["elements"]
        rows = []
        for z in sorted(set(own) & set(published), key=int):
            mine, theirs = own[z]["electron_shells"][0], published[z]["electron_shells"][0]
            off = charge(mine, r) - charge(theirs, r)
            rows.append((abs(off).max(), numpy.sqrt((off**2).mean()), int(z), r[abs(off).argmax()], len(mine["exponents"]), len(theirs["exponents"])))
        print(f"{name}: {len(rows)} elements; largest difference {max(rows)[0]:.1e} (Z = {max(rows)[2]}, r = {max(rows)[3]:.3g}), "
              f"median {numpy.median([row[0] for row in rows]):.1e}, rms at most {max(row[1] for row in rows):.1e}; "
              f"{max(row[5] for row in rows)} functions, ours {max(row[4] for row in rows)}")
        for row in sorted(rows, reverse=True)[:8]:
            print("  Z = {2}: {0:.1e} at {3:.3g} bohr, rms {1:.1e}; {5} functions, ours {4}".format(*row))


if __name__ == "__main__":
    main()
