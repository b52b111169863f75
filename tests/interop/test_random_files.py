"""Random files of atoms in many spellings, as ASE (extended XYZ) and gemmi (CIF, mmCIF, PDB) read them.

PROPHET_RANDOM=SEED:COUNT tries others, or more."""
import os
import random
import unittest
import warnings

import ase.io
import gemmi
import numpy as np

from in_folder import InFolder
from test_crystals import cell_of, places_of

warnings.simplefilter("ignore")

SEED, COUNT = (int(x) for x in os.environ.get("PROPHET_RANDOM", "1:40").split(":"))
ELEMENTS = "H C N O Na Mg Al Si Cl K Ca Ti Fe Co Ni Cu Zn Cs U".split()


def blanks(rng):
    return " " * rng.choice((0, 0, 1, 2))


def list_of(rng, words):
    """A list in one of the spellings of extended XYZ that ASE reads too."""
    plain, commas = " ".join(words), ", ".join(words)
    return rng.choice((f'"{plain}"', f"{{{plain}}}", f"[{commas}]"))


class FilesOfAtoms(InFolder):
    def atoms(self, name, text, status=0):
        """Symbols with their charges, places, the lattice or None, what is told."""
        done = self.run_program("structure", self.write(name, text), status=status)
        lines = done.stdout.splitlines()
        lattice = np.array([float(x) for x in lines[1].split('"')[1].split()]).reshape(3, 3) if "Lattice=" in lines[1] else None
        rows = [line.split() for line in lines[2:]]
        return [row[0] for row in rows], np.array([[float(x) for x in row[1:4]] for row in rows]), lattice, done.stderr


class ExtendedXyz(FilesOfAtoms):
    def random_file(self, rng):
        size = rng.randint(1, 6)
        symbols = [rng.choice(ELEMENTS) for _ in range(size)]
        columns = [("species:S:1", lambda i: [symbols[i]]), ("pos:R:3", lambda i: [f"{rng.uniform(-9, 9):{rng.choice(('.8f', '.6e', '.3f'))}}" for _ in range(3)])]
        extra = [("forces:R:3", lambda i: [f"{rng.gauss(0, 1):.5f}" for _ in range(3)]), ("id:I:1", lambda i: [str(i + 1)]),
                 ("tags:I:1", lambda i: ["0"]), ("magmoms:R:1", lambda i: [f"{rng.gauss(0, 1):.3f}"]), ("site:S:1", lambda i: ["A" + str(i)]),
                 ("move_mask:L:1", lambda i: [rng.choice("TF")])]
        columns += rng.sample(extra, rng.randint(0, 3))
        rng.shuffle(columns)
        periodic = rng.random() < 0.7
        cell = np.diag([rng.uniform(4, 12) for _ in range(3)]) + np.tril([[rng.uniform(-1, 1) for _ in range(3)] for _ in range(3)], -1)
        flag = rng.choice((["T"] * 3, ["True"] * 3)) if periodic else rng.choice((["F"] * 3, ["False"] * 3))
        parts = [("Properties", ":".join(name for name, _ in columns))]
        if periodic:
            parts.append(("Lattice", '"' + " ".join(f"{x:.{rng.choice((3, 8))}f}" for x in cell.ravel()) + '"'))
        if not periodic or rng.random() < 0.6:
            parts.append(("pbc", list_of(rng, flag)))
        parts += rng.sample([("energy", f"{rng.gauss(-9, 1):.6f}"), ("name", '"two words"'), ("config_type", "bulk"), ("step", "7"),
                             ("stress", list_of(rng, [f"{rng.gauss(0, 1):.3f}" for _ in range(9)])), ("note", '"a = b"')], rng.randint(0, 4))
        rng.shuffle(parts)
        comment = ("  " if rng.random() < 0.2 else "") + " ".join(f"{key}{blanks(rng)}={blanks(rng)}{value}" for key, value in parts)
        if rng.random() < 0.2:
            comment += " relaxed"
        between = rng.choice((" ", "   ", "\t"))
        rows = [between.join(word for _, of in columns for word in of(i)) for i in range(size)]
        return rng.choice(("\n", "\r\n")).join([str(size), comment, *rows]) + "\n"

    def test_random_files(self):
        alike = 0
        for number in range(COUNT):
            text = self.random_file(random.Random(f"{SEED} xyz {number}"))
            with self.subTest(text=text):
                symbols, places, lattice, _ = self.atoms("a.xyz", text)
                theirs = ase.io.read(self.path("a.xyz"), format="extxyz")
                self.assertEqual(symbols, theirs.get_chemical_symbols())
                np.testing.assert_allclose(places, theirs.positions, atol=1e-6)
                self.assertEqual(lattice is not None, bool(theirs.pbc.all()))
                if lattice is not None:
                    np.testing.assert_allclose(lattice, np.asarray(theirs.cell), atol=1e-6)
                alike += 1
        self.assertEqual(alike, COUNT)


