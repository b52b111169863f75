"""Atoms: what they say about themselves, and what is wrong with them."""
import pickle

import pytest

import cudaprophet as cp


def test_symbol_and_charge_name_the_same_atom():
    assert cp.Atom("rn") == cp.Atom(86)
    assert cp.Atom(86).symbol == "Rn" and cp.Atom("Rn").z == 86
    assert repr(cp.Atom(79, charge=-1, nucleus="fermi")) == "Atom('Au', charge=-1, nucleus='fermi')"


def test_describes_itself():
    gold = cp.Atom("Au", charge=1, nucleus="fermi")
    assert (gold.charge, gold.electrons) == (1, 78)
    assert gold.configuration == "[Xe] 4f14 5d10"
    assert gold.nucleus["model"] == "Fermi"
    assert gold.basis.symmetries[:3] == ["s+", "p-", "p+"] and gold.basis.element == "Au"
    assert any(line.startswith("configuration: ") for line in gold.choices)


def test_measured_nuclear_radius():
    iron = cp.Atom("Fe", nucleus="experimental", isotope=57)
    assert iron.nucleus["rms_bohr"] == pytest.approx(3.7532 / 52917.7249)
    assert (iron.nucleus["model"], iron.nucleus["mass_number"], iron.nucleus["rms_source"]) == ("Gaussian", 57, "experiment")
    assert cp.Atom("Fe").nucleus["rms_source"] == "formula"
    with pytest.raises(cp.Error, match="no radius of Fe-53; it has those of the isotopes 54, 56, 57, 58"):
        cp.Atom("Fe", nucleus="experimental", isotope=53)


def test_is_immutable_and_can_be_sent_elsewhere():
    atom = cp.Atom("Ne", nucleus=dict(model="sphere", rms=3.0))
    with pytest.raises(AttributeError):
        atom.charge = 1
    with pytest.raises(AttributeError):
        atom.anything = 1
    copy = pickle.loads(pickle.dumps(atom))
    assert copy == atom and hash(copy) == hash(atom)
    assert atom.replace(nucleus=None) == cp.Atom("Ne")
    assert atom.replace(charge=1).charge == 1 and atom.charge == 0


def test_nucleus_is_the_same_in_a_basis_and_at_the_limit():
    own = cp.Atom("He", basis=cp.BasisSet([[0.3, 1.1, 4.0, 15.0, 60.0, 250.0]]))
    assert own.energy(error_estimate=False).to_dict()["nucleus"]["model"] == "point"
    assert own.limit().to_dict()["nucleus"]["model"] == "point"
    assert cp.Atom("He", basis=dict(library="prophet-1"), maxitr=90).limit().is_limit
    assert own.replace(nucleus="gaussian").limit().to_dict()["nucleus"]["model"] == "Gaussian"
    named = cp.Atom("Ne", basis="wtbs-2.1")  # whose sets are made for points
    for atom in (named, named.replace(basis=None, library="wtbs-2.1"), named.replace(basis=cp.basis("Ne", "wtbs-2.1"))):
        assert atom.nucleus["model"] == "point"
        assert atom.limit().energy == pytest.approx(-128.691969, abs=1e-6)
    assert named.replace(nucleus="gaussian").limit().energy == pytest.approx(-128.691931, abs=1e-6)


