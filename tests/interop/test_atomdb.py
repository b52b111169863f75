"""AtomDB as a reader of proatoms (cudaprophet ... --proatom NAME.msg)."""
import json
import os
import subprocess
import tempfile
import unittest

import atomdb
import numpy

PROGRAM = os.environ["PROPHET_PROGRAM"]


class Proatoms(unittest.TestCase):
    def species(self, arguments, element, charge, multiplicity, electrons):
        """What AtomDB loads, and the record of the same calculation."""
        with tempfile.TemporaryDirectory() as folder:
            database = os.path.join(folder, "prophet", "db")
            os.makedirs(database)
            name = f"{element}_{charge:03d}_{multiplicity:03d}_000.msg"
            done = subprocess.run([PROGRAM, *arguments, "--proatom", os.path.join(database, name), "--json", "-"],
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            # Files are there: without an address AtomDB asks no server.
            loaded = atomdb.load(element, charge, multiplicity, dataset="prophet", datapath=folder, remotepath="")
            self.assertEqual(loaded.nelec, electrons)
            return loaded, json.loads(done.stdout)

    def test_energy_and_number_of_electrons(self):
        for arguments, element, charge, multiplicity, electrons in (
                (["limit", "C", "--functional", "pbe"], "C", 0, 3, 6),
                (["energy", "Fe2+", "--functional", "pbe0", "--no-error-estimate"], "Fe", 2, 5, 24)):
            loaded, record = self.species(arguments, element, charge, multiplicity, electrons)
            self.assertAlmostEqual(loaded.energy, record["energy"], delta=1e-12 * abs(loaded.energy))
            density = loaded.dens_func(log=True)
            logarithms = numpy.linspace(numpy.log(1e-6), numpy.log(40.0), 4001)
            radii = numpy.exp(logarithms)
            counted = numpy.trapezoid(4 * numpy.pi * radii**3 * density(radii), logarithms)
            self.assertAlmostEqual(counted, electrons, delta=1e-4)
            # The first derivative of AtomDB's spline of our densities is the one that we state.
            stated = loaded.d_dens_func(log=False)(radii[1500:3000])
            self.assertLess(numpy.max(numpy.abs(density(radii[1500:3000], deriv=1) / stated - 1)), 1e-2)


if __name__ == "__main__":
    unittest.main()
