"""The mean field of an atom by its three names; what its numbers are is tested against PySCF (tests/interop/test_pyscf.py)."""
import json
import os
import subprocess

import h5py
import numpy as np
import pytest

import cudaprophet as cp


def test_by_atom_result_and_operation(tmp_path):
    atom = cp.Atom("Ne", basis="prophet-dz", breit="gaunt")
    field, of_result = atom.mean_field(), atom.energy(error_estimate=False).mean_field()
    by_name = cp.mean_field("Ne", library="prophet-dz", breit="gaunt")
    for other in (of_result, by_name):
        assert all(np.array_equal(field.tables["matrices"][k], other.tables["matrices"][k]) for k in field.tables["matrices"])
    assert field.fractional_energy == pytest.approx(field.energy, abs=1e-9)
    coulomb = atom.mean_field(repulsion="coulomb")
    assert not coulomb.gaunt_ll.any() and field.gaunt_ls.any() and not field.gauge_ls.any()
    # Symmetries without electrons too.
    assert set(np.unique(field.tables["matrices"]["kappa"])) >= {-1, 1, -2, 2, -3}
    assert not field.density_ll[field.tables["matrices"]["kappa"] == -3].any()
    file = tmp_path / "ne.h5"
    subprocess.run([os.environ["PROPHET_PROGRAM"], "mean-field", "Ne", "--basis", "prophet-dz", "--breit", "gaunt", "--hdf5", str(file), "--quiet"],
                   check=True, capture_output=True)
    with h5py.File(file) as written:
        assert np.array_equal(written["field_ls"], field.field_ls) and len(written["functions/exponent"]) == len(field.exponent)


def test_repulsion_and_basis_of_the_call():
    atom = cp.Atom("Ne", basis="prophet-dz")
    result = atom.energy(error_estimate=False)
    for repulsion, breit in (("coulomb", "none"), ("gaunt", "gaunt"), ("breit", "breit")):
        asked, of_keyword = result.mean_field(repulsion=repulsion, basis=None), cp.Atom("Ne", basis="prophet-dz", breit=breit).mean_field()
        assert np.array_equal(asked.field_ls, of_keyword.field_ls) and np.array_equal(asked.gauge_ll, of_keyword.gauge_ll)
        assert asked.gauge_ll.any() == (repulsion == "breit")
    whole = result.mean_field()
    assert result.mean_field(basis="prophet-tz").energy == pytest.approx(cp.Atom("Ne", basis="prophet-tz").energy(error_estimate=False).energy, abs=1e-8)
    # Symmetries without electrons beside the occupied ones: the field is the same, and the nucleus is the atom's.
    own = [[float(z) for z in whole.functions["exponent"][whole.functions["kappa"] == kappa]] for kappa in (-1, 1, -2)]
    more = result.mean_field(basis=cp.BasisSet([*own, [3.0], [3.0], [2.0], [2.0]]))
    assert set(more.functions["kappa"]) == {-1, 1, -2, 2, -3, 3, -4}
    for kappa in (-1, 1, -2):
        pair = [field.field_ss[field.matrices["kappa"] == kappa] for field in (whole, more)]
        assert np.allclose(*pair, rtol=1e-9, atol=1e-9)
    # Keywords of the calculation are the result's.
    point = atom.energy(error_estimate=False, nucleus="point")
    assert point.mean_field().energy == pytest.approx(point.energy, abs=1e-8) != pytest.approx(result.energy, abs=1e-6)
    with pytest.raises(cp.Error, match="repulsion: found 'magic'; expected 'coulomb', 'gaunt' or 'breit'"):
        result.mean_field(repulsion="magic")
    for name in ("breit", "interaction"):
        with pytest.raises(cp.Error, match=f"{name}: mean_field\\(\\) calls it repulsion"):
            atom.mean_field(**{name: "gaunt"})


def test_open_spinors_in_the_file(tmp_path):
    """The energy of the average from the file alone."""
    file = tmp_path / "cl.h5"
    subprocess.run([os.environ["PROPHET_PROGRAM"], "mean-field", "Cl", "--basis", "prophet-dz", "--hdf5", str(file), "--quiet"], check=True,
                   capture_output=True)
    with h5py.File(file) as written:
        facts = json.loads(written["provenance"][()])
        spinors, open_ = ({name: data[:] for name, data in written[group].items()} for group in ("spinors", "open"))
    energy, electrons = facts["fractional_energy"], 0.0
    for kappa, number in {*zip(spinors["kappa"], spinors["spinor"])}:
        own = (spinors["kappa"] == kappa) & (spinors["spinor"] == number)
        here = (open_["kappa"] == kappa) & (open_["spinor"] == number)
        n, large, small = spinors["electrons"][own][0], spinors["large"][own], spinors["small"][own]
        electrons += n
        assert here.any() == ((kappa, number) in {(1, 1), (-2, 1)})  # 3p
        if here.any():
            q = {block: open_[f"open_field_{block}"][here].reshape(len(large), len(large)) for block in ("ll", "ls", "ss")}
            energy -= n / 2 * (large @ q["ll"] @ large + 2 * large @ q["ls"] @ small + small @ q["ss"] @ small)
    assert electrons == pytest.approx(17, abs=1e-12)
    assert energy == pytest.approx(facts["energy"], abs=1e-9)
    assert abs(energy - facts["fractional_energy"]) > 1e-2


def test_what_it_refuses(tmp_path):
    for keywords, text in (({"hamiltonian": "x2c1e"}, "Dirac-Hartree-Fock"), ({"qed": True}, "without QED")):
        with pytest.raises(cp.Error, match=text):
            cp.Atom("Ne", basis="prophet-dz", **keywords).mean_field()
    with pytest.raises(cp.Error, match="decoupling: .*'field' or 'one-electron'"):
        cp.mean_field("Ne", decoupling="both")
    cp.Atom("He").energy().save(tmp_path / "he.h5")
    with pytest.raises(cp.Error, match="mean_field: a result that was loaded"):
        cp.load(tmp_path / "he.h5").mean_field()
