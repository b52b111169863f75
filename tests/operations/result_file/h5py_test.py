"""Reads with h5py what the program writes, as docs/reference/hdf5.md describes it, and runs the lines of Python there.

Usage: h5py_test.py PROGRAM hdf5.md     exit status 77 (skipped) where there is no h5py
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import h5py
    import numpy as np
except ImportError:
    print("skipped: no h5py; Debian has it as python3-h5py")
    sys.exit(77)

program, page = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2])


def run(folder, *arguments):
    subprocess.run([program, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def check_single(folder):
    (folder / "rn.inp").write_text("Radon, \u00fc by default\n$nuc znuc=86 $end\n", encoding="utf-8")
    run(folder, "rn.inp", "--hdf5", "rn.h5", "--json", "rn.json", "--threads", "1")
    alone = json.loads((folder / "rn.json").read_text())
    with h5py.File(folder / "rn.h5") as f:
        assert f.attrs["format"] == "cudaprophet" and f.attrs["layout_version"] == 1
        assert (f.attrs["symbol"], f.attrs["Z"], f.attrs["charge"]) == ("Rn", 86, 0)
        assert f.attrs["title"] == "Radon, \u00fc by default"
        assert f.attrs["status"] == "converged" and f.attrs["iterations"] == alone["iterations"]
        assert f["input"].asstr()[()] == (folder / "rn.inp").read_text(encoding="utf-8")
        assert f["nucleus"].attrs["model"] == "Gaussian"
        assert f["nucleus"].attrs["exponent"] == alone["nucleus"]["exponent"]
        assert f["configuration"].attrs["description"] == alone["configuration"]["description"]
        assert f["energy"].attrs["total"] == alone["energy"]
        parts = dict(zip(f["energy/part_names"].asstr()[:], f["energy/part_values"][:]))
        assert parts == alone["energy_parts"], parts
        assert f["energy/part_values"].attrs["unit"] == "hartree"
        assert f["provenance"].attrs["version"] == alone["version"]
        for s in alone["basis"]["symmetries"]:
            assert list(f["basis/exponents"][s["label"]][:]) == s["exponents"]
        check_spinors(f, alone["orbitals"])
        check_properties(f["properties"], alone["properties"], alone["orbitals"])
        assert f["coefficients/large/s+"].shape == (6, len(alone["basis"]["symmetries"][0]["exponents"]))
        assert f["spinors/P"].fletcher32


def check_spinors(f, orbitals):
    spinors = f["spinors"]
    assert list(spinors["label"].asstr()[:]) == [o["label"] for o in orbitals]
    assert list(spinors["energy"][:]) == [o["energy"] for o in orbitals]
    assert spinors["P"].attrs["unit"] == "bohr^-1/2"
    r, P, Q, density = (spinors[name][:] for name in ("r", "P", "Q", "density"))
    h = np.log(r[-1] / r[0]) / (len(r) - 1)
    assert np.allclose(np.diff(np.log(r)), 1 / 32, atol=1e-12)
    integral = lambda values: np.sum(values * r) * h
    for i, orbital in enumerate(orbitals):
        assert abs(integral(P[i] ** 2 + Q[i] ** 2) - 1) < 1e-9
        mean = integral((P[i] ** 2 + Q[i] ** 2) * r)
        assert abs(mean / orbital["mean_radius"] - 1) < 1e-8
    assert abs(integral(4 * np.pi * r**2 * density) / sum(o["occupation"] for o in orbitals) - 1) < 1e-9


def check_properties(group, alone, orbitals):
    assert group.attrs["one_electron_energy"] == alone["one_electron_energy"]
    assert group["nucleus"].attrs["density"] == alone["nucleus"]["density"]
    powers = list(group["powers"][:])
    values = alone["expectation_values"]
    assert group["total_moments"][powers.index(2)] == values["total"]["r^2"]
    assert group["moments"].shape == (len(orbitals), len(powers))
    assert group["moments"][0, powers.index(1)] == values[orbitals[0]["label"]]["r"]
    splittings = dict(zip(group["spin_orbit_shells"].asstr()[:], group["spin_orbit_splittings"][:]))
    assert splittings == alone["spin_orbit_splittings"]


def check_collection(folder):
    run(folder, "batch", "--elements", "He,Ne", "--charge", "0,1", "--hdf5", "all.h5", "--csv", "all.csv", "--quiet",
        "--backend", "cpu")
    with h5py.File(folder / "all.h5") as f:
        assert f.attrs["content"] == "collection"
        assert sorted(f) == ["He", "He+", "Ne", "Ne+"]
        assert f["Ne+"].attrs["charge"] == 1
        assert f["Ne+/spinors/P"].shape[0] == 4


def check_page(folder):
    block = re.search(r"```python\n(import h5py\n.*?)```", page.read_text(), re.S)
    assert block, "the page has no lines that begin with import h5py"
    assert len(block[1].splitlines()) <= 6, "five lines and the import, please"
    out = subprocess.run([sys.executable, "-c", block[1]], cwd=folder, check=True, capture_output=True, text=True).stdout
    assert "Rn" in out and "-23602." in out, out


with tempfile.TemporaryDirectory() as scratch:
    check_single(Path(scratch))
    check_collection(Path(scratch))
    check_page(Path(scratch))
print("all as docs/reference/hdf5.md says")
