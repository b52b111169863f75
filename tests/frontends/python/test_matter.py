import json
import pickle

import numpy as np
import pytest

import cudaprophet as cp
from cudaprophet import plot

Q = np.linspace(0.2, 10, 50)


def test_two_atoms_are_analytic():
    p = cp.powder(["H", "O"], [[0, 0, 0], [0, 0, 2]], q=Q, form_factors="constant", method="direct", precision="double")
    assert np.allclose(p.intensity, 2 + 2 * np.sin(2 * Q) / (2 * Q), atol=1e-12)
    assert p.atoms == 2 and p.frames == 1


def test_a_file_gives_what_arrays_give(tmp_path):
    rng = np.random.default_rng(1)
    places = rng.uniform(0, 10, (60, 3)).round(6)
    names = ["Co" if i % 3 else "O" for i in range(60)]
    file = tmp_path / "a.xyz"
    file.write_text("60\n\n" + "".join(f"{n} {x} {y} {z}\n" for n, (x, y, z) in zip(names, places)))
    a = cp.powder(names, places, q=Q, form_factors="waasmaier-kirfel", b_iso={"Co": 0.5})
    b = cp.powder(file, q=Q, form_factors="waasmaier-kirfel", b_iso={"Co": 0.5})
    assert np.array_equal(a.intensity, b.intensity)
    assert 0 < a.error_bound < 1e-5


def test_close_pairs_one_by_one_are_exact():
    rng = np.random.default_rng(2)
    places = rng.uniform(0, 12, (80, 3))
    options = {"q": Q, "form_factors": "constant"}
    exact = cp.powder(["Ar"] * 80, places, method="direct", precision="double", **options)
    close = cp.powder(["Ar"] * 80, places, exact_below=100, **options)
    assert np.allclose(close.intensity, exact.intensity, rtol=0, atol=1e-9) and close.error_bound == 0


def test_pairs_of_a_periodic_box():
    g = cp.pairs(["Ar", "Ar"], [[0, 0, 0], [0, 0, 9.0]], lattice=10 * np.eye(3), bins=50)
    assert g.r[np.argmax(g.g)] == pytest.approx(1.05)
    assert list(g.partial) == ["Ar-Ar"] and g.density == pytest.approx(2e-3)


@pytest.mark.parametrize("arguments", [
    (["H"], [[0, 0]]), (["H", "H"], [[0, 0, 0]]), (["Qq"], [[0, 0, 0]]), (["H"], None), (["H"], [[0, 0, np.nan]])])
def test_wrong_arrays_are_refused(arguments):
    with pytest.raises(cp.Error):
        cp.powder(*arguments, q=Q, form_factors="constant")


@pytest.mark.parametrize("option", [{"method": "fast"}, {"precision": "half"}, {"form_factors": "mine"}, {"device": "gpu"}, {"tolerance": 0.0}, {"exact_below": -1.0},
                                    {"exact_below": 3.0, "method": "direct"}])
def test_wrong_options_are_refused(option):
    with pytest.raises(cp.Error):
        cp.powder(["H"], [[0, 0, 0]], **{"q": Q, "form_factors": "constant", **option})


def test_pictures(tmp_path):
    p = cp.powder(["H", "O"], [[0, 0, 0], [0, 0, 2]], q=Q, form_factors="constant")
    plot.pattern({"a": p, "b": p}).savefig(tmp_path / "p.svg")
    plot.distribution(cp.pairs(["H", "O"], [[0, 0, 0], [0, 0, 2]])).savefig(tmp_path / "g.svg")
    assert "<svg" in (tmp_path / "p.svg").read_text() and "<svg" in (tmp_path / "g.svg").read_text()


def salt(tmp_path):
    file = tmp_path / "salt.xyz"
    file.write_text('2\nLattice="4 0 0 0 4 0 0 0 4" Properties=species:S:1:pos:R:3\nCs 0 0 0\nCl 2 2 2\n')
    return file


def test_a_lattice_is_no_part_of_a_particle(tmp_path):
    p = cp.powder(salt(tmp_path), q=Q, form_factors="constant")
    r = 2 * np.sqrt(3)
    assert np.allclose(p.intensity, 2 + 2 * np.sin(r * Q) / (r * Q), rtol=0, atol=1e-5)
    assert len(p.warnings) == 1 and "lattice" in str(p.warnings[0])


def test_pairs_of_a_file_are_those_of_arrays(tmp_path):
    a = cp.pairs(["Cs", "Cl"], [[0, 0, 0], [2, 2, 2]], lattice=4 * np.eye(3), bins=40, range=6)
    b = cp.pairs(salt(tmp_path), bins=40, range=6)
    assert np.array_equal(a.g, b.g) and b.frames == 1 and b.warnings == []
    with pytest.raises(cp.Error):
        cp.pairs(salt(tmp_path), lattice=4 * np.eye(3))


