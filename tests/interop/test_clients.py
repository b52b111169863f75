"""Basis sets to and from other programs: basis_set_exchange's readers, writers and validator, and PySCF."""
import json
import os
import unittest
import warnings

import basis_set_exchange as bse
from basis_set_exchange import readers, validator
from pyscf import gto, scf

from in_folder import InFolder

warnings.simplefilter("ignore")


def exponents_of(element):
    """{l: exponents, descending} of an element of the Exchange's dictionaries."""
    lists = {}
    for shell in element["electron_shells"]:
        for l in shell["angular_momentum"]:
            lists.setdefault(l, set()).update(float(x) for x in shell["exponents"])
    return {l: sorted(x, reverse=True) for l, x in lists.items()}


class Export(InFolder):
    def exported(self, form, name):
        self.run_program("basis", "export", "Ne,Cl", "--format", form, "-o", name)
        return self.path(name)

    def test_the_exchange_reads_every_format_to_the_same_numbers(self):
        with open(self.exported("json", "a.json"), encoding="utf-8") as file:
            expected = json.load(file)
        for form, name in (("nwchem", "nwchem"), ("gaussian", "gaussian94"), ("json", "json")):
            read = readers.read_formatted_basis_file(self.exported(form, "b." + form), name)
            self.assertEqual(sorted(read["elements"]), ["10", "17"])
            for z in ("10", "17"):
                self.assertEqual(exponents_of(read["elements"][z]), exponents_of(expected["elements"][z]), form)

    def test_the_validator_accepts_json(self):
        name = self.exported("json", "a.json")
        validator.validate_file("complete", name)
        self.assertLess(os.path.getsize(name), 60000)

    def test_pyscf_gives_every_element_its_own_functions(self):
        name = self.exported("nwchem", "my.nw")
        both = gto.M(atom="Ne 0 0 0; Cl 0 0 3", basis=name, spin=1, verbose=0)
        for symbol, spin in (("Ne", 0), ("Cl", 1)):
            alone = gto.M(atom=symbol, basis=name, spin=spin, verbose=0)
            text = self.run_program("basis", "export", symbol, "--format", "json").stdout
            expected = exponents_of(next(iter(json.loads(text)["elements"].values())))
            self.assertEqual(alone.nao, sum((2 * l + 1) * len(x) for l, x in expected.items()))
        self.assertEqual(len(both._basis), 2)
        self.assertNotEqual(both._basis["Ne"], both._basis["Cl"])

    def test_functions_for_the_core_come_where_they_are_wanted(self):
        without = self.run_program("basis", "export", "Ar", "--library", "prophet-tz", "--format", "json", "-o", "v.json")
        self.assertEqual(without.stderr, "")
        self.run_program("basis", "export", "Ar", "--library", "prophet-tz", "--with", "core", "--format", "json", "-o", "cv.json")
        self.run_program("basis", "export", "Ar", "--library", "prophet-tz", "--with", "core", "--format", "nwchem", "-o", "cv.nw")
        valence, core = (exponents_of(readers.read_formatted_basis_file(self.path(name), "json")["elements"]["18"]) for name in ("v.json", "cv.json"))
        # As many functions as dyall-v3z and dyall-cv3z, and the steep d function of Al to Ar.
        for ours, name in ((valence, "dyall-v3z"), (core, "dyall-cv3z")):
            theirs = exponents_of(bse.get_basis(name, elements=[18])["elements"]["18"])
            self.assertEqual({l: len(x) - (l == 2) for l, x in ours.items()}, {l: len(x) for l, x in theirs.items()}, name)
        atom = gto.M(atom="Ar", basis=self.path("cv.nw"), verbose=0)
        self.assertEqual(atom.nao, sum((2 * l + 1) * len(x) for l, x in core.items()))

    def test_diffuse_functions_come_where_they_are_wanted(self):
        for form in ("json", "nwchem", "gaussian", "dirac"):
            self.run_program("basis", "export", "F", "--library", "prophet-tz", "--with", "core,diffuse", "--format", form, "-o", "all." + form)
        self.run_program("basis", "export", "F", "--library", "prophet-tz", "--format", "nwchem", "-o", "v.nw")
        self.run_program("basis", "export", "F", "--library", "prophet-tz", "--with", "diffuse", "--format", "nwchem", "-o", "av.nw")
        read = [exponents_of(readers.read_formatted_basis_file(self.path("all." + form), name)["elements"]["9"])
                for form, name in (("json", "json"), ("nwchem", "nwchem"), ("gaussian", "gaussian94"))]
        self.assertEqual(read[0], read[1])
        self.assertEqual(read[0], read[2])
        back = self.run_program("basis", "export", "all.dirac", "--element", "F", "--format", "json").stdout
        self.assertEqual(exponents_of(json.loads(back)["elements"]["9"]), read[0])
        # As many functions as dyall-av3z; the negative ion, which the others do not hold well, gains millihartrees.
        theirs = exponents_of(bse.get_basis("dyall-av3z", elements=[9])["elements"]["9"])
        ours = exponents_of(readers.read_formatted_basis_file(self.path("av.nw"), "nwchem")["elements"]["9"])
        self.assertEqual({l: len(x) for l, x in ours.items()}, {l: len(x) for l, x in theirs.items()})
        with_, without = (scf.RHF(gto.M(atom="F", charge=-1, basis=self.path(name), verbose=0)).run().e_tot for name in ("av.nw", "v.nw"))
        self.assertLess(with_, without - 0.003)

    def test_an_average_list_is_well_conditioned(self):
        split = ("basis", "export", "Rn", "--library", "prophet-1", "--format", "nwchem")
        done = self.run_program(*split, "-o", "all.nw")
        self.assertIn("shared average", done.stderr)
        done = self.run_program(*split, "--shared", "average", "-o", "one.nw")
        self.assertNotIn("--shared", done.stderr)
        done = self.run_program("basis", "export", "Rn", "--format", "nwchem", "-o", "shared.nw")
        self.assertNotIn("--shared", done.stderr)