class Crystals(FilesOfAtoms):
    def spelled(self, rng, triplet):
        """An operation with its parts in another order, capitals, decimals of halves and quarters, and blanks."""
        parts = []
        for word in triplet.split(","):
            terms = word.replace("-", "+-").strip("+").split("+")
            if rng.random() < 0.5:
                rng.shuffle(terms)
            text = "+".join(terms).replace("+-", "-")
            if rng.random() < 0.3:
                text = text.upper()
            for fraction, decimal in (("1/2", "0.5"), ("1/4", "0.25"), ("3/4", "0.75")):
                if rng.random() < 0.3:
                    text = text.replace(fraction, decimal)
            parts.append(blanks(rng) + text)
        return "'" + ",".join(parts) + "'"

    @staticmethod
    def general_place(rng, group):
        """One whose images are so far apart that nobody takes them for one."""
        while True:
            place = [rng.uniform(0.02, 0.98) for _ in range(3)]
            images = np.array([op.apply_to_xyz(place) for op in group.operations()])
            differences = images[:, None] - images[None]
            differences -= np.round(differences)
            distances = np.linalg.norm(differences, axis=2) + 9 * np.eye(len(images))
            if distances.min() > 0.06:
                return place

    def random_file(self, rng, group):
        operations = [op.triplet() for op in group.operations()]
        rng.shuffle(operations)
        operations.remove("x,y,z")
        lines = ["data_random"]
        lines += [f"_cell_{tag} {value}" for tag, value in
                  zip(("length_a", "length_b", "length_c", "angle_alpha", "angle_beta", "angle_gamma"), cell_of(group))]
        if rng.random() < 0.5:
            lines.append(f"_space_group_IT_number {group.number}")
        tag = rng.choice(("_space_group_symop_operation_xyz", "_symmetry_equiv_pos_as_xyz"))
        lines += ["loop_", tag, *(self.spelled(rng, op) for op in ["x,y,z", *operations])]
        ions = [("Fe", 2), ("Fe", 3), ("O", -2), ("Cl", -1), ("Na", 1), ("Si", 0), ("Ti", 4)]
        sites = [(*rng.choice(ions), self.general_place(rng, group)) for _ in range(rng.randint(1, 3))]
        by_type = rng.random() < 0.4 and len({symbol for symbol, _, _ in sites}) == len(sites)
        charges = {}
        if by_type:
            lines += ["loop_", "_atom_type_symbol", "_atom_type_oxidation_number", *(f"{symbol} {charge}" for symbol, charge, _ in sites)]
        names = "label type_symbol fract_x fract_y fract_z".split()
        order = rng.sample(range(5), 5)
        lines += ["loop_", *("_atom_site_" + names[i] for i in order)]
        for number, (symbol, charge, place) in enumerate(sites):
            size, sign = abs(charge), "+" if charge > 0 else "-"
            ion = symbol if charge == 0 or by_type else symbol + rng.choice((f"{size}{sign}", f"{sign}{size}", f"({size}{sign})"))
            charges[symbol + (f"{size if size > 1 else ''}{sign}" if charge else "")] = symbol
            words = [f"{symbol}{number + 1}", ion, *(f"{x:.4f}" + ("(3)" if rng.random() < 0.3 else "") for x in place)]
            lines.append(" ".join(words[i] for i in order))
        return "\n".join(lines) + "\n", charges

    def test_random_operations_and_oxidation_numbers(self):
        groups = list(gemmi.spacegroup_table())[:530]
        for number in range(COUNT):
            rng = random.Random(f"{SEED} cif {number}")
            text, kinds = self.random_file(rng, rng.choice(groups))
            with self.subTest(text=text):
                symbols, places, lattice, told = self.atoms("a.cif", text)
                self.assertEqual(told, "")
                self.assertEqual(set(symbols), set(kinds))
                expected = gemmi.make_small_structure_from_block(gemmi.cif.read_string(text)[0]).get_all_unit_cell_sites()
                self.assertEqual(places_of([kinds[s] for s in symbols], places @ np.linalg.inv(lattice)),
                                 places_of([site.element.name for site in expected], [site.fract.tolist() for site in expected]))


