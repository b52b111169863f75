"""Sets of the Basis Set Exchange with l = 6 and more, SP shells or Cartesian functions, to and from its own package in every format.

A sample; all of them with PROPHET_INTEROP=long."""
import json
import os
import unittest

import basis_set_exchange as bse
from basis_set_exchange import lut, readers

from in_folder import InFolder

# Our format's name, the Exchange's for writing.
FORMATS = {"json": "json", "nwchem": "nwchem", "gaussian": "gaussian94", "dirac": "dalton"}
SAMPLE = ("7ZaPa-NR", "aug-cc-pV7Z", "aug-mcc-pV8Z", "cc-pV8Z", "cc-pV9Z", "dyall-ae5z", "pV7Z", "aug-cc-pV5Z-PP-RIFIT", "SARC2-QZVP-ZORA-JKFIT",
          "3-21G", "6-31G*", "6-311++G**", "STO-3G", "binning 641+(df)", "CADPAC-TZ2P", "MIDI", "DFO-NRLMOL", "6-31G**-RIFIT")
# What no program for molecules writes a letter for in NWChem's format.
LARGEST_IN_NWCHEM = 7


def exponents_of(element):
    lists = {}
    for shell in element["electron_shells"]:
        for l in shell["angular_momentum"]:
            lists.setdefault(l, set()).update(float(x) for x in shell["exponents"])
    return {l: sorted(x, reverse=True) for l, x in lists.items()}


def is_cartesian(element):
    return any(s["function_type"] == "gto_cartesian" and max(s["angular_momentum"]) > 1 for s in element["electron_shells"])


def traits_of(element):
    """Why an element's set is among those that are looked at."""
    shells = element["electron_shells"]
    return (max(max(s["angular_momentum"]) for s in shells) if max(max(s["angular_momentum"]) for s in shells) > 5 else 0,
            any(len(s["angular_momentum"]) > 1 for s in shells), is_cartesian(element))


def examples(names):
    """(set, its role, symbol of its first element with something new, that element)."""
    for name in names:
        seen = set()
        basis = bse.get_basis(name)
        for z, element in basis["elements"].items():
            if "electron_shells" not in element or "ecp_potentials" in element:
                continue
            traits = traits_of(element)
            if traits in seen or not any(traits) or sorted(exponents_of(element)) != list(range(max(exponents_of(element)) + 1)):
                continue
            seen.add(traits)
            yield name, basis["role"], lut.element_sym_from_Z(z, True), element


class RoundTrips(InFolder):
    def read(self, name, symbol):
        done = self.run_program("basis", "export", name, "--element", symbol, "--format", "json")
        return exponents_of(next(iter(json.loads(done.stdout)["elements"].values())))

    def refused(self, name, symbol, why):
        self.assertIn(why, self.run_program("basis", "export", name, "--element", symbol, "--format", "json", status=2).stderr)

    def test_sets_go_to_and_fro(self):
        every = os.environ.get("PROPHET_INTEROP") == "long"
        tried = 0
        for name, role, symbol, element in examples(bse.get_all_basis_names() if every else SAMPLE):
            expected, cartesian = exponents_of(element), is_cartesian(element)
            for ours, theirs in FORMATS.items():
                with self.subTest(set=name, element=symbol, format=ours):
                    tried += 1
                    self.write("set.txt", bse.get_basis(name, elements=[symbol], fmt=theirs))
                    if ours == "json" and role != "orbital":
                        self.refused("set.txt", symbol, f"its role is '{role}'")
                    elif cartesian and ours in ("json", "nwchem"):
                        self.refused("set.txt", symbol, f"the functions of {symbol} with l = 2 and more are Cartesian")
                    else:
                        self.assertEqual(self.read("set.txt", symbol), expected)
            self.write("set.txt", bse.get_basis(name, elements=[symbol], fmt="gaussian94"))
            for ours, theirs in (("json", "json"), ("nwchem", "nwchem"), ("gaussian", "gaussian94")):
                with self.subTest(set=name, element=symbol, written=ours):
                    command = ("basis", "export", "set.txt", "--element", symbol, "--format", ours)
                    if ours == "nwchem" and max(expected) > LARGEST_IN_NWCHEM:
                        self.assertIn("no shells of angular momentum", self.run_program(*command, status=2).stderr)
                        continue
                    self.run_program(*command, "-o", "ours." + ours)
                    back = readers.read_formatted_basis_file(self.path("ours." + ours), theirs)
                    self.assertEqual(exponents_of(next(iter(back["elements"].values()))), expected)
        self.assertGreater(tried, 300 if every else 60)

    def test_other_formats_are_refused(self):
        # Sulfur and hydrogen: their symbols are letters of shells too.
        for symbol in ("H", "S", "F"):
            for form in bse.get_formats():
                if form in (*FORMATS.values(), "gaussian94lib", "psi4", "xtron"):
                    continue
                with self.subTest(element=symbol, format=form):
                    self.write("set.txt", bse.get_basis("cc-pVDZ", elements=[symbol], fmt=form))
                    self.assertIn("error", self.run_program("basis", "export", "set.txt", "--element", symbol, "--format", "json", status=2).stderr)
        for form, name in (("turbomole", "Turbomole's"), ("qchem", "Q-Chem's"), ("gamess_us", "GAMESS's"), ("molpro", "Molpro's")):
            self.write("set.txt", bse.get_basis("cc-pVDZ", elements=["Ne"], fmt=form))
            self.refused("set.txt", "Ne", f"{name} ")

    def test_formats_like_gaussians_are_read(self):
        expected = exponents_of(next(iter(bse.get_basis("cc-pV5Z", elements=["Ar"])["elements"].values())))
        for form in ("gaussian94lib", "psi4", "xtron"):
            self.write("set.txt", bse.get_basis("cc-pV5Z", elements=["Ar"], fmt=form))
            self.assertEqual(self.read("set.txt", "Ar"), expected, form)
        self.write("set.txt", bse.get_basis("6-31G*", elements=["Ar"], fmt="psi4"))
        self.refused("set.txt", "Ar", "Cartesian")


if __name__ == "__main__":
    unittest.main()
