"""Form factors and particles: the package, the program and mathematics agree."""
import json
from pathlib import Path

import numpy as np
import pytest

import cudaprophet as cp

POINTS = [[0, 0, 0.1], [0.03, -0.05, 0.06]]


def of_sphere(q, radius):
    return 4 * np.pi * (np.sin(q * radius) - q * radius * np.cos(q * radius)) / q**3


def test_a_sphere_is_analytic():
    found = cp.shape(sphere=50, q=[[0, 0, 0.1]])
    assert found.amplitude.shape == (1,)
    assert found.amplitude[0] == pytest.approx(of_sphere(0.1, 50), rel=1e-12)
    assert found.intensity[0] == pytest.approx(of_sphere(0.1, 50) ** 2, rel=1e-11)
    assert found.unit("amplitude") == "angstrom^3" and found.q.tolist() == [[0, 0, 0.1]]


@pytest.mark.parametrize("options, line", [
    (dict(sphere=50, q=POINTS), ["--sphere", "50", "--q", "0,0,0.1;0.03,-0.05,0.06"]),
    (dict(sphere=50, q=np.array(POINTS)), ["--sphere", "50", "--q", "0,0,0.1;0.03,-0.05,0.06"]),
    (dict(box=[10, 20, 30], q_grid=[{"values": [-1, 0.1, 0.3]}, [0, 1, 3], 0.5]), ["--box", "10,20,30", "--q-grid", "-1 0.1 0.3,0:1:3,0.5"]),
    (dict(box=[10, 20, 30], q_grid=[[-1, 1, 4], 0.5, "0.1:1:3"]), ["--box", "10,20,30", "--q-grid", "-1:1:4,0.5,0.1:1:3"]),
    (dict(pyramid=(30, 20, 10), method="sum", triangles=400, q=[0.1, 0.2, 0.3]),
     ["--pyramid", "30,20,10", "--method", "sum", "--triangles", "400", "--q", "0.1,0.2,0.3"]),
    (dict(cylinder=[20, 30], alpha_i=0.2, alpha_f=[0, 1.5, 4], two_theta_f="-1:1:3", wavelength=1,
          substrate=dict(delta=6e-6, beta=2e-8), paracrystal=[100, 10, 20]),
     ["--cylinder", "20,30", "--alpha-i", "0.2", "--alpha-f", "0:1.5:4", "--two-theta-f", "-1:1:3", "--wavelength", "1",
      "--substrate", "delta=6e-6,beta=2e-8", "--paracrystal", "100:10:20"]),
    (dict(cone=[9, 8], q=POINTS, lattice=[[100, 5], [120, 6]], lattice_angle=60),
     ["--cone", "9,8", "--q", "0,0,0.1;0.03,-0.05,0.06", "--lattice", "100:5,120:6", "--lattice-angle", "60"])])
def test_same_digits_as_the_program(program, options, line):
    done = program.run("shape", *line, "--json", "s.json")
    assert done.returncode == 0, done.stderr
    expected = json.loads((Path(program.folder) / "s.json").read_text())
    found = cp.shape(**options).to_dict()
    assert set(found) == set(expected)
    for key in set(expected) - {"seconds", "request"}:
        assert repr(found[key]) == repr(expected[key]), key


def test_files(tmp_path):
    picture = dict(sphere=20, alpha_i=0.2, alpha_f="0:2:9", two_theta_f="-1:1:8", wavelength=1, png=tmp_path / "a.png")
    assert len(cp.shape(**picture).intensity) == 72
    assert (tmp_path / "a.png").read_bytes()[:4] == b"\x89PNG"
    h5py = pytest.importorskip("h5py")
    with_file = cp.shape(sphere=20, q_grid="0:1:3,0:1:4,0.5", hdf5=tmp_path / "f.h5")
    with h5py.File(tmp_path / "f.h5") as file:
        assert np.array_equal(file["F"][:].ravel(), with_file.amplitude)


