#!/usr/bin/env python3
"""What Python adds to an energy: the time of atom.energy() less that of the core's compute(), in milliseconds.

Usage: PYTHONPATH=build/release/python python3 studies/python_overhead.py
"""
import statistics
import time

import cudaprophet as cp

for symbol, repeats in (("He", 400), ("Ne", 200), ("Rn", 50)):
    atom = cp.Atom(symbol)
    atom.energy(threads=1)  # the basis set is chosen once for an atom
    whole, added = [], []
    for _ in range(repeats):
        start = time.perf_counter()
        result = atom.energy(threads=1)
        seconds = time.perf_counter() - start
        whole.append(1e3 * seconds)
        added.append(1e3 * (seconds - result.to_dict()["timings_seconds"]["total"]))
    print(f"{symbol:<3} energy() {statistics.median(whole):7.3f} ms, of it Python {statistics.median(added):.3f} ms "
          f"(median of {repeats}; smallest {min(added):.3f} ms)")
