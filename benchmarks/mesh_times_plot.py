#!/usr/bin/env python3
"""Draws the times of the three assignments: prophet_mesh_bench spme > gpu.log; prophet_mesh_benchmark spme CELLS MESH THREADS for some
sizes > cpu.log; mesh_times_plot.py gpu.log cpu.log PICTURE.png"""
import re
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

GPU = re.compile(r"(\d+) ions, \d+\^3, order 4, (\w+)\s*:\s+[\d.]+ ms \(assign ([\d.]+), transforms ([\d.]+), interpolate ([\d.]+), pairs ([\d.]+)\)")
CPU = re.compile(r"(\d+) ions, \d+\^3, order 4, (\w+), (\d+) threads: assign ([\d.]+) s, transforms ([\d.]+) s, interpolate ([\d.]+) s, pairs ([\d.]+) s")


def rows(path, pattern, unit):
    """{method: [(ions, seconds of assigning, of all)]}"""
    found = {}
    for match in pattern.finditer(open(path).read()):
        times = [unit * float(x) for x in match.groups()[-4:]]
        found.setdefault(match[2], []).append((int(match[1]), times[0], sum(times)))
    return {method: sorted(line) for method, line in found.items()}


figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), sharey=True)
for data, style, name in ((rows(sys.argv[1], GPU, 1e-3), "-", "GPU"), (rows(sys.argv[2], CPU, 1), "--", "CPU")):
    for method, colour in (("spread", "tab:blue"), ("gather", "tab:orange"), ("filter", "tab:green")):
        ions, assign, whole = zip(*data[method])
        left.loglog(ions, assign, style, color=colour, marker="o", markersize=4, label=f"{method}, {name}")
        right.loglog(ions, whole, style, color=colour, marker="o", markersize=4, label=f"{method}, {name}")
left.set_title("assigning charges (order 4)", fontsize=10)
right.set_title("energy and forces", fontsize=10)
left.set_ylabel("seconds")
for axis in (left, right):
    axis.set_xlabel("ions of KCl")
    axis.grid(alpha=0.3)
left.legend(fontsize=7)
figure.tight_layout()
figure.savefig(sys.argv[3], dpi=110)
