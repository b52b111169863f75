"""Searches for basis sets, against the program."""
import pytest

import cudaprophet as cp

START = cp.ladder([(0.15, 2.6, 2.0, 0.3)], [7])


def test_optimise_as_the_program(program):
    expected = program.result("$contrl jobtype='bsopt' $end\n$nuc z=2 $end\n$newuoa maxfun=40 $end\n"
                              "$bas bastype='wtbs' $end\n$wtbs wtbspara=0.15,2.6,2,0.3 nbs=7 $end")
    heard = []
    found = cp.optimise(cp.Atom("He"), START, maxfun=40, progress=lambda *step: heard.append(step))
    assert repr(found.energy) == repr(expected["energy"])
    assert repr(found.start_energy) == repr(expected["start_energy"])
    assert found.evaluations == expected["evaluations"] == len(heard) == len(found.history)
    groups = expected["groups"][0]
    assert found.basis.ladder["groups"][0] == (groups["alpha"], groups["beta"], groups["delta"], groups["gamma"])
    assert found.energy < found.start_energy
    assert cp.Atom("He", basis=found.basis).energy(error_estimate=False).energy == pytest.approx(found.energy, rel=1e-12)


def test_optimise_needs_a_ladder():
    with pytest.raises(cp.Error, match="well-tempered set"):
        cp.optimise(cp.Atom("He"))
    with pytest.raises(cp.Error, match="rhobeg"):
        cp.optimise(cp.Atom("He"), START, rhobeg=-1)


@pytest.mark.parametrize("free, method", [("ladders", "lbfgs"), ("exponents", "lbfgs"), ("exponents", "slsqp")])
def test_optimise_by_gradients_as_the_program(program, free, method):
    expected = program.result(f"$contrl jobtype='bsopt' $end\n$nuc z=2 nucmdl=3 $end\n$newuoa method='{method}' free='{free}' $end\n"
                              "$bas bastype='wtbs' $end\n$wtbs wtbspara=0.15,2.6,2,0.3 nbs=7 $end")
    heard = []
    found = cp.optimise("He", START, nucleus="gaussian", method=method, free=free, progress=lambda *step: heard.append(step))
    assert repr(found.energy) == repr(expected["energy"]) and found.stopped == expected["stopped"]
    assert found.evaluations == len(heard) == len(found.history)
    if free == "exponents":
        assert found.basis.exponents("s+").tolist() == expected["exponents"]["s+"]
    # The set brings its nucleus: no point by default, no warning.
    again = cp.Atom("He", basis=found.basis).energy(error_estimate=False)
    assert again.energy == pytest.approx(found.energy, rel=1e-12) and again.warnings == []
    with pytest.raises(cp.Error, match="resume: a search by gradients"):
        cp.optimise("He", START, method=method, free=free, state="x", resume=True)


def test_optimise_every_exponent_of_a_plain_set():
    plain = cp.BasisSet([[0.3, 1.2, 5.0, 25.0]], element="He")
    found = cp.optimise("He", plain, nucleus="gaussian", method="lbfgs")
    assert found.energy < found.start_energy and found.basis.sizes == [4]


def test_optimise_goes_on(tmp_path):
    whole = cp.optimise(cp.Atom("He"), START, maxfun=30)
    class Enough(Exception):
        pass
    def stop(search, evaluation, energy, improved):
        if evaluation == 10:
            raise Enough
    state = str(tmp_path / "state")
    with pytest.raises(Enough):
        cp.optimise(cp.Atom("He"), START, maxfun=30, state=state, progress=stop)
    assert cp.optimise(cp.Atom("He"), START, maxfun=30, state=state, resume=True).energy == whole.energy
    assert sorted(p.name for p in tmp_path.iterdir()) == ["state.best", "state.bsopt"]


def test_chain():
    found = cp.chain("H", threshold=1e-4)
    assert found.met and 0 <= found.error <= 1e-4 and found.log
    assert found.error == pytest.approx((found.energy - found.limit) / abs(found.limit))
    again = cp.Atom("H", nucleus="gaussian", basis=found.basis).energy(error_estimate=False)
    assert again.energy == pytest.approx(found.energy, rel=1e-12)
    assert found.basis.write("prophet").startswith("# H: well-tempered set")
    with pytest.raises(cp.Error, match="threshold"):
        cp.chain("H", threshold=2.0)
