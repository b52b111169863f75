"""One run, and every output of it: JSON, HDF5, JSON lines, CSV and Python say the same under the same names."""
import csv
import json

import h5py
import pytest

import cudaprophet as cp

RUNS = {
    "plain": ("$nuc z=10 $end", {}, ("none", "none", "none")),
    "first-order": ("$contrl breit='breit' qedvp='uehling' qedse='valence' $end\n$nuc z=10 $end",
                    dict(breit="breit", qedvp="uehling", qedse="valence"), ("first order", "first order", "valence")),
    "scf": ("$contrl breit='gaunt' breitscf=.true. $end\n$nuc z=10 $end", dict(breit="gaunt", breitscf=True),
            ("self-consistent", "none", "none")),
    "limit": ("$contrl jobtype='limit' $end\n$nuc z=10 $end", {}, ("none", "none", "none")),
}


@pytest.mark.parametrize("run", RUNS)
def test_all_outputs_agree(program, run):
    text, keywords, (breit, qed, fit) = RUNS[run]
    (program.folder / "ne.inp").write_text("title\n" + text + "\n")
    assert program.run("ne.inp", "--json", "ne.json", "--hdf5", "ne.h5", "--threads", "1").returncode == 0
    done = program.run("batch", "ne.inp", "--csv", "ne.csv", "--json-lines", "ne.jsonl", "--threads", "1")
    assert done.returncode == 0, done.stderr
    alone = json.loads((program.folder / "ne.json").read_text())
    line = json.loads((program.folder / "ne.jsonl").read_text())
    with open(program.folder / "ne.csv", encoding="utf-8") as table:
        row = next(csv.DictReader(line for line in table if not line.startswith("#")))
    atom = cp.Atom("Ne", **keywords)
    result = atom.limit(threads=1) if run == "limit" else atom.energy(threads=1)
    record = result.to_record()

    for key in ("symbol", "Z", "charge", "job", "status", "energy", "total_with_corrections", "virial_ratio", "iterations",
                "error_estimate", "hamiltonian", "energy_parts", "treatment", "converged"):
        assert line[key] == alone[key], key
    assert result.to_dict()["treatment"] == alone["treatment"] == {"breit": breit, "qed": qed}
    # Names and values of a row of the table are those of a record, but for the columns that --properties fills.
    for key in ("density_at_nucleus", "density_at_nucleus_error", "energy_slope", "energy_slope_error"):
        assert row.pop(key) == ""
    assert list(row)[0] == "id" and set(row) - {"id"} == set(record) - set(alone["energy_parts"]) | {"kinetic", "nuclear", "two_electron"}
    for key in set(row) - {"id"}:
        assert row[key] == ("" if record[key] is None else str(record[key])), key
    for key, value in {**alone["energy_parts"], "energy": alone["energy"], "error_estimate": alone["error_estimate"],
                       "breit": breit, "qed": qed}.items():
        assert record[key] == value, key
    assert result.error_estimate == alone["error_estimate"]
    with h5py.File(program.folder / "ne.h5") as file:
        assert file.attrs["error_estimate"] == alone["error_estimate"]
        hamiltonian = file["hamiltonian"].attrs
        assert (hamiltonian["breit_treatment"], hamiltonian["qed_treatment"], hamiltonian["self_energy_fit"]) == (breit, qed, fit)
        assert file["energy"].attrs["total"] == alone["energy"]
        assert dict(zip(file["energy/part_names"].asstr()[:], file["energy/part_values"][:])) == alone["energy_parts"]
    again = cp.load(program.folder / "ne.h5")
    assert again.to_dict()["treatment"] == alone["treatment"] and again.to_record()["energy"] == alone["energy"]


def test_a_record_of_what_failed_is_empty_where_the_table_is():
    with pytest.warns(cp.ProphetWarning):
        failed = cp.energies([cp.Atom("Ne", maxitr=2)], progress=False)[0].to_record()
    assert failed["status"] == "not converged" and failed["error_estimate"] is None
