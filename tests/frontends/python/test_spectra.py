"""Spectra, opacities and line lists: numbers against ones that were worked out by hand, and files read back."""
import json
import re
import sys

import numpy as np
import pytest

import cudaprophet as cp
from cudaprophet import spectra

HARTREE_EV = 27.211386245981


def two_levels(energy=0.1, gf=1.0, rate=1e8, mass=1):
    """One line between levels with J = 1/2 and 3/2."""
    levels = [{"J": j, "parity": p, "energy": e - 1, "excitation_energy": e, "label": label, "lifetime": life, "g": 2.0}
              for j, p, e, label, life in ((0.5, "+", 0.0, "1s1 2S", None), (1.5, "-", energy, "2p1 2Po", 1 / rate))]
    line = {"type": "E1", "lower": 0, "upper": 1, "lower_J": 0.5, "upper_J": 1.5, "energy": energy, "gf": gf, "A": rate}
    return {"operation": "lines", "symbol": "H", "Z": 1, "charge": 0, "nucleus": {"mass_number": mass}, "levels": levels, "lines": [line],
            "configuration": {"description": "1s1 | 2p1"}}


@pytest.fixture(scope="module")
def iron():
    return cp.lines("Fe16+", configs="2p6 | 2p5 3s | 2p5 3d", nucleus="point")


@pytest.fixture(scope="module")
def oxygen():
    return cp.lines("O", configs="2p4", multipoles="M1 E2")


def test_populations_of_two_levels():
    lower, upper = spectra.populations(two_levels(), 1e4)
    assert upper / lower == pytest.approx(0.0850433, rel=1e-5)  # 2 exp(-0.1 hartree/kT)
    assert lower + upper == pytest.approx(1, abs=1e-15)
    assert list(spectra.populations(two_levels(), 0)) == [1, 0] and list(spectra.populations(two_levels())) == [1, 1]
    hot = spectra.populations(two_levels(), np.inf)
    assert hot == pytest.approx([1 / 3, 2 / 3])
    observed = two_levels()
    observed["levels"][1]["observed_energy"] = 0.0
    assert spectra.populations(observed, 1e4) == pytest.approx([1 / 3, 2 / 3])  # measured energies come first


def test_sticks():
    wavelength = 45.563352529  # nm times hartree: 1e7/219474.63
    emitted = spectra.sticks(two_levels(), temperature=1e4)
    assert emitted.x == pytest.approx([wavelength / 0.1]) and emitted.strength == pytest.approx([1e8 * 0.0850433 / 1.0850433], rel=1e-5)
    assert spectra.sticks(two_levels(), power=True).strength == pytest.approx([1e8 * 0.1 * HARTREE_EV])
    absorbed = spectra.sticks(two_levels(gf=0.8328), kind="absorption", axis="energy")  # f of Lyman alpha
    assert absorbed.x == pytest.approx([0.1 * HARTREE_EV]) and absorbed.strength == pytest.approx([109.761 * 0.4164], rel=1e-5)
    assert spectra.sticks(two_levels(), axis="wavenumber").x == pytest.approx([21947.463136])


def test_wavelengths_in_air(oxygen):
    assert spectra.air_wavelength([589.1583, 589.7558]) == pytest.approx([588.9950, 589.5924], abs=2e-4)  # sodium
    assert spectra.air_wavelength(121.567) == 121.567
    for line, x in zip(oxygen.to_dict()["lines"], spectra.sticks(oxygen, axis="air").x):
        assert line["wavelength_air"] is None or x == pytest.approx(line["wavelength_air"], rel=1e-11)
    assert spectra.sticks(oxygen).x == pytest.approx([line["wavelength_vacuum"] for line in oxygen.to_dict()["lines"]], rel=1e-11)


