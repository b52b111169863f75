"""Levels and Slater integrals from Python, and the files of multiplet programs."""
import csv
import json
import re

import pytest

import cudaprophet as cp


def test_levels_of_an_atom_are_those_of_the_operation():
    ours, same = cp.Atom("C", breit="breit").levels(threads=1), cp.levels("C", breit="breit", threads=1)
    assert ours.levels == same.levels and len(ours.levels) == 5
    assert [level["J"] for level in ours.levels] == [0, 1, 2, 2, 0]
    assert ours.levels[0]["terms"][0]["term"] == "3P" and ours.levels[0]["parity"] == "+"
    # The first excited level lies 16.4 cm^-1 above the ground level in experiment.
    assert 10 < ours.levels[1]["excitation_energy"] * 219474.63 < 25


def test_methods_of_an_atom_take_the_settings_of_their_operations(tmp_path):
    sodium = cp.Atom("Na", config="3s | 3p")
    small = dict(core_valence=True, core_lmax=2, valence_lmax=1, valence_spinors=4)
    ours, same = sodium.levels(**small, threads=1), cp.levels("Na", config="3s | 3p", **small, threads=1)
    assert ours.levels == same.levels and ours.core == "[Ne]"
    magnesium = cp.Atom("Mg", config="3s 3p").slater(core_valence=True, core_lmax=2, threads=1)
    assert magnesium.core == "[Ne]" and set(magnesium.parameters) == {"integral", "shells", "k", "value", "valence"}
    calcium, written = cp.Atom("Ca2+", config="3p6 | 3p5 3d1"), tmp_path / "levels.csv"
    assert calcium.levels(calibrate="none", vectors=True, levels_csv=written, device="cpu").tables["vectors"]
    assert written.exists()
    lines = calcium.lines(relaxed="configurations", multipoles="E1")
    assert lines.to_dict()["lines"] == cp.lines("Ca2+", configs="3p6 | 3p5 3d1", relaxed="configurations", multipoles="E1").to_dict()["lines"]
    cp.Atom("Ti3+").slater(edrixs=str(tmp_path / "ti.json"), unit="cm-1")
    assert (tmp_path / "ti.json").exists()
    with pytest.raises(cp.Error, match="computes on the CPU only"):
        cp.Atom("Ti3+").slater(device="cpu")
    with pytest.raises(cp.Error, match="kalibrate"):
        calcium.levels(kalibrate="none")


def test_the_mean_of_the_levels_is_the_energy_of_the_average():
    for atom in (cp.Atom("N", nucleus="point"), cp.Atom("Fe", config="[Ar] 3d6 4s2", breit="breit")):
        r = atom.levels()
        weights = [2 * level["J"] + 1 for level in r.levels]
        mean = sum(w * level["energy"] for w, level in zip(weights, r.levels)) / sum(weights)
        assert mean == pytest.approx(r.average_energy, rel=1e-13)
        assert mean == pytest.approx(r.field_energy, rel=1e-12)
        assert sum(weights) == r.states


def test_several_configurations_and_limits():
    atom = cp.Atom("Be", config="[He] 2s2 | [He] 2p2", nucleus="point")
    limit, basis = atom.levels(spinors="limit"), atom.levels()
    assert [level["label"] for level in limit.levels][:2] == ["2s2 1S", "2p2 3P"]
    # The set is not the limit, but close.
    for a, b in zip(limit.levels, basis.levels):
        assert 0 < abs(a["excitation_energy"] - b["excitation_energy"]) + 1e-16 < 1e-5
    assert {t["configuration"] for t in limit.levels[0]["terms"]} == {"[He] 2s2", "[He] 2p2"}


def test_levels_as_a_table(tmp_path):
    path = tmp_path / "fe.csv"
    r = cp.levels("Fe2+", config="[Ar] 3d6", nucleus="point", levels_csv=str(path))
    lines = path.read_text().splitlines()
    units = [line for line in lines if line.startswith("#")][-1]
    assert "energy_hartree in hartree; excitation_cm-1 in 1/cm" in units
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    assert list(rows[0]) == ["J", "parity", "index", "energy_hartree", "excitation_cm-1", "label", "percent", "g", "A_MHz", "B_MHz", "nist_cm-1"]
    assert len(rows) == 34 and rows[0]["label"] == "3d6 5D" and float(rows[0]["J"]) == 4
    assert float(rows[1]["excitation_cm-1"]) == pytest.approx(r.levels[1]["excitation_energy"] * 219474.63136314, rel=1e-12)


def test_what_has_no_levels_says_so():
    with pytest.raises(cp.Error, match="x2c1e"):
        cp.levels("C", hamiltonian="x2c1e")
    with pytest.raises(cp.Error, match="same number of electrons"):
        cp.levels("C", config="[He] 2s2 2p2 | [He] 2s2 2p3")
    with pytest.raises(cp.Error, match="states in .* levels"):
        cp.levels("Pu", config="[Xe] 4f14 5d8 5f5 6s1 6p4 6d3 7s1 7p2")