@pytest.mark.parametrize("keywords, text", [
    (dict(nucleus="fremi"), "nucleus: found nucleus='fremi'; expected a whole number, 1 to 4, or its name "
                            "(1 'point', 2 'sphere', 3 'gaussian', 4 'fermi'); did you mean 'fermi'?"),
    (dict(nucmodl=3), "nucmodl: unknown keyword 'nucmodl'; did you mean 'nucmdl'?"),
    (dict(config="[Xx] 3s1"), "config: in config: 'Xx' is not a noble gas; expected He, Ne, Ar, Kr, Xe, Rn or Og"),
    (dict(qed="outer"), "qed: found 'outer'; expected 'none', 'inner' or 'valence'"),
    (dict(breit="brite"), "breit: found breit='brite'; expected 'none', 'gaunt' or 'breit'"),
    (dict(rms=-1.5), "rms: found rms=-1.5; expected a number, more than 0 and at most 10000"),
    (dict(thdll=object()), "thdll: found <object object"),
    (dict(scf=dict(maxit=3)), "scf['maxit']: unknown keyword 'maxit'; did you mean 'maxitr'?"),
    (dict(maxitr=0, charge=100), "charge"),
    (dict(thread=1), "thread: unknown keyword 'thread'; did you mean 'threads'?"),
    (dict(conf="[Xe]"), "conf: unknown keyword 'conf'; did you mean 'config'?"),
    (dict(jobtype="bsopt"), "jobtype: the operation determines it"),
    (dict(basis="foo"), "foo"),
    (dict(config=["[Xe] 4f14", "5d10 6s1"]), 'config: found ["[Xe] 4f14","5d10 6s1"]; expected a text in quotes, not a list'),
    (dict(charge=[1]), "charge: found [1]; expected a whole number, -4 to 170, not a list"),
])
def test_errors_are_the_programs_and_name_the_argument(keywords, text):
    with pytest.raises(cp.Error) as error:
        cp.Atom("Au", **keywords)
    assert text in str(error.value)


def test_all_errors_at_once():
    with pytest.raises(cp.Error) as error:
        cp.Atom("Au", nucleus="x", breit="y", rms=-1.0)
    assert len(str(error.value).splitlines()) == 3


def test_no_such_element():
    with pytest.raises(cp.Error, match="there is no element 'Xx'"):
        cp.Atom("Xx")
    with pytest.raises(cp.Error):
        cp.Atom(119)
    with pytest.raises(cp.Error, match="element"):
        cp.Atom(-1)


def test_options_are_checked():
    neon = cp.Atom("Ne")
    with pytest.raises(cp.Error, match="unknown keyword 'thread'"):
        neon.energy(thread=1)
    with pytest.raises(cp.Error, match="device: found 'gpu'"):
        neon.energy(device="gpu")
    with pytest.raises(cp.Error, match="threads"):
        neon.energy(threads=-1)
    with pytest.raises(cp.Error, match="not used by jobtype='limit'"):
        neon.limit(dfctr=0.5)
    with pytest.raises(cp.Error, match="no collection of basis sets is called 'nothing'"):
        cp.Atom("Ne", basis="nothing").energy()


@pytest.mark.parametrize("charge", ["one", 1.5])
def test_a_charge_that_is_none_is_one_error(charge):
    with pytest.raises(cp.Error) as error:
        cp.Atom("Ne", charge=charge)
    assert len(str(error.value).splitlines()) == 1 and str(error.value).startswith("charge: found")


def test_device_is_called_device():
    with pytest.raises(cp.Error, match="^device='cuda': "):
        cp.Atom("Ne", fock="stored").energy(device="cuda:63")


@pytest.mark.parametrize("call, why", [
    (lambda: cp.batch(["Ne"], backend="cpu"), "^backend: in Python this is device='auto', 'cpu', 'cuda' or 'cuda:N'"),
    (lambda: cp.slater("C", device="cuda"), "^device: slater computes on the CPU only; omit it"),
])
def test_other_names_of_the_device_lead_to_it(call, why):
    with pytest.raises(cp.Error, match=why):
        call()


def test_a_set_of_ones_own_brings_its_nucleus():
    made = cp.basis("Ne").of("Ne")
    with pytest.warns(cp.ProphetWarning, match="the nucleus is a point") as warned:
        point = cp.Atom("Ne", basis=made).energy(error_estimate=False)
    assert [w.message.id for w in warned] == ["point_nucleus_by_default"]
    assert point.to_dict()["nucleus"]["model"] == "point"
    made.provenance["nucleus"] = "Gaussian"
    gaussian = cp.Atom("Ne", basis=made)
    assert gaussian.nucleus["model"] == "Gaussian" and gaussian.limit().to_dict()["nucleus"]["model"] == "Gaussian"
    assert gaussian.energy(error_estimate=False).warnings == []
    assert cp.Atom("Ne", basis=made, nucleus="fermi").nucleus["model"] == "Fermi"
