#!/usr/bin/env python3
"""Grazing incidence beside BornAgain (PyPI: bornagain, 25): grazing_peers.py CUDAPROPHET. Absolute cross sections of the scenes of
tests/matter/shape/scenes (a substrate, films, particles in them, rough interfaces); and a radial paracrystal, of which the ratio to ours
must be one number."""
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests/interop"))
import bornagain as ba  # noqa: E402
import bornagain_cases as cases  # noqa: E402

program = sys.argv[1]
ROWS, COLUMNS, TOP, SIDE = 40, 41, 2.0, 1.5  # angles in degrees


def ours(*arguments):
    """A field of the file at the pixels of BornAgain's detector, and the seconds of the command."""
    *arguments, field = arguments
    alpha, phi, _ = cases.pixels(ROWS, COLUMNS, TOP, SIDE)
    with tempfile.TemporaryDirectory() as folder:
        pixels, file = Path(folder) / "pixels.txt", Path(folder) / "f.h5"
        np.savetxt(pixels, [(a, p) for a in alpha for p in phi], fmt="%.17g")
        start = time.perf_counter()
        subprocess.run([program, "shape", *arguments, "--alpha-i", str(cases.ALPHA_I), "--wavelength", str(cases.WAVELENGTH), "--pixels", pixels,
                        "--hdf5", file], check=True, capture_output=True)
        return h5py.File(file)[field][:].reshape(ROWS, COLUMNS), time.perf_counter() - start


def report(name, a, b, more):
    print(f"{name:20} {ROWS} x {COLUMNS} pixels, largest difference over the largest {abs(a - b).max() / a.max():.1e}, "
          f"median of the relative ones {np.median(abs(a / b - 1)):.1e}, largest {np.max(abs(a / b - 1)):.1e}{more}")


for name, build in cases.CASES.items():
    found, seconds = ours(cases.SCENES / (name + ".yaml"), "cross_section")
    start = time.perf_counter()
    expected = cases.cross_sections(build, ROWS, COLUMNS, TOP, SIDE)
    report(name, found, expected, f"; {seconds:.2f} s, BornAgain {(time.perf_counter() - start) / 2:.2f} s")

# Little contrast, since BornAgain mixes the particles into their layer.
crystal = ba.RadialParacrystal(ba.Particle(ba.RefractiveMaterial("particle", cases.GREY, 1e-13, 0), ba.Cylinder(5, 8)), 20, 0)
crystal.setProbabilityDistribution(ba.Profile1DGauss(2))
top = cases.layer("air")
top.deposit2D(crystal)
made = ba.Sample()
for layer in (top, cases.layer("silicon")):
    made.addLayer(layer)
theirs = cases.intensities(made, ROWS, COLUMNS, TOP, SIDE) / cases.pixels(ROWS, COLUMNS, TOP, SIDE)[2]
delta, beta = cases.INDICES["silicon"]
found, _ = ours("--cylinder", "50,80", "--substrate", f"delta={delta},beta={beta}", "--paracrystal", "200:20:1000000", "intensity")
# Near q = 0 a finite chain has a peak that an infinite one lacks.
a, b = np.delete(found, COLUMNS // 2, axis=1), np.delete(theirs, COLUMNS // 2, axis=1)
report("radial paracrystal", a, b * (a * b).sum() / (b * b).sum(), "; one common factor")
