"""What stands beside the computed levels of every ion of src/data/nist-levels.csv, and what takes long at the numerical limit."""
import collections
import csv
import sys
import warnings
from fractions import Fraction
from pathlib import Path

import pytest

import cudaprophet as cp

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "studies"))
from configurations import whole  # noqa: E402

UNIT = 219474.63136314


def grounds():
    def rows(name):
        with (ROOT / "src/data" / name).open() as file:
            return list(csv.DictReader(line for line in file if not line.startswith("#")))

    suspects = {(row["Z"], row["charge"], row["configuration"]) for row in rows("nist-levels-suspects.csv")}
    ions = collections.defaultdict(list)
    for row in rows("nist-levels.csv"):
        if row["ground"] == "yes" and ";" in row["levels"] and (row["Z"], row["charge"], row["configuration"]) not in suspects:
            ions[row["symbol"]].append(row)
    return ions


@pytest.mark.parametrize("rows", [pytest.param(rows, id=symbol) for symbol, rows in grounds().items()])
def test_no_level_stands_beside_that_of_another(rows):
    for row in rows:
        config = whole(int(row["Z"]), int(row["charge"]), row["configuration"])
        if config is None:
            continue
        entries = [entry.split(":") for entry in row["levels"].split(";")]
        terms = row["terms"].split(";")
        lowest = float(entries[0][1])
        known = collections.defaultdict(list)
        for (j, energy), term in zip(entries, terms):
            known[float(Fraction(j))].append((float(energy) - lowest, term))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                levels = cp.levels(row["Z"], config=config, maxitr=150, threads=1).levels
            except cp.Error as error:
                assert any(why in str(error) for why in ("no shell", "not converge", "binds not", "no spinors")), error
                continue
        shown = collections.defaultdict(list)
        for level in levels:
            if "nist_excitation_energy" not in level:
                continue
            energy = level["nist_excitation_energy"] * UNIT
            same = [term for known_energy, term in known[level["J"]] if abs(known_energy - energy) < 1e-6 * max(1, energy)]
            assert same, (row["symbol"], row["charge"], config, level["label"], level["J"], energy)
            ours = level["terms"][0]["term"]
            assert any(not term or term[0] == ours[0] for term in same), (row["symbol"], row["charge"], config, level["label"], level["J"], same)
            shown[level["J"]].append(energy)
        for j, energies in shown.items():
            assert energies == sorted(energies) and len(set(energies)) >= len(energies) - (len(known[j]) - len(set(known[j])))
        # 4F, as NIST calls a level of Th+ 6d 7s2, is no term of it: such levels stand beside nothing.
        possible = {level["terms"][0]["term"][0] for level in levels}
        if row["complete"] == "yes" and len(levels) <= 5 and all(not term or term[0] in possible for term in terms):
            assert sum(map(len, shown.values())) >= 2 or not any(terms), (row["symbol"], row["charge"], config)


@pytest.mark.parametrize("atom, config", [("O", "[He] 2s2 2p4 | [He] 2s2 3p4"), ("C", "[He] 2s2 2p2 | [He] 2s2 3p2"), ("N3+", "2s2 | 3s2"),
                                          ("Fe5+", "3d3 | 4d3 | 4s2 4d1"), ("Ti2+", "3d2 | 4d2"), ("Mg", "3s2 | 4s2"), ("Ne8+", "1s2 | 2s2")])
def test_shells_that_replace_each_other_in_pairs_are_those_of_the_limit(atom, config):
    basis, limit = cp.levels(atom, config=config), cp.levels(atom, config=config, spinors="limit")
    assert basis.ground_energy == pytest.approx(limit.ground_energy, abs=1e-5)
    for one, other in zip(basis.levels, limit.levels):
        assert one["excitation_energy"] == pytest.approx(other["excitation_energy"], abs=1e-5)
