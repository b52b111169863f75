"""Outputs replace nothing that is somebody else's, and lose nothing of what other runs have written."""

import json
import os
import signal
import stat
import subprocess
import time

import pytest

import cudaprophet as cp

BATCH = ["lines", "--batch", "Li,Be+", "--configs", "2s | 2p", "--multipoles", "E1", "--threads", "1", "--quiet"]
TRIANGLES = """solid p
{}endsolid p
"""


def tetrahedron():
    corners = [(0, 0, 0), (9, 0, 0), (0, 9, 0), (0, 0, 9)]
    facets = ""
    for face in ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)):
        lines = "".join("vertex {} {} {}\n".format(*corners[i]) for i in face)
        facets += f"facet normal 0 0 0\nouter loop\n{lines}endloop\nendfacet\n"
    return TRIANGLES.format(facets)


def test_a_folder_of_others_stays(program, tmp_path):
    parts = tmp_path / "a.h5.parts"
    parts.mkdir()
    (parts / "notes.txt").write_text("precious\n")
    done = program.run(*BATCH, "--lines-hdf5", "a.h5")
    assert done.returncode != 0 and "Is a directory" in done.stderr, done.stderr
    assert (parts / "notes.txt").read_text() == "precious\n"
    (parts / "notes.txt").rename(tmp_path / "notes.txt")
    parts.rmdir()
    (tmp_path / "far").mkdir()
    parts.symlink_to("far")
    assert program.run(*BATCH, "--lines-hdf5", "a.h5").returncode != 0
    assert parts.is_symlink() and not list((tmp_path / "far").iterdir())


def test_links_modes_and_devices_are_kept(program, tmp_path):
    (tmp_path / "victim").write_text("x\n")
    (tmp_path / "b.h5.cudaprophet-tmp").symlink_to("victim")
    (tmp_path / "real.h5").write_text("old")
    (tmp_path / "real.h5").chmod(0o600)
    (tmp_path / "b.h5").symlink_to("real.h5")
    done = program.run(*BATCH, "--lines-hdf5", "b.h5")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "victim").read_text() == "x\n"
    assert (tmp_path / "b.h5").is_symlink()
    assert stat.S_IMODE((tmp_path / "real.h5").stat().st_mode) == 0o600
    assert (tmp_path / "real.h5").read_bytes()[:4] == b"\x89HDF"
    (tmp_path / "folder").mkdir()
    done = program.run(*BATCH, "--lines-hdf5", "folder/")
    assert done.returncode != 0 and "directory" in done.stderr
    assert not list((tmp_path / "folder").iterdir())
    os.mkfifo(tmp_path / "pipe")
    reader = subprocess.Popen(["cat", "pipe"], cwd=tmp_path, stdout=subprocess.PIPE)
    done = program.run(*BATCH, "--lines-hdf5", "pipe")
    assert done.returncode == 0, done.stderr
    assert reader.communicate()[0][:4] == b"\x89HDF" and (tmp_path / "pipe").is_fifo()


def test_no_output_replaces_what_a_scene_or_an_axis_reads(program, tmp_path):
    (tmp_path / "p.stl").write_text(tetrahedron())
    (tmp_path / "s.yaml").write_text("particles:\n  - {file: p.stl}\n")
    (tmp_path / "ax").write_text("0.1\n0.2\n")
    for option in ("csv", "json", "hdf5", "png"):
        beam = ["--alpha-i", "0.2", "--alpha-f", "0:1:3", "--two-theta-f", "0:1:3", "--wavelength", "1"]
        where = beam if option == "png" else ["--q", "0,0,0.1"]
        done = program.run("shape", "s.yaml", *where, f"--{option}", "p.stl")
        assert done.returncode == 2 and "would overwrite" in done.stderr, (option, done.stderr)
        assert (tmp_path / "p.stl").read_text() == tetrahedron()
    for option in ("csv", "json", "hdf5"):
        done = program.run("shape", "--sphere", "5", "--q-grid", "@ax,0,0", f"--{option}", "ax")
        assert done.returncode == 2 and "would overwrite" in done.stderr, (option, done.stderr)
    done = program.run("shape", "--sphere", "5", "--alpha-i", "@ax", "--alpha-f", "0:1:3", "--two-theta-f", "0:1:3",
                       "--wavelength", "1", "--hdf5", "ax")
    assert done.returncode == 2 and (tmp_path / "ax").read_text() == "0.1\n0.2\n"
    with pytest.raises(cp.Error, match="would overwrite"):
        cp.shape(file=str(tmp_path / "s.yaml"), q=[[0, 0, 0.1]], hdf5=str(tmp_path / "p.stl"))
    with pytest.raises(cp.Error, match="would overwrite"):
        cp.shape(file=str(tmp_path / "s.yaml"), q=[[0, 0, 0.1]], hdf5=str(tmp_path / "s.yaml"))
    assert program.run("shape", "s.yaml", "--q", "0,0,0.1", "--csv", "new.csv").returncode == 0


