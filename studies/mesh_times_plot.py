#!/usr/bin/env python3
"""Draws the times of the three assignments of charges to a mesh, with the package (PYTHONPATH=build/release/python).

Usage: mesh_times_plot.py docs/data/mesh-times.csv PICTURE.png
       mesh_times_plot.py gpu.log cpu.log PICTURE.png      logs of prophet_mesh_bench spme, and of prophet_mesh_benchmark spme CELLS
                                                           MESH THREADS for some sizes
"""
import re
import sys

from cudaprophet.plot import _style

import study

GPU = re.compile(r"(\d+) ions, \d+\^3, order 4, (\w+)\s*: assign ([\d.]+) ms, .* whole call ([\d.]+),")
CPU = re.compile(r"(\d+) ions, \d+\^3, order 4, (\w+)(?:, double precision)?, (\d+) threads: assign ([\d.]+) s, transforms ([\d.]+) s, interpolate ([\d.]+) s, pairs ([\d.]+) s")
METHODS = ("spread", "gather", "filter")


def of_log(path, place, pattern, unit):
    """{method: [(ions, seconds of assigning, of the whole call)]}, the disorder at the end of the GPU's left out."""
    found = {}
    for match in pattern.finditer(open(path).read().partition("moved by")[0]):
        times = [unit * float(x) for x in match.groups()[2 if place == "GPU" else 3:]]
        found.setdefault(match[2], []).append((int(match[1]), times[0], times[-1] if place == "GPU" else sum(times)))
    return {method: sorted(line) for method, line in found.items()}


def of_table(path, place):
    """The same; nan where a field is empty."""
    found = {}
    for row in study.read_table(path):
        if row["place"] == place:
            times = [float(row[key] or "nan") for key in ("assign_s", "all_s")]
            found.setdefault(row["method"], []).append((int(row["ions"]), *times))
    return found


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    if len(sys.argv) == 3:
        places = [("GPU", of_table(sys.argv[1], "GPU")), ("CPU", of_table(sys.argv[1], "CPU"))]
    else:
        places = [("GPU", of_log(sys.argv[1], "GPU", GPU, 1e-3)), ("CPU", of_log(sys.argv[2], "CPU", CPU, 1))]
    canvas = _style.Canvas(1, 2, width=8.4, height=4.0, sharey=True)
    for column, (axis, title) in enumerate(zip(canvas.panels, ("assigning charges (order 4)", "energy, forces and pressure"))):
        for place, data in places:
            for i, method in enumerate(METHODS):
                points = [(row[0], row[1 + column]) for row in data[method] if row[1 + column] == row[1 + column]]
                if points:
                    axis.loglog(*zip(*points), "-" if place == "GPU" else "--", color=canvas.colour(i), marker="osD"[i],
                                markersize=3.5, linewidth=1.2, markerfacecolor=canvas.colour(i) if place == "GPU" else "white",
                                label=f"{method}, {place}")
        axis.set_title(title, fontsize=10)
        axis.set_xlabel("ions of KCl")
    canvas.first.set_ylabel(_style.label("time", "s"))
    canvas.legend(canvas.first, ncol=2, fontsize=8)
    _style.save(canvas.figure, sys.argv[-1])


main()
