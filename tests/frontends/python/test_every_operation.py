"""Every operation of the catalogue by the shell, Python and C++: the same names of settings and the same digits."""
import json
import os
import shutil
import subprocess
import warnings
from pathlib import Path

import jsonschema
import pytest

from cudaprophet import _core
from cudaprophet._operations import FUNCTIONS, _spelled

ROOT = Path(__file__).resolve().parents[3]
SCHEMA = json.loads((ROOT / "docs/reference/record.schema.json").read_text())
TABLES = {t["name"]: t for t in map(json.loads, _core.operations())}
SALT = str(ROOT / "inputs/nacl.cif")

# A small request of each; all settings as texts or lists of them, which every front end takes.
REQUESTS = {
    "audit": {"sets": "universal", "elements": "He"},
    "batch": {"elements": "He,Ne", "charge": "0,1", "csv": "table.csv"},
    "basis_compare": {"first": "prophet-dz", "second": "prophet-tz"},
    "basis_contract": {"what": "He", "format": "nwchem"},
    "basis_export": {"what": "Ne", "format": "nwchem"},
    "basis_import": {"file": str(ROOT / "basis_sets/prophet-1/002-He.basis")},
    "basis_list": {},
    "basis_show": {"elements": "Ne"},
    "basis_table": {"first": "prophet-1", "elements": "He"},
    "bsopt": {"input": "he.inp"},
    "chain": {"elements": "He", "out": "sets", "threshold": "1e-4"},
    "compare": {"files": ["he.json", "he+.json"]},
    "correlation": {"atom": "He", "lmax": "1", "no_error_estimate": True},
    "energy": {"atom": "Fe2+", "config": "[Ar] 3d6", "breit": "breit", "nucleus": "fermi", "maxitr": "60"},
    "formfactor": {"species": "He", "q": "0:1:0.5"},
    "levels": {"atom": "C", "breit": "breit", "levels_csv": "levels.csv"},
    "limit": {"atom": "Ne", "hamiltonian": "nonrel"},
    "lines": {"atom": "Fe13+", "config": "3s2 3p", "multipoles": "M1 E2", "lines_csv": "lines.csv"},
    "madelung": {"file": SALT, "charges": "Na=1,Cl=-1"},
    "mean_field": {"atom": "Li", "breit": "gaunt", "library": "prophet-dz"},
    "pairs": {"file": SALT, "bins": "20", "range": "3"},
    "powder": {"file": str(ROOT / "inputs/coo.xyz"), "q": "1:2:0.5", "form_factors": "waasmaier-kirfel"},
    "sap": {"elements": "He", "ratio": "2.5"},
    "shape": {"sphere": "50", "q": "0,0,0.1"},
    "slater": {"atom": "Fe2+", "config": "[Ar] 3d6", "hole": "2p", "unit": "cm-1", "scale": "0.8"},
    "structure": {"crystal": "Cu", "shape": "sphere:5", "out": "cu.xyz"},
    "tables": {"species": ["He", "Ne"], "what": "compton,binding", "grid": "0,1", "by": "j,nl"},
    "tier": {"tier": "dz", "elements": "He", "out": "sets"},
    "validate": {"elements": "He", "against": "reference"},
}
HELIUM = ("Helium\n$contrl jobtype='bsopt' $end\n$nuc znuc=2 $end\n$bas bastype='wtbs' $end\n"
          "$wtbs wtbspara=0.08,1.95,4.5,1.5 nbs=8 $end\n$newuoa maxfun=5 $end\n")


@pytest.fixture(scope="session")
def atoms():
    return {atom: FUNCTIONS["energy"](atom, threads=1).to_dict() for atom in ("He", "He+")}


@pytest.fixture
def folder(tmp_path, monkeypatch, atoms):
    """Files that the requests name; what an operation writes there the next front end must not find."""
    monkeypatch.chdir(tmp_path)

    def begin():
        for path in tmp_path.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        (tmp_path / "he.inp").write_text(HELIUM)
        for name, atom in (("he", "He"), ("he+", "He+")):
            (tmp_path / f"{name}.json").write_text(json.dumps(atoms[atom]))

    return begin


def listed(value):
    return value if isinstance(value, list) else [value]


def by_shell(name, settings):
    table = {s["name"]: s for s in TABLES[name]["settings"]}
    words = [word for key, value in settings.items() if table[key]["positional"] for word in listed(value)]
    for key, value in settings.items():
        if not table[key]["positional"]:
            words += ["--" + key.replace("_", "-")] + ([] if table[key]["logical"] else [value])
    command = [os.environ["PROPHET_PROGRAM"], *TABLES[name]["command"].split()]
    taken = subprocess.run([*command, "--help", "all"], capture_output=True, text=True).stdout
    for option, value in (("--backend", "cpu"), ("--threads", "1")):
        words += [option, value] if option + " " in taken else []
    done = subprocess.run([*command, *words, "--json", "shell.json"], capture_output=True, text=True)
    assert done.returncode in (0, 1, 3), done.stderr
    return json.loads(Path("shell.json").read_text()), done.returncode == 0


def by_cxx(name, settings):
    done = subprocess.run([os.environ["PROPHET_RUN_OPERATION"], name, *(f"{k}={word}" for k, v in settings.items() for word in listed(v))],
                          capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout), done.returncode == 0


def by_python(name, settings):
    place = {"device": "cpu"} if TABLES[name]["on_gpus"] else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        record = FUNCTIONS[name](**{_spelled(k): v for k, v in settings.items()}, **place, threads=1)
    return record.to_dict(), record.ok


def timeless(value):
    """Without what differs from run to run."""
    if isinstance(value, dict):
        return {k: timeless(v) for k, v in value.items() if "seconds" not in k and k != "date"}
    return [timeless(v) for v in value] if isinstance(value, list) else value


def test_there_is_a_request_of_each():
    assert set(REQUESTS) == set(TABLES)


@pytest.mark.parametrize("name", sorted(REQUESTS))
def test_the_same_by_every_front_end(name, folder):
    found = []
    for front_end in (by_shell, by_python, by_cxx):
        folder()
        record, ok = front_end(name, REQUESTS[name])
        jsonschema.validate(record, SCHEMA)
        assert record["operation"] == name
        found.append(json.dumps([timeless(record), ok], sort_keys=True))
    assert found[0] == found[1] == found[2]
