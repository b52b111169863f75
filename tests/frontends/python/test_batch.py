"""Many energies at once."""
import pytest

import cudaprophet as cp


def test_results_in_order_with_progress():
    heard = []
    results = cp.energies([cp.Atom("Ne"), "He", 4], progress=lambda done, total: heard.append((done, total)))
    assert [r.atom.symbol for r in results] == ["Ne", "He", "Be"]
    assert heard == [(1, 3), (2, 3), (3, 3)]
    assert [row["Z"] for row in results.to_records()] == [10, 2, 4]
    assert results[0].spinors["2p3/2"].radial([1.0])[0].shape == (1,)


def test_keywords_hold_for_all():
    results = cp.energies(["He", "Be"], nucleus="point", progress=False)
    assert all(r.to_dict()["nucleus"]["model"] == "point" for r in results)


def test_limits():
    results = cp.energies(["He", "Be"], limit=True, progress=False)
    assert [r.is_limit for r in results] == [True, True]
    assert results[0].energy == pytest.approx(cp.Atom("He").limit().energy, rel=1e-13)


def test_one_that_does_not_converge_leaves_the_others_alone():
    with pytest.warns(cp.ProphetWarning, match="Ne: not converged"):
        results = cp.energies([cp.Atom("He"), cp.Atom("Ne", maxitr=2)], progress=False)
    assert [r.status for r in results] == ["converged", "not converged"]


def test_one_that_cannot_be_made_says_why():
    with pytest.warns(cp.ProphetWarning, match=r"H\+?: failed"):
        results = cp.energies(["He", "H+", cp.Atom("Li")], progress=False)
    assert [r.status for r in results] == ["converged", "failed", "converged"]
    assert results[1].atom is None and "electrons" in results[1].reason
    rows = results.to_records()
    assert [(row["symbol"], row["charge"], row["status"]) for row in rows] == [("He", 0, "converged"), ("", 0, "failed"), ("Li", 0, "converged")]
    assert results.energies[0] == pytest.approx(cp.Atom("He").energy().energy, rel=1e-13) and results.energies[1] != results.energies[1]
    with pytest.warns(cp.ProphetWarning, match="Xx: failed: .*no element"):
        assert [r.status for r in cp.energies(["Xx", "He"], limit=True, progress=False)] == ["failed", "converged"]
    with pytest.raises(cp.Error, match="maxiter"):  # wrong with all of them
        cp.energies(["He", "Be"], maxiter=20, progress=False)


def test_what_a_progress_function_raises_ends_the_batch():
    def no(done, total):
        raise ValueError("enough")
    with pytest.raises(ValueError, match="enough"):
        cp.energies(range(1, 6), progress=no)


def test_one_atom_alone_and_tables():
    results = cp.energies("Ne", progress=False)
    assert [r.symbol for r in results] == ["Ne"]
    assert results.energies.tolist() == [results[0].energy]
    assert [row["energy"] for row in results.to_records()] == [results[0].energy]
    assert "Ne" in results._repr_html_()
    try:
        assert results.to_dataframe()["energy"][0] == results[0].energy
    except cp.Error as error:  # pandas is not needed otherwise
        assert "pip install pandas" in str(error)


@pytest.mark.parametrize("threads", [0, -1, "2", 1.5, True])
def test_threads_are_whole_and_at_least_one(threads):
    for call in (lambda: cp.energies(["He"], threads=threads, progress=False), lambda: cp.Atom("He").energy(threads=threads)):
        with pytest.raises(cp.Error, match="threads: found .*; expected a whole number, 1 or more"):
            call()


def test_none_at_all():
    assert cp.energies([], progress=False) == []


def test_a_gpu_that_is_not_there():
    with pytest.raises(cp.Error, match="device='cuda'"):
        cp.energies(["He"], device="cuda:63", progress=False)


def test_atoms_in_the_place_of_files_are_told(program):
    done = program.run("batch", "Fe", "nothing", "--csv", "-")
    assert done.returncode == 3, done.stderr
    said = done.stdout + done.stderr
    assert "Fe: error: the name of an input file must end in .inp; atoms are named by elements" in said, said
    assert "nothing: error: the name of an input file must end in .inp\n" in said, said
