#!/usr/bin/env python3
"""The form factor of O2- in MgO beside the published fit of Waasmaier and Kirfel (1995) as a table:
oxide_form_factor.py CUDAPROPHET. The shell is that of `$crystal file='inputs/mgo.cif' site='O'`."""
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

program = Path(sys.argv[1]).resolve()
S = [0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0, 1.5]  # sin(theta)/lambda, 1/angstrom
Q = ",".join(f"{4 * math.pi * s:.12g}" for s in S)
SHELL = "2,2.2773"


def run(folder, *arguments):
    subprocess.run([program, *arguments], cwd=folder, check=True, capture_output=True)


def computed(folder, *options):
    run(folder, "formfactor", "O2-", *options, "--q", Q, "--json", "f.json")
    return json.loads((folder / "f.json").read_text())["species"][0]["f"]


def published(folder):
    """Of one ion the powder pattern is the square of its form factor."""
    (folder / "one.xyz").write_text("1\n\nO2- 0 0 0\n")
    run(folder, "powder", "one.xyz", "--form-factors", "waasmaier-kirfel", "--q", Q, "--json", "p.json")
    return [math.sqrt(i) for i in json.loads((folder / "p.json").read_text())["intensity"]]


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    embedded, fit = computed(folder, "--watson", SHELL), published(folder)
print("| sin θ/λ (1/Å) | in MgO | Waasmaier and Kirfel | difference |\n| ---: | ---: | ---: | ---: |")
for s, a, b in zip(S, embedded, fit):
    print(f"| {s:.2f} | {a:.4f} | {b:.4f} | {a - b:+.4f} |")