def test_runs_side_by_side_extend_the_same_files(program, tmp_path):
    h5py = pytest.importorskip("h5py")
    charges = (2, 3, 4, 5, 6, 7)
    running = [program.start("slater", f"Fe{q}+", "--config", f"[Ar] 3d{8 - q}", "--edrixs", "e.json", "--quanty", "e.h5",
                             "--quiet", "--threads", "1", "--csv", f"{q}.csv") for q in charges]
    assert [r.wait() for r in running] == [0] * 6
    names = {f"3d{8 - q}" for q in charges}
    assert set(json.loads((tmp_path / "e.json").read_text())) == names
    with h5py.File(tmp_path / "e.h5") as file:
        assert set(file) == names


@pytest.mark.parametrize("option, name", [("--edrixs", "e.json"), ("--quanty", "e.h5")])
def test_a_configuration_replaces_its_own_alone(program, tmp_path, option, name):
    def put(*words):
        return program.run("slater", *words, option, name, "--quiet")

    assert put("Fe2+", "--config", "[Ar] 3d6").returncode == 0
    assert put("Fe2+", "--config", "[Ar] 3d6").returncode == 0
    before = (tmp_path / name).read_bytes()
    for words in (("Co3+", "--config", "[Ar] 3d6"), ("Fe", "--config", "[Ar] 3d6 4s2")):
        done = put(*words)
        assert done.returncode != 0 and "already, of Fe2+" in done.stderr, done.stderr
        assert (tmp_path / name).read_bytes() == before
    assert put("Fe3+", "--config", "[Ar] 3d5").returncode == 0


def test_a_result_file_is_no_file_of_multiplets(program, tmp_path):
    assert program.run("energy", "Ne", "--hdf5", "ne.h5", "--quiet").returncode == 0
    before = (tmp_path / "ne.h5").read_bytes()
    done = program.run("slater", "Fe2+", "--config", "[Ar] 3d6", "--quanty", "ne.h5", "--quiet")
    assert done.returncode != 0 and "name another file" in done.stderr
    assert (tmp_path / "ne.h5").read_bytes() == before


def killed(program, tmp_path, name):
    """A batch that was killed when some ions were finished."""
    (tmp_path / "ions.txt").write_text("\ufeffC+\nN2+ 2s2 2p | 2s 2p2\nO3+\nF4+\nNe5+\nNa6+\nMg7+\nAl8+\n")
    request = ["lines", "--batch-file", "ions.txt", "--excite", "2s->2p,3s", "--multipoles", "e1 M1", "--threads", "1",
               "--quiet", "--lines-hdf5", name]
    running = program.start(*request)
    parts = tmp_path / (name + ".parts")
    while not (parts.exists() and parts.read_bytes().count(b"{\"provenance\"") > 1) and running.poll() is None:
        time.sleep(0.005)
    running.send_signal(signal.SIGSTOP)  # at work, as far as others can see
    second = program.run(*request, "--resume")
    running.send_signal(signal.SIGKILL)
    running.wait()
    return request, parts, second