class Import(InFolder):
    def sets_of(self, text, name, element):
        self.write(name, text)
        done = self.run_program("basis", "export", name, "--element", element, "--format", "json")
        return exponents_of(next(iter(json.loads(done.stdout)["elements"].values())))

    def test_what_the_exchange_writes_is_read_in_every_format(self):
        for basis, element in (("dyall-v2z", "Ne"), ("6-31G", "C"), ("ANO-RCC", "Fe"), ("SARC-DKH2", "Rn"),
                               ("Sapporo-DKH3-DZP-2012", "Xe"), ("cc-pVTZ", "H"), ("UGBS", "Rn")):
            expected = exponents_of(next(iter(bse.get_basis(basis, elements=[element])["elements"].values())))
            for form in ("json", "nwchem", "gaussian94"):
                text = bse.get_basis(basis, elements=[element], fmt=form)
                self.assertEqual(self.sets_of(text, "set." + form, element), expected, f"{basis} {form}")

    def test_a_core_potential_is_refused(self):
        for form in ("json", "nwchem", "gaussian94"):
            name = "def2." + form
            self.write(name, bse.get_basis("def2-SVP", elements=["Ne", "Rn"], fmt=form))
            done = self.run_program("basis", "import", name, "--element", "Rn", status=2)
            self.assertIn("effective core potential", done.stderr)
            self.assertRegex(done.stderr, rf"{name}:\d+: error")
            self.run_program("basis", "import", name, "--element", "Ne")

    def test_dyall_v2z_of_neon_has_its_energy(self):
        self.write("dyall-v2z.json", bse.get_basis("dyall-v2z", fmt="json"))
        self.write("ne.inp", "Neon\n$nuc z=10 $end\n$bas bastype='file' file='dyall-v2z.json' $end\n")
        done = self.run_program("ne.inp", "--quiet")
        self.assertAlmostEqual(float(done.stdout.split()[0]), -128.6857049702, places=7)


if __name__ == "__main__":
    unittest.main()
