"""Crystals as gemmi and ASE read them from the same CIF files, and neutron scattering lengths as periodictable has them."""
import json
import os
import unittest
import warnings

import ase.io
import gemmi
import numpy as np
import periodictable

from in_folder import InFolder

warnings.simplefilter("ignore")

CUBE = (4.1, 4.1, 4.1, 90, 90, 90)
STEP = int(os.environ.get("PROPHET_SETTINGS_STEP", "9"))  # 1: all 530 settings
SITES = [("C1", "C", (0.13, 0.34, 0.06)), ("O1", "O", (0.41, 0.29, 0.17))]


def cif(symmetry, cell=CUBE, sites=SITES, before="", after=""):
    """A CIF of sites (label, type symbol, place)."""
    tags = ("length_a", "length_b", "length_c", "angle_alpha", "angle_beta", "angle_gamma")
    lines = [before, "data_x", *(f"_cell_{tag} {value}" for tag, value in zip(tags, cell)), symmetry, "loop_"]
    lines += ["_atom_site_" + tag for tag in ("label", "type_symbol", "fract_x", "fract_y", "fract_z")]
    lines += [f"{label} {symbol} {x} {y} {z}" for label, symbol, (x, y, z) in sites]
    return "\n".join(lines + [after]) + "\n"


def cell_of(group):
    """A cell that has the symmetry of a space group, so large that general places are far from special ones."""
    system, name = group.crystal_system_str(), group.xhm()
    if system == "cubic":
        return 21, 21, 21, 90, 90, 90
    if system == "tetragonal":
        return 21, 21, 27, 90, 90, 90
    if system == "trigonal" and name.endswith(":R"):
        return 21, 21, 21, 75, 75, 75
    if system in ("trigonal", "hexagonal"):
        return 21, 21, 27, 90, 90, 120
    if system == "orthorhombic":
        return 21, 24, 27, 90, 90, 90
    if system == "triclinic":
        return 21, 24, 27, 80, 85, 95
    angles = [90, 90, 90]
    rotation = next(op for op in group.operations() if op.rot != gemmi.Op().rot and abs(np.trace(op.rot)) == gemmi.Op.DEN
                    and op.rot != [[-24, 0, 0], [0, -24, 0], [0, 0, -24]])
    signs = np.sign(np.diag(rotation.rot)) * np.sign(np.linalg.det(rotation.rot))
    angles[int(np.argmax(signs))] = 105
    return 21, 24, 27, *angles


def places_of(symbols, fractions):
    """Sorted (element, place in the cell), places rounded and those at 1 taken to 0."""
    return sorted((symbol, *(np.round(np.asarray(place) % 1, 4) % 1).tolist()) for symbol, place in zip(symbols, fractions))