def test_parameters_of_multiplet_programs(tmp_path):
    h5py = pytest.importorskip("h5py")
    files = {"quanty": str(tmp_path / "Fe.h5"), "edrixs": str(tmp_path / "Fe.json")}
    for hole in (None, "2p"):
        r = cp.slater("Fe2+", config="[Ar] 3d6", hole=hole, **files)
    value = {(row["integral"], row["shells"], row["k"]): row["value"] for row in r.to_dict()["parameters"]}
    with h5py.File(files["quanty"]) as h5:
        assert set(h5) == {"3d6", "2p5,3d6"}
        atomic = h5["2p5,3d6/Atomic"]
        assert set(atomic) == {"F2(3d,3d)", "F4(3d,3d)", "F2(2p,3d)", "G1(2p,3d)", "G3(2p,3d)", "zeta(2p)", "zeta(3d)"}
        assert atomic["G1(2p,3d)"][()] == value["G", "2p,3d", 1]
        # Crispy's own value, of Hartree-Fock with relativistic corrections.
        assert atomic["F2(3d,3d)"][()] == pytest.approx(12.8179, rel=1e-3)
    with open(files["edrixs"]) as file:
        edrixs = json.load(file)
    assert set(edrixs) == {"3d6", "3d6_2p5"}
    assert edrixs["3d6_2p5"]["slater"] == [0, value["F", "3d,3d", 2], value["F", "3d,3d", 4], 0, value["F", "2p,3d", 2],
                                           value["G", "2p,3d", 1], value["G", "2p,3d", 3]]
    assert edrixs["3d6_2p5"]["soc"] == [value["zeta_radial", "3d", 0], value["zeta_radial", "2p", 0]]


def test_units_and_scale_of_slater_integrals():
    ev, cm = cp.Atom("Ti3+").slater(), cp.Atom("Ti3+").slater(unit="cm-1", scale=0.8)
    ev, cm = ev.to_dict()["parameters"], cm.to_dict()["parameters"]
    for a, b in zip(ev, cm):
        factor = 219474.63136314 / 27.211386245981 * (1 if a["integral"].startswith("zeta") else 0.8)
        assert b["value"] == pytest.approx(a["value"] * factor, rel=1e-12)
    # One electron: zeta is the splitting of the two levels over l + 1/2.
    levels = cp.Atom("Ti3+").levels(breit="none").levels
    zeta = next(row["value"] for row in ev if row["integral"] == "zeta")
    assert zeta == pytest.approx((levels[1]["energy"] - levels[0]["energy"]) * 27.211386245981 / 2.5, rel=1e-6)


def test_errors_of_the_basis_are_what_the_limit_shows():
    for atom in (cp.Atom("Cr", nucleus="point"), cp.Atom("Fe2+", config="[Ar] 3d6", nucleus="point")):
        basis, limit = atom.levels(), atom.levels(spinors="limit")
        true = [a["excitation_energy"] - b["excitation_energy"] for a, b in zip(basis.levels, limit.levels)]
        estimated = [level["excitation_error"] for level in basis.levels]
        assert max(map(abs, true)) > 1e-9
        assert max(map(abs, estimated)) == basis.largest_excitation_error == pytest.approx(max(map(abs, true)), rel=0.3)
        assert all(level["excitation_error"] is None for level in limit.levels)


def test_vectors_are_orthonormal_and_have_the_shares_of_the_levels():
    r = cp.levels("N", vectors=True)
    table, states = r.vectors, r.coupled_states
    for level in r.levels:
        mine = (table["J"] == level["J"]) & (table["index"] == level["index"])
        assert sum(table["coefficient"][mine] ** 2) == pytest.approx(1, rel=1e-12)
        shares = {int(s): 100 * c * c for s, c in zip(table["state"][mine], table["coefficient"][mine])}
        names = {int(s): name for j, s, name in zip(states["J"], states["state"], states["coupling"]) if j == level["J"]}
        first = level["couplings"][0]
        assert first["percent"] == pytest.approx(max(shares.values())) and names[max(shares, key=shares.get)] == first["coupling"]


def test_levels_called_after_configurations_are_the_same_without_properties():
    ti = dict(config="3d2 4s1 | 3d3", calibrate="nist", threads=1)
    terms, configurations = cp.levels("Ti+", **ti), cp.levels("Ti+", **ti, labels="configurations")
    assert len(terms.levels) == len(configurations.levels) > 30
    for full, short in zip(terms.levels, configurations.levels):
        for key in ("J", "parity", "index", "energy", "error"):
            assert full[key] == short[key]
        assert full.get("nist_excitation_energy") == short.get("nist_excitation_energy")
        assert full["terms"][0]["configuration"].endswith(short["label"]) and full["g"] != short["g"]
        assert all(short[key] is None for key in ("g", "hyperfine_A_MHz", "mean_square_radius")) and short["terms"] == short["couplings"] == []
    with pytest.raises(cp.Error, match="moment: cannot be given together with labels='configurations'"):
        cp.levels("Ti+", labels="configurations", moment=-1.1, nuclear_spin=2.5)
    with pytest.raises(cp.Error, match="labels: cannot be given together with virtuals="):
        cp.levels("Be", labels="configurations", virtuals="2p 3s")


def test_densities_at_the_nucleus_are_those_of_the_properties():
    # One electron outside closed shells: the level is the average.
    levels, energy = cp.levels("Na"), cp.energy("Na")
    assert levels.levels[0]["density_at_nucleus"] == pytest.approx(energy.to_dict()["properties"]["nucleus"]["mean_density"], rel=1e-6)
    assert cp.levels("Na", nucleus="point").levels[0]["density_at_nucleus"] is None


