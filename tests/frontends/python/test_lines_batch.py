"""Lines of many ions: one file, the same bytes whatever interrupted it."""

import json
import os
import signal
import time

import pytest

import cudaprophet as cp

h5py = pytest.importorskip("h5py")
numpy = pytest.importorskip("numpy")

IONS = "C+\nN2+  2s2 2p | 2s 2p2\n# a comment\nO3+ 2s2 2p | 2s 2p2 | 2p3\nF4+\nNe5+\nNa6+ 2s2 2p|2s 2p2|2p3\nMg7+\nAl8+\n"


def request(tmp_path, name):
    (tmp_path / "ions.txt").write_text(IONS)
    return ["lines", "--batch-file", "ions.txt", "--excite", "2s->2p,3s", "--multipoles", "E1 M1",
            "--lines-hdf5", name, "--threads", "1", "--quiet"]


def test_a_killed_run_goes_on_to_the_same_bytes(program, tmp_path):
    whole = request(tmp_path, "whole.h5")
    assert program.run(*whole).returncode == 0
    running = program.start(*request(tmp_path, "killed.h5"))
    parts = tmp_path / "killed.h5.parts"
    while not (parts.exists() and b"{\"provenance\"" in parts.read_bytes()) and running.poll() is None:
        time.sleep(0.005)
    running.send_signal(signal.SIGKILL)
    running.wait()
    assert parts.exists() and not (tmp_path / "killed.h5").exists()
    refused = program.run(*request(tmp_path, "killed.h5"))
    assert refused.returncode != 0 and "interrupted" in refused.stderr
    other = program.run(*request(tmp_path, "killed.h5"), "--resume", "--least-gf", "0.1")
    assert other.returncode != 0 and "another request" in other.stderr
    threads = request(tmp_path, "killed.h5")
    threads[threads.index("--threads") + 1] = "3"
    done = program.run(*threads, "--resume", "--json", "killed.json")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "killed.h5").read_bytes() == (tmp_path / "whole.h5").read_bytes()
    assert not parts.exists()
    record = json.loads((tmp_path / "killed.json").read_text())
    assert record["skipped"] >= 1 and len(record["ions"]) == 8
    assert all(row["lines"] > 0 and row["reason"] == "" for row in record["ions"])


def test_the_file_says_what_a_single_ion_says(program, tmp_path):
    arguments = request(tmp_path, "ions.h5")
    assert program.run(*arguments).returncode == 0
    single = program.run("lines", "O3+", "--configs", "2s2 2p | 2s 2p2 | 2p3", "--excite", "2s->2p,3s",
                         "--multipoles", "E1 M1", "--relaxed", "none", "--json", "o.json")
    assert single.returncode == 0, single.stderr
    expected = json.loads((tmp_path / "o.json").read_text())
    with h5py.File(tmp_path / "ions.h5") as file:
        assert list(file) == sorted(["C+", "N2+", "O3+", "F4+", "Ne5+", "Na6+", "Mg7+", "Al8+"])
        levels, lines = file["O3+/levels"], file["O3+/lines"]
        numpy.testing.assert_allclose(levels["energy"], [level["excitation_energy"] for level in expected["levels"]],
                                      rtol=0, atol=1e-9)
        for key in ("S", "gf", "A"):
            numpy.testing.assert_allclose(lines[key], [line[key] for line in expected["lines"]], rtol=1e-7)
        assert [name.decode() for name in lines["type"]] == [line["type"] for line in expected["lines"]]
        assert file["O3+/provenance"].asstr()[()].count("2p3") > 0


