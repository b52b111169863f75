"""Natural spinors of second order and contractions with them against PySCF: the same occupations in the same set, and sets that PySCF and the Basis Set
Exchange's package read (docs/how-to/contractions.md has the table of studies/natural_contractions.py)."""
import json
import re
import unittest

import basis_set_exchange
import numpy
from pyscf import gto, lib, mp, scf

from in_folder import InFolder

lib.param.LIGHT_SPEED = 137.03599976  # this program's


def converged(method):
    method.conv_tol = 1e-13
    method.conv_tol_grad = 1e-8
    method.kernel()
    if not method.converged:
        raise RuntimeError("PySCF did not converge")
    return method


def molecule(atoms, basis):
    return gto.M(atom=atoms, basis=basis, verbose=0)


class NaturalSpinors(InFolder):
    def primitives(self, elements, library="prophet-dz"):
        self.run_program("basis", "export", elements, "--library", library, "--shared", "average", "--format", "nwchem", "-o", "plain.nw")
        return self.path("plain.nw")

    def occupations(self, symbol, hamiltonian, *options):
        """Of all places, those with most electrons first."""
        self.run_program("correlation", symbol, "--hamiltonian", hamiltonian, "--nucleus", "point", "--bastype", "file", "--file", "plain.nw",
                         "--thdll", "1e-11", "--json", "natural.json", *options)
        with open(self.path("natural.json"), encoding="utf-8") as file:
            rows = json.load(file)["natural"]
        places = []
        for row in rows:
            degeneracy = int(re.search(r"[a-z](\d+)/2", row["spinor"])[1]) + 1
            places += degeneracy * [row["occupation"] / degeneracy]
        return numpy.sort(places)[::-1]

    def test_occupations_are_those_of_pyscf(self):
        file = self.primitives("He,Be,Ne")
        for symbol, frozen in (("He", 0), ("Be", 0), ("Be", 1), ("Ne", 0), ("Ne", 1)):
            for hamiltonian in ("nonrel", "sfx2c1e"):
                with self.subTest(symbol=symbol, frozen=frozen, hamiltonian=hamiltonian):
                    field = scf.RHF(molecule(symbol, file))
                    perturbed = mp.MP2(converged(field.sfx2c1e() if hamiltonian == "sfx2c1e" else field), frozen=frozen or None)
                    perturbed.kernel()
                    expected = numpy.sort(numpy.repeat(numpy.linalg.eigvalsh(perturbed.make_rdm1()) / 2, 2))[::-1]
                    found = self.occupations(symbol, hamiltonian, *(["--frozen", "1s"] if frozen else []))
                    self.assertEqual(len(found), len(expected))
                    self.assertLess(numpy.abs(found - expected).max(), 1e-8)

    def test_contracted_atoms_lose_what_their_header_states(self):
        """Spin-free: the field is that of the primitives, and second order of the valence is the stated one."""
        plain = self.primitives("Ne")
        self.run_program("basis", "contract", "plain.nw", "--hamiltonian", "sfx2c1e", "--nucleus", "point", "--natural", "4s3p1d", "--format", "nwchem", "-o", "set.nw")
        with open(self.path("set.nw"), encoding="utf-8") as file:
            stated = [line for line in file if "contracted less primitive" in line][0]
        energies = []
        for basis in (plain, self.path("set.nw")):
            field = converged(scf.RHF(molecule("Ne", basis)).sfx2c1e())
            energies.append((field.e_tot, mp.MP2(field, frozen=1).kernel()[0]))
        self.assertAlmostEqual(energies[0][0], energies[1][0], delta=1e-9)
        numbers = stated[stated.index("(") + 1:].replace(",", " ").split()
        self.assertAlmostEqual(float(numbers[0]), energies[1][1], delta=2e-7)
        self.assertAlmostEqual(float(numbers[2]), energies[0][1], delta=2e-7)

    def test_spinors_of_both_j_keep_the_field_of_x2c(self):
        plain = self.primitives("Ar")
        self.run_program("basis", "contract", "plain.nw", "--hamiltonian", "x2c1e", "--per", "j", "--nucleus", "point", "--natural", "4s5p1d", "--format", "nwchem",
                         "-o", "set.nw")
        whole, contracted = (converged(scf.GHF(molecule("Ar", basis)).x2c1e()).e_tot for basis in (plain, self.path("set.nw")))
        self.assertAlmostEqual(contracted, whole, delta=1e-9)

    def test_every_format_is_read(self):
        for options, counts in ((["--hamiltonian", "sfx2c1e", "--natural", "3s2p1d"], "3s2p1d"), (["--hamiltonian", "x2c1e", "--per", "j", "--natural", "3s3p1d"], "3s3p1d"),
                                (["--hamiltonian", "sfx2c1e", "--natural", "1e-3", "--states", "0 1 -1"], None)):
            found = []
            for form, reader in (("nwchem", "nwchem"), ("gaussian", "gaussian94"), ("json", "json")):
                self.run_program("basis", "contract", "O", "--library", "prophet-dz", "--format", form, "-o", f"set.{form}", *options)
                read = basis_set_exchange.read_formatted_basis_file(self.path(f"set.{form}"), reader)
                shells = read["elements"]["8"]["electron_shells"]
                count = {}
                for shell in shells:
                    l = shell["angular_momentum"][0]
                    count[l] = count.get(l, 0) + len(shell["coefficients"])
                text = "".join(f"{n}{'spdfg'[l]}" for l, n in sorted(count.items()))
                if counts:
                    self.assertEqual(text, counts, form)
                found.append(text)
            self.assertEqual(len(set(found)), 1, found)
            size = gto.M(atom="O", basis=self.path("set.nwchem"), verbose=0).nao
            self.assertEqual(size, sum(int(n) * (2 * "spdfg".index(l) + 1) for n, l in zip(found[0][::2], found[0][1::2])))

    def test_natural_functions_are_worth_more_than_free_primitives(self):
        """N2 with frozen cores: the same number of functions, 4s 3p 1d, in both sets."""
        atoms = "N 0 0 0; N 0 0 1.0977"

        def energy(basis):
            field = converged(scf.RHF(molecule(atoms, basis)).sfx2c1e())
            return field.e_tot + mp.MP2(field, frozen=2).kernel()[0]

        whole = energy(self.primitives("N"))
        shared = ["plain.nw", "--hamiltonian", "sfx2c1e", "--nucleus", "point", "--format", "nwchem"]
        self.run_program("basis", "contract", *shared, "-o", "free.nw", "--uncontract", "2")
        self.run_program("basis", "contract", *shared, "-o", "natural.nw", "--natural", "4s3p1d")
        free, natural = energy(self.path("free.nw")), energy(self.path("natural.nw"))
        self.assertGreater(natural, whole)
        self.assertLess(natural - whole, 0.02)
        self.assertLess(natural, free)


if __name__ == "__main__":
    unittest.main()