def test_ions_by_name_and_where_configurations_come_from():
    iron = cp.Atom("Fe3+")
    assert (iron.charge, iron.configuration, iron.configuration_source) == (3, "[Ar] 3d5", "nist")
    assert cp.Atom("Fe2+ [Ar] 3d5.4s1").configuration_source == "given"
    assert cp.Atom("Lu", charge=1).configuration == "[Xe] 4f14 6s2"
    assert cp.Atom("Cn", charge=1).configuration_source == "rule"
    assert cp.Atom("Fe3+").replace(charge=2).configuration == "[Ar] 3d6"
    record = cp.Atom("Li+").energy().to_record()
    assert record["configuration_source"] == "nist"
    for charge in (2, 3):
        with pytest.raises(cp.Error, match="'Fe3\\+' names the charge already; omit one of them"):
            cp.Atom("Fe3+", charge=charge)
    with pytest.raises(cp.Error, match="names the configuration already"):
        cp.Atom("Fe2+ [Ar] 3d6", config="[Ar] 3d6")


def test_isotopes_by_name():
    cesium = cp.Atom("133Cs")
    assert cesium == cp.Atom("Cs", mass=133) and cesium.nucleus["mass_number"] == 133
    with pytest.raises(cp.Error, match="names the mass already"):
        cp.Atom("133Cs", mass=133)
    calcium = cp.Atom("43Ca+").levels()
    assert calcium.nuclear_moments == {"spin": 3.5, "magnetic_dipole": -1.31733, "electric_quadrupole": -0.0408}
    assert calcium.levels[0]["A_nucleus_MHz"] == pytest.approx(-1.31733 / 3.5 * calcium.levels[0]["hyperfine_A_MHz"])
    assert calcium.levels == cp.levels("43Ca+").levels


def test_operations_take_sets_and_groups_as_atoms_do():
    asked = dict(basis=cp.basis("Ne", "prophet-dz").of("Ne"), nucleus="gaussian", scf=dict(maxitr=50))
    ours = cp.energy("Ne", no_error_estimate=True, **asked)
    assert ours.energy == cp.Atom("Ne", **asked).energy(error_estimate=False).energy and "maxitr=50" in ours.request["input"]
    with pytest.raises(cp.Error, match="basis: exponent 2 of s\\+ appears twice"):
        cp.energy("Ne", basis=cp.BasisSet([[2.0, 2.0]]))


def test_names_are_those_of_the_package():
    assert set(cp.__all__) <= set(dir(cp)) and not {"Any", "List", "importlib"} & set(dir(cp))


def test_charge_and_configuration_agree():
    assert cp.Atom("Fe", config="3d6 4s2").configuration == "[Ar] 3d6 4s2"
    assert cp.Atom("Fe2+ 3d6").configuration == cp.Atom("Fe2+", config="3d6").configuration == "[Ar] 3d6"
    with pytest.raises(cp.Error, match="Fe2\\+ is written"):
        cp.Atom("Fe2+", config="[Ar] 3d7")
    with pytest.raises(cp.Error, match="write Fe2\\+"):
        cp.Atom("Fe++")
    with pytest.warns(cp.ProphetWarning) as warned:
        anion = cp.Atom("Fe", config="[Ar] 3d7 4s2").energy(error_estimate=False)
    assert anion.charge == -1 and [w.message.id for w in warned] == ["charge_from_configuration"]
    for atom in (cp.Atom("Fe2+", hole="2p"), cp.Atom("Fe", charge=2, config="3d6", hole="2p")):
        assert (atom.charge, atom.configuration) == (3, "[He] 2s2 2p5 3s2 3p6 3d6")
    final = cp.Atom("Fe2+", promote="2p->3d")
    assert (final.charge, final.configuration) == (2, "[He] 2s2 2p5 3s2 3p6 3d7")
    assert cp.slater("Fe2+", promote="2p->3d").charge == 2


def test_spinors_have_their_own_electrons():
    core = "[Xe] 4f14 5d10 6s2 "
    splitting = cp.Atom("Tl", config=core + "6p3/2").energy().energy - cp.Atom("Tl", config=core + "6p1/2").energy().energy
    assert splitting * 219474.63 == pytest.approx(7683, abs=10)
    assert cp.Atom("Ar", hole="2p3/2").configuration == "[He] 2s2 2p1/2:2 2p3/2:3 3s2 3p6"
    assert cp.Atom("Ar", config="[Ar]", hole="1s").charge == 1