def test_heavy_point_nuclei_have_levels():
    assert len(cp.levels("Pb", nucleus="point").levels) == 5


def test_fits_reach_levels_that_were_made_with_other_parameters(tmp_path):
    whole = cp.levels("Pr3+", config="[Xe] 4f2", derivatives=True)
    slope = {}
    for name, j, index, value in zip(*(whole.derivatives[key] for key in ("parameter", "J", "index", "derivative"))):
        slope[name, j, index] = value
    # To first order in a small change of F2.
    rows = ["J,parity,index,energy"]
    for level in whole.levels:
        energy = level["excitation_energy"] - 1e-5 * slope["F2(4f,4f)", level["J"], level["index"]]
        rows.append(f"{level['J']},+,{level['index']},{energy * 219474.63136314:.10f}")
    (tmp_path / "levels.csv").write_text("\n".join(rows))
    r = cp.levels("Pr3+", config="[Xe] 4f2", fit=str(tmp_path / "levels.csv"), fit_parameters=["F2(4f,4f)", "zeta(4f)"])
    f2, zeta = r.fitted_parameters if isinstance(r.fitted_parameters, list) else r.to_dict()["fitted_parameters"]
    assert f2["fitted"] - f2["computed"] == pytest.approx(-1e-5, rel=1e-3) and zeta["fitted"] == pytest.approx(zeta["computed"], rel=1e-5)
    assert r.rms_after < 1e-9 < r.rms_before and r.fitted_levels == 13 and r.held_out_rms_after is None
    (tmp_path / "wrong.csv").write_text("J,parity,energy\n4,+,zero\n")
    with pytest.raises(cp.Error, match=r"wrong.csv:2: column energy: found 'zero'"):
        cp.levels("Pr3+", config="[Xe] 4f2", fit=str(tmp_path / "wrong.csv"))


# NIST: 3d2 of Ti2+ and of Cr4+.
SEQUENCE = {"Ti2+": ((2, 0.0), (3, 184.9), (4, 420.4), (2, 8473.5), (0, 10538.4), (1, 10603.6), (2, 10721.2), (4, 14397.6), (0, 32475.5)),
            "Cr4+": ((2, 0.0), (3, 508.2), (4, 1141.7), (2, 13188.0), (0, 15491.8), (1, 15676.6), (2, 16041.0), (4, 22019.2), (0, 51146.4))}


def test_ions_of_a_sequence_share_their_factors(tmp_path):
    file, settings = tmp_path / "d2.csv", {"config": "[Ar] 3d2", "fit_parameters": "scale(F2) scale(F4)"}
    rows = [f"{ion},{j},+,{energy},{int(ion == 'Ti2+')}" for ion, levels in SEQUENCE.items() for j, energy in levels]
    file.write_text("\n".join(["ion,J,parity,energy,weight", *rows]))
    r = cp.levels("V3+", fit=str(file), **settings)
    assert (r.fitted_levels, r.held_out_levels) == (9, 9)
    d = r.to_dict()
    factors = {p["parameter"]: p for p in d["fitted_parameters"]}
    # Cowan's factors for such ions are 0.75 to 0.9.
    assert 0.7 < factors["scale(F2)"]["fitted"] < 0.95 and factors["scale(F2)"]["computed"] == 1
    assert [row["ion"] for row in d["fitted_ions"]] == ["V3+", "Ti2+", "Cr4+"]
    assert d["fitted_ions"][0]["deviation_before"] is None and d["fitted_ions"][1]["deviation_after"] == pytest.approx(r.rms_after)
    # The ion that was held out comes much closer as well.
    assert r.held_out_rms_after < 0.5 * r.held_out_rms_before
    # V3+ has no levels in the file.
    def deviation(levels):
        return sum((level["excitation_energy"] - level["nist_excitation_energy"]) ** 2 for level in levels) ** 0.5

    assert deviation(r.levels) < 0.3 * deviation(cp.levels("V3+", config="[Ar] 3d2").levels)
    # The same by the fit of Ti2+ alone.
    file.write_text("\n".join(["J,parity,energy"] + [f"{j},+,{energy}" for j, energy in SEQUENCE["Ti2+"]]))
    alone = {p["parameter"]: p for p in cp.levels("Ti2+", fit=str(file), **settings).to_dict()["fitted_parameters"]}
    for name, factor in factors.items():
        assert factor["fitted"] == pytest.approx(alone[name]["fitted"], rel=1e-9)
        assert factor["standard_error"] == pytest.approx(alone[name]["standard_error"], rel=1e-6)


