"""Basis sets: library, files of other programs, ladders."""
import json
from pathlib import Path

import numpy as np
import pytest

import cudaprophet as cp


def test_library():
    b = cp.basis("Rn")
    assert b.element == "Rn" and b.symmetries[:3] == ["s+", "p-", "p+"]
    assert len(b.exponents("p+")) == b.sizes[2] and b.functions == len(b) == sum(b.sizes)
    assert np.all(np.diff(b.exponents("s+")) > 0)
    assert b.provenance["energy"] - b.provenance["limit"] == pytest.approx(8.5e-5, rel=0.1)
    assert cp.basis(86, "universal") != b
    assert "prophet-1" in cp.collections()
    with pytest.raises(cp.Error, match="no symmetry 'h-'"):
        b.exponents("h-")
    with pytest.raises(ValueError):
        b.exponents("s+")[0] = 1.0
    with pytest.raises(cp.Error, match="no collection"):
        cp.basis("Rn", "nothing")
    with pytest.raises(cp.Error, match="no basis set for 'Og'"):
        cp.basis("Og", "wtbs-2.1")


def without_notes(text, format):
    """The program's export has comments on what a set is for."""
    if format == "json":
        return [shells["electron_shells"] for shells in json.loads(text)["elements"].values()]
    return [line for line in text.splitlines() if line[0] not in "#!$"]


@pytest.mark.parametrize("format, suffix", [("json", ".json"), ("nwchem", ".nw"), ("dirac", ".dirac"),
                                            ("gaussian", ".gbs")])
def test_formats_of_other_programs(tmp_path, program, format, suffix):
    b = cp.basis("Ar")
    file = tmp_path / ("ar" + suffix)
    text = b.write(format, file)
    assert file.read_text() == text
    again = cp.basis(file, element="Ar")
    union = sorted({*b.exponents("p-"), *b.exponents("p+")})
    assert again.exponents("p-").tolist() == again.exponents("p+").tolist() == union
    assert again == cp.basis(str(file)).of("Ar")
    exported = program.run("basis", "export", "Ar", "--library", "prophet-1", "--format", format).stdout
    assert without_notes(text, format) == without_notes(exported, format)
    with pytest.raises(cp.Error, match="no set for Kr"):
        cp.basis(file, element="Kr")


def test_format_by_content(tmp_path):
    b = cp.basis("Ar")
    b.write("gaussian", tmp_path / "ar.txt")
    (tmp_path / "ar.inp").write_text("Ar\n $nuc znuc=18 $end\n $bas bastype='wtbs' $end\n"
                                     " $wtbs wtbspara=0.1,2,2,0.5 nbs=12,8,8 $end\n")
    assert cp.basis(tmp_path / "ar.txt") == cp.basis(tmp_path / "ar.txt", format="gaussian")
    assert cp.basis(tmp_path / "ar.inp").sizes == [12, 8, 8]


def test_own_format(tmp_path):
    b = cp.basis("Ne")
    b.write("prophet", tmp_path / "ne.basis")
    again = cp.basis(tmp_path / "ne.basis")
    assert again.ladder == b.ladder and again.exponents("s+").tolist() == b.exponents("s+").tolist()
    assert again.provenance["limit"] == b.provenance["limit"]


def test_ladder():
    b = cp.ladder([(0.1, 2.0, 3.0, 0.5)], [3, 2], element="Ne")
    k = np.arange(2, 4)
    expected = 0.1 * np.cumprod(np.concatenate([[1.0], 2.0 * (1 + 0.5 * (k / 3) ** 3.0)]))
    assert b.exponents("s+") == pytest.approx(expected, rel=1e-14)
    assert b.exponents("p-") == pytest.approx(expected[:2], rel=1e-14)  # one pool
    apart = cp.ladder([(0.1, 2.0, 3.0, 0.5)], [3, 2], shared=False)
    assert apart.exponents("p-")[1] == pytest.approx(0.1 * 2.0 * 1.5, rel=1e-14)
    with pytest.raises(cp.Error):
        cp.ladder([(0.1, 0.5, 3.0, 0.5)], [3])
    with pytest.raises(cp.Error, match="alpha, beta, delta, gamma"):
        cp.ladder([(0.1, 2.0)], [3])


def test_what_cannot_be_written():
    for exponents in ("prophet-1", 3, [["one"]]):
        with pytest.raises(cp.Error, match="expected a list of numbers for each symmetry"):
            cp.BasisSet(exponents)
    plain = cp.BasisSet([[1.0, 2.0]])
    with pytest.raises(cp.Error, match="belongs to no element"):
        plain.write("nwchem")
    with pytest.raises(cp.Error, match="has no ladder"):
        plain.of("He").write("prophet")
    with pytest.raises(cp.Error, match="unknown basis set format 'molpro'"):
        plain.of("He").write("molpro")


def test_what_cannot_be_read(tmp_path):
    (tmp_path / "bad.nw").write_text("basis\nHe S\n x 1.0\nend\n")
    with pytest.raises(cp.Error, match="bad.nw:3: error"):
        cp.basis(tmp_path / "bad.nw")
    (tmp_path / "bad.txt").write_text("no exponents here\n")
    with pytest.raises(cp.Error, match="bad.txt:1: error"):
        cp.basis(tmp_path / "bad.txt")
    with pytest.raises(cp.Error, match="cannot read"):
        cp.basis(tmp_path / "none.nw")


def test_wrong_exponents():
    with pytest.raises(cp.Error, match="basis: exponent 2.0 of s\\+ appears twice|basis: exponent 2 of s\\+ appears twice"):
        cp.Atom("He", basis=cp.BasisSet([[2.0, 2.0]]))
    with pytest.raises(cp.Error, match="basis: "):
        cp.Atom("He", basis=cp.BasisSet([[-2.0, 2.0]]))


