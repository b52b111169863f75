"""Kohn-Sham atoms against PySCF in the same uncontracted functions, without relativity: closed shells, and half-filled
open ones by restricted open-shell Kohn-Sham, with functionals of every family."""
import json
import os
import subprocess
import tempfile
import unittest

from pyscf import dft, gto

PROGRAM = os.environ["PROPHET_PROGRAM"]


def even_tempered(least, ratio, count):
    return [least * ratio**i for i in range(count)]


# Exponents for each l.
LIGHT = [even_tempered(0.05, 2.0, 17)]
SECOND = [even_tempered(0.06, 2.0, 19), even_tempered(0.06, 2.0, 12)]
THIRD = [even_tempered(0.05, 2.0, 21), even_tempered(0.05, 2.0, 15)]
FOURTH = [even_tempered(0.03, 2.0, 24), even_tempered(0.05, 2.0, 17), even_tempered(0.06, 2.0, 13)]
# Symbol, Z, configuration, unpaired electrons, exponents.
CLOSED = (("He", 2, "1s2", 0, LIGHT), ("Ne", 10, "[Ne]", 0, SECOND), ("Ar", 18, "[Ar]", 0, THIRD))
OPEN = (("H", 1, "1s1", 1, LIGHT), ("Li", 3, "[He] 2s1", 1, LIGHT), ("N", 7, "[He] 2s2 2p3", 3, SECOND),
        ("Cr", 24, "[Ar] 3d5 4s1", 6, FOURTH))
FUNCTIONALS = {"lda": "lda_x,lda_c_vwn", "pbe": "gga_x_pbe,gga_c_pbe", "pbe0": "hyb_gga_xc_pbeh", "blyp": "gga_x_b88,gga_c_lyp",
               "b3lyp": "hyb_gga_xc_b3lyp", "tpss": "mgga_x_tpss,mgga_c_tpss", "r2scan": "mgga_x_r2scan,mgga_c_r2scan", "hyb_mgga_xc_tpssh": "hyb_mgga_xc_tpssh"}


def molecule(symbol, spin, exponents):
    basis = [[l, [x, 1.0]] for l, list_of_l in enumerate(exponents) for x in list_of_l]
    return gto.M(atom=symbol, basis={symbol: basis}, spin=spin, verbose=0)


def energy(mol, functional, method=dft.ROKS):
    field = method(mol)
    field.xc = FUNCTIONALS[functional]
    # Densities are spherical: 26 directions are exact up to d functions. SCAN varies quickly and needs more radii.
    field.grids.atom_grid = (600 if "scan" in functional else 200, 26)
    field.grids.prune = None
    field.small_rho_cutoff = 0
    field.conv_tol = 1e-11
    field.max_cycle = 200
    try:
        field.kernel()
    except (AttributeError, ArithmeticError):  # PySCF's DIIS where its error vectors are alike, with numpy 2
        field.converged = False
    if not field.converged:
        field = field.newton()
        field.conv_tol = 1e-11
        field.kernel()
    if not field.converged:
        raise RuntimeError("PySCF did not converge")
    return field.e_tot


class KohnSham(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)

    def own_energy(self, z, configuration, symbol, exponents, functional, spin):
        def path(name):
            return os.path.join(self.scratch.name, name)

        with open(path("set.nw"), "w", encoding="utf-8") as out:
            out.write("basis spherical\n")
            for letter, list_of_l in zip("spdf", exponents):
                for x in list_of_l:
                    out.write(f"{symbol} {letter}\n {x:.16e} 1.0\n")
            out.write("end\n")
        with open(path("atom.inp"), "w", encoding="utf-8") as out:
            out.write(f"atom\n$contrl hamiltonian='nonrel' functional='{functional}' spin='{spin}' $end\n"
                      f"$nuc z={z} nucmdl='point' $end\n$bas bastype='file' file='set.nw' $end\n"
                      f"$seconfig config='{configuration}' $end\n$scf thdll=1e-7 maxitr=200 $end\n")
        done = subprocess.run([PROGRAM, "atom.inp", "--quiet", "--json", "atom.json"], cwd=self.scratch.name,
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(path("atom.json"), encoding="utf-8") as out:
            return json.load(out)["energy"]

    def compare(self, atoms, functionals, spin):
        for symbol, z, configuration, unpaired, exponents in atoms:
            mol = molecule(symbol, unpaired, exponents)
            for functional in functionals:
                with self.subTest(symbol=symbol, functional=functional):
                    self.assertAlmostEqual(self.own_energy(z, configuration, symbol, exponents, functional, spin),
                                           energy(mol, functional), delta=1e-6)

    def test_closed_shells(self):
        self.compare(CLOSED[1:2], FUNCTIONALS, "none")
        self.compare(CLOSED[::2], ("lda", "blyp"), "none")

    def test_half_filled_shells(self):
        self.compare(OPEN[:1] + OPEN[2:], ("lda", "pbe0"), "polarised")

    def test_half_filled_shells_of_other_functionals(self):
        self.compare(OPEN[1:3], ("b3lyp", "tpss", "r2scan"), "polarised")


if __name__ == "__main__":
    unittest.main()