@pytest.mark.parametrize("axis", list(spectra.AXES))
@pytest.mark.parametrize("widths, share", [({"fwhm": 0.01}, 1), ({"lorentz": 0.01}, 0.9968), ({"fwhm": 0.01, "lorentz": 0.01}, 0.9968)])
def test_areas_of_profiles(axis, widths, share):
    """From -1 to 1 in units of a hundred widths: the wings of the Lorentzian beyond hold 0.32 %, 1 - 2/pi atan(200)."""
    if len(widths) == 2:
        pytest.importorskip("scipy")
    stick = spectra.sticks(two_levels(), axis=axis)
    x = stick.x[0] + np.linspace(-1, 1, 40001)
    y = spectra.spectrum(two_levels(), x, axis=axis, **widths)
    assert np.trapezoid(y, x) == pytest.approx(share * stick.strength[0], rel=3e-5)
    half = x[y > y.max() / 2]
    width = {1: 0.01, 2: 0.5346 * 0.01 + np.sqrt(0.2166 + 1) * 0.01}[len(widths)]  # of a Voigt profile: Olivero and Longbothum 1977
    assert half[-1] - half[0] == pytest.approx(width, rel=0.011)


def test_voigt_profiles_are_convolutions():
    pytest.importorskip("scipy")
    x, step = np.linspace(-40, 40, 8001, retstep=True)
    gauss, lorentz = (spectra.profile(x, np.array([s]), np.array([g])) for s, g in ((0.7, 0.0), (0.0, 0.4)))
    both = np.convolve(gauss, lorentz, mode="same") * step
    inside = slice(2000, 6001)  # the convolution lacks what lies beyond the ends
    assert spectra.profile(x, np.array([0.7]), np.array([0.4]))[inside] == pytest.approx(both[inside], abs=1e-5)


def test_widths():
    sigma, gamma = spectra.widths(two_levels(rate=6.2649e8), axis="energy", natural=True)
    assert sigma == [0] and 2 * gamma == pytest.approx([4.12364e-7], rel=1e-5)  # hbar A of Lyman alpha, eV
    sigma, _ = spectra.widths(two_levels(mass=56), doppler=5e6)
    assert 2.354820 * sigma / spectra.sticks(two_levels()).x == pytest.approx([7.1623e-7 * np.sqrt(5e6 / 56)], rel=1e-4)
    sigma, _ = spectra.widths(two_levels(mass=56), doppler=5e6, mass=4 * 56)
    assert 2.354820 * sigma / spectra.sticks(two_levels()).x == pytest.approx([7.1623e-7 * np.sqrt(5e6 / 56) / 2], rel=1e-4)


def test_spectra_of_an_ion(iron):
    drawn = spectra.sticks(iron, temperature=5e6, types="E1")
    assert set(drawn.type) == {"E1"} and len(drawn.x) == sum(line["type"] == "E1" for line in iron.to_dict()["lines"])
    x = spectra.grid(iron, span=(1.4, 1.8), temperature=5e6, fwhm=0.002, types="E1")
    y = spectra.spectrum(iron, x, temperature=5e6, fwhm=0.002, types="E1")
    assert np.trapezoid(y, x) == pytest.approx(drawn.strength[drawn.x < 1.8].sum(), rel=2e-3)
    assert x[np.argmax(y)] == pytest.approx(1.5001, abs=1e-3)  # 3C; in experiment 1.5014
    # A cross section is a value, not a density: the same on each axis.
    energy = spectra.spectrum(iron, [823.0, 825.0], kind="absorption", axis="energy", fwhm=1.0)
    number = spectra.spectrum(iron, np.array([823.0, 825.0]) * 8065.543937, kind="absorption", axis="wavenumber", fwhm=8065.543937)
    assert number == pytest.approx(energy, rel=1e-6)


def test_every_source_gives_the_same(tmp_path, iron, program):
    (tmp_path / "l.json").write_text(json.dumps(iron.to_dict()))
    done = program.run("lines", "Fe16+", "--configs", "2p6 | 2p5 3s | 2p5 3d", "--nucleus", "point", "--csv", "l.csv")
    assert done.returncode == 0, done.stderr
    x = np.linspace(1.4, 1.8, 50)
    expected = spectra.spectrum(iron, x, fwhm=0.01)
    for source in (iron.to_dict(), tmp_path / "l.json", str(tmp_path / "l.csv"), spectra.lines_of(iron)):
        assert spectra.spectrum(source, x, fwhm=0.01) == pytest.approx(expected, rel=1e-9)
    with pytest.raises(cp.Error, match="no energies of levels"):
        spectra.populations(str(tmp_path / "l.csv"), 1000)


