#!/usr/bin/env python3
"""Writes frames of molten potassium chloride, the last of the trajectory of docs/tutorials/molten-salt.md, whose blocks it runs with the package
(PYTHONPATH=build/release/python): molten_frames.py FRAMES OUT.xyz. For `prophet_mesh_benchmark gaussian OUT.xyz`."""
import re
import sys
from pathlib import Path

page = Path(__file__).resolve().parent.parent / "docs" / "tutorials" / "molten-salt.md"
tutorial = {}
for block in re.findall(r"^```python\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL):
    exec(block, tutorial)
    if "liquid" in tutorial:
        break
edge, symbols = tutorial["box"], tutorial["symbols"]
with open(sys.argv[2], "w") as out:
    for frame in tutorial["liquid"][-int(sys.argv[1]):]:
        out.write(f'{len(symbols)}\nLattice="{edge} 0 0 0 {edge} 0 0 0 {edge}"\n')
        out.writelines(f"{symbol} {x:.10f} {y:.10f} {z:.10f}\n" for symbol, (x, y, z) in zip(symbols, frame))