@pytest.mark.parametrize("rows, parameters, why", [
    ("ion,J,parity,energy\nMn4+,3/2,-,0", "scale(F)", "--fit: .*: column ion: found 'Mn4\\+'|Mn4\\+ has 21 electrons; expected the 20 of Cr4\\+"),
    ("ion,J,parity,energy\nxx,2,+,0", "scale(F)", ":2: column ion: found 'xx'"),
    ("ion,J,parity,energy\nTi2+,2,+,0\nTi3+,2,+,0", "scale(F)", ":3: column ion: found 'Ti3\\+'; expected an ion with the 20 electrons of Ti2\\+"),
    ("ion,J,parity,energy\nTi2+,2,+,0\nCr4+,2,+,0\n", "F2(3d,3d)", "there is no parameter 'F2\\(3d,3d\\)'; expected scale"),
    ("J,parity,energy\n2,+,0\n3,+,100", "F2(4d,4d)", "there is no parameter 'F2\\(4d,4d\\)'; expected F2\\(3d,3d\\)"),
    ("J,parity,energy\n2,+,0", "scale(F)", "found 1 levels to fit; expected at least 2"),
    ("J,parity,energy\n5/3,+,0", "scale(F)", ":2: column J: found '5/3'"),
    ("J,parity,energy\n2,+,0\n3,+,1e308", "scale(F)", ":3: column energy: found '1e308'; expected an energy below 1e\\+10"),
    ("J,parity,energy\n2,+,0\n3,+,508,2", "scale(F)", ":3: found 4 cells below the names of 3 columns; write numbers with a decimal point"),
    ("J,parity,J\n2,+,0", "scale(F)", ":1: the column J is there twice"),
    ("J,parity,energy,wieght\n2,+,0,1", "scale(F)", ":1: unknown column 'wieght'; did you mean 'weight'?"),
    ("J,parity,energy,excitation_cm-1\n2,+,0,0", "scale(F)", ":1: the columns energy and excitation_cm-1 both give energies"),
    ("J,parity,energy\n2,+,0\n3,+,508\n3,+,508\n", "scale(F)", "a level of J = 3 and parity \\+ at 508 cm\\^-1 is given twice"),
    ("J,parity,energy,term\n2,+,0,3F\n3,+,508,3F\n4,+,1141,1G\n", "scale(F)",
     "level number 1 of J = 4 and parity \\+ is 1G in the file, and the computed one is 3F"),
    ("J,parity,energy,label\n2,+,0,3d2 3F\n3,+,508,3d2 3F\n4,+,1141,3d2 1G\n", "scale(F)",
     "level number 1 of J = 4 and parity \\+ is 3d2 1G in the file, and the computed one is 3F"),
    ("J,parity,energy\n", "scale(F)", "has the names of columns alone; expected levels below them"),
    ("J,parity,energy\n2,+,0\n3,+,508\n4,+,1141", "scale(F) scale(F)", "'scale\\(F\\)' is named twice"),
])
def test_wrong_files_of_levels_are_bad_input(tmp_path, program, rows, parameters, why):
    (tmp_path / "l.csv").write_text(rows)
    done = program.run("levels", "Cr4+", "--config", "[Ar] 3d2", "--fit", str(tmp_path / "l.csv"), "--fit-parameters", parameters)
    assert done.returncode == 2
    assert re.search(why, done.stderr), done.stderr


def test_levels_of_experiment_that_cannot_be_right_are_not_shown():
    # The table lists levels of other configurations among them.
    assert not any("nist_excitation_energy" in level for level in cp.levels("W+", config="[Xe] 4f14 5d4 6s1").levels)


def test_levels_stand_beside_those_of_experiment():
    r = cp.levels("C")
    # NIST: 3P0 0, 3P1 16.40, 3P2 43.40, 1D2 10192.63, 1S0 21648.01 cm^-1; in order of energy within each J.
    observed = [level["nist_excitation_energy"] * 219474.63136314 for level in r.levels]
    assert observed == pytest.approx([0, 16.40, 43.40, 10192.63, 21648.01], abs=0.02)
    assert "NIST [cm^-1]" in str(r)
    # 4f13 of an ion that the table has not; of two configurations the ground level, whose energy is known without a table.
    assert not any("nist_excitation_energy" in level for level in cp.levels("Hg3+", config="[Xe] 4f13 5d10").levels)
    assert [level.get("nist_excitation_energy") for level in cp.levels("Be", config="[He] 2s2 | [He] 2p2").levels] == [0, *5 * [None]]


@pytest.mark.parametrize("atom, known", [
    # NIST, from the lowest level of the configuration; not all levels of these J are known.
    ("Fe", {("5D", 4): 0.0, ("5D", 0): 978.074, ("3H", 6): 19390.168, ("3P", 2): 18378.186}),
    ("V", {("4F", 1.5): 0.0, ("4F", 4.5): 552.955}),
    ("Mn", {("6S", 2.5): 0.0}),
    ("Cr", {("7S", 3): 0.0}),
])
def test_levels_of_experiment_count_from_their_lowest_one(atom, known):
    found = {}
    for level in cp.levels(atom).levels:
        if "nist_excitation_energy" in level:
            found.setdefault((level["terms"][0]["term"].rstrip("o"), level["J"]), level["nist_excitation_energy"] * 219474.63136314)
    for level, energy in known.items():
        assert found[level] == pytest.approx(energy, abs=0.01)
    assert sum(energy < 0.01 for energy in found.values()) == 1


def test_as_many_levels_as_parameters_have_no_standard_errors(tmp_path, program):
    file = tmp_path / "three.csv"
    file.write_text("J,parity,energy\n2,+,0\n4,+,1141.7\n2,+,13188.0\n0,+,15491.8\n")
    exact, more = (cp.levels("Cr4+", config="[Ar] 3d2", fit=str(file), fit_parameters=names)
                   for names in ("F2(3d,3d) F4(3d,3d) zeta(3d)", "scale(F) scale(zeta)"))
    assert all(p["standard_error"] is None for p in exact.to_dict()["fitted_parameters"])
    assert exact.to_dict()["covariance"] == [[None] * 3] * 3
    assert all(p["standard_error"] > 0 for p in more.to_dict()["fitted_parameters"])


