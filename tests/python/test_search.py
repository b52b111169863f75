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


def test_chain():
    found = cp.chain("H", threshold=1e-4)
    assert found.met and 0 <= found.error <= 1e-4 and found.log
    assert found.error == pytest.approx((found.energy - found.limit) / abs(found.limit))
    again = cp.Atom("H", nucleus="gaussian", basis=found.basis).energy(error_estimate=False)
    assert again.energy == pytest.approx(found.energy, rel=1e-12)
    assert found.basis.write("prophet").startswith("# H: well-tempered set")
    with pytest.raises(cp.Error, match="threshold"):
        cp.chain("H", threshold=2.0)
