"""Results: statuses, warnings, spinors, density."""
import concurrent.futures
import pickle
import warnings

import numpy as np
import pytest

import cudaprophet as cp


def integral(values, grid):
    """Over r of values on a grid even in ln r."""
    return float(np.sum(values * grid) * np.log(grid[1] / grid[0]))


def test_energy_and_its_parts(neon):
    assert neon.status == "converged" and neon.converged and neon.warnings == []
    assert sum(neon.parts.values()) == pytest.approx(neon.energy, rel=1e-13)
    assert neon.energy == neon.to_dict()["energy"]
    assert neon.total_with_corrections == neon.energy
    assert neon.basis_error is not None and 0 < neon.basis_error < 1e-5
    assert neon.basis.functions == neon.to_dict()["basis"]["functions"]
    assert neon.history["energy"][-1] == pytest.approx(neon.energy, rel=1e-11)
    assert len(neon.history["iteration"]) == neon.iterations


def test_spinors_by_label_and_number(neon):
    assert list(neon.spinors) == ["1s1/2", "2s1/2", "2p1/2", "2p3/2"]
    s = neon.spinors["2p3/2"]
    assert (s.n, s.kappa, s.occupation, s.symmetry, s.bound) == (2, -2, 4, "p+", True)
    assert s.energy == neon.to_dict()["orbitals"][3]["energy"] == neon.spinors.energies[3]
    assert neon.spinors[3].label == s.label and len(neon.spinors) == 4
    assert neon.spinors.occupations.tolist() == [2, 2, 2, 4]
    with pytest.raises(KeyError, match="there is no occupied spinor '3s1/2'"):
        neon.spinors["3s1/2"]


@pytest.mark.parametrize("kind", ["neon", "neon_limit"])
def test_radial_functions_are_normalised(kind, request):
    result = request.getfixturevalue(kind)
    grid = result.grid(6000)
    for label, spinor in result.spinors.items():
        P, Q = spinor.radial(grid)
        assert integral(P**2 + Q**2, grid) == pytest.approx(1, abs=2e-9), label
        assert integral(grid * (P**2 + Q**2), grid) == pytest.approx(spinor.mean_radius, rel=1e-8)
        assert P[np.argmax(np.abs(P) > 1e-6)] > 0
    assert integral(result.radial_density(grid), grid) == pytest.approx(10, abs=1e-8)


def test_basis_and_limit_agree(neon, neon_limit):
    grid = neon.grid(2000)
    for label in neon.spinors:
        for a, b in zip(neon.spinors[label].radial(grid), neon_limit.spinors[label].radial(grid)):
            assert np.max(np.abs(a - b)) < 2e-4


def test_radii_of_any_shape(neon):
    spinor = neon.spinors["1s1/2"]
    grid = np.linspace(0, 3, 12)
    P, _ = spinor.radial(grid.reshape(3, 4))
    assert P.shape == (3, 4) and np.array_equal(P.ravel(), spinor.radial(grid)[0])
    assert np.array_equal(spinor.radial(grid[::-1])[0][::-1], P.ravel())
    assert float(spinor.radial(0.5)[0]) == spinor.radial([0.5])[0][0]
    assert spinor.radial([])[0].shape == (0,)
    with pytest.raises(cp.Error, match="radii"):
        spinor.radial([-1.0])


def test_density_at_the_nucleus_has_an_error():
    region = {q: cp.Atom("Fe", charge=q, config=c).energy().to_dict()["properties"]["nucleus"]
              for q, c in ((0, "[Ar] 3d6 4s2"), (2, "[Ar] 3d6"))}
    assert region[0]["density"] - region[2]["density"] == pytest.approx(9.38, rel=0.01)
    assert 0 < region[0]["mean_density_error"] < 1e-6 * region[0]["mean_density"]


def test_density_at_the_nucleus(neon):
    rho = neon.density([0.0, 1e-8, 1.0])
    assert rho[0] == pytest.approx(rho[1], rel=1e-6) and rho[0] > 600
    assert rho[2] == pytest.approx(float(neon.radial_density(1.0)) / (4 * np.pi))


