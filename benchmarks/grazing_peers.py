#!/usr/bin/env python3
"""Grazing incidence beside BornAgain (PyPI: bornagain, 25): grazing_peers.py CUDAPROPHET. A particle on a substrate, four terms; and its
radial paracrystal. BornAgain's intensity of a pixel is divided by the pixel's solid angle; the ratio to ours must be one number."""
import subprocess
import sys
import tempfile
from pathlib import Path

import bornagain as ba
import h5py
import numpy as np
from bornagain import deg

program = sys.argv[1]
DELTA, BETA, WAVELENGTH, ALPHA_I = 6e-6, 2e-8, 1.0, 0.2
GREY = (0.5, 0.5, 0.5)
ROWS, COLUMNS, TOP, SIDE = 40, 41, 2.0, 1.5  # angles in degrees


def theirs(body, structure):
    vacuum, silicon = ba.RefractiveMaterial("vacuum", GREY, 0, 0), ba.RefractiveMaterial("substrate", GREY, DELTA, BETA)
    particle = ba.Particle(ba.RefractiveMaterial("particle", GREY, 1e-8, 0), body)
    top = ba.Layer(vacuum)
    top.deposit2D(structure(particle))
    sample = ba.Sample()
    sample.addLayer(top)
    sample.addLayer(ba.Layer(silicon))
    detector = ba.SphericalDetector(COLUMNS, -SIDE * deg, SIDE * deg, ROWS, 0, TOP * deg)
    simulation = ba.ScatteringSimulation(ba.Beam(1, 0.1 * WAVELENGTH, ALPHA_I * deg), sample, detector)
    image = np.asarray(simulation.simulate().intensities()).reshape(ROWS, COLUMNS)
    edges = np.linspace(0, TOP, ROWS + 1) * np.pi / 180
    return image / (np.sin(edges[1:]) - np.sin(edges[:-1]))[:, None]


def ours(arguments):
    row, column = TOP / ROWS / 2, SIDE / COLUMNS
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "f.h5"
        subprocess.run([program, "shape", *arguments, "--alpha-i", str(ALPHA_I), "--wavelength", str(WAVELENGTH),
                        "--alpha-f", f"{row}:{TOP - row}:{ROWS}", "--two-theta-f", f"{-SIDE + column}:{SIDE - column}:{COLUMNS}",
                        "--substrate", f"delta={DELTA},beta={BETA}", "--hdf5", file], check=True, capture_output=True)
        return h5py.File(file)["intensity"][:]


def radial(particle):
    crystal = ba.RadialParacrystal(particle, 20, 0)
    crystal.setProbabilityDistribution(ba.Profile1DGauss(2))
    return crystal


def alone(particle):
    return ba.Dilute2D(1e-6, particle)


CASES = [
    ("cylinder", ["--cylinder", "50,80"], lambda: ba.Cylinder(5, 8), alone),
    ("box", ["--box", "60,80,50"], lambda: ba.Box(6, 8, 5), alone),
    ("pyramid", ["--pyramid", "100,60,40"], lambda: ba.Pyramid4(10, 6, np.arctan2(6, 3)), alone),
    ("cone", ["--cone", "50,60"], lambda: ba.Cone(5, 6, np.arctan2(6, 5)), alone),
    ("radial paracrystal", ["--cylinder", "50,80", "--paracrystal", "200:20:1000000"], lambda: ba.Cylinder(5, 8), radial),
]
for name, arguments, body, structure in CASES:
    a, b = ours(arguments), theirs(body(), structure)
    if structure is radial:  # near q = 0 a finite chain has a peak that an infinite one lacks
        a, b = np.delete(a, COLUMNS // 2, axis=1), np.delete(b, COLUMNS // 2, axis=1)
    scale = (a * b).sum() / (b * b).sum()
    print(f"{name:20} {ROWS} x {COLUMNS} pixels, largest difference over the largest intensity {abs(a - scale * b).max() / a.max():.1e}, "
          f"largest relative one {np.max(abs(a / (scale * b) - 1)):.1e}")
