"""Grazing incidence on layers beside BornAgain: the same samples, absolute cross sections."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

import bornagain_cases as cases

PROGRAM = os.environ["PROPHET_PROGRAM"]
ROWS, COLUMNS, TOP, SIDE = 12, 9, 2.0, 1.5


class CrossSections(unittest.TestCase):
    def test_scenes(self):
        alpha, phi, _ = cases.pixels(ROWS, COLUMNS, TOP, SIDE)
        for name, build in cases.CASES.items():
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                pixels, file = Path(folder) / "pixels.txt", Path(folder) / "f.h5"
                np.savetxt(pixels, [(a, p) for a in alpha for p in phi], fmt="%.17g")
                done = subprocess.run([PROGRAM, "shape", cases.SCENES / (name + ".yaml"), "--alpha-i", str(cases.ALPHA_I), "--wavelength",
                                       str(cases.WAVELENGTH), "--pixels", pixels, "--hdf5", file], capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                with h5py.File(file) as result:
                    ours = result["cross_section"][:]
                theirs = cases.cross_sections(build, ROWS, COLUMNS, TOP, SIDE).ravel()
                self.assertLess(abs(np.sqrt(ours) - np.sqrt(theirs)).max(), 3e-7 * np.sqrt(theirs.max()))

    def test_stored_numbers(self):
        """Those that the tests in C++ compare with are what BornAgain gives."""
        stored = np.loadtxt(cases.SCENES / "cross-sections.csv", delimiter=",", comments=("#", "scene"), usecols=3)
        now = np.concatenate([cases.cross_sections(build).ravel() for build in cases.CASES.values()])
        self.assertLess(abs(stored / now - 1).max(), 1e-9)


if __name__ == "__main__":
    unittest.main()
