#!/usr/bin/env python3
"""Keys of JSON outputs that users rely on: those of json_keys.txt must all be there.

Usage: json_keys_test.py PROGRAM            the test
       json_keys_test.py PROGRAM --write    prints the list anew, from what the program writes

The list holds what the outputs had when schema_version became 3, with every key that docs/reference/json.md ever promised; what version 3 has given another form is named there. Keys may be added freely;
a line leaves the list only together with a new schema_version.
"""
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIST = Path(__file__).with_name("json_keys.txt")

# Each writes OUT; {i} is the folder of examples. Later ones may use the outputs of earlier ones.
COMMANDS = {
    "energy": "ne-closed.inp --properties --json OUT",
    "energy of an open shell": "cr-configuration.inp --json OUT",
    "energy with Breit and QED": "u-qed.inp --properties --json OUT",
    "limit": "u-qed-limit.inp --properties --json OUT",
    "bsopt": "ne-bsopt.inp --json OUT",
    "bsopt by gradients": "ne-exponents.inp --json OUT",
    "bsopt from several starts": "rn-starts.inp --json OUT",
    "energy in a charged shell": "o-in-mgo.inp --json OUT",
    "chain": "ne-chain.inp --json OUT",
    "batch": "batch ne-closed.inp f-anion.inp --json-lines OUT",
    "compare": "compare ne.json ne+.json --json OUT",
    "formfactor": "formfactor Ne --q 0:2:0.5 --shells --json OUT",
    "formfactor fits": "formfactor Ne --fit waasmaier-kirfel --json OUT",
    "levels": "pb-levels.inp --json OUT",
    "levels with core-valence correlation": "levels Mg --core-valence --lowest 1 --core-lmax 2 --valence-lmax 1 --valence-spinors 6 --json OUT",
    "levels with factors of the core's correlation": "levels Li --core-valence --lowest 1 --core-lmax 2 --valence-lmax 1 --valence-spinors 6 --core-rings second --screening-factors 0.9 --fit-sigma --json OUT",
    "lines": "fe16-lines.inp --relaxed none --json OUT",
    "lines of several ions": "lines --batch C+,N2+ --excite 2s->2p --json OUT",
    "lines with core-valence correlation": "lines Li --core-valence --config 2s|2p --core-lmax 2 --valence-lmax 1 --valence-spinors 6 --json OUT",
    "lines of an isotope": "lines 7Li --config 2s|2p --json OUT",
    "lines of relaxed configurations": "ar-k-lines.inp --relaxed configurations --json OUT",
    "correlation": "correlation Li --lmax 4 --json OUT",
    "correlation in a basis set": "correlation Ne --library prophet-dz --hamiltonian nonrel --json OUT",
    "correlation of valence electrons": "correlation Li+ --valence 2s --lmax 1 --no-error-estimate --json OUT",
    "correlation with core polarisation": "correlation Li+ --valence 2p --lmax 2 --no-error-estimate --core-polarisation --moment 1 --nuclear-spin 1.5 --quadrupole 1 --json OUT",
    "slater": "slater Fe2+ --config [Ar]3d6 --hole 2p --json OUT",
    "slater with core-valence correlation": "slater Al --core-valence --core-lmax 2 --json OUT",
    "tables": "tables Ti3+ --what binding,kinetic,moments,compton,magnetic,incoherent,formfactor,beb --fit 3 --impact 100 --library universal --json OUT",
    "madelung": "madelung nacl.cif --charges Na=1,Cl=-1 --json OUT",
    "mean-field": "mean-field Li --library prophet-dz --breit gaunt --json OUT",
    "pairs": "pairs coo.xyz --bins 20 --json OUT",
    "powder": "powder coo.xyz --q 1:3:0.5 --json OUT",
    "powder against": "powder coo.xyz --against pattern.csv --form-factors constant --wavelength 1 --background 0 --json OUT",
    "sap": "sap He --json OUT",
    "shape": "shape --sphere 10 --q 0,0,0.1 --json OUT",
    "shape of a scene": "shape two_films.yaml --alpha-i 0.1:0.2:2 --omega 0:90:2 --wavelength 1 --alpha-f 0.5 --two-theta-f 0 --json OUT",
    "shape against": "shape substrate.yaml --alpha-i 0.2 --wavelength 1 --against pixels.txt --constant-background --json OUT",
    "validate": "validate --elements He --json OUT",
    "basis audit": "basis audit prophet-dz --elements He --json OUT",
    "basis audit with correlation": "basis audit prophet-dz --elements Ne --second-order --core-valence --no-gradient --json OUT",
}