class Macromolecules(FilesOfAtoms):
    """Models that gemmi writes, as mmCIF and as PDB."""

    def random_model(self, rng):
        structure = gemmi.Structure()
        structure.name = "RAND"
        if rng.random() < 0.6:
            structure.cell = gemmi.UnitCell(rng.uniform(20, 40), rng.uniform(20, 40), rng.uniform(20, 40), rng.uniform(80, 100), rng.uniform(80, 100),
                                            rng.uniform(80, 110))
            structure.spacegroup_hm = "P 1"
        model = gemmi.Model(1) if hasattr(gemmi.Model(1), "num") else gemmi.Model("1")
        expected, residues = [], 0
        for name in "AB"[:rng.randint(1, 2)]:
            chain = gemmi.Chain(name)
            for _ in range(rng.randint(1, 3)):
                residues += 1
                residue = gemmi.Residue()
                residue.name, residue.seqid, residue.subchain = "SER", gemmi.SeqId(str(residues)), name
                for label, symbol in rng.sample([("N", "N"), ("CA", "C"), ("CB", "C"), ("OG", "O"), ("ZN", "Zn"), ("NA", "Na"), ("HG", "H")], 4):
                    first = [round(rng.uniform(-50, 50), 3) for _ in range(3)]
                    charge = {"Zn": 2, "Na": 1}.get(symbol, 0)
                    share = rng.choice((0.5, 0.35)) if rng.random() < 0.3 else None
                    for letter, occupancy in (("A", share), ("B", 1 - share)) if share else (("\0", 1),):
                        atom = gemmi.Atom()
                        atom.name, atom.element, atom.charge, atom.altloc, atom.occ = label, gemmi.Element(symbol), charge, letter, occupancy
                        atom.pos = gemmi.Position(*(first if letter != "B" else [x + 0.5 for x in first]))
                        residue.add_atom(atom)
                    expected.append((symbol + {2: "2+", 1: "+", 0: ""}[charge], *first))
                chain.add_residue(residue)
            model.add_chain(chain)
        structure.add_model(model)
        structure.setup_entities()
        return structure, sorted(expected)

    def test_random_models(self):
        for number in range(COUNT):
            rng = random.Random(f"{SEED} model {number}")
            structure, expected = self.random_model(rng)
            for name, text in (("a.cif", structure.make_mmcif_document().as_string()), ("a.mmcif", structure.make_mmcif_document().as_string()),
                               ("a.pdb", structure.make_pdb_string())):
                with self.subTest(name=name, text=text):
                    symbols, places, lattice, _ = self.atoms(name, text)
                    self.assertEqual(sorted((s, *np.round(p, 3).tolist()) for s, p in zip(symbols, places)), expected)
                    self.assertEqual(lattice is not None, structure.cell.is_crystal())
                    if lattice is not None:
                        np.testing.assert_allclose(lattice.T, np.array(structure.cell.orth.mat.tolist()), atol=2e-2)


if __name__ == "__main__":
    unittest.main()