def test_spectra_take_an_ion_of_the_file(program, tmp_path):
    assert program.run("lines", "--batch", "N2+,O3+", "--configs", "2s2 2p | 2s 2p2", "--lines-hdf5", "two.h5").returncode == 0
    single = cp.lines("O3+", configs="2s2 2p | 2s 2p2", relaxed="none")
    x = numpy.linspace(50, 100, 500)
    options = {"temperature": 1e5, "fwhm": 0.1}
    expected = cp.spectra.spectrum(single, x, **options)
    numpy.testing.assert_allclose(cp.spectra.spectrum(str(tmp_path / "two.h5") + ":O3+", x, **options), expected,
                                  rtol=0, atol=1e-6 * expected.max())
    ion, alone = str(tmp_path / "two.h5") + ":O3+", tmp_path / "alone.dat"
    for format in ("kurucz", "pyneb"):
        assert cp.write_lines(ion, tmp_path / "ion.dat", format=format) == cp.write_lines(single, alone, format=format)
        ours, expected = ((path.read_text().split("\n")) for path in (tmp_path / "ion.dat", alone))
        assert len(ours) == len(expected) and [row[:20] for row in ours[:3]] == [row[:20] for row in expected[:3]]
    with pytest.raises(cp.Error, match=r"no lines of 'F4\+'; it has N2\+, O3\+"):
        cp.spectra.populations(str(tmp_path / "two.h5") + ":F4+", 1e5)


def test_an_unknown_name_in_the_file_is_refused(program, tmp_path):
    assert program.run("lines", "--batch", "N2+", "--configs", "2s2 2p | 2s 2p2", "--lines-hdf5", "two.h5").returncode == 0
    ion = str(tmp_path / "two.h5") + ":N2+"
    with h5py.File(tmp_path / "two.h5", "r+") as file:
        file["N2+/levels"].move("parity", "partiy")
    with pytest.raises(cp.Error, match=r"two.h5: N2\+: levels: unknown key 'partiy'; did you mean 'parity'\?"):
        cp.spectra.populations(ion, 1e5)
    record = cp.lines("N2+", configs="2s2 2p | 2s 2p2").to_dict()
    cp.spectra.populations(record, 1e5)
    record["levels"][0]["lifetiem"] = record["levels"][0].pop("lifetime")
    with pytest.raises(cp.Error, match="'lifetiem'; did you mean 'lifetime'"):
        cp.spectra.populations(record, 1e5)


def test_electrons_without_a_charge_are_said(program, tmp_path):
    done = program.run("lines", "--batch", "Fe [Ar] 3d7 4s2", "--multipoles", "M1", "--json", "x.json")
    assert done.returncode == 0, done.stderr
    record = json.loads((tmp_path / "x.json").read_text())
    assert [row["ion"] for row in record["ions"]] == ["Fe-"]
    assert "charge_from_configuration" in {warning["id"] for warning in record["warnings"]}
    written = program.run("lines", "--batch", "Fe- [Ar] 3d7 4s2", "--multipoles", "M1", "--json", "y.json")
    assert written.returncode == 0 and "charge_from_configuration" not in (tmp_path / "y.json").read_text()


def test_nothing_is_left_beside_a_device(program):
    done = program.run("lines", "--batch", "Li", "--multipoles", "E1", "--lines-hdf5", "/dev/null")
    assert done.returncode == 2 and "/dev/null is a device" in done.stderr, done.stderr
    assert not os.path.exists("/dev/null.parts")


@pytest.mark.parametrize("extra, words", [
    (["--batch", "Xx+"], "Xx"),
    (["--batch", "Fe2+,Fe2+"], "twice"),
    (["--batch", "Fe2+", "--excite", "9k->4s"], "makes no configuration"),
    (["--batch", "Fe2+", "--excite", "3f->4s"], "no shell; expected"),
    (["--batch", "Fe2+", "--lines-csv", "x.csv"], "cannot be given together with the ions of a batch"),
    (["--batch", "Fe2+", "--resume"], "requires --lines-hdf5"),
    (["Fe2+", "--batch", "Fe2+"], "batch"),
    (["Fe2+", "--lines-hdf5", "x.h5"], "several ions"),
    (["--batch", "26", "--batch-charges", "x"], "whole numbers"),
    (["--batch", "Fe30+"], "Fe30+"),
])
def test_what_is_wrong_is_said(program, extra, words):
    done = program.run("lines", *extra)
    assert done.returncode != 0 and words in done.stderr, done.stderr
