"""Tables of subshells: arrays with units, pictures, files that h5py reads."""
import json

import numpy as np
import pytest

import cudaprophet as cp

plot = pytest.importorskip("cudaprophet.plot")


@pytest.fixture(scope="module")
def titanium():
    return cp.tables("Ti3+", what="compton,magnetic,incoherent,binding", fit=3, grid="0:10:0.5", s="0:1.5:0.1", q="0:10:1", threads=1)


def test_tables_are_arrays_with_units(titanium):
    compton = titanium.tables["compton"]
    assert set(compton) == {"species", "label", "p", "J"}
    assert titanium.unit("p") == "1/bohr" and titanium.unit("S") == "electrons"
    electrons = dict(zip(titanium.tables["shells"]["label"], titanium.tables["shells"]["occupation"]))
    assert sum(electrons.values()) == pytest.approx(19)
    at_zero = {label: J for label, p, J in zip(compton["label"], compton["p"], compton["J"]) if p == 0}
    assert at_zero["1s1/2"] < at_zero["2s1/2"] < at_zero["3s1/2"]
    assert titanium.tables["incoherent"]["S"][-1] < 19


def test_fits_are_those_of_the_form_factors(titanium):
    bessel, fits = titanium.tables["bessel"], titanium.tables["fits"]
    for i, k in enumerate(np.asarray(fits["k"], dtype=int)):
        s = bessel["s"]
        total = fits["D"][i] + sum(fits[f"A{n}"][i] * np.exp(-fits[f"b{n}"][i] * s**2) for n in (1, 2, 3))
        assert np.abs(total * (s**2 if k else 1) - bessel[f"j{k}"]).max() < 1.05 * fits["largest_error"][i] + 1e-9


@pytest.mark.parametrize("kind", ["profiles", "magnetic", "scattering", "subshells"])
def test_pictures(titanium, tmp_path, kind):
    pytest.importorskip("matplotlib")
    file = tmp_path / "t.json"
    file.write_text(json.dumps(titanium.to_dict()))
    for source in (titanium, str(file)):
        figure = plot.draw(source, kind)
        assert figure.axes and figure.axes[0].lines
    with pytest.raises(cp.Error, match="expected tables of subshells"):
        plot.draw(cp.formfactor("He", q="0,1", threads=1), kind)


def test_files_of_the_program_are_read_by_h5py(tmp_path):
    h5py = pytest.importorskip("h5py")
    file = tmp_path / "c.h5"
    cp.tables(["He", "Ne"], format="openmc", to=str(file), threads=1)
    with h5py.File(file) as data:
        assert data["pz"].shape == (31,)
        neon = data["010"]
        assert neon["J"].shape == (4, 31)
        assert neon["num_electrons"][()].sum() == 10
