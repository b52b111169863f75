"""Two-component energies and contracted sets against PySCF: the same energies in the same functions, and the error of
contraction in molecules (docs/how-to/contractions.md has its table)."""
import json
import os
import unittest

import basis_set_exchange
from pyscf import gto, lib, scf

from in_folder import InFolder

lib.param.LIGHT_SPEED = 137.03599976  # this program's


def energy(method):
    method.conv_tol = 1e-12
    method.conv_tol_grad = 1e-7
    method.kernel()
    if not method.converged:
        raise RuntimeError("PySCF did not converge")
    return method.e_tot


def molecule(atoms, basis):
    return gto.M(atom=atoms, basis=basis, verbose=0)


METHODS = {"nonrel": scf.RHF, "sfx2c1e": lambda mol: scf.RHF(mol).sfx2c1e(), "x2c1e": lambda mol: scf.GHF(mol).x2c1e()}

# PROPHET_INTEROP=long: krypton and HBr too, minutes of PySCF. tests/atoms/scf/two_component_energies.csv has what is left out.
LONG = os.environ.get("PROPHET_INTEROP") == "long"
ATOMS = (("He", 2), ("Ne", 10), ("Ar", 18), *([("Kr", 36)] if LONG else []))
MOLECULES = (("H 0 0 0; Cl 0 0 1.2746", "H,Cl"), *([("H 0 0 0; Br 0 0 1.4144", "H,Br")] if LONG else []))
SLOW = {("Kr", "x2c1e")} if LONG else {("Ar", "x2c1e")}


class Contractions(InFolder):
    def primitives(self, elements, name="plain.nw"):
        self.run_program("basis", "export", elements, "--library", "prophet-1", "--shared", "average", "--format", "nwchem", "-o", name)
        return self.path(name)

    def contracted(self, elements, *options):
        self.run_program("basis", "contract", elements, "--format", "nwchem", "--nucleus", "point", "-o", "set.nw",
                         *options)
        return self.path("set.nw")

    def own_energy(self, z, file, hamiltonian, contracted=".false.", charge=0):
        text = (f"atom\n$contrl hamiltonian='{hamiltonian}' $end\n$nuc z={z} nucmdl='point' $end\n$electrons charge={charge} $end\n"
                f"$bas bastype='file' file='{os.path.basename(file)}' contracted={contracted} $end\n"
                "$scf thdll=1e-7 $end\n")
        with open(self.path("atom.inp"), "w", encoding="utf-8") as out:
            out.write(text)
        self.run_program("atom.inp", "--quiet", "--json", "atom.json")
        with open(self.path("atom.json"), encoding="utf-8") as out:
            return json.load(out)["energy"]

    def test_energies_in_the_same_set(self):
        file = self.primitives("He,Ne,Ar,Kr")
        for symbol, z in ATOMS:
            mol = molecule(symbol, file)
            for hamiltonian, method in METHODS.items():
                if (symbol, hamiltonian) in SLOW:
                    continue
                with self.subTest(symbol=symbol, hamiltonian=hamiltonian):
                    self.assertAlmostEqual(self.own_energy(z, file, hamiltonian), energy(method(mol)), delta=1e-9)

    def test_nearly_dependent_primitives_cost_no_digits(self):
        # Exponents of this set are as near as 1.008 to each other. PySCF 2.14 with its removal of functions off (by default it
        # leaves out seven, which costs 7e-4 hartree).
        file = self.write("ag.nw", basis_set_exchange.get_basis("x2c-TZVPall", elements=["Ag"], fmt="nwchem"))
        for hamiltonian, reference in (("nonrel", -5197.454994557), ("sfx2c1e", -5312.694373718), ("x2c1e", -5313.299846772)):
            with self.subTest(hamiltonian=hamiltonian):
                self.assertAlmostEqual(self.own_energy(47, file, hamiltonian, charge=1), reference, delta=5e-9)

    def test_spinors_of_two_components(self):
        file = self.primitives("Ne")
        self.assertAlmostEqual(self.own_energy(10, file, "x2c1e"), energy(scf.X2C(molecule("Ne", file))), delta=1e-9)

    def test_a_contracted_atom_has_the_energy_of_its_primitives(self):
        plain = self.primitives("Ne,Ar,Kr")
        for hamiltonian, options in (("nonrel", []), ("sfx2c1e", []), ("x2c1e", ["--per", "j"])):
            file = self.contracted("Ne,Ar,Kr", "--hamiltonian", hamiltonian, *options)
            for symbol, z in ATOMS[1:]:
                if (symbol, hamiltonian) in SLOW:
                    continue
                with self.subTest(symbol=symbol, hamiltonian=hamiltonian):
                    whole = molecule(symbol, plain)
                    minimal = molecule(symbol, file)
                    self.assertLess(minimal.nao, whole.nao / 3)
                    expected = energy(METHODS[hamiltonian](whole))
                    self.assertAlmostEqual(energy(METHODS[hamiltonian](minimal)), expected, delta=1e-9)
                    self.assertAlmostEqual(self.own_energy(z, file, hamiltonian, ".true."), expected, delta=1e-9)

    def test_the_error_in_molecules_falls_with_free_functions(self):
        for atoms, elements in MOLECULES:
            expected = energy(METHODS["sfx2c1e"](molecule(atoms, self.primitives(elements))))
            errors = []
            for free in ("0", "2", "4"):
                file = self.contracted(elements, "--hamiltonian", "sfx2c1e", "--uncontract", free)
                errors.append(energy(METHODS["sfx2c1e"](molecule(atoms, file))) - expected)
            with self.subTest(atoms=atoms):
                self.assertGreater(errors[0], errors[1])
                self.assertGreater(errors[1], errors[2])
                self.assertGreater(errors[2], -1e-8)
                self.assertLess(errors[2], 2e-3)


if __name__ == "__main__":
    unittest.main()
