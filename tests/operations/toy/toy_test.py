"""The operation `box` of toy.cpp from the shell, an input file, C++ and Python: the same names, digits and checks.

Usage: toy_test.py PROGRAM API_PROGRAM FOLDER_OF_THE_PYTHON_PACKAGE|none
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

program, api, python = sys.argv[1:]
VOLUME, SURFACE = 3 * 2.7**3, 13 * 2.7**2


def run(*words):
    return subprocess.run(words, capture_output=True, text=True)


def check(record, where):
    assert record["operation"] == "box" and record["schema_version"] == 3, (where, record)
    assert record["request"] == {"edge": 2.7, "layers": 3, "open_top": True}, (where, record)
    assert abs(record["volume_angstrom3"] - VOLUME) < 1e-12, (where, record)
    assert abs(record["surface_angstrom2"] - SURFACE) < 1e-12, (where, record)
    assert record["warnings"] == [{"id": "open_box", "text": "the box has no top"}], (where, record)
    assert len(record["columns"]["height"]) == 3, (where, record)
    return record["volume_angstrom3"], record["surface_angstrom2"], record["columns"]["height"]


with tempfile.TemporaryDirectory() as folder:
    out = Path(folder) / "box.json"
    shell = run(program, "box", "2.7", "--layers", "3", "--open-top", "--json", str(out), "--csv", f"{folder}/box.csv")
    assert shell.returncode == 0 and "59.049000 angstrom^3" in shell.stdout, shell
    assert "warning: the box has no top" in shell.stderr, shell
    assert "height\n2.7\n" in Path(folder, "box.csv").read_text()
    found = {"shell": check(json.loads(out.read_text()), "shell")}
    wrong = run(program, "box", "-1", "--layers", "11", "--open-top")
    assert wrong.returncode == 2 and "EDGE" not in wrong.stdout, wrong
    wrong = run(program, "box", "0", "--layers", "11")
    assert wrong.returncode == 2 and "--layers: found '11'; expected a whole number, 1 to 10" in wrong.stderr, wrong
    assert "found '0'" in wrong.stderr, wrong
    assert "box " in run(program, "--help").stdout and "--layers N" in run(program, "help", "box").stdout
    assert "edge of the box" in run(program, "--explain", "box").stdout

    Path(folder, "box.inp").write_text("A box\n$contrl jobtype='box' $end\n$box edge=2.7d0 layers=3\n open_top=.true. $end\n")
    inp = run(program, f"{folder}/box.inp", "--json", f"{folder}/inp.json")
    assert inp.returncode == 0, inp
    found["input file"] = check(json.loads(Path(folder, "inp.json").read_text()), "input file")
    Path(folder, "bad.inp").write_text("A box\n$contrl jobtype='box' $end\n$box edge=-1\n layer=3 $end\n")
    bad = run(program, f"{folder}/bad.inp")
    assert bad.returncode == 2 and "bad.inp:3:6: error: $box edge: found -1" in bad.stderr, bad
    assert "bad.inp:4:2: error: unknown keyword 'layer' in $box; did you mean 'layers'?" in bad.stderr, bad

cxx = run(api)
assert cxx.returncode == 0, cxx
lines = cxx.stdout.splitlines()
found["C++"] = check(json.loads(lines[0]), "C++")
assert any("edge: found -1" in line for line in lines) and any("layers: found 11" in line for line in lines), cxx

if python != "none":
    import pickle
    import warnings

    sys.path.insert(0, python)
    import cudaprophet as cp

    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        record = cp.box(2.7, layers=3, open_top=True)
    assert [str(w.message) for w in heard] == ["box: the box has no top"], heard
    found["Python"] = check(record.to_dict(), "Python")
    assert record.volume == record.volume_angstrom3 and record.height.shape == (3,) and record.unit("height") == "angstrom"
    assert "boxes on top of each other; a whole number, 1 to 10" in cp.box.__doc__, cp.box.__doc__
    again = pickle.loads(pickle.dumps(record))
    assert again.to_dict() == record.to_dict() and "volume" in record._repr_html_()
    try:
        cp.box(-1, layers=11, colour="red")
        raise AssertionError("not refused")
    except cp.Error as e:
        assert {line.split(":")[0] for line in str(e).splitlines()} == {"edge", "layers", "colour"}, e

assert len({json.dumps(values) for values in found.values()}) == 1, found
print("the same by", ", ".join(found))
