"""Operations of the program as functions: the same settings, digits and checks."""
import json
import warnings

import numpy as np
import pytest

import cudaprophet as cp

# What differs from run to run.
ITS_OWN = {"seconds"}


def same(program, words, call):
    """A call, whose to_dict() is what the program writes."""
    done = program.run(*words, "--json", "a.json", "--threads", "1")
    assert done.returncode in (0, 1, 3), done.stderr
    expected = json.loads((program.folder / "a.json").read_text())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = call()
    assert set(found.to_dict()) == set(expected)
    for key in set(expected) - ITS_OWN:
        assert json.dumps(found.to_dict()[key], sort_keys=True) == json.dumps(expected[key], sort_keys=True), key
    assert found.ok == (done.returncode == 0)
    return found


def test_form_factors_have_the_digits_of_the_program(program):
    found = same(program, ["formfactor", "Fe", "O2-", "--q", "0,0.5,1,6.3", "--fit", "peng"],
                 lambda: cp.formfactor(["Fe", "O2-"], q=[0, 0.5, 1, 6.3], fit="peng", threads=1))
    assert found.tables["factors"]["Fe"][0] == pytest.approx(26)
    assert found.q.tolist() == [0, 0.5, 1, 6.3] and found.unit("Fe") == "electrons"
    assert [w.id for w in found.warnings] == ["unbound"]


def test_form_factors_of_one_species():
    record = cp.formfactor("He", q="0:1:0.5", threads=1)
    assert record.ok and np.array_equal(record.q, [0, 0.5, 1])
    with pytest.raises(cp.Error, match="expected numbers"):
        cp.formfactor("He", q=[-1])
    with pytest.raises(cp.Error, match="requested twice"):
        cp.formfactor(["He", "2", "He"])


def test_comparisons_and_verdicts(program):
    for name, charge in (("na", 0), ("na+", 1)):
        (program.folder / f"{name}.inp").write_text(f"t\n$nuc z=11 $end\n$electrons charge={charge} $end\n")
        assert program.run(f"{name}.inp", "--quiet", "--json", f"{name}.json").returncode == 0
    files = [str(program.folder / f"{name}.json") for name in ("na", "na+")]
    found = same(program, ["compare", *files], lambda: cp.compare(files, threads=1))
    assert found.tables["differences"]["difference"] == ["ionisation energy of Na (3s)"]
    assert found.hartree[0] == pytest.approx(0.18, abs=0.01)
    with pytest.raises(cp.Error, match="two results or more"):
        cp.compare(files[:1])


def test_an_audit(program):
    found = same(program, ["basis", "audit", "universal", "--elements", "He"],
                 lambda: cp.audit("universal", elements="He", threads=1))
    assert found.audit_version == 1 and found.element == ["He"]
    assert cp.audit(["universal"], elements=[2], threads=1).minus_limit == found.minus_limit


def test_a_validation(program):
    assert cp.validate(elements=[2], threads=1).passed
    assert not cp.validate(elements="He", library="wtbs-2.1", threshold=1e-10).ok


def test_a_batch(program):
    words = ["batch", "--elements", "He,Fe3+", "--nucleus", "point,gaussian", "--basis", "universal", "prophet-1"]
    found = same(program, words, lambda: cp.batch(elements="He,Fe3+", nucleus="point,gaussian", basis=["universal", "prophet-1"],
                                                  threads=1))
    assert found.id[0] == "He point universal" and len(found.energy) == found.total == 8
    assert found.unit("energy") == "hartree" and found.configuration[1] == "[Ar] 3d5"
    lines = program.folder / "lines.jsonl"
    assert not cp.batch(elements="Be", charge=-1, json_lines=lines).ok
    with pytest.raises(cp.Error, match="exists"):
        cp.batch(elements="Be", charge=-1, json_lines=lines)
    assert cp.batch(elements="Be", charge=-1, json_lines=lines, resume=True).skipped == 1
    with pytest.raises(cp.Error, match="retry_failed"):
        cp.batch(elements="H", retry_failed=True)


def test_chains_of_elements(program):
    words = ["chain", "--elements", "He,Be", "--threshold", "1e-5", "--nucleus", "point"]
    assert program.run(*words, "--out", "a", "--threads", "1", "--json", "a.json").returncode == 0
    expected = json.loads((program.folder / "a.json").read_text())["elements"]
    found = cp.chain(elements="He,Be", threshold=1e-5, nucleus="point", out=program.folder / "b", threads=1)
    assert found.ok and found.missed == 0
    assert found.energy_hartree.tolist() == [row["energy_hartree"] for row in expected]
    assert sorted(p.name for p in (program.folder / "b").glob("*.basis")) == ["002-He.basis", "004-Be.basis"]
    with pytest.raises(cp.Error, match="probes"):
        cp.chain(elements="He", probes=2, out=program.folder / "c")


def test_basis_sets_by_other_names(program):
    text = program.run("basis", "export", "Ne", "--format", "nwchem").stdout
    assert cp.basis_export("Ne", format="nwchem").text == text
    assert str(cp.basis_show(elements=10)) == program.run("basis", "show", "Ne").stdout