class Crystals(InFolder):
    def atoms(self, text):
        """Names, fractions of the cell, what is told."""
        done = self.run_program("structure", self.write("a.cif", text))
        lines = done.stdout.splitlines()
        lattice = np.array([float(x) for x in lines[1].split('"')[1].split()]).reshape(3, 3)
        rows = [line.split() for line in lines[2:]]
        places = np.array([[float(x) for x in row[1:4]] for row in rows])
        return [row[0] for row in rows], places @ np.linalg.inv(lattice), done.stderr

    def assert_as_gemmi(self, text):
        symbols, fractions, told = self.atoms(text)
        self.assertEqual(told, "", text)
        crystal = gemmi.make_small_structure_from_block(gemmi.cif.read_string(text)[0])
        expected = crystal.get_all_unit_cell_sites()
        self.assertEqual(places_of([s.rstrip("+-0123456789") for s in symbols], fractions),
                         places_of([site.element.name for site in expected], [site.fract.tolist() for site in expected]), text)
        return len(symbols)

    def test_settings_by_name_and_by_operations(self):
        groups = list(gemmi.spacegroup_table())[:530:STEP]  # those of the International Tables
        for group in groups:
            loop = "loop_\n_space_group_symop_operation_xyz\n" + "\n".join(op.triplet() for op in group.operations())
            name = f"_space_group_name_H-M_alt '{group.xhm()}'\n_space_group_IT_number {group.number}\n"
            hall = f"_space_group_name_Hall '{group.hall}'\n".replace("''", "'")
            cell = cell_of(group)
            sizes = {self.assert_as_gemmi(cif(name, cell)), len(self.atoms(cif(name + hall + loop, cell))[0])}
            self.assertEqual(sizes, {2 * len(group.operations())}, group.xhm())

    def test_what_ase_reads_alike(self):
        """About thirty files in the spellings of databases: atoms of the cell as ASE counts them."""
        fluorite = [("Ca1", "Ca2+", (0, 0, 0)), ("F1", "F1-", (0.25, 0.25, 0.25))]
        salt = [("Na1", "Na+", (0, 0, 0)), ("Cl1", "Cl-", (0.5, 0.5, 0.5))]
        silicon = [("Si1", "Si", (0.125, 0.125, 0.125))]
        corundum = [("Al1", "Al3+", (0, 0, 0.352)), ("O1", "O2-", (0.306, 0, 0.25))]
        rhombic = [("Al1", "Al3+", (0.352, 0.352, 0.352)), ("O1", "O2-", (0.556, 0.944, 0.25))]
        edge = (5.43, 5.43, 5.43, 90, 90, 90)
        hexagonal, rhombohedral = (4.76, 4.76, 12.99, 90, 90, 120), (5.128, 5.128, 5.128, 55.28, 55.28, 55.28)
        name, old, number = "_space_group_name_H-M_alt", "_symmetry_space_group_name_H-M", "_space_group_IT_number"
        code = "_space_group_IT_coordinate_system_code"
        identity = "loop_\n_symmetry_equiv_pos_as_xyz\n x,y,z\n"
        cases = [
            (cif(f"{name} 'F m -3 m'\n{number} 225", edge, fluorite), 12), (cif(f"{old} 'F m -3 m'", edge, fluorite), 12),
            (cif(f"{old} Fm-3m", edge, fluorite), 12), (cif(f"{number} 225", edge, fluorite), 12),
            (cif(f"_symmetry_Int_Tables_number 225\n{old} 'F m -3 m'", edge, salt), 8),
            (cif(f"{name} 'F m -3 m'", edge, salt, before="data_global\n_journal_year 1999"), 8),
            (cif(f"{name} 'F m -3 m'", edge, salt, after="data_end\n_journal_year 1999"), 8),
            (cif(f"{old} 'F d -3 m'\n{number} 227\n{code} 2", edge, silicon), 8), (cif(f"{old} 'F d -3 m:2'", edge, silicon), 8),
            (cif(f"{old} 'F d -3 m Z'", edge, silicon), 8), (cif(f"{old} 'F d -3 m S'", edge, [("Si1", "Si", (0, 0, 0))]), 8),
            (cif(f"{old} 'F d -3 m:1'", edge, [("Si1", "Si", (0, 0, 0))]), 8),
            (cif(f"{old} 'F d 3 m'\n{number} 227\n{code} 2", edge, silicon), 8),
            (cif(f"{old} 'R -3 c'", hexagonal, corundum), 30), (cif(f"{old} 'R -3 c H'", hexagonal, corundum), 30),
            (cif(f"{old} 'R -3 c:H'\n{number} 167", hexagonal, corundum), 30), (cif(f"{old} 'R -3 c R'", rhombohedral, rhombic), 10),
            (cif(f"{old} 'R -3 c:R'", rhombohedral, rhombic), 10), (cif(f"{old} 'R -3 c'\n{code} r", rhombohedral, rhombic), 10),
            (cif(identity + f"{old} 'P 1'\n{number} 1"), 2), (cif(identity), 2), (cif(f"{old} 'P 1'"), 2),
            (cif(f"{old} 'P 1 21/c 1'", (7, 8, 9, 90, 105, 90)), 8), (cif(f"{old} 'P 21/c'", (7, 8, 9, 90, 105, 90)), 8),
            (cif(f"{old} 'P 1 21/n 1'\n{number} 14\n{code} b2", (7, 8, 9, 90, 105, 90)), 8),
            (cif(f"{old} 'P n m a'\n{number} 62\n{code} abc", (7, 8, 9, 90, 90, 90)), 16),
            (cif(f"{old} 'P b n m'\n{number} 62\n{code} cab", (7, 8, 9, 90, 90, 90)), 16),
            (cif(f"{old} 'P 63/m m c'", (3, 3, 5, 90, 90, 120), [("Zn1", "Zn", (1 / 3, 2 / 3, 0.25))]), 2),
            (cif(f"{old} 'C 2/c'", (7, 8, 9, 90, 105, 90)), 16), (cif(f"{old} 'P m -3 m'", CUBE, [("CU1", "Cu", (0, 0, 0))]), 1),
        ]
        # ASE takes the usual setting of a number, whatever the name says.
        other_settings = ("P 1 21/n 1", "P b n m")
        alike = 0
        for text, size in cases:
            self.assertEqual(len(self.atoms(text)[0]), size, text)
            try:  # of what ASE does not know it has no opinion
                atoms = ase.io.read(self.path("a.cif"))
            except Exception:
                continue
            if len(atoms) == size and not any(name in text for name in other_settings):
                symbols, fractions, _ = self.atoms(text)
                self.assertEqual(places_of([s.rstrip("+-0123456789") for s in symbols], fractions),
                                 places_of(atoms.get_chemical_symbols(), atoms.get_scaled_positions()), text)
                alike += 1
        self.assertGreaterEqual(alike, 15)

    def test_oxidation_numbers_as_gemmi_has_them(self):
        for symbol in ("Fe3+", "Fe2+", "O2-", "Cl-", "Na+", "Ti4+"):
            text = cif("_space_group_name_H-M_alt 'P 1'", CUBE, [("A", symbol, (0, 0, 0))])
            site = gemmi.make_small_structure_from_block(gemmi.cif.read_string(text)[0]).sites[0]
            size = abs(site.charge)
            self.assertEqual(self.atoms(text)[0], [site.element.name + (str(size) if size > 1 else "") + "-+"[site.charge > 0]])