OXYGEN = {"configs": "2p4", "multipoles": "M1"}
UNIT = 219474.63136314


def lines_of_oxygen(tmp_path, text):
    (tmp_path / "o.csv").write_text(text)
    record = cp.lines("O", observed=str(tmp_path / "o.csv"), **OXYGEN).to_dict()
    levels = record["levels"]
    return {(levels[line["upper"]]["J"], levels[line["lower"]]["J"]): line for line in record["lines"]
            if line["upper_label"] == line["lower_label"] == "2p4 3P"}


def test_observed_energies_decide_which_level_is_the_upper_one(tmp_path):
    # Computed, J = 0 lies above J = 1; a file that has them the other way round is believed, at 68.712 cm^-1.
    computed = lines_of_oxygen(tmp_path, "J,parity,energy\n2,+,0\n")
    assert set(computed) == {(1, 2), (0, 1)} and not any(line["observed"] for line in computed.values())
    swapped = lines_of_oxygen(tmp_path, "J,parity,energy\n2,+,0\n1,+,226.977\n0,+,158.265\n")
    assert set(swapped) == {(1, 2), (1, 0)} and all(line["observed"] == 1 for line in swapped.values())
    line, other = swapped[1, 0], computed[0, 1]
    assert line["energy"] * UNIT == pytest.approx(68.712, abs=1e-6) and line["S"] == other["S"]
    # A goes with S E^3/(2J + 1) of the upper level.
    assert line["A"] == pytest.approx(other["A"] * (line["energy"] / other["energy"]) ** 3 / 3, rel=1e-10)
    # Levels that experiment does not resolve keep their computed difference, and say so.
    equal = lines_of_oxygen(tmp_path, "J,parity,energy\n2,+,0\n1,+,158.265\n0,+,158.265\n")
    assert equal[0, 1]["energy"] == other["energy"] and equal[0, 1]["observed"] == 0 and equal[1, 2]["observed"] == 1


@pytest.mark.parametrize("text, why", [
    ("ion,J,parity,energy\nN+,2,+,0", "has levels of N\\+; expected those of O"),
    ("ion,J,parity,energy\nO+,2,+,0", "has levels of O\\+; expected those of O"),
    ("ion,J,parity,energy\nO,2,+,0\nF+,2,+,0", "has several ions"),
    ("J,parity,energy\n", "has the names of columns alone"),
    ("J,parity,energy,ino\n2,+,0,O+", ":1: unknown column 'ino'; did you mean 'ion'?"),
    ("J,parity,energy\n0,+,158,265", ":2: found 4 cells below the names of 3 columns"),
    ("J,parity,energy\n0,+,1e308", ":2: column energy: found '1e308'"),
])
def test_observed_levels_of_something_else_are_refused(tmp_path, text, why):
    with pytest.raises(cp.Error, match=why):
        lines_of_oxygen(tmp_path, text)
    named = lines_of_oxygen(tmp_path, "ion,J,parity,energy\nO,2,+,0\nO,1,+,158.265")
    assert named[1, 2]["observed"] == 1


def test_the_gauges_are_compared_whatever_the_cut(tmp_path):
    settings = {"configs": "2p6 | 2p5 3s | 2p5 3d", "multipoles": "E1"}
    whole, cut = cp.lines("Fe16+", **settings), cp.lines("Fe16+", least_gf=0.1, **settings)
    assert len(cut.lines["gf"]) < len(whole.lines["gf"])
    assert cut.gauge_ratio == whole.gauge_ratio


@pytest.mark.parametrize("command", ["levels", "lines"])
def test_fields_that_do_not_bind_end_like_energies_that_do_not_converge(program, command):
    done = program.run(command, "O2-", "--config", "[He] 2s2 2p6")
    assert done.returncode == 3 and "binds not all electrons" in done.stderr


def ground_warnings(record):
    return [w["text"] for w in record.to_dict()["warnings"] if w["id"] == "ground_configuration"]


def test_configurations_against_each_other_are_warned_of():
    # NIST: 3d9 of Ni+ lies 1.04 eV below 3d8 4s.
    nickel = {"config": "[Ar] 3d9 | [Ar] 3d8 4s1 | [Ar] 3d7 4s2", "breit": "breit"}
    levels = cp.levels("Ni+", calibrate="none", **nickel)
    lines = cp.lines("Ni+", multipoles="M1", least_gf=1e-3, calibrate="none", **nickel)
    for text in (*ground_warnings(levels), *ground_warnings(lines)):
        assert "is of [Ar] 3d8 4s1, that of experiment of [Ar] 3d9" in text
        assert all(option in text for option in ("--relaxed configurations", "--virtuals", "--fit"))
    assert len(ground_warnings(levels)) == len(ground_warnings(lines)) == 1
    own = cp.lines("Ni+", multipoles="M1", least_gf=1e-3, relaxed="configurations", **nickel)
    assert len(ground_warnings(own)) == 1 and "spinors of its own" in ground_warnings(own)[0]

    def apart(record):
        lowest = {}
        for level in record.to_dict()["levels"]:
            lowest.setdefault(level["terms"][0]["configuration"], level["excitation_energy"] * 27.211386)
        return lowest["[Ar] 3d9"] - lowest["[Ar] 3d8 4s1"]

    # What the text names: 8.4 eV from experiment, 6.3 of them by common spinors.
    assert apart(levels) + 1.04 == pytest.approx(8.4, abs=0.1)
    assert apart(levels) - apart(own) == pytest.approx(6.3, abs=0.1)
    # Right, or nothing else named.
    assert not ground_warnings(cp.levels("C", config="[He] 2s2 2p2 | [He] 2p4"))
    assert not ground_warnings(cp.levels("Ni+", config="[Ar] 3d8 4s1"))


