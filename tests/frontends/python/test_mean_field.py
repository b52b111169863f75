"""The mean field of an atom by its three names; what its numbers are is tested against PySCF (tests/interop/test_pyscf.py)."""
import subprocess
import os

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
    coulomb = atom.mean_field(interaction="coulomb")
    assert not coulomb.gaunt_ll.any() and field.gaunt_ls.any() and not field.gauge_ls.any()
    # Symmetries without electrons too.
    assert set(np.unique(field.tables["matrices"]["kappa"])) >= {-1, 1, -2, 2, -3}
    assert not field.density_ll[field.tables["matrices"]["kappa"] == -3].any()
    file = tmp_path / "ne.h5"
    subprocess.run([os.environ["PROPHET_PROGRAM"], "mean-field", "Ne", "--basis", "prophet-dz", "--breit", "gaunt", "--hdf5", str(file), "--quiet"],
                   check=True, capture_output=True)
    with h5py.File(file) as written:
        assert np.array_equal(written["field_ls"], field.field_ls) and len(written["functions/exponent"]) == len(field.exponent)


def test_what_it_refuses(tmp_path):
    for keywords, text in (({"hamiltonian": "x2c1e"}, "Dirac-Hartree-Fock"), ({"qed": True}, "without QED")):
        with pytest.raises(cp.Error, match=text):
            cp.Atom("Ne", basis="prophet-dz", **keywords).mean_field()
    with pytest.raises(cp.Error, match="decoupling: .*'field' or 'one-electron'"):
        cp.mean_field("Ne", decoupling="both")
    cp.Atom("He").energy().save(tmp_path / "he.h5")
    with pytest.raises(cp.Error, match="mean_field: a result that was loaded"):
        cp.load(tmp_path / "he.h5").mean_field()
