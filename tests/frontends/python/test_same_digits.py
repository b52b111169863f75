"""The package and the program compute with one core: every number is the same, bit for bit."""
import json
import warnings

import pytest

import cudaprophet as cp

# What differs from run to run, or names the input.
ITS_OWN = {"input", "request", "title", "timings_seconds", "seconds"}  # request: the text of another input for the same

LADDER = cp.ladder([(0.1, 2.0, 3.0, 0.5)], [14, 9, 9])
EXPONENTS = [[0.3, 1.1, 4.0, 15.0, 60.0, 250.0, 1200.0]]

CASES = {
    "default": ("$nuc z=10 $end", "energy", lambda: cp.Atom("Ne"), {}),
    "ion, Fermi": ("$nuc z=79 model='fermi' $end\n$electrons charge=-1 $end", "energy",
                   lambda: cp.Atom("Au", charge=-1, nucleus="fermi"), {}),
    "excited": ("$nuc z=11 $end\n$electrons config='[Ne] 3p1' $end", "energy",
                lambda: cp.Atom(11, config="[Ne] 3p1"), {}),
    "rms": ("$nuc z=18 model='sphere' rms=3.4 $end", "energy",
            lambda: cp.Atom("Ar", nucleus=dict(model="sphere", rms=3.4)), {}),
    "Gaunt and QED": ("$contrl breit='gaunt' qedvp='full' qedse='inner' $end\n$nuc z=18 $end", "energy",
                      lambda: cp.Atom("Ar", breit="gaunt", qed=True), {}),
    "Breit, first order": ("$contrl breit='breit' breitscf=.false. $end\n$nuc z=10 $end", "energy",
                           lambda: cp.Atom("Ne", breit=True, breitscf=False), {}),
    "named collection": ("$nuc z=18 $end\n$bas library='wtbs-2.1' $end", "energy",
                         lambda: cp.Atom("Ar", basis="wtbs-2.1"), {}),
    "collection as object": ("$nuc z=18 $end\n$bas library='universal' $end", "energy",
                             lambda: cp.Atom("Ar", basis=cp.basis("Ar", "universal")), {}),
    "own ladder": ("$nuc z=10 $end\n$bas bastype='wtbs' nsym=3 $end\n"
                   "$wtbs wtbspara=0.1,2,3,0.5 nbs=14,9,9 $end", "energy", lambda: cp.Atom("Ne", basis=LADDER), {}),
    "exponents": ("$nuc z=2 $end\n$bas bastype='rdin' nsym=1 $end\n7\n" + "\n".join(map(str, EXPONENTS[0])), "energy",
                  lambda: cp.Atom("He", basis=cp.BasisSet(EXPONENTS)), {}),
    "stored integrals": ("$nuc z=4 $end\n$scf fock='stored' $end", "energy", lambda: cp.Atom("Be"), dict(fock="stored")),
    "jj average": ("$nuc z=7 $end\n$electrons closed=2,0,0 open=0,1,1 open_electrons=3 autogen=.true. $end", "energy",
                   lambda: cp.Atom("N", closed=[2, 0, 0], open=[0, 1, 1], open_electrons=3, autogen=True), {}),
    "configurations": ("$nuc z=7 $end\n$electrons closed=2,0,0 open=0,1,1 open_electrons=3 nconf=2 $end\n1 2\n2 1",
                       "energy",
                       lambda: cp.Atom("N", closed=[2, 0, 0], open=[0, 1, 1], open_electrons=3,
                                       configurations=[[1, 2], [2, 1]]), {}),
    "limit": ("$contrl jobtype='limit' $end\n$nuc z=10 $end", "limit", lambda: cp.Atom("Ne"), {}),
    "limit of an ion": ("$contrl jobtype='limit' $end\n$nuc z=12 model='point' $end\n$electrons charge=2 $end", "limit",
                        lambda: cp.Atom("Mg", charge=2, nucleus="point"), {}),
    "limit beside a basis": ("$contrl jobtype='limit' $end\n$nuc z=10 $end", "limit",
                             lambda: cp.Atom("Ne", basis="universal"), {}),
    "not converged": ("$nuc z=10 $end\n$scf maxitr=2 $end", "energy", lambda: cp.Atom("Ne"), dict(maxitr=2)),
}


@pytest.mark.parametrize("case", CASES)
def test_same_digits_as_the_program(program, case):
    text, method, atom, options = CASES[case]
    expected = program.result(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = getattr(atom(), method)(**options).to_dict()
    assert set(found) == set(expected)
    for key in set(expected) - ITS_OWN:
        assert repr(found[key]) == repr(expected[key]), key


def test_same_digits_as_a_batch(program):
    symbols = ["H", "C", "Ar", "Kr"]
    for s in symbols:
        (program.folder / f"{s}.inp").write_text(f"title\n$nuc z={cp.Atom(s).z} $end\n")
    done = program.run("batch", *[f"{s}.inp" for s in symbols], "--json-lines", "out.jsonl")
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in (program.folder / "out.jsonl").read_text().splitlines()]
    expected = {line["id"].split(".")[0]: line["energy"] for line in lines}
    together = cp.energies(symbols, progress=False)
    for symbol, result in zip(symbols, together):
        assert repr(result.energy) == repr(expected[symbol])
        # A batch gives each calculation one thread; the number of threads shows in the last digits.
        assert repr(result.energy) == repr(cp.Atom(symbol).energy(threads=1).energy)
        assert result.energy == pytest.approx(cp.Atom(symbol).energy(threads=3).energy, rel=1e-13)