def test_core_holes():
    """L edges of a d1 ion: the lines absorb with what the oscillator strengths from the lowest level add up to."""
    titanium = cp.lines("Ti3+", configs="2p6 3d1 | 2p5 3d2", multipoles="E1", nucleus="point")
    x = np.arange(100.0, 900.0, 0.05)
    y = spectra.spectrum(titanium, x, kind="absorption", axis="energy", lorentz=0.4)
    f = sum(line["gf"] for line in titanium.to_dict()["lines"] if line["lower"] == 0) / (2 * titanium.levels[0]["J"] + 1)
    assert np.trapezoid(y, x) == pytest.approx(109.761 * f, rel=2e-3)
    assert 440 < x[np.argmax(y)] < 480


def test_sobolev_depths():
    lyman = two_levels(energy=45.563352529 / 121.567, gf=0.8328)
    settings = {"temperature": 0.0, "time": 1e5}
    assert spectra.sobolev_depths(lyman, density=1.0, **settings) == pytest.approx([0.0134347], rel=1e-5)  # 0.02654009 f n lambda t
    assert spectra.sobolev_depths(lyman, density=10.0, **{**settings, "temperature": np.inf}) == pytest.approx([0.134347 / 3], rel=1e-5)


def test_stimulated_emission():
    """Absorption is less by what the same photons stimulate: 1 - g_l n_u/(g_u n_l), of the populations."""
    lines, temperature = two_levels(energy=0.01), 4000.0
    lower, upper = spectra.populations(lines, temperature)
    share = 1 - 2 * upper / (4 * lower)
    assert share == pytest.approx(0.5458999, rel=1e-6)  # 1 - exp(-0.01 hartree/(k 4000 K)), k = 3.1668115634564e-6 hartree/K
    usual = spectra.sticks(lines, kind="absorption", temperature=temperature)
    assert spectra.sticks(lines, kind="absorption", temperature=temperature, stimulated=True).strength == pytest.approx(share * usual.strength)
    assert spectra.sticks(lines, kind="absorption", stimulated=True).strength == spectra.sticks(lines, kind="absorption").strength
    x = spectra.grid(lines, kind="absorption", temperature=temperature, stimulated=True, fwhm=1.0)
    kinds = {"kind": "absorption", "temperature": temperature, "fwhm": 1.0}
    assert spectra.spectrum(lines, x, stimulated=True, **kinds) == pytest.approx(share * spectra.spectrum(lines, x, **kinds))
    matter = {"temperature": temperature, "time": 1e5}
    assert spectra.sobolev_depths(lines, density=1.0, stimulated=True, **matter) == pytest.approx(share * spectra.sobolev_depths(lines, density=1.0, **matter))
    thin = {"density": 1e-31, **matter}
    edges = [1000.0, 9000.0]
    assert spectra.expansion_opacity(lines, edges, stimulated=True, **thin) == pytest.approx(share * spectra.expansion_opacity(lines, edges, **thin), rel=1e-6)
    with pytest.raises(cp.Error, match="stimulated: is of absorption alone"):
        spectra.sticks(lines, stimulated=True)


