#!/usr/bin/env python3
"""Draws the errors of the three assignments: prophet_mesh_benchmark errors > errors.csv; mesh_plot.py errors.csv PICTURE.png"""
import csv
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

rows = [{k: v if k == "method" else float(v) for k, v in row.items()} for row in csv.DictReader(open(sys.argv[1]))]
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), sharey=True)
styles = {"spread": "-", "gather": ":", "filter": "--"}
colours = {4: "tab:blue", 6: "tab:orange", 8: "tab:green", 12: "tab:red"}
for method, style in styles.items():
    for order, colour in colours.items():
        line = sorted((r["mesh"], r["force_error"]) for r in rows if r["method"] == method and r["order"] == order and r["beta"] == 0.4)
        left.loglog(*zip(*line), style, color=colour, marker="o" if method != "gather" else "x", markersize=4, label=f"{method}, order {order}")
    line = sorted((r["beta"], r["force_error"]) for r in rows if r["method"] == method and r["order"] == 4 and r["mesh"] == 48)
    right.semilogy(*zip(*line), style, marker="o" if method != "gather" else "x", markersize=4, label=f"{method}, order 4, 48³")
left.set_xlabel("mesh points along each axis (beta 0.4/Å)")
right.set_xlabel("splitting beta (1/angstrom)")
left.set_ylabel("relative error of the fields (rms)")
left.legend(fontsize=6, ncol=3)
right.legend(fontsize=7)
for axis in (left, right):
    axis.grid(alpha=0.3)
figure.tight_layout()
figure.savefig(sys.argv[2], dpi=110)