def test_pairs_say_what_is_arbitrary_and_refuse_what_is_no_range():
    assert "plane" in str(cp.pairs(["H", "H"], [[0, 0, 0], [0, 0, 1]]).warnings[0])
    assert cp.pairs(["H", "H"], [[0, 0, 0], [0, 0, 1]], density=0.1).warnings == []
    for options in ({"range": -1.0}, {"range": 1e300}, {"bins": 0}, {"density": -1.0}):
        with pytest.raises(cp.Error):
            cp.pairs(["H", "H"], [[0, 0, 0], [0, 0, 1]], lattice=4 * np.eye(3), **options)


def test_b_factors_are_not_negative():
    with pytest.raises(cp.Error):
        cp.powder(["H"], [[0, 0, 0]], q=Q, form_factors="constant", b_iso={"H": -1})


def test_a_single_momentum_is_a_pattern_of_one_point():
    one = cp.powder(["Co", "O"], [[0, 0, 0], [2.13, 0, 0]], q=1.0)
    assert one.q.tolist() == [1.0]
    assert one.intensity[0] == cp.powder(["Co", "O"], [[0, 0, 0], [2.13, 0, 0]], q=[1.0]).intensity[0]


def test_the_arguments_and_attributes_of_before():
    places = [[0, 0, 0], [2.13, 0, 0]]
    p = cp.powder(symbols=["Co", "O"], positions=places, q=Q, method="histogram", precision="single", form_factors="neutron",
                  tolerance=1e-6, exact_below=0.0, b_iso={"co": 0.1}, threads=1, device="cpu")
    assert isinstance(p, cp.Pattern) and isinstance(p, cp.Record)
    assert p.q.shape == p.intensity.shape == Q.shape and p.pairs == 1 and p.device == "CPU, 1 thread" and p.seconds >= 0
    assert [text.split(":")[0] for text in p.provenance] == ["Co", "O"] and p.request["b_iso"] == {"co": 0.1}
    g = cp.pairs(["Co", "O"], places, lattice=None, range=0.0, bins=30, density=0.0, precision="double", threads=1, device="cpu")
    assert isinstance(g, cp.Distribution) and list(g.partial) == ["Co-Co", "Co-O", "O-O"]
    assert g.r.shape == g.g.shape == g.partial["Co-O"].shape == (30,) and g.pairs == 1 and g.frames == 1


def test_results_travel():
    p = cp.powder(["Co", "O"], [[0, 0, 0], [2.13, 0, 0]], q=Q, form_factors="neutron")
    again = pickle.loads(pickle.dumps(p))
    assert np.array_equal(again.intensity, p.intensity) and again.to_dict() == p.to_dict()
    assert p.to_dict()["intensity"] == p.intensity.tolist() and p.unit("intensity") == "femtometre^2"


# Settings by their names here, and what the shell has for them.
COMMANDS = [("pairs", {"bins": 70, "neighbours": True, "reduced": True, "form_factors": "waasmaier-kirfel"},
             "--bins 70 --neighbours --reduced --form-factors waasmaier-kirfel"),
            ("pairs", {"sq": [1, 2.5, 4], "lorch": True, "range": 5, "precision": "double"}, "--sq 1,2.5,4 --lorch --range 5 --double"),
            ("pairs", {"cell": [30, 32, 34], "bins": 20, "range": 8}, "--cell 30,32,34 --bins 20 --range 8"),
            ("powder", {}, ""),
            ("powder", {"q": Q, "form_factors": "neutron", "wavelength": 1.5, "b_iso": {"O": 0.4}},
             f"--q {','.join(map(repr, Q.tolist()))} --form-factors neutron --wavelength 1.5 --b-iso O=0.4"),
            ("powder", {"q": 2.0, "method": "direct", "precision": "double", "form_factors": "constant"},
             "--q 2 --method direct --precision double --form-factors constant"),
            ("powder", {"q": [1, 2], "exact_below": 6, "bin_width": 0.05, "form_factors": "waasmaier-kirfel"},
             "--q 1,2 --exact-below 6 --bin-width 0.05 --form-factors waasmaier-kirfel")]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name, settings, options", COMMANDS)
def test_the_shell_gives_the_same_digits(program, name, settings, options):
    assert program.run("structure", "CoO", "--shape", "sphere:16", "--displace", "0.1", "--out", "coo.xyz").returncode == 0
    done = program.run(name, "coo.xyz", *options.split(), "--threads", "1", "--backend", "cpu", "--json", "o.json")
    assert done.returncode == 0, done.stderr
    shell = json.loads((program.folder / "o.json").read_text())
    here = getattr(cp, name)(program.folder / "coo.xyz", **settings, threads=1, device="cpu").to_dict()
    for its_own in ("seconds", "request", "file"):
        del shell[its_own], here[its_own]
    assert here == shell
    assert json.dumps(here, sort_keys=True) == json.dumps(shell, sort_keys=True)
