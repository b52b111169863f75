"""Pictures from the shell: of every kind, of the files of the program, and by the program's own command."""
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("matplotlib")
from cudaprophet import plot  # noqa: E402
from cudaprophet.__main__ import _elements, main  # noqa: E402
from cudaprophet._pictures import KINDS  # noqa: E402

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = os.environ["PROPHET_PROGRAM"]
LEVELS = {"operation": "levels", "symbol": "B", "levels": [
    {"J": 0.5, "parity": "-", "energy": -24.5, "excitation_energy": 0.0, "label": "", "terms": [{"term": "2P", "percent": 100}], "g": 0.67},
    {"J": 1.5, "parity": "-", "energy": -24.49993, "excitation_energy": 7e-5, "label": "", "terms": [{"term": "2P", "percent": 100}], "g": 1.33}]}
COO = str(ROOT / "inputs/coo.xyz")
# Files that commands of the program write: the command line, and the picture that they are drawn as.
WRITTEN = [
    (["Ne"], "spinor-energies", ("json",)),
    (["formfactor", "Fe", "Fe3+", "--q", "0:10:0.5", "--fit", "waasmaier-kirfel"], "formfactor", ("json", "csv", "hdf5")),
    (["powder", COO, "--q", "1:4:0.1", "--form-factors", "waasmaier-kirfel"], "pattern", ("json", "csv", "hdf5")),
    (["pairs", COO, "--range", "5", "--bins", "50"], "distribution", ("json", "csv", "hdf5")),
    (["pairs", str(ROOT / "inputs/nacl.cif"), "--sq", "1:6:0.2"], "distribution", ("json", "csv", "hdf5")),
    (["shape", "--sphere", "50", "--q", "0,0,0.01;0,0,0.02;0,0,0.05"], "shape", ("json", "csv")),
    (["shape", "--sphere", "50", "--q-grid", "0:0.1:5,0:0.1:6,0"], "image", ("json", "csv", "hdf5")),
    (["shape", "--cylinder", "50,80", "--alpha-i", "0.2", "--alpha-f", "0.1:1:4", "--two-theta-f", "0:1:5", "--wavelength", "1"], "image",
     ("json", "csv", "hdf5")),
    (["batch", "--elements", "He,Ne,Li", "--charge", "0,1"], "trends", ("json", "csv", "json-lines", "hdf5")),
    (["basis", "audit", "prophet-dz", "--elements", "He,Ne"], "audit", ("json", "csv")),
    (["basis", "table", "prophet-dz", "--elements", "He,Ne"], "errors", ("json",)),
    (["validate", "--elements", "He", "--against", "reference"], "errors", ("json", "csv")),
    (["Ne", "--orbitals", "o.csv"], "density", ("orbitals",)),
    (["levels", "C"], "levels", ("json", "csv", "hdf5")),
    (["lines", "O", "--configs", "2p4", "--nucleus", "point"], "spectrum", ("json", "csv", "hdf5")),
    (["slater", "Fe2+", "--config", "[Ar] 3d6"], "slater", ("json", "csv", "hdf5")),
    (["madelung", str(ROOT / "inputs/mgo.cif")], "madelung", ("json", "csv", "hdf5")),
    (["structure", "CoO", "--shape", "sphere:10"], "structure", ("json", "csv", "hdf5")),
    (["tables", "Ne", "--what", "compton", "--grid", "0:5:1"], "subshells", ("json", "csv", "hdf5")),
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(words, what):
    suffix = {"json-lines": "jsonl", "hdf5": "h5"}.get(what, what)
    if what == "orbitals":
        subprocess.run([PROGRAM, *words, "--quiet"], check=True, capture_output=True)
        return "o.csv"
    done = subprocess.run([PROGRAM, *words, "--" + what, "a." + suffix], capture_output=True, text=True)
    assert Path("a." + suffix).is_file(), done.stderr
    return "a." + suffix


@pytest.mark.parametrize("words, kind, what", [(w, k, f) for w, k, formats in WRITTEN for f in formats])
def test_the_kind_is_guessed_of_every_file(folder, words, kind, what, capsys):
    if what == "hdf5":
        pytest.importorskip("h5py")
    file = written(words, what)
    assert main(["plot", file]) == 0
    assert capsys.readouterr().out == f"{kind}.png\n"
    assert Path(f"{kind}.png").stat().st_size > 5000


def data_drawn(file):
    """By the names of the curves; of an image its pixels, of bars their ends, of levels and atoms their places."""
    found = {}
    for at, axis in enumerate(plot.draw(file).axes):
        found.update({(line.get_label(), at): line.get_xydata() for line in axis.lines})
        found.update({("image", at): image.get_array() for image in axis.images})
        found.update({("bar", at, n): bar.get_extents().get_points() for n, bar in enumerate(axis.patches)})
        for n, drawn in enumerate(axis.collections):
            found["places", at, n] = np.asarray(drawn.get_segments() if hasattr(drawn, "get_segments") else drawn.get_offsets())
    return found


@pytest.mark.parametrize("words, formats", [(w, formats) for w, _, formats in WRITTEN if len(formats) > 1])
def test_all_formats_are_drawn_alike(folder, words, formats):
    pytest.importorskip("h5py")
    expected = data_drawn(written(words, formats[0]))
    assert expected
    for what in formats[1:]:
        found = data_drawn(written(words, what))
        assert set(found) == set(expected)
        for name, values in expected.items():
            assert np.allclose(found[name], values, rtol=1e-9, equal_nan=True), (what, name)


def test_hdf5_of_others(folder, capsys):
    h5py = pytest.importorskip("h5py")
    with h5py.File("a.h5", "w") as file:
        file["q"] = [1.0, 2.0]
    assert main(["plot", "a.h5"]) == 2
    assert "not one that an operation of this program wrote" in capsys.readouterr().err
    Path("b.h5").write_bytes(Path("a.h5").read_bytes()[:700])
    assert main(["plot", "b.h5"]) == 2
    assert "b.h5" in capsys.readouterr().err


def shell_words(kind):
    return {"audit": ["a.json"], "chain": ["He", "--threshold", "1e-3"], "convergence": ["Ne"], "density": ["Fe3+"], "differences": ["d.json"],
            "distribution": ["a.json"], "errors": ["prophet-dz"], "exponents": ["prophet-1"], "formfactor": ["Ne", "Ne+"],
            "formfactor-differences": ["Fe"], "image": ["a.json"], "levels": ["l.json", "--highest", "1000"], "madelung": ["a.json"],
            "magnetic": ["t.json"], "pattern": ["a.json", "a.csv"], "profiles": ["t.json"], "scattering": ["t.json"], "search": ["s.bsopt"],
            "subshells": ["a.json"],
            "shape": ["a.json"], "slater": ["a.json"], "spectrum": ["a.json", "--over", "energy", "--span", "1:6", "--fwhm", "0.1", "--temperature", "8000"],
            "structure": ["a.json", "--axis", "x"], "spinor-energies": ["Ne", "Ar"], "spinors": ["Ne", "--spinor", "1s1/2"],
            "trends": ["1-3", "Ne,Ar", "--quantity", "ionisation"]}[kind]


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind(folder, kind, capsys):
    for words, made, formats in WRITTEN:
        if made == kind and "json" in formats:
            for what in formats[:2]:
                written(words, what)
            break
    (folder / "l.json").write_text(json.dumps(LEVELS))
    (folder / "s.bsopt").write_text("bsopt 3: a title\ne -2.85 0.1 0.2\ne nan 0.2 0.2\ne -2.86 0.1 0.3\n")
    if kind in ("magnetic", "profiles", "scattering"):
        subprocess.run([PROGRAM, "tables", "Ti3+", "--what", "compton,magnetic,incoherent", "--fit", "3", "--json", "t.json"], check=True, capture_output=True)
    if kind == "differences":
        subprocess.run([PROGRAM, "batch", "--elements", "He,Ne", "--charge", "0,1", "--json-lines", "b.jsonl"], check=True, capture_output=True)
        subprocess.run([PROGRAM, "compare", "--differences", "b.jsonl", "--json", "d.json"], check=True, capture_output=True)
    assert main(["plot", kind, *shell_words(kind), "--out", "a.svg", "--title", "A title"]) == 0, capsys.readouterr().err
    assert (folder / "a.svg").read_bytes().startswith(b"<?xml")


@pytest.mark.parametrize("suffix, start", [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_formats(tmp_path, suffix, start, capsys):
    out = tmp_path / ("a." + suffix)
    assert main(["plot", "density", "Fe3+", "--out", str(out), "--no-legend", "--colours", "black,#ff0000"]) == 0
    assert out.read_bytes().startswith(start) and out.stat().st_size > 10000
    assert capsys.readouterr().out == f"{out}\n"


@pytest.mark.parametrize("words, text", [
    (["density", "Xx3+"], "Xx3+"),
    (["density"], "say which atom"),
    (["spinors", "He", "--spinor", "9s1/2"], "there is no occupied spinor '9s1/2'"),
    (["density", "He", "--out", "/nowhere/a.png"], "/nowhere/a.png"),
    (["densty", "Rn"], "unknown kind 'densty'; did you mean 'density'?"),
    (["nothing"], "unknown kind 'nothing'; expected a file of the program, or one of audit"),
    (["nothing.json"], "nothing.json: No such file"),
    (["audit"], "say which file"),
    (["image", "/nowhere/a.h5"], "/nowhere/a.h5"),
    (["trends", "He", "--quantity", "colour"], "expected ionisation"),
    (["structure", COO, "--axis", "w"], "expected x, y or z"),
    (["levels", "/nowhere/a.json"], "/nowhere/a.json"),
    (["slater"], "say which files"),
])
def test_what_is_wrong(words, text, capsys):
    assert main(["plot", *words]) == 2
    assert text in capsys.readouterr().err


@pytest.mark.parametrize("content, text", [
    ("{}", "'operation' is missing"), ("{", "not JSON"), ('{"operation": "basis_show"}', "no picture of the operation 'basis_show'"),
    ("a,b\n1,2\n", "those of no operation"), ("a,b\n", "no table"), (b"\xff\xfe\x00", "expected JSON, CSV or HDF5"),
])
def test_files_of_others(folder, content, text, capsys):
    Path("a.txt").write_bytes(content if isinstance(content, bytes) else content.encode())
    assert main(["plot", "a.txt"]) == 2
    assert text in capsys.readouterr().err


def test_unknown_keys_and_columns_are_refused(folder, capsys):
    file = written(["levels", "C"], "json")
    text = Path(file).read_text()
    for key, other, why in (("excitation_energy", "excitaton_energy", "levels: unknown key 'excitaton_energy'; did you mean 'excitation_energy'?"),
                            ("field_energy", "feld_energy", "unknown key 'feld_energy'; did you mean 'field_energy'?"),
                            ("percent", "colour", "unknown key 'colour'")):
        Path("changed.json").write_text(text.replace(f'"{key}"', f'"{other}"'))
        assert main(["plot", "changed.json", "--out", "a.svg"]) == 2
        assert why in capsys.readouterr().err
    file = written(["powder", COO, "--q", "1:3:0.5"], "csv")
    lines = Path(file).read_text().splitlines()
    at = next(i for i, line in enumerate(lines) if not line.startswith("#"))
    Path("changed.csv").write_text("\n".join([*lines[:at], lines[at] + ",mine", *(line + ",1" for line in lines[at + 1:])]) + "\n")
    assert main(["plot", "changed.csv", "--out", "a.svg"]) == 2
    assert "changed.csv: unknown column 'mine'" in capsys.readouterr().err


def test_levels_beside_experiment(folder, capsys):
    file = written(["levels", "C"], "json")
    assert main(["plot", file, "--out", "alone.svg"]) == 0
    assert main(["plot", file, "--experiment", str(ROOT / "src/data/nist-levels.csv"), "--out", "both.svg"]) == 0
    assert "experiment" in Path("both.svg").read_text() and "experiment" not in Path("alone.svg").read_text()
    assert main(["plot", file, "--experiment", "nowhere.csv"]) == 2
    assert "nowhere.csv: No such file" in capsys.readouterr().err


def test_lines_on_levels_and_spectra(folder, capsys):
    file = written(["lines", "Fe16+", "--configs", "2p6 | 2p5 3s | 2p5 3d", "--nucleus", "point"], "json")
    assert main(["plot", "levels", file, "--lines", "--out", "levels.svg"]) == 0
    assert main(["plot", file, "--absorption", "--over", "energy", "--types", "E1", "--natural", "--power", "--out", "a.svg"]) == 0
    assert main(["plot", "levels", file, "--out", "alone.svg"]) == 0
    assert Path("levels.svg").stat().st_size > Path("alone.svg").stat().st_size
    capsys.readouterr()
    assert main(["plot", file, "--span", "1"]) == 2 and "span: found" in capsys.readouterr().err
    assert main(["plot", file, "--doppler", "-1"]) == 2 and "doppler: found -1" in capsys.readouterr().err


def test_elements():
    assert _elements(["1-3", "Ne,Ar"]) == [1, 2, 3, 10, 18] and _elements(["Li-B"]) == [3, 4, 5]


def test_of_a_result_file(neon, tmp_path, capsys):
    neon.save(tmp_path / "ne.h5")
    assert main(["plot", "density", str(tmp_path / "ne.h5"), "--out", str(tmp_path / "a.svg")]) == 0


def test_help_of_the_program_lists_the_same_kinds():
    text = subprocess.run([PROGRAM, "plot", "--help"], capture_output=True, text=True, check=True).stdout
    assert text == subprocess.run([PROGRAM, "help", "plot"], capture_output=True, text=True, check=True).stdout
    listed = dict(line.strip().rstrip(";.").split(": ", 1) for line in text.split("Kinds:\n")[1].split("\n\n")[0].splitlines())
    assert listed == {name: kind.text for name, kind in KINDS.items()}
    done = subprocess.run([sys.executable, "-m", "cudaprophet", "plot", "--help"], capture_output=True, text=True, check=True)
    taken = {word.strip(",") for word in done.stdout.split() if word.startswith("--") and len(word) > 2}
    stated = {word for word in text.split() if word.startswith("--") and len(word) > 2}
    assert stated == taken


def test_the_program_draws(folder):
    done = subprocess.run([PROGRAM, "plot", "density", "Ne", "--out", "ne.png"], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ne.png\n", "")
    assert Path("ne.png").read_bytes().startswith(b"\x89PNG")
    done = subprocess.run([PROGRAM, "plot", "nothing"], capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr.startswith("cudaprophet: error: unknown kind 'nothing'")
    done = subprocess.run([PROGRAM, "plot"], capture_output=True, text=True)
    assert done.returncode == 2 and "cudaprophet plot density Rn" in done.stderr


def test_what_is_missing_is_said(folder):
    """The program alone, elsewhere than in its build."""
    alone = shutil.copy(PROGRAM, folder / "cudaprophet")
    done = subprocess.run([alone, "plot", "density", "Ne"], capture_output=True, text=True, env={"PATH": str(folder / "empty")})
    assert done.returncode == 1 and "plot needs Python 3.9 or later" in done.stderr and "PATH" in done.stderr
    bin_folder = folder / "bin"
    bin_folder.mkdir()
    (bin_folder / "python3").write_text(f"#!/bin/sh\nexec {sys.executable} -I -S \"$@\"\n")  # without any package
    (bin_folder / "python3").chmod(0o755)
    done = subprocess.run([alone, "plot", "density", "Ne"], capture_output=True, text=True, env={"PATH": f"{bin_folder}:/usr/bin:/bin"})
    assert done.returncode == 1 and "needs the Python package cudaprophet" in done.stderr and "pip install" in done.stderr
    # A folder beside it, as an installation has it, is found.
    package = folder / "python" / "cudaprophet"
    package.mkdir(parents=True)
    (package / "__main__.py").write_text("def main(words, program):\n    print(words, program)\n    return 0\n")
    (package / "__init__.py").write_text("")
    done = subprocess.run([alone, "plot", "a b", "--limit"], capture_output=True, text=True,
                          env={"PATH": "/usr/bin:/bin:" + str(Path(sys.executable).parent)})
    assert (done.returncode, done.stdout) == (0, "['plot', 'a b', '--limit'] cudaprophet\n"), done.stderr


def test_the_python_of_the_package_is_taken(folder):
    """A program that lies in the package of a Python, as pip installs it: that Python draws, whatever PATH says."""
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    package = folder / "lib" / name / "site-packages" / "cudaprophet"
    (package / "bin").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "__main__.py").write_text("import os\ndef main(words, program):\n    print(os.environ['WHICH'])\n    return 0\n")
    (folder / "bin").mkdir()
    (folder / "bin" / name).write_text(f"#!/bin/sh\nWHICH=own exec {sys.executable} \"$@\"\n")
    (folder / "bin" / name).chmod(0o755)
    alone = shutil.copy(PROGRAM, package / "bin" / "cudaprophet")
    done = subprocess.run([alone, "plot", "a"], capture_output=True, text=True, env={"PATH": "/usr/bin:/bin"})
    assert (done.returncode, done.stdout) == (0, "own\n"), done.stderr


def test_without_matplotlib(folder):
    code = ("import sys; sys.modules['matplotlib'] = None; sys.modules['matplotlib.figure'] = None\n"
            "from cudaprophet.__main__ import main; sys.exit(main(['plot', 'density', 'He']))")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 2 and "pictures need matplotlib" in done.stderr