def test_lowest_levels_are_compared(tmp_path):
    for name, atom in (("atom.json", "C"), ("ion.json", "C+")):
        (tmp_path / name).write_text(json.dumps(cp.levels(atom).to_dict()))
    (tmp_path / "average.json").write_text(json.dumps(cp.energy("C+").to_dict()))
    files = [str(tmp_path / name) for name in ("atom.json", "ion.json")]
    r = cp.compare(files)
    atom, ion = (cp.levels(a).ground_energy for a in ("C", "C+"))
    assert r.hartree[0] == pytest.approx(ion - atom, abs=1e-9) and "ionisation energy of C" in str(r)
    assert "2p2 3P, J = 0" in str(r) and "Differences of lowest levels" in str(r)
    mixed = cp.compare([files[0], str(tmp_path / "average.json")])
    assert "averages of configuration" in str(mixed) and "ionisation" not in str(mixed)


def test_virtual_shells_bring_terms_closer_to_experiment():
    carbon = cp.Atom("C")
    plain, more = carbon.levels(), carbon.levels(virtuals="3s 3p 3d")
    assert [level["label"] for level in more.levels] == ["2s2 " + level["label"] for level in plain.levels]
    # 1D2 lies 10192.66 and 1S0 21648.03 cm^-1 above 3P0 (NIST Atomic Spectra Database).
    for place, known in ((3, 10192.66), (4, 21648.03)):
        off = [abs(r.levels[place]["excitation_energy"] * 219474.63 - known) for r in (plain, more)]
        assert off[1] < 0.75 * off[0]
    ground = more.levels[0]
    assert ground["correlation_energy"] == pytest.approx(ground["energy"] - plain.levels[0]["energy"], abs=1e-9)
    assert more.ground_correlation_energy == ground["correlation_energy"] < -0.08
    assert 94 < ground["reference_percent"] < 95 and ground["excitation_error"] is None
    electrons = dict(zip(more.spinor_electrons["spinor"], more.spinor_electrons["electrons"]))
    assert sum(electrons.values()) == pytest.approx(4, abs=1e-10) and 0.008 < electrons["3s1/2"] < 0.009
    assert more.configurations == ["1s2 2s2 2p2"] and more.expanded_configurations == 16


def test_virtual_spinors_of_the_average_are_those_of_named_configurations():
    named = cp.Atom("Be", config="[He] 2s2 | [He] 2p2", nucleus="point").levels(spinors="limit")
    ours = cp.Atom("Be", nucleus="point").levels(
        spinors="limit", virtuals="2p", virtual_spinors="average", roots=3)
    assert [level["J"] for level in ours.levels] == [0, 0, 0]
    zeros = [level["energy"] for level in named.levels if level["J"] == 0]
    assert [level["energy"] for level in ours.levels] == pytest.approx(zeros, abs=1e-11)
    assert ours.levels[0]["correlation_energy"] < 0 and ours.levels[1]["correlation_energy"] is None


def test_what_cannot_be_excited_says_so():
    for request, message in (({"virtuals": "2p"}, "has electrons"), ({"virtuals": "3x"}, "is no shell"), ({"excited": "2s"}, "virtuals"),
                             ({"virtuals": "3s", "excited": "4s"}, "no electrons to excite"),
                             ({"virtuals": "3s 3p 3d 4s 4p 4d 4f 5s 5p 5d"}, "76 places"),
                             ({"virtuals": "3s", "derivatives": True}, "derivatives")):
        with pytest.raises(cp.Error, match=message):
            cp.levels("C", **request)
    with pytest.raises(cp.Error, match="GB of memory"):
        cp.levels("W", config="[Xe] 4f7 5d5 6s1 6p6", virtuals="5f 6d 7s 7p", excited="4f 5d 6s")


def test_lines_between_spinors_of_their_own():
    """K alpha of neon, 848.6 eV (R. D. Deslattes et al., Rev. Mod. Phys. 75 (2003) 35): the hole in 1s attracts all electrons more than one in 2p."""
    holes = {"configs": "1s1 2s2 2p6 | 1s2 2s2 2p5", "multipoles": "E1", "breit": "breit", "qedvp": "full", "qedse": "inner"}
    common, relaxed = cp.lines("Ne+", relaxed="none", **holes), cp.lines("Ne+", relaxed="configurations", **holes)
    energies = [27.211386245981 * max(record.lines["energy"]) for record in (common, relaxed)]
    assert abs(energies[1] - 848.6) < 1 < 5 < abs(energies[0] - 848.6)
    groups = relaxed.to_dict()["relaxed"]
    assert [group["configurations"] for group in groups] == holes["configs"].split(" | ") and groups[0]["field_energy"] > groups[1]["field_energy"]
    assert "field_energy" in common.to_dict() and "field_energy" not in relaxed.to_dict()
    assert relaxed.levels[0]["label"] == "2p5 2Po" and relaxed.levels[0]["excitation_energy"] == 0