def test_a_scene_at_several_angles(tmp_path):
    scene = tmp_path / "film.yaml"
    scene.write_text("materials: {gold: {delta: 1.1e-5, beta: 1.2e-6}, film: {delta: 1.5e-6}, silicon: {delta: 3.2e-6, beta: 3e-8}}\n"
                     "layers: [{material: film, thickness: 300}, {material: silicon}]\n"
                     "particles: [{sphere: 40, material: gold, bottom: -200}]\n")
    beam = dict(wavelength=1, alpha_f=[0.2, 1, 4], two_theta_f="-1:1:3")
    try:
        found = cp.shape(file=str(scene), alpha_i=[0.1, 0.3, 3], **beam)
    except cp.Error as problem:
        if "without yaml-cpp" in str(problem):
            pytest.skip("built without yaml-cpp")
        raise
    assert found.unit("cross_section") == "angstrom^2/sr" and len(found.cross_section) == 36
    assert np.allclose(found.cross_section, (2 * np.pi)**4 / (4 * np.pi)**2 * found.intensity, rtol=1e-12)
    assert np.allclose(found.intensity[12:24], cp.shape(file=str(scene), alpha_i=0.2, **beam).intensity, rtol=1e-12)


@pytest.mark.parametrize("options, problem", [
    (dict(sphere=50), "q_grid"), (dict(q=POINTS), "file"), (dict(sphere=-1, q=POINTS), "sphere"),
    (dict(sphere=1, q=[[0, 0]]), "q: found"), (dict(sphere=1, q=[]), "q: found"), (dict(box=[1, 2], q=POINTS), "box: takes 3 lengths"),
    (dict(sphere=1, q=POINTS, resume=True), "resume: requires hdf5"),
    (dict(sphere=1, q=POINTS, radius=3), "radius: there is no such setting")])
def test_wrong_settings_are_refused(options, problem):
    with pytest.raises(cp.Error, match=problem):
        cp.shape(**options)


@pytest.mark.parametrize("options, line", [
    (dict(shape="sphere:12"), ["--shape", "sphere:12"]),
    (dict(shape="cells:2,2,1", vacancies={"O": 0.2}, strain=[0.01, 0, -0.01], displace=0.05, seed=3),
     ["--shape", "cells:2,2,1", "--vacancies", "O=0.2", "--strain", "0.01,0,-0.01", "--displace", "0.05", "--seed", "3"]),
    (dict(vacancies=0.3, strain=0.02, seed=18446744073709551615),
     ["--vacancies", "0.3", "--strain", "0.02", "--seed", "18446744073709551615"])])
def test_the_same_atoms_as_from_the_program(program, options, line, tmp_path):
    done = program.run("structure", "CoO", *line)
    assert done.returncode == 0, done.stderr
    out = tmp_path / "a.xyz"
    found = cp.structure("CoO", out=out, **options)
    assert out.read_text() == done.stdout
    rows = [row.split() for row in done.stdout.splitlines()[2:]]
    assert found.symbols == [row[0] for row in rows]
    assert np.allclose(found.positions, [[float(x) for x in row[1:4]] for row in rows], rtol=0, atol=1e-10)
    assert found.atom_count == len(rows)


def test_atoms_go_on_to_others():
    cut = cp.structure("NaCl", shape="cells:1,1,1")
    energy = cp.madelung(cut.symbols, cut.positions, lattice=cut.lattice_angstrom, charges={"Na": 1, "Cl": -1}).energy
    assert energy == pytest.approx(-4 * 1.7475645946 * 0.529177210903 / (cut.lattice[0][0] / 2), rel=1e-9)


@pytest.mark.parametrize("crystal, options, problem", [
    (None, {}, "crystal: is missing"), ("Unobtainium", {}, "crystal"), ("CoO", dict(shape="ball:3"), "shape"),
    ("CoO", dict(vacancies=2), "vacancies"), ("CoO", dict(vacancies={"Fe": 0.1}), "vacancies"), ("CoO", dict(strain=[1, 2]), "strain"),
    ("CoO", dict(displace=-1), "displace"), ("CoO", dict(seed=-1), "seed"), ("CoO", dict(seed=1.5), "seed")])
def test_wrong_crystals_are_refused(crystal, options, problem):
    with pytest.raises(cp.Error, match=problem):
        cp.structure(crystal, **options)
