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
    assert set(compton) == {"species", "label", "p", "J", "error"}
    assert (compton["error"] > 0).all() and (compton["error"] < 0.02 * compton["J"] + 1e-9)[compton["p"] < 5].all()
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


@pytest.mark.parametrize("settings, text", [
    (dict(what="binding", grid=[0, 1]), "grid: is for compton; name compton in what="),
    (dict(what="binding", q="0:5:1"), "q: is for incoherent or formfactor"),
    (dict(what="compton", s="0:1:0.5"), "s: is for magnetic"),
    (dict(what="compton", shells="2p"), "shells: is for magnetic"),
    (dict(what="compton", fit=3), "fit: is for magnetic"),
    (dict(what="compton", powers=[2]), "powers: is for moments"),
    (dict(what="binding", impact=[100]), "impact: is for beb"),
    (dict(what="binding", outermost="experiment"), "outermost: is for beb"),
    (dict(format="dabax", to="a.dat", grid=[0, 1]), "grid: cannot be given together with format 'dabax', which has its own"),
    (dict(format="xraylib", to="a.dat", q=[1, 2]), "q: cannot be given together with format 'xraylib'"),
    (dict(format="mcphase", to="a.dat", powers=[2]), "powers: cannot be given together with format 'mcphase'"),
])
def test_settings_that_no_table_would_use_are_refused(settings, text):
    with pytest.raises(cp.Error) as error:
        cp.tables("Ne", **settings)
    assert text in str(error.value)


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


def test_the_shipped_tables_are_read_without_computing():
    t = cp.tables(["Xe", "Fe3+", "Og"], what="binding,compton,moments,incoherent,formfactor,magnetic,beb", data="shipped", threads=1)
    assert t.skipped == 3 and t.request["limit"]
    shells, compton = t.tables["shells"], t.tables["compton"]
    assert set(shells["label"]) >= {"1s1/2", "3d5/2", "7p3/2"} and "3d" not in shells["label"]
    xenon = (np.asarray(compton["species"]) == "Xe") & (compton["p"] == 0)
    total = sum(J * q for J, q in zip(compton["J"][xenon], np.asarray(shells["occupation"])[np.asarray(shells["species"]) == "Xe"]))
    assert total == pytest.approx(9.74, abs=5e-3)  # Biggs, Mendelsohn and Mann: 9.74
    assert (compton["error"] <= 1.1e-7 * compton["J"] + 1e-15).all()
    with pytest.raises(cp.Error, match="another grid"):
        cp.tables("Xe", what="compton", grid="0,1", data="shipped", threads=1)
    whole = cp.tables("Xe", what="compton", by="atom", data="shipped", threads=1)
    assert whole.tables["compton"]["J"][0] == pytest.approx(total, rel=1e-9)


# Readers of other programs.

def test_dabax_files_are_read_by_fisx(tmp_path):
    fisx = pytest.importorskip("fisx")
    file = tmp_path / "profiles.dat"
    cp.tables(["He", "Ne", "Fe"], format="dabax", to=str(file), threads=1)
    read = fisx.SimpleSpecfile(str(file))
    assert read.getNumberOfScans() == 3
    assert read.getScanLabels(1)[:2] == ["pz", "total"]
    neon = np.array(read.getScanData(1))
    electrons = [float(x) for x in file.read_text().split("#UOCCUP")[2].splitlines()[0].split()]
    assert neon.shape == (31, 6) and sum(electrons) == 10
    assert np.allclose(neon[:, 2:] @ electrons, neon[:, 1], rtol=1e-6)


def test_profiles_and_scattering_are_those_that_xraylib_has(tmp_path):
    xraylib = pytest.importorskip("xraylib")
    profiles = cp.tables("Xe", what="compton,binding", threads=1).tables["compton"]
    shells = {"1s1/2": xraylib.K_SHELL, "2p3/2": xraylib.L3_SHELL, "4d5/2": xraylib.N5_SHELL, "5s1/2": xraylib.O1_SHELL}
    for label, p, J in zip(profiles["label"], profiles["p"], profiles["J"]):
        if label in shells and p <= 5:
            # Three digits there, between whose points a spline runs.
            assert J == pytest.approx(xraylib.ComptonProfile_Partial(54, shells[label], float(p)), rel=0.02, abs=2e-4), (label, p)
    file = tmp_path / "SF.dat"
    cp.tables("Ar", format="xraylib", to=str(file), threads=1)
    head, *rows = file.read_text().splitlines()
    values = np.array([row.split() for row in rows[:int(head)]], dtype=float)
    assert len(values) == int(head) and (np.diff(values[:, 0]) > 0).all()
    for s, S in values[(values[:, 0] > 0.1) & (values[:, 0] < 8)]:
        assert S == pytest.approx(xraylib.SF_Compt(18, s), rel=5e-3), s  # theirs without relativity


def test_tuples_are_read_by_periodictable(tmp_path):
    magnetic = pytest.importorskip("periodictable.magnetic_ff")
    periodictable = pytest.importorskip("periodictable")
    file = tmp_path / "ours.py"
    cp.tables(["Fe2+", "Gd3+"], format="periodictable", to=str(file), threads=1)
    table = {}
    exec(file.read_text(), table)
    ours = {(name, coefficients[0]): coefficients[1:] for name, rows in table["MAGNETIC_FORM_FACTORS"].items() for coefficients in rows}
    exact = cp.tables(["Fe2+", "Gd3+"], what="magnetic", threads=1).tables["bessel"]
    q = 4 * np.pi * exact["s"]
    for species, key, element, bound in (("Fe2+", "FE2", periodictable.Fe, 0.015), ("Gd3+", "GD3", periodictable.Gd, 5e-3)):
        here = (np.asarray(exact["species"]) == species) & (exact["s"] <= 1)
        charge = int(key[-1])
        for name, form in (("j0", magnetic.formfactor_0), ("j2", magnetic.formfactor_n)):
            assert np.abs(form(ours[name, key], q[here]) - exact[name][here]).max() < 5e-3, (species, name)
            theirs = getattr(element.magnetic_ff[charge], name + "_Q")(q[here])
            assert np.abs(form(ours[name, key], q[here]) - theirs).max() < bound, (species, name)


def test_openmc_files_have_the_layout_that_openmc_documents(tmp_path):
    h5py = pytest.importorskip("h5py")
    file = tmp_path / "c.h5"
    cp.tables(["He", "Tc", "U"], format="openmc", to=str(file), threads=1)
    with h5py.File(file) as data:
        # As openmc.data.IncidentPhoton reads it: pz, and of each Z num_electrons, binding_energy and J (shells, 31).
        assert sorted(name for name in data if name != "pz") == ["002", "043", "092"]
        pz = data["pz"][()]
        for z in (2, 43, 92):
            group = data[f"{z:03}"]
            electrons, binding, J = (group[name][()] for name in ("num_electrons", "binding_energy", "J"))
            assert len(electrons) == len(binding) == len(J) and J.shape[1] == len(pz) == 31
            assert electrons.sum() == pytest.approx(z, abs=1e-9) and (binding > 0).all() and binding.max() < 0.2
            # One order: the integral over p of each shell is about one half, and the sum is that of the atom.
            assert (J > 0).all() and (np.diff(J, axis=1) <= 1e-14 * J[:, :-1]).all()  # flat at p = 0 for f shells
            whole = cp.tables(str(z), what="compton", by="atom", threads=1).tables["compton"]["J"]
            assert np.allclose(electrons @ J, whole, rtol=1e-5)
