#!/usr/bin/env python3
"""Draws the errors of the three assignments of charges to a mesh, with the package (PYTHONPATH=build/release/python).

Usage: prophet_mesh_benchmark errors > errors.csv; mesh_plot.py errors.csv PICTURE.png
"""
import sys

from cudaprophet.plot import _style

import study

ORDERS = (4, 6, 8, 12)
# Gathering gives the numbers of spreading to rounding: one line for both.
METHODS = (("spread", "spread, gather", "-", "o"), ("filter", "filter", "--", "s"))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    rows = [{k: v if k == "method" else float(v) for k, v in row.items()} for row in study.read_table(sys.argv[1])]
    canvas = _style.Canvas(1, 2, width=8.4, height=4.2, sharey=True)
    left, right = canvas.panels
    for method, name, dashes, marker in METHODS:
        for i, order in enumerate(ORDERS):
            line = sorted((r["mesh"], r["force_error"]) for r in rows if r["method"] == method and r["order"] == order and r["beta"] == 0.4)
            left.loglog(*zip(*line), dashes, color=canvas.colour(i), marker=marker, markersize=3.5, linewidth=1.2,
                        markerfacecolor=canvas.colour(i) if method == "spread" else "white", label=f"{name}, order {order}")
        line = sorted((r["beta"], r["force_error"]) for r in rows if r["method"] == method and r["order"] == 4 and r["mesh"] == 48)
        right.semilogy(*zip(*line), dashes, color=canvas.colour(0), marker=marker, markersize=3.5, linewidth=1.2,
                       markerfacecolor=canvas.colour(0) if method == "spread" else "white", label=f"{name}, order 4")
    left.set_title(r"$\beta$ = 0.4 Å⁻¹", fontsize=10)
    right.set_title("48³ points", fontsize=10)
    left.set_xlabel("mesh points along each axis")
    meshes = sorted({int(r["mesh"]) for r in rows})
    left.set_xticks(meshes, [str(m) for m in meshes])
    left.minorticks_off()
    right.set_xlabel(_style.label(r"splitting $\beta$", "1/angstrom"))
    left.set_ylabel("relative error of the fields (rms)")
    canvas.legend(left, ncol=2, fontsize=8, loc="lower left")
    canvas.legend(right, fontsize=8)
    _style.save(canvas.figure, sys.argv[2])


main()