def test_expansion_opacity():
    lyman = two_levels(energy=45.563352529 / 121.567, gf=0.8328)
    time, edges = 86400.0, [100.0, 120.0, 130.0, 150.0]
    matter = {"temperature": 0.0, "time": time}
    thick = spectra.expansion_opacity(lyman, edges, density=1e-13, **matter)
    assert thick == pytest.approx([0, 12.1567 / (2.99792458e10 * time * 1e-13), 0], rel=1e-6)  # one line of optical depth 7e8
    thin = spectra.expansion_opacity(lyman, edges, density=1e-25, share=0.5, **matter)
    depth = 0.0134347 * time / 1e5 * 0.5e-25 / 1.66053906892e-24
    assert thin[1] == pytest.approx(12.1567 * -np.expm1(-depth) / (2.99792458e10 * time * 1e-25), rel=1e-5)
    assert spectra.expansion_opacity(lyman, edges, density=1e-25, share=0.5, mass=2, **matter)[1] == pytest.approx(thin[1] / 2, rel=1e-3)


def test_planck_means():
    # Fractions below lambda T in micrometre K, by numerical quadrature with hc/k = 14387.768775 micrometre K.
    for product, share in ((1000, 0.0003207697841), (2000, 0.0667299402), (5000, 0.6337258719), (10000, 0.9141569709), (50000, 0.9989038771)):
        assert spectra.planck_share(product / 5000 * 1000, 5000) == pytest.approx(share, abs=1e-9)
    near = spectra.planck_share(spectra.EV_NM / (8.617333262e-5 * 5000 * np.array([1 - 1e-9, 1 + 1e-9])), 5000)
    assert near[0] == pytest.approx(near[1], abs=1e-9)  # where one series takes over from the other
    edges = np.geomspace(10, 1e6, 200)
    assert spectra.planck_mean(edges, np.full(199, 2.5), 5000) == pytest.approx(2.5, rel=1e-6)
    x = np.linspace(0.01, 40, 400001)
    inside = x ** 3 / np.expm1(x) * (spectra.EV_NM / (8.617333262e-5 * 5000 * x) < 700)
    assert spectra.planck_mean([1, 700, 1e7], [1.0, 0.0], 5000) == pytest.approx(np.trapezoid(inside, x) * 15 / np.pi ** 4, rel=1e-4)


@pytest.mark.parametrize("call, text", [
    (lambda: spectra.sticks({"operation": "levels"}), "expected lines, of the operation 'lines'"),
    (lambda: spectra.sticks(two_levels(), kind="heat"), "kind: found 'heat'; expected emission, absorption"),
    (lambda: spectra.sticks(two_levels(), axis="nm"), "axis: found 'nm'; expected wavelength"),
    (lambda: spectra.sticks(two_levels(), types="E9"), "types: found E9"),
    (lambda: spectra.populations(two_levels(), -1), "temperature: found -1"),
    (lambda: spectra.spectrum(two_levels(), [1.0]), "lines without a width; give fwhm"),
    (lambda: spectra.spectrum(two_levels(), [1.0], fwhm=-1), "fwhm: found -1"),
    (lambda: spectra.spectrum(two_levels(mass=None), [1.0], doppler=1e4), "do not say the mass"),
    (lambda: spectra.expansion_opacity(two_levels(), [2, 1], temperature=0, density=1, time=1), "edges: expected"),
    (lambda: spectra.expansion_opacity(two_levels(), [1, 2], temperature=0, density=0, time=1), "density, time: found 0 and 1"),
    (lambda: spectra.expansion_opacity(two_levels(), [1, np.nan], temperature=0, density=1, time=1), "edges: expected"),
    (lambda: spectra.expansion_opacity(two_levels(), [1, 2], temperature=0, density=1, time=1, share=2), "share: found 2; expected 0 to 1"),
    (lambda: spectra.expansion_opacity(two_levels(), [1, 2], temperature=0, density=np.nan, time=1), "density, time: found nan"),
    (lambda: spectra.planck_mean([1, np.nan], [1], 5000), "edges: expected"),
    (lambda: spectra.planck_mean([1, 2], [1], 0), "temperature: found 0; expected more than 0"),
    (lambda: spectra.planck_mean([1, 2], [1, 2], 5000), "opacity: found an array of shape"),
    (lambda: cp.write_lines(two_levels(), "x", format="vald"), "format: found 'vald'; expected kurucz, pyneb, jplt, gsi or carsus"),
    (lambda: cp.write_lines(two_levels(), "x", format="pyneb", levels=5), "levels: found 5; expected 2 to 2"),
    (lambda: cp.write_lines(two_levels(), "x", least_gf=2), "no E1 lines"),
])
def test_what_is_wrong(call, text):
    with pytest.raises(cp.Error, match=text):
        call()