@pytest.mark.parametrize("settings, why", [
    ({"config": "2p6", "relaxed": "configurations"}, "needs several configurations"),
    ({"config": "2p6 | 2s1 2p6 3s1", "relaxed": "parity"}, "needs configurations of both parities"),
    ({"config": "2p6 | 2p5 3s1", "relaxed": "parity", "virtuals": "3p"}, "cannot be given together with virtuals="),
    ({"config": "2p6 | 2p5 3s1", "relaxed": "terms"}, "relaxed"),
])
def test_what_cannot_be_relaxed_says_so(settings, why):
    with pytest.raises(cp.Error, match=why):
        cp.lines("Ne", **settings)


@pytest.mark.parametrize("atom, config, lowest", [
    ("Be", "[He] 2s2 | [He] 2p2 | [He] 3s2", -14.5703921351),
    ("Fe22+", "[He] 2s2 | [He] 3s2", -804.3316803064),
    ("He", "1s2 | 2s2", -2.7600947450),
])
def test_shells_that_replace_each_other_in_pairs_are_kept_apart(atom, config, lowest):
    # With spinors="limit" these are the lowest levels; in a basis set the average has another minimum, with mixtures
    # of the two shells: Be -14.4853, Fe22+ -795.96, He -2.359.
    basis = cp.levels(atom, config=config, breit="none")
    assert basis.ground_energy == pytest.approx(lowest, abs=2e-9)
    assert [w["id"] for w in basis.to_dict()["warnings"]].count("open_shells_mix") == 1
    assert "largest_excitation_error" not in basis.to_dict()
    assert all(level["excitation_error"] is None for level in basis.levels)


def test_mixtures_in_a_set_that_is_asked_for_are_warned_of():
    mixed = cp.levels("He", config="1s2 | 2s2", library="prophet-tz", breit="none").to_dict()
    assert any(w["id"] == "open_shells_mix" and "spinors='limit'" in w["text"] for w in mixed["warnings"])
    assert "largest_excitation_error" not in mixed
    # Shells that replace each other one electron at a time are not mixtures.
    for config in ("[He] 2s2 | [He] 2s1 3s1", "[He] 2s2 | [He] 2p2"):
        alone = cp.levels("Be", config=config, breit="none").to_dict()
        assert not alone["warnings"] and alone["largest_excitation_error"] < 1e-5


@pytest.mark.parametrize("atom, virtuals, settings, label", [
    ("Hg", "7s", {}, "6s2 1S"),
    ("Ra", "8s", {}, "7s2 1S"),
    ("Pb2+", "7s", {"excited": "6s"}, "6s2 1S"),
    ("Pb", "7s", {"excited": "6p"}, "6p2 3P"),
    ("Rn", "7s", {"excited": "6p"}, "6p6 1S"),
    ("Cn", "7p 8s", {}, "7s2 1S"),
])
def test_virtual_spinors_of_heavy_atoms_lie_above_the_occupied_ones(atom, virtuals, settings, label):
    # An outer pair gains some hundredths of a hartree; with states in the gap these had 5 to 3900.
    r = cp.levels(atom, virtuals=virtuals, roots=1, **settings)
    lowest = r.levels[0]
    assert lowest["label"] == label and lowest["reference_percent"] > 90
    assert -0.1 < lowest["correlation_energy"] < -1e-5
    assert r.ground_energy - r.field_energy > -0.15


def test_what_excitations_cannot_gain_is_refused(program):
    # However virtual spinors were made: both electrons fall into a shell that is no virtual one.
    done = program.run("levels", "Fe24+", "--config", "2s2", "--virtuals", "1s", "--excited", "2s")
    assert done.returncode == 3 and re.search("lies .* hartree below those of the named configurations", done.stderr), done.stderr
    done = program.run("levels", "Ca", "--config", "[Ar] 4p2", "--virtuals", "4s", "--excited", "4p")
    assert done.returncode == 3 and "with 2 electrons in virtual shells" in done.stderr, done.stderr


def test_lowest_levels_of_other_configurations_are_warned_of():
    r = cp.levels("Sc+", config="[Ar] 3d2", virtuals="4s", roots=1).to_dict()
    assert r["levels"][0]["reference_percent"] < 50
    assert [w["id"] for w in r["warnings"] if w["id"] in ("reference_share", "ground_configuration")] == ["reference_share"]


def test_levels_and_lines_have_the_breit_interaction_unless_it_is_left_out():
    fine = [[level["excitation_energy"] * 219474.63 for level in cp.levels("B", **given).levels] for given in ({}, {"breit": "breit"}, {"breit": "none"})]
    assert fine[0] == fine[1] and fine[0][1] == pytest.approx(15.287, rel=0.03)  # NIST; 20.4 without
    assert fine[2][1] > 1.25 * fine[0][1]
    p, also, none = (cp.lines("B", configs="2s2 2p1", multipoles="M1", **given).lines["energy"][0] * 219474.63 for given in ({}, {"breit": "breit"}, {"breit": "none"}))
    assert p == also and p == pytest.approx(fine[0][1], rel=1e-9) and none == pytest.approx(fine[2][1], rel=1e-9)