def test_potentials_have_the_shape_of_the_radii(neon):
    r = np.geomspace(1e-4, 30, 600).reshape(2, 300)
    coulomb, nuclear = neon.potential(r, "coulomb"), neon.potential(r, "nuclear")
    assert coulomb.shape == r.shape and nuclear[1, -1] == pytest.approx(-10 / 30)
    assert coulomb[1, -1] == pytest.approx(10 / 30, rel=1e-10)
    slope = neon.density(r, derivative=1)
    assert slope.shape == r.shape and (slope[0, 100:] < 0).all()
    assert neon.density(1.0, derivative=2) > 0
    with pytest.raises(cp.Error, match="functional"):
        neon.potential(r)
    with pytest.raises(cp.Error, match="coulomb"):
        neon.potential(r, "electrons")
    with pytest.raises(cp.Error, match="0, 1 or 2"):
        neon.density(r, derivative=3)


def test_potential_of_a_functional():
    ne = cp.Atom("Ne", functional="pbe").limit()
    r = np.array([0.1, 1.0, 3.0])
    parts = sum(ne.potential(r, part) for part in ("nuclear", "coulomb", "xc"))
    assert ne.potential(r) == pytest.approx(parts, rel=1e-12) and (parts < 0).all()


def test_potentials_of_spins():
    n = cp.Atom("N", functional="lda", spin="polarised", hamiltonian="nonrel", nucleus="point").limit()
    r = np.array([0.1, 1.0, 3.0])
    up, down = n.potential(r, spin="up"), n.potential(r, spin="down")
    assert (up < down).all()
    assert n.potential(r, spin="2p1/2") == pytest.approx(up, rel=1e-14)
    assert n.potential(r, spin="2s1/2") == pytest.approx((up + down) / 2, rel=1e-14)
    assert n.potential(r, "coulomb") == pytest.approx(n.potential(r, "coulomb", spin="up"), rel=1e-14)
    for spin, text in ((None, "say whether up or down"), ("3p1/2", "found '3p1/2'; expected 'up', 'down'")):
        with pytest.raises(cp.Error, match=text):
            n.potential(r, spin=spin)


def test_meta_ggas_have_no_potential(tmp_path):
    """Each of these ended the interpreter."""
    he = cp.Atom("He", functional="r2scan").energy()
    with pytest.raises(cp.Error, match="functional='r2scan', a meta-GGA"):
        he.potential(1.0)
    he.save(tmp_path / "he.h5")
    assert cp.load(tmp_path / "he.h5").energy == pickle.loads(pickle.dumps(he)).energy == he.energy
    with pytest.raises(cp.Error, match="whose potential is no function of r"):
        cp.sap("He", functional="scan")


def test_coefficients_make_the_functions(neon):
    large, small = neon.spinors["2p1/2"].coefficients
    assert large.shape == small.shape == (len(neon.basis.exponents("p-")),)


@pytest.mark.parametrize("kind", ["neon", "neon_limit"])
def test_expectation_values(kind, request):
    result = request.getfixturevalue(kind)
    assert result.expectation("r^0") == pytest.approx(10, rel=1e-11)
    for spinor in result.spinors.values():
        assert spinor.expectation("r") == pytest.approx(spinor.mean_radius, rel=1e-10)
    assert result.expectation("r^-1") == result.expectation("1/r")
    # Kinetic and potential energy in the field of a nucleus that is nearly a point.
    assert -10 * result.expectation("1/r") == pytest.approx(result.parts["nuclear"], rel=1e-6)
    assert result.spinors["2p3/2"].expectation("r^-3") > 0
    for operator in ("r^-3", "r^7", "p^2", "x"):
        with pytest.raises(cp.Error, match="expectation: "):
            result.spinors["1s1/2"].expectation(operator)