def test_a_damaged_or_foreign_part_is_refused(program, tmp_path):
    request, parts, second = killed(program, tmp_path, "x.h5")
    assert second.returncode != 0 and "another run is writing it" in second.stderr, second.stderr
    done = program.run(*request)
    assert done.returncode != 0 and "interrupted" in done.stderr, done.stderr
    whole = parts.read_bytes()
    for at in (len(whole) // 3, len(whole) // 2, len(whole) - 9):
        flipped = bytearray(whole)
        flipped[at] ^= 1
        parts.write_bytes(flipped)
        done = program.run(*request, "--resume")
        assert done.returncode != 0 and "is damaged" in done.stderr, done.stderr
        assert parts.read_bytes() == flipped
    parts.write_bytes(whole + whole[-100:].split(b"\n")[0])  # cut off by a kill
    assert program.run(*request, "--resume").returncode == 0
    assert not parts.exists()


def test_an_ion_that_fails_is_a_row(program, tmp_path):
    h5py = pytest.importorskip("h5py")
    (tmp_path / "i.txt").write_text("C 2s2 2p2 | 2s 2p3\nO2- 2s2 2p6\n")
    request = ["lines", "--batch-file", "i.txt", "--multipoles", "E1", "--lines-hdf5", "i.h5", "--threads", "1"]
    for extra in ((), ("--resume",)):
        done = program.run(*request, *extra, "--json", "i.json")
        assert done.returncode == 3, done.stderr
        assert "1 of 2 ions failed" in done.stderr and "i.h5.parts keeps" in done.stderr
        assert "\n  O2-  " in done.stdout and "-37." in done.stdout  # the table on the screen
        rows = json.loads((tmp_path / "i.json").read_text())["ions"]
        assert [row["ion"] for row in rows] == ["C", "O2-"] and rows[0]["reason"] == "" and rows[1]["reason"] != ""
        with h5py.File(tmp_path / "i.h5") as file:
            assert list(file) == ["C"]
    # A rule that makes nothing of one ion leaves the others.
    done = program.run("lines", "--batch", "La3+,Ba", "--excite", "6s->5d", "--multipoles", "M1", "--json", "r.json", "--threads", "1")
    assert done.returncode == 3, done.stderr
    rows = {row["ion"]: row for row in json.loads((tmp_path / "r.json").read_text())["ions"]}
    assert set(rows) == {"La3+", "Ba"} and rows["Ba"]["lines"] > 0 and rows["Ba"]["reason"] == ""
    assert "excite" in rows["La3+"]["reason"]


def test_ions_have_the_names_of_their_electrons(program, tmp_path):
    h5py = pytest.importorskip("h5py")
    request = ["lines", "--multipoles", "E1", "--threads", "1", "--quiet"]
    done = program.run(*request, "--batch", "C,N", "--charge", "1", "--lines-hdf5", "x.h5", "--json", "x.json")
    assert done.returncode == 0, done.stderr
    with h5py.File(tmp_path / "x.h5") as file:
        assert list(file) == ["C+", "N+"]
    assert [row["ion"] for row in json.loads((tmp_path / "x.json").read_text())["ions"]] == ["C+", "N+"]
    done = program.run(*request, "--batch", "N,O", "--config", "[He] 2s2 2p2 | [He] 2s 2p3", "--lines-hdf5", "y.h5")
    assert done.returncode == 0, done.stderr
    with h5py.File(tmp_path / "y.h5") as file:
        assert list(file) == ["N+", "O2+"]
        assert json.loads(file["N+/provenance"].asstr()[()])["charge"] == 1


def trajectory(seed, frames=4, atoms=40):
    numpy = pytest.importorskip("numpy")
    places = numpy.random.default_rng(seed).uniform(0, 12, (frames, atoms, 3))
    head = f'{atoms}\nLattice="12 0 0 0 12 0 0 0 12"\n'
    return "".join(head + "".join("C {:.6f} {:.6f} {:.6f}\n".format(*p) for p in frame) for frame in places)


def test_a_changed_state_of_pairs_is_refused(program, tmp_path):
    (tmp_path / "a.xyz").write_text(trajectory(1))
    (tmp_path / "b.xyz").write_text(trajectory(2))
    request = ["--range", "5", "--bins", "20", "--state", "s", "--backend", "cpu"]
    assert program.run("pairs", "a.xyz", *request).returncode == 0
    whole = (tmp_path / "s").read_text()
    title, head, state = whole.splitlines()
    assert json.loads(state)["frames"] == 4
    for change in ({"atoms": []}, {"frames": 5}, {"more": 1}):
        (tmp_path / "s").write_text("\n".join((title, head, json.dumps({**json.loads(state), **change}), "")))
        done = program.run("pairs", "a.xyz", *request, "--resume")
        assert done.returncode == 2 and "damaged" in done.stderr, (change, done)
    digit = whole.index("counts") + 12
    (tmp_path / "s").write_text(whole[:digit] + str((int(whole[digit]) + 1) % 10 if whole[digit].isdigit() else 7) + whole[digit + 1:])
    assert program.run("pairs", "a.xyz", *request, "--resume").returncode == 2
    (tmp_path / "s").write_text(whole)
    done = program.run("pairs", "b.xyz", *request, "--resume")
    assert done.returncode == 2 and "other frames than the first 4 of b.xyz" in done.stderr, done.stderr
    assert program.run("pairs", "a.xyz", *request, "--resume").returncode == 0
    assert (tmp_path / "s").read_text() == whole


def test_a_second_run_of_a_state_is_told(program, tmp_path):
    (tmp_path / "a.xyz").write_text(trajectory(1, frames=1))
    request = ["--range", "5", "--bins", "20", "--state", "s", "--backend", "cpu"]
    assert program.run("pairs", "a.xyz", *request).returncode == 0
    # The first run reads its frames from a pipe, which keeps it at work.
    os.mkfifo(tmp_path / "slow.xyz")
    first = subprocess.Popen([os.environ["PROPHET_PROGRAM"], "pairs", "slow.xyz", *request, "--resume"], cwd=tmp_path,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(tmp_path / "slow.xyz", "w") as pipe:
        pipe.write(trajectory(1, frames=1) + trajectory(3, frames=1))
        pipe.flush()
        time.sleep(1)
        second = program.run("pairs", "a.xyz", *request, "--resume")
        pipe.write(trajectory(4, frames=1))
    assert first.wait() == 0
    assert second.returncode == 2 and "another run is writing it" in second.stderr, second.stderr
    assert json.loads((tmp_path / "s").read_text().splitlines()[2])["frames"] == 3


def test_tables_of_sizes_name_each_column_once(program, tmp_path):
    (tmp_path / "t.csv").write_text("Z,dz,dz\n1,6,9\n")
    done = program.run("tier", "dz", "--sizes", "t.csv", "--elements", "1", "--out", "F")
    assert done.returncode != 0 and "t.csv:1: error: the column 'dz' is there twice" in done.stderr
    (tmp_path / "t.csv").write_text("Z,dzz\n1,6\n")
    done = program.run("tier", "dz", "--sizes", "t.csv", "--elements", "1", "--out", "F")
    assert done.returncode != 0 and "did you mean 'dzz'" in done.stderr


@pytest.mark.parametrize("rows, words", [("atom,f',f''\nC,1,2\nC,3,4\n", ":3: error: C is there twice"), ("C,a,b\n", ":1: error"),
                                         ("C,1,2,3\n", ":1: error: 4 fields")])
def test_dispersion_is_read_whole(program, tmp_path, rows, words):
    (tmp_path / "d.csv").write_text(rows)
    (tmp_path / "a.xyz").write_text("2\n\nC 0 0 0\nC 0 0 1.5\n")
    done = program.run("powder", "a.xyz", "--q", "1:2:0.5", "--anomalous", "d.csv")
    assert done.returncode != 0 and words in done.stderr, done.stderr


def test_radii_with_decimal_commas_are_refused(program, tmp_path):
    (tmp_path / "r").write_text("0,5\n1,5\n")
    done = program.run("energy", "He", "--orbitals", "o.csv", "--orbital-grid", "r", "--quiet")
    assert done.returncode != 0 and "decimal point" in done.stderr, done.stderr
    (tmp_path / "r").write_text("r,density\n0.5,1\n1.5,2\n")
    assert program.run("energy", "He", "--orbitals", "o.csv", "--orbital-grid", "r", "--quiet").returncode == 0


def test_a_file_in_tiles_keeps_links_modes_and_pipes(program, tmp_path):
    request = ["shape", "--sphere", "5", "--q-grid", "0:1:4,0:1:4,0:1:4", "--quiet", "--hdf5"]
    (tmp_path / "real.h5").write_text("old")
    (tmp_path / "real.h5").chmod(0o600)
    (tmp_path / "f.h5").symlink_to("real.h5")
    done = program.run(*request, "f.h5")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "f.h5").is_symlink() and stat.S_IMODE((tmp_path / "real.h5").stat().st_mode) == 0o600
    assert (tmp_path / "real.h5").read_bytes()[:4] == b"\x89HDF"
    os.mkfifo(tmp_path / "pipe.h5")
    with subprocess.Popen(["cat", str(tmp_path / "pipe.h5")], stdout=subprocess.PIPE) as reader:
        done = program.run(*request, "pipe.h5")
        assert done.returncode == 0, done.stderr
        assert reader.communicate()[0][:4] == b"\x89HDF" and (tmp_path / "pipe.h5").is_fifo()