def test_voigt_without_scipy(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    with pytest.raises(cp.Error, match="Voigt profiles need scipy: pip install scipy"):
        spectra.spectrum(two_levels(), [450.0], fwhm=0.1, lorentz=0.1)
    assert spectra.spectrum(two_levels(), [450.0], fwhm=0.1).shape == (1,)


# The columns that Kurucz states: widths of the fields, from wavelength to the last one.
KURUCZ = (11, 7, 6, 12, 5, 1, 10, 12, 5, 1, 10, 6, 6, 6, 4, 2, 2, 3, 6, 3, 6, 5, 5, 6, 1, 3, 5, 5, 6)


def test_lists_of_kurucz_are_read_back(tmp_path, iron):
    assert sum(KURUCZ) == 160
    number = cp.write_lines(iron, tmp_path / "gf.dat")
    rows = (tmp_path / "gf.dat").read_text().splitlines()
    lines = sorted((line for line in iron.to_dict()["lines"] if line["type"] == "E1"), key=lambda line: line["wavelength_vacuum"])
    assert number == len(rows) == len(lines) and len(rows) > 4
    ends = np.cumsum((0,) + KURUCZ)
    for row, line in zip(rows, lines):
        field = [row[a:b] for a, b in zip(ends, ends[1:])]
        assert len(row) == 160 and float(field[0]) == pytest.approx(line["wavelength_vacuum"], abs=5.1e-5)
        assert float(field[1]) == pytest.approx(np.log10(line["gf"]), abs=5.1e-4) and float(field[2]) == 26.16
        for level, (energy, j, label, g) in ((iron.levels[line["lower"]], (*map(float, field[3:5]), field[6], field[26])),
                                             (iron.levels[line["upper"]], (*map(float, field[7:9]), field[10], field[27]))):
            assert -energy == pytest.approx(level["excitation_energy"] * 219474.63136314, abs=5.1e-4) and j == level["J"]
            assert label.split()[-1] == level["label"].split()[-1].rstrip("o")
            assert int(g) == pytest.approx(1000 * (level["g"] or 0), abs=0.51)
        decays = sum(1 / iron.levels[line[end]]["lifetime"] for end in ("lower", "upper") if iron.levels[line[end]]["lifetime"])
        assert float(field[11]) == pytest.approx(np.log10(decays), abs=5.1e-3)
    assert cp.write_lines(iron, tmp_path / "strong.dat", least_gf=0.1) == sum(line["gf"] >= 0.1 for line in lines)


def test_observed_energies_have_no_sign(tmp_path):
    known = two_levels()
    for level in known["levels"]:
        level["observed_energy"] = 0.99 * level["excitation_energy"]
    cp.write_lines(known, tmp_path / "gf.dat")
    row = (tmp_path / "gf.dat").read_text()
    assert float(row[52:64]) == pytest.approx(0.099 * 219474.63136314, abs=1e-3) and row[70:80] == "2p 2P     "
    assert row[11:18] == "  0.000" and row[80:86] == "  8.00"
    assert float(row[:11]) == pytest.approx(spectra.air_wavelength(455.63352529), abs=1e-4)


def test_tables_of_pyneb_are_read_back(tmp_path, oxygen):
    assert cp.write_lines(oxygen, tmp_path / "o_i_atom_prophet.dat", "pyneb") == 5
    rows = (tmp_path / "o_i_atom_prophet.dat").read_text().splitlines()
    table = np.array([row.split() for row in rows[2:] if not row.startswith("***")], dtype=float)
    assert rows[1].split()[0] == "cm-1" and table.shape == (5, 7)
    assert table[:, 0] == pytest.approx([219474.63136314 * level["excitation_energy"] for level in oxygen.levels], abs=1e-4)
    assert list(table[:, 1]) == [5, 3, 1, 5, 1]
    expected = np.zeros((5, 5))
    for line in oxygen.to_dict()["lines"]:
        expected[line["upper"], line["lower"]] += line["A"]
    assert table[:, 2:] == pytest.approx(expected, rel=1e-6) and expected[3, 0] > 0
    notes = dict(re.match(r"\*\*\* (\w+) (.*)", row).groups() for row in rows if row.startswith("***"))
    assert (notes["SPECTRUM"], notes["N_LEVELS"], notes["GSCONFIG"]) == ("1", "5", "p4")
    assert cp.write_lines(oxygen, tmp_path / "few.dat", "pyneb", levels=3) == 3


@pytest.fixture(scope="module")
def cerium():
    return cp.lines("Ce2+", configs="4f2 | 4f 5d", calibrate="nist", multipoles="E1", least_gf=1e-3)


def test_lists_of_the_opacity_databases(tmp_path, cerium):
    """By the columns that artisatomic's readers take (readtanakajpltdata, readfloers25data)."""
    record = cerium.to_dict()
    count = cp.write_lines(cerium, tmp_path / "58_3.txt", "jplt")
    rows = (tmp_path / "58_3.txt").read_text().splitlines()
    assert count == len(record["lines"]) > 50 and rows[0] == "# 58 3"
    assert rows[1] == f"# {len(record['levels'])} {count}" and float(rows[3].removeprefix("# IP = ")) == pytest.approx(20.198, abs=0.3)
    assert rows[4] == "# Energy levels" and {"#", "num", "weight", "parity", "E(eV)", "configuration"} <= set(rows[5].split())
    for row, level in zip(rows[6:], record["levels"]):
        assert int(row[7:15]) == 2 * level["J"] + 1 and row[15:19].strip() == ("odd" if level["parity"] == "-" else "even")
        assert float(row[19:34]) == pytest.approx(27.211386245981 * level["excitation_energy"], abs=1e-6) and re.match(r"\d", row[34:].strip().rsplit(".", 1)[-1])
    start = 6 + len(record["levels"])
    assert rows[start:start + 2] == ["# Transitions", "# num_u   num_l   wavelength(nm)     g_u*A      log(g_l*f)"]
    for row, line in zip(rows[start + 2:], record["lines"]):
        upper = record["levels"][int(row[:7]) - 1]
        assert upper["J"] == line["upper_J"] and int(row[7:15]) - 1 == line["lower"]
        assert float(row[30:43]) / (2 * upper["J"] + 1) == pytest.approx(line["A"], rel=1e-4) and float(row[43:]) == pytest.approx(np.log10(line["gf"]), abs=1e-4)
    assert cp.write_lines(cerium, tmp_path, "gsi") == count
    levels, lines = ((tmp_path / f"58CeIII_{kind}_calib.txt").read_text().splitlines() for kind in ("levels", "transitions"))
    assert [row.startswith("--") for row in levels[:5]] == [True, False, True, False, True] and levels[5].split()[:5] == ["Index", "Configuration", "Parity", "J", "Energy"]
    table = [row.split() for row in levels[6:]]
    assert [int(row[0]) for row in table] == list(range(len(record["levels"]))) and {row[2] for row in table} == {"0", "1"}
    assert float(table[5][4]) == pytest.approx(219474.63136314 * record["levels"][5]["excitation_energy"], abs=1e-3)
    assert lines[5].split()[:3] == ["Upper", "Lower", "A"] and float(lines[6].split()[2]) == pytest.approx(record["lines"][0]["A"], rel=1e-5)
    assert cp.write_lines(two_levels(), tmp_path, "gsi") == 1  # without errors
    rows = (tmp_path / "1HI_levels_uncalib.txt").read_text().splitlines()
    assert len(rows[5].split()) == 5 and len(rows) == 8
    with pytest.raises(cp.Error, match="is no folder"):
        cp.write_lines(cerium, tmp_path / "none", "gsi")
    with pytest.raises(cp.Error, match="ionisation_energy: these lines have none"):
        cp.write_lines(two_levels(), tmp_path / "x", "jplt")


def test_atomic_data_of_carsus(tmp_path, cerium):
    """As TARDIS reads them, with pandas: tables, columns and units of carsus 7f08cb8 (carsus/io/output)."""
    pd = pytest.importorskip("pandas")
    pytest.importorskip("tables")
    file, record = tmp_path / "ce.h5", cerium.to_dict()
    count = cp.write_lines(cerium, file, "carsus", least_gf=1e-3)
    parts = {key: pd.read_hdf(file, key) for key in ("atom_data", "ionization_data", "zeta_data", "levels_data", "lines_data", "macro_atom_data",
                                                     "macro_atom_references", "metadata", "lines_metadata")}
    levels, lines, macro, references = (parts[key] for key in ("levels_data", "lines_data", "macro_atom_data", "macro_atom_references"))
    limit = 27.211386245981 * record["ionisation_limit"]
    assert parts["ionization_data"].loc[58, 3] == pytest.approx(limit) and parts["atom_data"].loc[58, "symbol"] == "Ce"
    below = [level for level in record["levels"] if 27.211386245981 * level["excitation_energy"] < limit]
    own = levels.loc[58, 2]
    assert list(own["g"]) == [2 * level["J"] + 1 for level in below] and levels.loc[(58, 58, 0), "energy"] == 0
    assert own["energy"].to_numpy() == pytest.approx([27.211386245981 * level["excitation_energy"] for level in below])
    assert own["metastable"].iloc[0] and not own["metastable"].all()
    assert len(lines) == count > 50 and list(lines.index.names) == ["atomic_number", "ion_number", "level_number_lower", "level_number_upper"]
    first = record["lines"][0]
    row = lines.loc[58, 2, first["lower"], first["upper"]]
    assert row["wavelength"] == pytest.approx(10 * first["wavelength_vacuum"]) and row["A_ul"] == pytest.approx(first["A"], rel=1e-6)
    assert row["f_lu"] == pytest.approx(first["gf"] / (2 * first["lower_J"] + 1)) and row["nu"] == pytest.approx(2.99792458e18 / row["wavelength"])
    assert row["B_lu"] / row["B_ul"] == pytest.approx((2 * first["upper_J"] + 1) / (2 * first["lower_J"] + 1))
    assert row["A_ul"] / row["B_ul"] == pytest.approx(2 * 6.62607015e-27 * row["nu"] ** 3 / 2.99792458e10 ** 2)
    assert len(macro) == 3 * count and references["count_total"].sum() == 3 * count
    emission = macro[(macro.transition_line_id == row["line_id"]) & (macro.transition_type == -1)].iloc[0]
    assert (emission.source_level_number, emission.destination_level_number) == (first["upper"], first["lower"])
    assert parts["metadata"].loc[("format", "version"), "value"] == "2.0"
    with pytest.raises(cp.Error, match="is there twice"):
        cp.write_lines([cerium, cerium], file, "carsus")


def test_pyneb_reads_them(tmp_path, oxygen):
    pyneb = pytest.importorskip("pyneb")
    cp.write_lines(oxygen, tmp_path / "o_i_atom_readback.dat", "pyneb")
    pyneb.atomicData.addDataFilePath(str(tmp_path))
    pyneb.atomicData.setDataFile("o_i_atom_readback.dat")
    atom = pyneb.Atom("O", 1)
    assert atom.NLevels == 5 and atom.getA(5, 4) == pytest.approx(sum(
        line["A"] for line in oxygen.to_dict()["lines"] if (line["upper"], line["lower"]) == (4, 3)), rel=1e-6)
    assert atom.wave_Ang[3, 0] == pytest.approx(1e8 / (219474.63136314 * oxygen.levels[3]["excitation_energy"]), rel=1e-3)
    assert 0 < atom.getEmissivity(1e4, 100, lev_i=4, lev_j=1) < 1e-20