def test_lines_between_parities_have_spinors_of_their_own():
    usual, parity, common = (cp.lines("Be", configs="2s2 | 2s1 2p1", multipoles="E1", threads=1, **given) for given in ({}, {"relaxed": "parity"}, {"relaxed": "none"}))
    assert list(usual.lines["gf"]) == list(parity.lines["gf"]) and [g["configurations"] for g in usual.to_dict()["relaxed"]] == ["[He] 2s2", "[He] 2s1 2p1"]
    assert "relaxed" not in common.to_dict() and max(common.lines["gf"]) == pytest.approx(1.902, rel=1e-3) and max(usual.lines["gf"]) == pytest.approx(2.024, rel=1e-3)
    one = cp.lines("Be", configs="2s2 | 2p2", multipoles="M1", threads=1).to_dict()
    virtual = cp.lines("Be", configs="2s2 | 2s1 2p1", virtuals="3s 3p", threads=1).to_dict()
    assert "relaxed" not in one and "relaxed" not in virtual


def test_breit_with_the_frequency_of_the_photon():
    # The mean of the levels is the energy of the average, with every frequency.
    for atom in ({"symbol": "Xe", "charge": 46, "config": "1s2 2s1 2p5"}, {"symbol": "O", "config": "[He] 2s2 2p4"}):
        symbol, rest = atom["symbol"], {k: v for k, v in atom.items() if k != "symbol"}
        still, moving = (cp.levels(symbol, breitfreq=on, **rest).average_energy for on in (False, True))
        first, second = (cp.Atom(symbol, breit="breit", breitfreq=on, **rest).energy(error_estimate=False).total_with_corrections for on in (False, True))
        assert abs(moving - still) > 1e-7
        assert moving - still == pytest.approx(second - first, rel=1e-6, abs=1e-11)


def test_uranium_with_the_frequency_of_the_photon():
    # RMBPT without QED: 4498.2 eV; with frequency zero 7.0 eV more.
    found = {}
    for on in (False, True):
        r = cp.levels("U89+", config="1s2 2s1 | 1s2 2p1", nucleus="fermi", rnuc="experimental", breitfreq=on)
        found[on] = 27.211386245981 * max(level["excitation_energy"] for level in r.levels)
        assert ("breit_frequency" in [w.id for w in r.warnings]) is not on
    assert found[True] == pytest.approx(4498.6, abs=0.1)
    assert found[False] - found[True] == pytest.approx(6.985, abs=0.01)
    with pytest.raises(cp.Error, match="spinors='basis'"):
        cp.levels("U89+", config="1s2 2s1", breitfreq=True, spinors="limit")


def test_decay_by_two_photons():
    hydrogen = {level["label"]: level for level in cp.lines("H", configs="1s1 | 2s1 | 2p1").to_dict()["levels"] if level["J"] == 0.5}
    assert hydrogen["2s1 2S"]["lifetime"] == pytest.approx(0.1215, rel=2e-3) and hydrogen["2s1 2S"]["two_photon_rate"] == pytest.approx(8.229, rel=1e-4)
    assert hydrogen["2p1 2Po"]["two_photon_rate"] is None and hydrogen["2p1 2Po"]["lifetime"] == pytest.approx(1.596e-9, rel=2e-3)
    helium = cp.lines("He", configs="1s2 | 1s1 2s1 | 1s1 2p1")
    singlet = next(level for level in helium.to_dict()["levels"] if level["label"] == "1s1 2s1 1S")
    assert singlet["lifetime"] == pytest.approx(0.0196, rel=0.01)
    triplet = next(level for level in helium.to_dict()["levels"] if level["label"] == "1s1 2s1 3S")
    assert triplet["two_photon_rate"] is None
    assert "decay by two photons" in str(helium)


def test_levels_above_the_ionisation_limit_are_marked():
    # 1s 2s2 of lithium lies 56 eV above the ground level; the limit is at 5.39 eV.
    r = cp.lines("Li", configs="1s2 2s1 | 1s2 2p1 | 1s1 2s2").to_dict()
    assert r["ionisation_limit"] * 27.211386 == pytest.approx(5.391715, abs=1e-5)
    assert {level["label"]: level["autoionising"] for level in r["levels"]} == {"1s2 2s1 2S": False, "2p1 2Po": False, "1s1 2s2 2S": True}
    # Without the ground configuration nothing is known of the limit.
    assert all(level["autoionising"] is None for level in cp.lines("Li", configs="1s2 2p1 | 1s2 3d1").to_dict()["levels"])
    assert not any(level["autoionising"] for level in cp.levels("C").levels)


def test_what_is_said_of_accuracy():
    levels, lines = cp.levels("C").to_dict(), cp.lines("Na", configs="3s1 | 3p1").to_dict()
    for record in (levels, lines):
        assert "core polarisation" in record["hyperfine_accuracy"] and "electronvolts" in record["accuracy"]
    # Of a single level there is nothing to say about splittings.
    assert cp.levels("Na").to_dict()["accuracy"] == "no correlation beyond the configuration named"
    assert max(map(len, str(cp.levels("Na")).splitlines())) <= 110
