"""studies/molecules-table: its jobs, the atoms that bond energies are measured from, and what docs/data/molecules-families.csv says of them."""
import importlib.machinery
import importlib.util
import sys
from pathlib import Path

import numpy
import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "studies"))
import diatomics  # noqa: E402


@pytest.fixture(scope="module")
def study():
    loader = importlib.machinery.SourceFileLoader("molecules_table", str(ROOT / "studies/molecules-table"))
    spec = importlib.util.spec_from_loader("molecules_table", loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def test_elements_of_molecules(study):
    assert study.elements_of("Cl2") == ("Cl", "Cl") and study.elements_of("TlF") == ("Tl", "F") and study.elements_of("U") == ("U",)
    assert len(study.MOLECULES) >= 60 and not study.SEARCHED - set(study.MOLECULES)
    assert 3 * len(study.SEARCHED) <= 2 * len(study.MOLECULES)


def test_cores_follow_from_the_configuration(study):
    def core(*shells):
        return study.Sets.core([(int(s[0]), "spdf".index(s[1]), int(s[2:])) for s in shells])
    argon = ("1s2", "2s2", "2p6", "3s2", "3p6")
    assert core(*argon, "3d10", "4s1") == (3, 2, 0, 0) == tuple(diatomics.CORES["Cu"]) + (0, 0)
    assert core(*argon, "3d10", "4s2", "4p5") == (3, 2, 1, 0) == tuple(diatomics.CORES["Br"]) + (0,)
    assert core(*argon, "4s2") == (3, 2, 0, 0)
    assert core(*argon, "3d10", "4s2", "4p6", "4d10", "4f14", "5s2", "5p6", "5d1", "6s2") == (5, 4, 2, 1)  # Lu's 4f is of the core


class MixedField:
    """2s of O and a core orbital 4p of Sr, whose energies are near, and an orbital that is empty."""
    class mol:
        ao_labels = staticmethod(lambda fmt: [(0, "Sr", "4p", "z"), (1, "O", "2s", ""), (1, "O", "3s", "")])
        atom_symbol = staticmethod(lambda atom: ("Sr", "O")[atom])

    def __init__(self, coupling):
        self.fock = numpy.array([[-1.25, coupling, 0], [coupling, -1.2, 0], [0, 0, 0.5]])
        self.mo_energy, self.mo_coeff = numpy.linalg.eigh(self.fock)
        self.mo_occ = numpy.array([2, 2, 0])

    get_ovlp = staticmethod(lambda: numpy.eye(3))

    def get_fock(self):
        return self.fock


def test_a_core_that_mixes_with_the_valence_is_separated(monkeypatch):
    monkeypatch.setattr(diatomics, "frozen_in", lambda elements: {("Sr", 1): 1})
    core_of_atom = {"Sr": numpy.ones((1, 1)), "O": numpy.zeros((2, 0))}.get
    mixed = MixedField(0.2)
    assert diatomics.separated_core(mixed, ("Sr", "O"), core_of_atom) == [0]
    assert abs(mixed.mo_coeff) == pytest.approx(numpy.eye(3)) and mixed.mo_energy == pytest.approx([-1.25, -1.2, 0.5])
    apart = MixedField(1e-4)  # canonical orbitals stay where they tell the two apart
    before = apart.mo_coeff.copy()
    assert diatomics.separated_core(apart, ("Sr", "O"), core_of_atom) == [0] and (apart.mo_coeff == before).all()


def test_a_kept_core_is_what_other_molecules_take(study, monkeypatch, tmp_path):
    class AllSets:
        folder = tmp_path
    monkeypatch.setattr(study, "print_of", lambda *_: "aaaa")
    monkeypatch.setattr(diatomics, "frozen_in", lambda elements: {(elements[0], 1): 1})
    field = MixedField(1e-4)
    with study.kept_core(AllSets, "bond", "Sr", "prophet-dz") as file:
        study.keep_core(file, field, "Sr")
    assert (study.core_of_atom(AllSets, "bond", "Sr", "prophet-dz") == field.mo_coeff[:, :1]).all()
    assert file.name == "Sr-prophet-dz-aaaa.npy" and not list(file.parent.glob("*.part*"))


def test_ions_fill_the_open_shell():
    def electrons(element, charge):
        return [sum(spin) for spin in zip(*diatomics.occupied_irreps(element, charge).values())]
    assert electrons("O", 0) == [5, 3] and electrons("O", -1) == [5, 4]
    assert electrons("F", -1) == [5, 5]
    assert electrons("H", -1) == [1, 1] and electrons("Au", -1) == [40, 40]


def test_functions_of_two_sets_are_united():
    first, second = [[0, [1.0, 1.0]], [0, [10.0, 1.0]]], [[0, [1.2, 1.0]], [0, [3.0, 1.0]], [1, [0.5, 1.0]]]
    assert [(l, zeta) for l, (zeta, _) in diatomics.united([first, second])] == [(0, 1.0), (0, 10.0), (0, 3.0), (1, 0.5), (0, 0.4), (1, 0.2)]


def test_shells_of_the_exchange(study):
    shell = {"angular_momentum": [0, 1], "exponents": ["3.0", "1.0"], "coefficients": [["0.5", "0.0"], ["0.2", "0.8"]]}
    assert study.shells_of({"electron_shells": [shell]}) == [[0, [3.0, 0.5]], [1, [3.0, 0.2], [1.0, 0.8]]]


def test_a_molecule_is_computed_about_its_length_and_an_atom_alone(study):
    assert study.places_of("bond", "HF") == ["0.9200", "0.8900", "0.9500"] and study.places_of("bond", "F") == [""]
    assert study.places_of("field", "He") == ["+0.0000", "+0.0040"] and study.places_of("field", "CO") == ["+0.0000", "+0.0040", "-0.0040"]


def test_errors_are_differences_from_the_set_near_the_limit(study, tmp_path):
    head = ",".join(study.HEAD)
    rows = [f"bond,H2,{basis},{place},10,{-1.1 - lower + (float(place) - 0.75)**2:.8f},{-1.15 - lower + (float(place) - 0.76)**2:.8f},,aaaa,1.0,"
            for basis, lower in (("prophet-dz", 0.0), ("united", 0.01)) for place in study.places_of("bond", "H2")]
    rows += [f"bond,H,{basis},,5,-0.5,-0.5,,aaaa,1.0," for basis in ("prophet-dz", "united")]
    rows += [f"field,He,united+diffuse,{place},9,{-2.8 - 0.5 * 1.3 * float(place)**2:.10f},-2.9,,aaaa,1.0," for place in study.places_of("field", "He")]
    rows += ["bond,LiH,united,1.5900,,,,,aaaa,9.0,longer than 9 s"]
    file = tmp_path / "results.csv"
    file.write_text("\n".join([study.COMMENT.strip(), head, *rows]) + "\n")
    results = study.Results(file)
    errors = results.errors("bond", "H2", "prophet-dz")
    assert errors["bond", "scf"] == pytest.approx(-0.01) and errors["length", "scf"] == pytest.approx(0, abs=1e-6)
    assert results.quantities("bond", "H2", "united")["length", "scf"] == pytest.approx(0.75, abs=1e-4)
    assert results.quantities("field", "He", "united+diffuse")["polarisability", "scf"] == pytest.approx(1.3, abs=1e-3)
    assert not results.limit("bond", "LiH") and len(results.failures) == 1


def test_a_run_begins_what_becomes_whole_in_its_time(study, monkeypatch):
    cost = {"small": 3, "middle": 60, "large": 200}
    monkeypatch.setattr(study, "seconds_of", lambda sets, kind, name, basis: cost[basis])
    monkeypatch.setattr(study, "print_of", lambda *_: "aaaa")
    groups = [[("bond", "H", "small"), ("bond", "H", "large")], [("bond", "F", "small"), ("bond", "HF", "middle")], [("bond", "Li", "small")]]
    tasks = study.tasks_of(None, groups, {("bond", "HF", "middle", "0.9200", "aaaa")}, 100, 2)
    assert tasks[:2] == [(("bond", "HF", "middle"), [place], 20) for place in ("0.8900", "0.9500")]  # the longest first, each distance a task
    assert [job for job, *_ in tasks[2:]] == [("bond", "F", "small"), ("bond", "Li", "small"), ("bond", "H", "small"), ("bond", "H", "large")]


def test_groups_named_first_take_what_they_share(study, monkeypatch):
    class AllSets:
        def has(self, name, elements):
            return name == "prophet-dz"
    monkeypatch.setattr(study, "seconds_of", lambda sets, kind, name, basis: len(name))
    monkeypatch.setattr(study.diatomics, "ATOMS", dict.fromkeys("H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Cu Zn Ga Ge As Br Kr Rb Sr Y Zr "
                                                                "Ag Cd In Sn I Xe Cs Ba La Lu Hf Au Hg Tl Pb At Rn Th Lr Rg Nh Fl Ts".split(), (2, 0)))
    groups = study.groups_of(AllSets(), ["bond HF"])
    assert groups[0] == [("bond", "HF", "prophet-dz"), ("bond", "H", "prophet-dz"), ("bond", "F", "prophet-dz")]
    assert [("bond", "H2", "prophet-dz")] in groups
