"""Extended XYZ read beside ASE: files of one structure in the spellings that people and programs use, and files that ASE writes."""
import io

import numpy as np
import pytest

import cudaprophet as cp

ase = pytest.importorskip("ase")
from ase.calculators.singlepoint import SinglePointCalculator  # noqa: E402
from ase.io import read, write  # noqa: E402

BOX = '"4 0 0 1 5 0 0.5 0 6"'
USUAL = "species:S:1:pos:R:3"


def text(comment, columns=USUAL):
    """Two atoms; the columns beside names and places hold numbers that are neither."""
    lines = []
    for name, place, charge in (("Cs", (0.1, 0.2, 0.3), 0.75), ("Cl", (2.1, 2.2, 2.3), -0.75)):
        words = []
        for column, kind, count in zip(*[iter(columns.split(":"))] * 3):
            known = {"species": [name], "pos": place, "Z": [55 if name == "Cs" else 17], "charge": [charge], "charges": [charge],
                     "initial_charges": [charge]}
            words += known.get(column, {"R": [9.5], "I": [9], "S": ["word"], "L": ["T"]}[kind] * int(count))
        lines.append(" ".join(map(str, words)))
    return f"2\n{comment}\n" + "\n".join(lines) + "\n"


def extended(comment, columns=USUAL):
    return text(f"{comment} Properties={columns}", columns)


FILES = [
    text(""), text("water, 300 K"), text(f"Lattice={BOX}"),
    extended(f"Lattice={BOX}"),
    extended(f'Lattice={BOX} pbc="T T T"'),
    extended(f'Lattice={BOX} pbc="F F F"'),
    extended(f'Lattice = {BOX} pbc = "T T T"'),
    extended(f"Lattice={BOX} pbc = T"),
    extended(f"Lattice ={BOX} pbc= F"),
    extended("Lattice={4 0 0 1 5 0 0.5 0 6} pbc={T T T}"),
    extended("Lattice='4 0 0 1 5 0 0.5 0 6' pbc='True True True'"),
    extended("Lattice=[4, 0, 0, 1, 5, 0, 0.5, 0, 6] pbc=[T, T, T]"),
    extended("Lattice=[4,0,0,1,5,0,0.5,0,6] pbc=[True,True,True]"),
    extended(f"Lattice={BOX} pbc=[false, false, false]"),
    extended(f'Lattice={BOX} pbc="1 1 1"'),
    extended("Lattice=\"  4.0e0 0 0\t1 5. 0 +.5 0 6 \" pbc=\"T  T T\""),
    extended(f"\tLattice={BOX}   energy=-1.5e-3"),
    extended(f'energy=-1 Lattice={BOX} stress="1 2 3 4 5 6 7 8 9" config_type=bulk'),
    extended(f"relaxed Lattice={BOX} step=3"),
    extended(f'Lattice={BOX} note="it\'s = a {{word}}"'),
    extended(f'Lattice={BOX} note="a \\"quoted\\" word"'),
    extended(f"Lattice={BOX} note='a \"quoted\" word' url=http://a.b/?c=d"),
    text(f"Properties={USUAL} Lattice={BOX} pbc=\"T T T\""),
    text(f'Properties="{USUAL}" Lattice={BOX}'),
    text(f"Properties = {USUAL} Lattice={BOX}"),
    extended(f"Lattice={BOX}", "species:S:1:forces:R:3:pos:R:3"),
    extended(f"Lattice={BOX}", "id:I:1:fixed:L:1:pos:R:3:label:S:1:species:S:1"),
    extended(f"Lattice={BOX}", "pos:R:3:Z:I:1"),
    extended(f"Lattice={BOX}", USUAL + ":initial_charges:R:1"),
    extended(f"Lattice={BOX}", "initial_charges:R:1:" + USUAL + ":forces:R:3"),
    extended(f"Lattice={BOX}", USUAL + ":charge:R:1"),
    extended(f"Lattice={BOX}", USUAL + ":charges:R:1:magmoms:R:1"),
]


def as_ase(path):
    """Symbols, places, cell and charges."""
    atoms = read(path, index=0, format="extxyz")
    charges = atoms.arrays.get("initial_charges")
    if charges is None and atoms.calc is not None:
        charges = atoms.calc.results.get("charges")
    assert all(atoms.pbc) or not any(atoms.pbc)
    return atoms.get_chemical_symbols(), atoms.positions, atoms.cell[:] if all(atoms.pbc) else None, charges


def same(path):
    symbols, places, cell, charges = as_ase(path)
    ours = cp.structure(path)
    assert list(ours.symbols) == symbols
    assert np.allclose(ours.positions, places, rtol=0, atol=1e-12)
    lattice = ours.lattice_angstrom
    assert (lattice is None) == (cell is None)
    assert cell is None or np.allclose(lattice, cell, rtol=0, atol=1e-12)
    found = ours.tables["atoms"].get("charges")
    assert (found is None) == (charges is None)
    assert charges is None or np.allclose(found, charges)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("content", FILES)
def test_a_file_is_what_it_is_for_ase(tmp_path, content):
    file = tmp_path / "a.xyz"
    file.write_text(content)
    same(file)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(6))
def test_what_ase_writes_is_read(tmp_path, seed):
    rng = np.random.default_rng(seed)
    atoms = ase.Atoms("CsClO2", rng.uniform(-5, 5, (4, 3)), cell=rng.uniform(-1, 1, (3, 3)) + 6 * np.eye(3), pbc=seed % 2 == 0)
    atoms.info = {"name": "it's \"a\" = {word} [1]", "flag": True, "vector": np.arange(3.0), "matrix": np.ones((2, 2)), "list": ["a", 1], "nothing": None}
    atoms.set_tags(range(4))
    if seed % 3 == 1:
        atoms.set_initial_charges(rng.normal(size=4))
    if seed % 3 == 2:
        atoms.calc = SinglePointCalculator(atoms, energy=-1.0, forces=rng.normal(size=(4, 3)), stress=np.arange(6.0), charges=rng.normal(size=4))
    file = tmp_path / "a.xyz"
    write(file, atoms, format="extxyz")
    same(file)


@pytest.mark.parametrize("flags", ['"T T F"', "[T, T, F]", "[True,False,True]", "{T T F}", "[1, 1, 0]", "'F F T'"])
def test_a_box_of_some_directions_is_refused_as_a_file_and_as_atoms(tmp_path, flags):
    file = tmp_path / "a.xyz"
    file.write_text(extended(f"Lattice={BOX} pbc = {flags}"))
    with pytest.raises(cp.Error, match="all three directions"):
        cp.structure(file)
    atoms = read(io.StringIO(file.read_text()), format="extxyz")
    assert any(atoms.pbc) and not all(atoms.pbc)
    with pytest.raises(cp.Error, match="all three directions"):
        cp.pairs(atoms, bins=3)