def paths(value, above=""):
    """Keys below a value, 'spinors[].energy'; those that name a thing ('Ne', '2p') are of the values."""
    found = set()
    if isinstance(value, dict):
        for key, below in value.items():
            here = f"{above}.{key}" if above else key
            found |= {here} | paths(below, here)
    elif isinstance(value, list):
        for below in value:
            found |= paths(below, above + "[]")
    return found


def outputs(program):
    """Paths of keys of each command that the program knows."""
    with tempfile.TemporaryDirectory() as folder:
        for file in [*(ROOT / "inputs").glob("*.inp"), *(ROOT / "inputs").glob("*.cif"), *(ROOT / "inputs").glob("*.xyz")]:
            shutil.copy(file, folder)
        for file in (ROOT / "tests/matter/shape/scenes").glob("*.yaml"):
            shutil.copy(file, folder)
        (Path(folder) / "pixels.txt").write_text("0.3 0.1 5\n0.5 0.2 3\n0.7 0.1 2\n0.9 0 2\n")
        for name, charge in (("ne", 0), ("ne+", 1)):
            lines = f"neon\n $contrl jobtype='energy' $end\n $nuc znuc=10 $end\n $seconfig charge={charge} $end\n"
            (Path(folder) / f"{name}.inp").write_text(lines)
            subprocess.run([program, f"{name}.inp", "--json", f"{name}.json"], cwd=folder, check=True, capture_output=True)
        subprocess.run([program, "powder", "coo.xyz", "--q", "2:8:0.2", "--form-factors", "constant", "--csv", "pattern.csv"], cwd=folder,
                       check=True, capture_output=True)
        for name, words in COMMANDS.items():
            out = Path(folder) / f"{name}.out".replace(" ", "-")
            run = subprocess.run([program, *words.replace("OUT", out.name).split()], cwd=folder, capture_output=True, text=True)
            if run.returncode not in (0, 3):
                yield name, run.stderr or run.stdout, None
                continue
            text = out.read_text()
            values = [json.loads(line) for line in text.splitlines()] if name == "batch" else [json.loads(text)]
            yield name, "", set().union(*(paths(value) for value in values))


def main(program, write):
    wanted = {}
    if not write:
        for line in LIST.read_text().splitlines():
            if line and not line.startswith(("#", " ")):
                keys = wanted.setdefault(line, set())
            elif line.startswith(" "):
                keys.add(line.strip())
        assert sum(map(len, wanted.values())) > 300, "the list is not whole"
    lost = 0
    for name, error, keys in outputs(program):
        if write and keys:
            print(name, *(f"  {key}" for key in sorted(keys)), sep="\n")
        elif write or (error and name in wanted):
            print(f"{name}: {error}", file=sys.stderr)
            lost += not write
        else:
            for key in sorted(wanted.pop(name, set()) - keys):
                print(f"{name}: the key {key} is lost", file=sys.stderr)
                lost += 1
    for name in wanted:
        print(f"{name} was not run", file=sys.stderr)
    return 1 if lost or wanted else 0


if __name__ == "__main__":
    sys.exit(main(str(Path(sys.argv[1]).resolve()), "--write" in sys.argv))