@pytest.fixture
def krypton(program, monkeypatch):
    """A set for krypton in a file that states no nucleus, where the program and Python run."""
    monkeypatch.chdir(program.folder)
    cp.basis("Kr", "prophet-dz").write("nwchem", "kr.nw")
    return program


def test_a_set_is_for_its_element(krypton):
    for basis in (cp.basis("kr.nw"), cp.basis("Kr")):
        with pytest.raises(cp.Error, match=r"basis: found a set of Kr; expected one of Br, or basis.of\('Br'\)"):
            cp.Atom("Br", basis=basis)
        with pytest.raises(cp.Error, match="basis: found a set of Kr"):
            cp.Atom("Br").energy(basis=basis)
        assert cp.Atom("Kr", charge=1, basis=basis).basis.sizes[0] > 10
    assert cp.Atom("Br", basis=cp.basis("kr.nw").of("Br")).basis.sizes == cp.basis("kr.nw").sizes
    with pytest.raises(cp.Error, match="the file has no set for Br; it has Kr"):
        cp.Atom("Br", basis="kr.nw").energy()


def test_a_file_without_a_nucleus_means_the_gaussian_one(krypton):
    done = krypton.run("energy", "Kr", "--bastype", "file", "--file", "kr.nw", "--json", "kr.json")
    assert done.returncode == 0, done.stderr
    shell = json.loads((krypton.folder / "kr.json").read_text())
    assert shell["nucleus"]["model"] == "Gaussian"
    point = cp.Atom("Kr", basis="kr.nw", nucleus="point").energy(error_estimate=False).energy
    assert point < shell["energy"] - 1e-3
    for basis in ("kr.nw", cp.basis("kr.nw"), cp.basis("kr.nw").of("Kr")):
        atom = cp.Atom("Kr", basis=basis)
        assert atom.nucleus["model"] == "Gaussian"
        assert atom.energy(error_estimate=False).energy == pytest.approx(shell["energy"], rel=1e-13)
        assert json.loads(atom._job("limit", {}).nucleus)["model"] == "Gaussian"


def test_a_file_that_states_a_nucleus_means_it(krypton):
    text = (Path(__file__).resolve().parents[3] / "basis_sets/prophet-dz/036-Kr.basis").read_text()
    (krypton.folder / "kr.basis").write_text(text.replace("nucleus       = gaussian", "nucleus       = sphere"))
    done = krypton.run("energy", "Kr", "--bastype", "file", "--file", "kr.basis", "--json", "kr.json")
    assert done.returncode == 0, done.stderr
    shell = json.loads((krypton.folder / "kr.json").read_text())
    assert shell["nucleus"]["model"] == "sphere"
    assert "basis_made_for_something_else" not in {warning["id"] for warning in shell["warnings"]}
    for basis in ("kr.basis", cp.basis("kr.basis")):
        atom = cp.Atom("Kr", basis=basis)
        assert atom.nucleus["model"] == "sphere"
        assert atom.energy(error_estimate=False).energy == pytest.approx(shell["energy"], rel=1e-13)
        assert json.loads(atom._job("limit", {}).nucleus)["model"] == "sphere"
    done = krypton.run("energy", "Kr", "--bastype", "file", "--file", "kr.basis", "--nucmdl", "3", "--json", "kr.json")
    shell = json.loads((krypton.folder / "kr.json").read_text())
    assert shell["nucleus"]["model"] == "Gaussian"
    assert "basis_made_for_something_else" in {warning["id"] for warning in shell["warnings"]}


def test_paths_mean_what_they_mean_in_the_shell(krypton):
    expected = cp.basis("kr.nw").exponents("s+").tolist()
    (krypton.folder / "sets").mkdir()
    assert krypton.run("basis", "import", "kr.nw", "--element", "Kr", "-o", "sets/036-Kr.basis").returncode == 0
    for basis in ("kr.nw", "./kr.nw", str(krypton.folder / "kr.nw"), krypton.folder / "kr.nw", "./sets", "sets/036-Kr.basis",
                  krypton.folder / "sets"):
        assert cp.Atom("Kr", basis=basis).basis.exponents("s+").tolist() == expected, basis
    # A configuration with a '/' is no folder.
    assert cp.Atom("Kr", config="[Ar] 3d10 4s2 4p1/2 4p3/2", basis="./kr.nw").basis.exponents("s+").tolist() == expected
    assert cp.Atom("Kr", basis="wtbs-2.1").basis.description.startswith("library wtbs-2.1")
    with pytest.raises(cp.Error, match="none.nw"):
        cp.Atom("Kr", basis="none.nw").energy()
    with pytest.raises(cp.Error, match="available: .*prophet-1"):
        cp.Atom("Kr", basis="sets")


def test_a_set_of_an_input_keeps_the_size_of_its_nucleus(tmp_path):
    (tmp_path / "he.best").write_text("! energy -2.8 hartree\n $nuc znuc=2 nucmdl=3 alpha=5e7 $end\n"
                                      " $bas nsym=1 bastype='rdin' $end\n3\n0.3\n1.2\n8.0\n")
    own = cp.basis(tmp_path / "he.best")
    assert own.provenance["nucleus_size"] == {"alpha": 5e7}
    assert cp.Atom("He", basis=own).nucleus["exponent"] == 5e7 == cp.Atom("He", basis=str(tmp_path / "he.best")).nucleus["exponent"]
    assert cp.Atom("He", basis=own, nucleus={"rms": 3.0}).nucleus["exponent"] != 5e7
    assert "nucleus_size" not in own.of("Li").provenance
