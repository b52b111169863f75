#!/usr/bin/env python3
"""Draws the series of Hennessey (2018) with stored integrals, and prints its tables with CPU columns and speedups.

Usage: thesis_plot.py docs/data/thesis-series.csv [PICTURE.png]    the picture needs the package (PYTHONPATH=build/release/python)
The rows of the processor are those of prophet_thesis_benchmark, those of the GPU of prophet_cuda_bench; the thesis's own are quoted.
"""
import sys

import study

PARTS = (("integrals_s", "two-electron integrals"), ("fock_s", "P and Q"), ("whole_s", "whole calculation"))


def read(path):
    """{place: {functions: row}}"""
    found = {}
    for row in study.read_table(path):
        found.setdefault(row["place"], {})[int(row["functions"])] = row
    return found


def number(row, part):
    return float(row[part]) if row and row[part] else None


def text(seconds):
    if seconds is None:
        return ""
    return f"{1e3 * seconds:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


def tables(data):
    for part, title in PARTS:
        print(f"| functions | {title}: " + " | ".join(data) + " | speedup of the GPU here |\n|" + " ---: |" * (len(data) + 2))
        for functions in sorted({n for rows in data.values() for n in rows}):
            times = {place: number(rows.get(functions), part) for place, rows in data.items()}
            cpu, gpu = times.get("CPU, 1 thread"), times.get("H200")
            print(f"| {functions} | " + " | ".join(map(text, times.values())) + f" | {f'{cpu / gpu:.0f}' if cpu and gpu else ''} |")
        print()


def picture(data, path):
    from cudaprophet.plot import _style

    canvas = _style.Canvas(1, 3, width=10.2, height=3.9, sharey=True)
    for axis, (part, title) in zip(canvas.panels, PARTS):
        for i, (place, rows) in enumerate(data.items()):
            points = [(n, number(row, part)) for n, row in sorted(rows.items()) if number(row, part)]
            if points:
                axis.semilogy(*zip(*points), "-", color=canvas.colour(i), marker="osDv^"[i], markersize=3.5, linewidth=1.2, label=place)
        axis.set_title(title, fontsize=10)
        axis.set_xlabel("functions in each of seven symmetries")
    canvas.first.set_ylabel(_style.label("time", "s"))
    canvas.legend(canvas.first, fontsize=8)
    _style.save(canvas.figure, path)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    data = read(sys.argv[1])
    tables(data)
    if len(sys.argv) == 3:
        picture(data, sys.argv[2])


if __name__ == "__main__":
    main()
