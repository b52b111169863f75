#!/usr/bin/env python3
"""Form factors beside BornAgain's (PyPI: bornagain) on the same momentum transfers: shape_peers.py CUDAPROPHET
BornAgain's bodies stand on z = 0 and are in nm; they are moved here and taken as angstrom."""
import subprocess
import sys

import bornagain as ba
import numpy as np

program = sys.argv[1]
CASES = [
    ("--sphere 5", ba.Sphere(5), 5),
    ("--cylinder 4,9", ba.Cylinder(4, 9), 4.5),
    ("--box 4,6,9", ba.Box(4, 6, 9), 4.5),
    ("--pyramid 8,6", ba.Pyramid4(8, 6, np.arctan2(6, 4)), 3),
    ("--pyramid 8,6,3", ba.Pyramid4(8, 6, np.arctan2(6, 2.5)), 3),
    ("--cone 5,6", ba.Cone(5, 6, np.arctan2(6, 5)), 3),
]
GRIDS = ["-1:1:9,-0.7:1.2:9,0.1:1.3:9", "0:1e-6:4,0,0:1e-3:5", "-1:1:5,0,0", "0,0,-2:2:9"]
for option, body, middle in CASES:
    for grid in GRIDS:
        out = subprocess.run([program, "shape", *option.split(), "--method", "exact", "--q-grid", grid], capture_output=True, text=True,
                             check=True).stdout
        rows = np.array([line.split() for line in out[out.index("|F|^2") + 5:].strip().splitlines()], float)
        ours = rows[:, 3] + 1j * rows[:, 4]
        q = rows[:, :3]
        theirs = np.array([body.formfactorAtBottom(ba.C3(*p)) for p in q]) * np.exp(-1j * q[:, 2] * middle)
        surface = abs(ours).max()
        print(f"{option:18} {grid:30} {len(q):4} points, largest difference over the largest |F|: {abs(ours - theirs).max() / surface:.1e}")
