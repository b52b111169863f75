"""HDF5 files: what is written comes back bit for bit, and the program reads it."""
import json

import numpy as np
import pytest

import cudaprophet as cp


@pytest.mark.parametrize("kind", ["neon", "neon_limit"])
def test_back_bit_for_bit(kind, request, tmp_path):
    result = request.getfixturevalue(kind)
    result.save(tmp_path / "ne.h5")
    again = cp.load(tmp_path / "ne.h5")
    assert (again.symbol, again.z, again.charge, again.atom) == ("Ne", 10, 0, None)
    assert repr(again.energy) == repr(result.energy) and again.parts == result.parts
    grid = result.grid(300)
    for label in result.spinors:
        assert again.spinors[label].energy == result.spinors[label].energy
        for a, b in zip(again.spinors[label].radial(grid), result.spinors[label].radial(grid)):
            assert np.array_equal(a, b)
    assert again.is_limit == result.is_limit
    assert set(again.to_dict()) == set(result.to_dict())


def test_one_result_alone(neon, tmp_path):
    cp.save(tmp_path / "ne.h5", neon)
    assert cp.names(tmp_path / "ne.h5") == ["Ne"] and cp.load(tmp_path / "ne.h5").energy == neon.energy
    for wrong in ([neon], {"Ne": 1}, "Ne"):
        with pytest.raises(cp.Error, match="save: expected a Result, or a dict of results by name"):
            cp.save(tmp_path / "ne.h5", wrong)


def test_several_in_one_file(neon, tmp_path):
    results = cp.energies(["He", "Be"], progress=False)
    cp.save(tmp_path / "all.h5", {**{r.symbol: r for r in results}, "Ne": neon})
    assert cp.names(tmp_path / "all.h5") == ["Be", "He", "Ne"]
    assert cp.load(tmp_path / "all.h5", "He").energy == results[0].energy
    with pytest.raises(cp.Error):
        cp.load(tmp_path / "all.h5", "Xe")
    with pytest.raises(cp.Error, match="no result to write"):
        cp.save(tmp_path / "none.h5", {})


def test_the_program_goes_on_from_it(neon, program):
    neon.save(program.folder / "ne.h5")
    (program.folder / "ne.inp").write_text(neon.input)
    done = program.run("ne.inp", "--restart", "ne.h5", "--json", "ne.json")
    assert done.returncode == 0, done.stderr
    again = json.loads((program.folder / "ne.json").read_text())
    assert again["energy"] == pytest.approx(neon.energy, rel=1e-12) and again["iterations"] < neon.iterations
    assert cp.Atom("Ne").energy(start=neon).iterations == again["iterations"]


def test_input_text_asks_for_the_same(program):
    atom = cp.Atom("N", nucleus="fermi", closed=[2, 0, 0], open=[0, 1, 1], open_electrons=3,
                   configurations=[[1, 2], [2, 1]], basis=cp.BasisSet([[0.2, 0.9, 4.0, 18.0, 90.0, 500.0]] * 3))
    (program.folder / "n.inp").write_text(atom.input)
    done = program.run("n.inp", "--json", "n.json")
    assert done.returncode == 0, done.stderr
    expected = json.loads((program.folder / "n.json").read_text())
    assert repr(expected["energy"]) == repr(atom.energy().energy)


def test_damaged_and_missing_files(neon, tmp_path):
    neon.save(tmp_path / "ne.h5")
    data = bytearray((tmp_path / "ne.h5").read_bytes())
    data[len(data) // 2] ^= 1
    (tmp_path / "bad.h5").write_bytes(data)
    with pytest.raises(cp.Error, match="bad.h5"):
        cp.load(tmp_path / "bad.h5")
    with pytest.raises(cp.Error, match="none.h5"):
        cp.load(tmp_path / "none.h5")


def test_json_is_no_result_file(neon, tmp_path):
    (tmp_path / "ne.json").write_text(json.dumps(neon.to_dict()))
    with pytest.raises(cp.Error, match="ne.json: is JSON; results are loaded from HDF5"):
        cp.load(tmp_path / "ne.json")


def test_start_in_another_basis(neon):
    cold = cp.Atom("Ne", basis="universal").energy()
    warm = cp.Atom("Ne", basis="universal").energy(start=neon)
    assert warm.energy == pytest.approx(cold.energy, rel=1e-12) and warm.iterations < cold.iterations
    with pytest.raises(cp.Error, match="start"):
        cp.Atom("Ne").energy(start=cp.Atom("Ne").limit())
