#!/usr/bin/env python3
"""The transform of prophet_mesh_benchmark by finufft (PyPI), in the same run: mesh_peers.py PROGRAM POINTS N TOLERANCE THREADS"""
import subprocess
import sys
import time

import finufft
import numpy as np

program, points, n, tolerance, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]), int(sys.argv[5])
print(subprocess.run([program, "nufft", *sys.argv[2:6]], capture_output=True, text=True, check=True).stdout, end="")
rng = np.random.default_rng(1)
x, y, z = rng.uniform(-np.pi, np.pi, (3, points))
c = rng.normal(size=points) + 1j * rng.normal(size=points)
plan = finufft.Plan(1, (n, n, n), eps=tolerance, isign=1, nthreads=threads)
best = 1e9
for _ in range(5):
    start = time.perf_counter()
    plan.setpts(x, y, z)
    plan.execute(c)
    best = min(best, time.perf_counter() - start)
print(f"finufft {finufft.__version__}: {best:.4f} s")