def test_form_factor(neon, neon_limit, program):
    q = np.array([[0.0, 0.5], [4.0, 20.0]])
    f = neon.form_factor(q)
    assert f.shape == q.shape and f[0, 0] == pytest.approx(10, abs=1e-10)
    assert np.max(np.abs(f - neon_limit.form_factor(q))) < 1e-5
    parts = neon.spinor_form_factors(q)
    assert list(parts) == list(neon.spinors) and np.allclose(sum(parts.values()), f, rtol=0, atol=1e-11)
    assert neon.electron_scattering_factor(0.0) == pytest.approx(neon.expectation("r^2") / 3 * 0.529177 , rel=1e-5)
    with pytest.raises(cp.Error):
        neon.form_factor(-1.0)
    done = program.run("formfactor", "Ne", "--q", "0,0.5,4,20", "--csv", "f.csv")
    assert done.returncode == 0, done.stderr
    rows = [line.split(",") for line in (program.folder / "f.csv").read_text().splitlines() if line[0].isdigit()]
    assert [float(row[1]) for row in rows] == pytest.approx(f.ravel(), abs=1e-10)  # the command converges further


def test_limit(neon, neon_limit):
    assert neon_limit.is_limit and neon_limit.basis is None and neon_limit.spinors[0].coefficients is None
    assert 0 < neon_limit.estimated_error < 1e-8
    assert 0 < neon.energy - neon_limit.energy < 2e-6


def test_not_converged_is_a_result_with_a_warning():
    with pytest.warns(cp.ProphetWarning, match="not converged") as caught:
        result = cp.Atom("Ne").energy(maxitr=2)
    assert result.status == "not converged" and not result.converged and result.iterations == 2
    assert caught[0].message.id == "not_converged" and caught[0].filename == __file__
    with pytest.raises(cp.Error, match="no radial functions, because it is not converged"):
        result.spinors[0].radial([1.0])


def test_unbound_is_a_result_with_a_warning():
    with pytest.warns(cp.ProphetWarning) as caught:
        result = cp.Atom("O", charge=-2).energy()
    assert result.status == "unbound" and "unbound" in [w.message.id for w in caught]


def test_warnings_have_ids():
    with pytest.warns(cp.ProphetWarning) as caught:
        cp.Atom("Ar", basis=cp.BasisSet([[0.5, 2.0, 8.0, 60.0], [0.5, 2.0, 8.0], [0.5, 2.0, 8.0]])).energy()
    assert "basis_poor" in {w.message.id for w in caught}


def test_properties_are_attributes(neon):
    lithium = cp.Atom("Li").energy()
    expected = lithium.to_dict()["properties"]
    assert lithium.properties == expected and lithium.nuclear_density == expected["nucleus"]
    assert lithium.hyperfine["2s1/2"]["a_mhz"] == expected["hyperfine"][0]["a_mhz"]
    assert neon.error_estimate == neon.basis_error


def test_quantum_numbers_and_labels(neon):
    assert neon.spinors.labels == ["1s1/2", "2s1/2", "2p1/2", "2p3/2"]
    assert [(s.l, s.j) for s in neon.spinors.values()] == [(0, 0.5), (0, 0.5), (1, 0.5), (1, 1.5)]


@pytest.mark.parametrize("operator", [2.5, None, "x", True])
def test_expectation_names_what_it_expects(neon, operator):
    assert neon.expectation(2) == neon.expectation("r^2")
    assert neon.spinors["2s1/2"].expectation(-1) == neon.spinors["2s1/2"].expectation("1/r")
    with pytest.raises(cp.Error, match="expectation: found .*; expected a power of r"):
        neon.expectation(operator)


def test_results_can_be_pickled(neon, neon_limit):
    for result in (neon, neon_limit):
        copy = pickle.loads(pickle.dumps(result))
        assert repr(copy.energy) == repr(result.energy) and copy.atom == result.atom
        assert np.array_equal(copy.density([0.1, 1.0]), result.density([0.1, 1.0]))


def test_record_is_flat(neon):
    record = neon.to_record()
    assert record["symbol"] == "Ne" and record["energy"] == neon.energy and record["charge"] == 0
    assert all(isinstance(v, (str, int, float)) for v in record.values())


def test_threads_of_python_compute_at_once(neon):
    atoms = [cp.Atom(z) for z in (2, 10, 18, 10)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda a: a.energy(threads=1).energy, atoms))
    assert found[1] == found[3] == pytest.approx(neon.energy, rel=1e-13)


def test_same_object_from_many_threads(neon):
    grid = neon.grid(500)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: neon.density(grid), range(8)))
    assert all(np.array_equal(f, found[0]) for f in found)


def test_ordinary_results_warn_of_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cp.Atom("Ar").energy()
