#!/usr/bin/env python3
"""The particle-mesh Ewald sum of prophet_mesh_benchmark beside OpenMM's (PyPI: openmm), in the same run:
spme_peers.py PROGRAM CELLS MESH THREADS. KCl, 8 CELLS^3 ions, beta 0.3/angstrom, cutoff 9 angstrom, energy and forces. OpenMM has order 5
and, on its platform CPU, single precision, and does not look for neighbours again while nothing moves; ours is order 4, in double and in mixed precision. Seconds of
all processors are comparable where others use the machine too."""
import subprocess
import sys
import time

import numpy as np
import openmm as mm

program, cells, mesh, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
print(subprocess.run([program, "spme", *sys.argv[2:5]], capture_output=True, text=True, check=True).stdout, end="")

half = 0.5 * 0.62931  # nm
indices = np.array(np.meshgrid(*3 * [np.arange(2 * cells)], indexing="ij")).reshape(3, -1).T
charges = np.where(indices.sum(axis=1) % 2, -1.0, 1.0)
system = mm.System()
system.setDefaultPeriodicBoxVectors(*(2 * cells * half * np.eye(3)))
force = mm.NonbondedForce()
for charge in charges:
    system.addParticle(39)
    force.addParticle(float(charge), 1, 0)
force.setNonbondedMethod(mm.NonbondedForce.PME)
force.setCutoffDistance(0.9)
force.setPMEParameters(3.0, mesh, mesh, mesh)
force.setUseDispersionCorrection(False)
system.addForce(force)
madelung = 1.747564594633182
exact = -0.5 * len(charges) * madelung * 138.935457644 / half  # kJ/mol
for name, properties in (("CPU", {"Threads": threads}), ("Reference", {})):
    if name == "Reference" and len(charges) > 20000:
        continue  # quadratic
    context = mm.Context(system, mm.VerletIntegrator(0.001), mm.Platform.getPlatformByName(name), properties)
    best = processor = 1e9
    for repeat in range(8):
        context.setPositions(indices * half)
        start, busy = time.perf_counter(), time.process_time()
        state = context.getState(getEnergy=True, getForces=True)
        best, processor = min(best, time.perf_counter() - start), min(processor, time.process_time() - busy)
    energy = state.getPotentialEnergy().value_in_unit(mm.unit.kilojoule_per_mole)
    print(f"OpenMM {mm.version.version}, platform {name}, {len(charges)} ions, {mesh}^3, order 5, {threads} threads: {best:.4f} s, of all processors {processor:.4f} s, "
          f"energy off by {abs(energy / exact - 1):.2e}")