class Lengths(InFolder):
    # Measured again since 1992: periodictable 2.1 differs by more than 5 % and 0.1 fm.
    NEWER = set("6Li 13C 40Ar 84Sr 142Nd 143Nd 144Nd 145Nd 148Nd 150Nd Sm 144Sm 147Sm 148Sm 149Sm 150Sm 152Sm Eu 151Eu Gd 155Gd "
                "157Gd Ho 165Ho 174Yb 203Tl 205Tl 204Pb".split())

    def test_all_lengths_of_periodictable(self):
        """Real parts, and imaginary ones against the cross sections of absorption, b'' = sigma/(2 lambda)."""
        neutrons = {}
        for element in periodictable.elements:
            for atom in (element, *element):
                isotope = getattr(atom, "isotope", 0) if atom is not element else 0
                name = {(1, 2): "D", (1, 3): "T"}.get((element.number, isotope), f"{isotope or ''}{element.symbol}")
                if element.number > 0 and atom.neutron is not None and atom.neutron.b_c is not None:
                    neutrons[name] = atom.neutron
        # Not in the table of 1992, or known there for the isotopes only.
        kinds = sorted(set(neutrons) - {"191Ir", "193Ir", "202Hg", "Pu", "Cm"})
        self.assertGreater(len(kinds), 350)
        self.write("all.xyz", f"{len(kinds)}\n\n" + "".join(f"{kind} {i} 0 0\n" for i, kind in enumerate(kinds)))
        self.run_program("powder", "all.xyz", "--q", "0:0:1", "--form-factors", "neutron", "--json", "all.json")
        with open(self.path("all.json"), encoding="utf-8") as file:
            lengths = dict(line.split(": b = ") for line in json.load(file)["amplitudes"])
        self.assertEqual(sorted(lengths), kinds)
        newer = set()
        for kind, text in lengths.items():
            b = complex(text.split(" fm")[0].replace("i", "j"))
            if abs(b.real - neutrons[kind].b_c) > max(0.05 * abs(b.real), 0.1):
                newer.add(kind)
            if b.imag:
                self.assertAlmostEqual(-b.imag, neutrons[kind].absorption / 3596, delta=max(0.01, -0.02 * b.imag), msg=kind)
        self.assertEqual(newer, self.NEWER)


if __name__ == "__main__":
    unittest.main()
