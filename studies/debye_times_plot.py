#!/usr/bin/env python3
"""Draws the times of Debye sums beside those of A. L. Reiten's thesis (NTNU 2010, figures 4.7 and 5.3), with the package (PYTHONPATH=build/release/python).

Usage: debye_times_plot.py TABLE.csv... PICTURE.png     tables as prophet_direct_benchmark writes them (docs/data/debye-times.csv); the same
                                                        place with another number of processors or GPUs is another curve
"""
import sys

from cudaprophet.plot import _style

import study

THESIS = {"triangle": (50000, 39.3e-3), "rectangle": (50000, 78.5e-3)}  # table 5.2, seconds for a q, single precision
PATTERNS = [(27633, 18.0), (148789, 511.0)]  # figure 4.7, 1456 q, seconds; balls of CoO of radii 40 and 70 angstrom
MOMENTA = 1456


def rows_of(path):
    for row in study.read_table(path):
        yield {**row, "atoms": int(row["atoms"]), "q": int(row["q"]), "seconds": float(row["seconds"])}


def name_of(row):
    unit = "thread" if row["place"] == "CPU" else "GPU"
    return f"{row['count']} {unit}{'s' if int(row['count']) > 1 else ''}"


def draw(axis, canvas, rows, kinds, factor):
    """A curve for each machine and kind; `factor`: of the time for one q."""
    machines = list(dict.fromkeys(name_of(row) for row in rows))
    for i, machine in enumerate(machines):
        for (what, precision), (line, marker, label) in kinds.items():
            points = sorted((row["atoms"], factor * row["seconds"] / row["q"]) for row in rows
                            if (row["what"], row["precision"]) == (what, precision) and name_of(row) == machine)
            if points:
                axis.loglog(*zip(*points), line, color=canvas.colour(i), marker=marker, markersize=4, linewidth=1.2, label=f"{label}, {machine}")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    rows = [row for path in sys.argv[1:-1] for row in rows_of(path)]
    canvas = _style.Canvas(1, 2, width=8.8, height=5.2)
    left, right = canvas.panels
    draw(left, canvas, rows, {("triangle", "single"): ("-", "o", "one kind, single"), ("triangle", "double"): ("--", "s", "one kind, double"),
                              ("rectangle", "single"): ("", "D", "two kinds, single")}, 1)
    for what, marker in (("triangle", "*"), ("rectangle", "P")):
        left.loglog(*zip(THESIS[what]), marker, color="black", markersize=8, label=f"{'one kind' if what == 'triangle' else 'two kinds'}, thesis (GPU, 2010)")
    left.set_title("pairs of kinds of N atoms (figure 5.3)", fontsize=10)
    left.set_ylabel(_style.label("time for one q", "s"))
    draw(right, canvas, rows, {("ball", "single"): ("-", "o", "direct, single"), ("ball", "double"): ("--", "s", "direct, double"),
                               ("histogram", "double"): (":", "^", "histogram")}, MOMENTA)
    right.loglog(*zip(*PATTERNS), "-", color="black", marker="*", markersize=8, label="direct, thesis (GPU, 2010)")
    right.set_title(f"pattern of a ball of CoO, {MOMENTA} q (figure 4.7)", fontsize=10)
    right.set_ylabel(_style.label("time", "s"))
    for axis in canvas.panels:
        axis.set_xlabel("atoms")
        canvas.legend(axis, fontsize=7.5, ncol=2, loc="upper center", bbox_to_anchor=(0.5, -0.14))
    _style.save(canvas.figure, sys.argv[-1])


main()
