"""Second order against PySCF's MP2 in our own sets with their functions for correlation, as they are exported: without relativity
and with spin-free X2C, all electrons and a frozen core."""
import json
import os
import unittest

from pyscf import gto, lib, mp, scf

from in_folder import InFolder

lib.param.LIGHT_SPEED = 137.03599976  # this program's
METHODS = {"nonrel": scf.RHF, "sfx2c1e": lambda mol: scf.RHF(mol).sfx2c1e()}
# Symbol, shells that are frozen, their orbitals.
ATOMS = (("He", "", 0), ("Be", "", 0), ("Ne", "", 0), ("Ne", "1s", 1), ("Mg", "1s", 1), ("Ar", "[Ne]", 5))


class SecondOrder(InFolder):
    def own_energies(self, symbol, hamiltonian, frozen, *basis):
        self.run_program("correlation", symbol, "--hamiltonian", hamiltonian, "--nucleus", "point", *(("--frozen", frozen) if frozen else ()), *basis, "--quiet",
                         "--json", "atom.json")
        with open(os.path.join(self.scratch.name, "atom.json"), encoding="utf-8") as file:
            result = json.load(file)
        return result["field_energy"], result["correlation_energy"]

    def test_sets_that_are_exported(self):
        for collection in ("prophet-dz", "prophet-tz"):
            self.run_program("basis", "export", "He,Be,Ne,Mg,Ar", "--library", collection, "--format", "nwchem", "-o", "set.nw")
            for symbol, frozen, orbitals in ATOMS:
                mol = gto.M(atom=symbol, basis=os.path.join(self.scratch.name, "set.nw"), verbose=0)
                self.assertGreater(max(shell[0] for shell in mol._basis[symbol]), 1 if symbol != "He" else 0)
                for hamiltonian, method in METHODS.items():
                    with self.subTest(collection=collection, symbol=symbol, frozen=frozen, hamiltonian=hamiltonian):
                        field = method(mol)
                        field.conv_tol = 1e-12  # smaller ones are within the rounding of 200 hartree
                        field.conv_tol_grad = 1e-8
                        field.kernel()
                        self.assertTrue(field.converged)
                        correlation = mp.MP2(field, frozen=orbitals or None).kernel()[0]
                        own = self.own_energies(symbol, hamiltonian, frozen, "--bastype", "file", "--file", "set.nw")
                        self.assertAlmostEqual(own[0], field.e_tot, delta=1e-9)
                        self.assertAlmostEqual(own[1], correlation, delta=1e-9)
                        self.assertLess(correlation, -0.01)


if __name__ == "__main__":
    unittest.main()
