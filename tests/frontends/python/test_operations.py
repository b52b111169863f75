"""Operations: one function each, the same numbers as the program's, results that travel."""
import inspect
import json
import os
import pickle
import subprocess
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import cudaprophet as cp
from cudaprophet import _core
from cudaprophet._operations import FUNCTIONS

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = os.environ["PROPHET_PROGRAM"]
SCHEMA = json.loads((ROOT / "docs/reference/record.schema.json").read_text())
SALT = str(ROOT / "inputs/nacl.cif")


def by_program(tmp_path: Path, *words: str) -> dict:
    out = tmp_path / "out.json"
    subprocess.run([PROGRAM, *words, "--json", str(out)], check=True, capture_output=True)
    return json.loads(out.read_text())


def same(a, b) -> bool:
    """But for how long it took."""
    return {**a, "seconds": 0} == {**b, "seconds": 0}


def test_madelung_is_that_of_the_program(tmp_path):
    record = cp.madelung(SALT, charges={"Na": 1, "Cl": -1}, threads=1)
    assert record.madelung_constant == pytest.approx(1.7475645946331822, abs=1e-13)
    assert record.energy == record.energy_hartree == record.to_dict()["energy_hartree"]
    assert record.force.shape == (8, 3) and record.charge.sum() == 0
    shell = by_program(tmp_path, "madelung", SALT, "--charges", "Na=1,Cl=-1", "--threads", "1")
    given = record.to_dict()
    assert given["request"].pop("charges") == {"Na": 1, "Cl": -1} and shell["request"].pop("charges") == "Na=1,Cl=-1"
    assert same(given, shell)
    jsonschema.validate(shell, SCHEMA)


def test_atoms_in_the_place_of_a_file():
    edge = 5.6402
    salt = [(0, 0, 0), (0, .5, .5), (.5, 0, .5), (.5, .5, 0), (.5, .5, .5), (.5, 0, 0), (0, .5, 0), (0, 0, .5)]
    record = cp.madelung(["Na"] * 4 + ["Cl"] * 4, edge * np.array(salt), lattice=edge * np.eye(3), charges="Na=1,Cl=-1")
    assert record.madelung_constant == pytest.approx(1.7475645946331822, abs=1e-12)
    with pytest.raises(cp.Error, match="lattice"):
        cp.madelung(SALT, lattice=np.eye(3))


def test_everything_wrong_is_said_at_once():
    with pytest.raises(cp.Error) as caught:
        cp.madelung(SALT, order=3, method="fast", beta=-1, cutof=2)
    lines = dict(line.split(": ", 1) for line in str(caught.value).splitlines())
    assert set(lines) == {"order", "method", "beta", "cutof"}
    assert "did you mean 'cutoff'?" in lines["cutof"] and lines["order"] == "found 3; expected a whole number, 4 to 12"


@pytest.mark.parametrize("values, text", [
    ({"q": [0.1, float("nan")]}, "q: found a number that is infinite or nan; expected finite numbers"),
    ({"functional": "\udc80"}, "functional: found .*; expected text in UTF-8"),
])
def test_what_json_does_not_have_is_said(values, text):
    with pytest.raises(cp.Error, match=text):
        cp.formfactor("Ne", **values)


def test_records_travel():
    record = cp.madelung(SALT, charges={"Na": 1, "Cl": -1})
    again = pickle.loads(pickle.dumps(record))
    assert again.to_dict() == record.to_dict() and np.array_equal(again.potential, record.potential)
    frame = record.to_dataframe()
    assert list(frame["label"]) == ["Na1", "Na2", "Na3", "Na4", "Cl1", "Cl2", "Cl3", "Cl4"] and "field_x" in frame
    assert "<pre>Charges of" in record._repr_html_() and "Madelung constant" in str(record)
    assert "madelung_constant" in dir(record)
    with pytest.raises(AttributeError, match="has no 'nothing'"):
        record.nothing


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_every_operation_says_what_it_takes(name):
    function = FUNCTIONS[name]
    assert function.__doc__ and getattr(cp, name).__doc__ and name in cp.__all__
    for parameter in inspect.signature(function).parameters:
        assert f"`{parameter}`" in function.__doc__ or f"`{parameter.rstrip('_')}`" in function.__doc__, parameter
    command = next(t["command"] for t in map(json.loads, _core.operations()) if t["name"] == name)
    helped = subprocess.run([PROGRAM, "help", *command.split(), "all"], check=True, capture_output=True, text=True).stdout
    own = {"positions", "lattice", "device", "threads", "progress"}
    for parameter in set(inspect.signature(function).parameters.values()):
        if parameter.name not in own and parameter.kind is parameter.KEYWORD_ONLY:
            assert "--" + parameter.name.rstrip("_").replace("_", "-") in helped, parameter
