#!/usr/bin/env python3
"""Pair histograms and powder patterns beside those of other programs, on the same atoms and threads.

Usage: python3 -m venv /tmp/peers && /tmp/peers/bin/pip install freud-analysis ase torch DebyeCalculator numpy
       PYTHONPATH=build/release/python /tmp/peers/bin/python studies/pairs_peers.py [--threads 2] [--atoms 20000] [--device cuda] [--program PATH]

g(r) beside freud's RDF (V. Ramasubramani et al., Comput. Phys. Commun. 254, 107275 (2020)): a random periodic box, distances up to
nearly half of it, 300 bins. I(q) beside ASE's XrDebye (A. H. Larsen et al., J. Phys. Condens. Matter 29, 273002 (2017)): a ball of copper,
constant amplitudes; and beside DebyeCalculator (F. L. Johansen et al., J. Open Source Softw. 9, 6024 (2024)): balls of
CoO, both with the fits of Waasmaier and Kirfel. Each is called once to warm up, then three times; the best is printed. Peers that
cannot be imported are left out. --device cuda: DebyeCalculator and the program's patterns beside it on a GPU. With --program the program itself is timed, as its JSON says (the file is read in that time).
"""
import os
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

import study


def best(call, repeats=3):
    call()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = call()
        times.append(time.perf_counter() - start)
    return min(times), result


def run(program, arguments, repeats=3):
    """The shortest time that the program states, and its JSON."""
    found = []
    for _ in range(repeats + 1):
        found.append(study.record(program, *arguments))
    return min(f["seconds"] for f in found), found[-1]


def write_xyz(path, names, places, edge=None):
    comment = f'Lattice="{edge} 0 0 0 {edge} 0 0 0 {edge}"' if edge else ""
    path.write_text(f"{len(names)}\n{comment}\n" + "".join(f"{n} {x:.6f} {y:.6f} {z:.6f}\n" for n, (x, y, z) in zip(names, places)))


def distributions(options, folder):
    rng = np.random.default_rng(1)
    edge = 50.0
    places = rng.uniform(0, edge, (options.atoms, 3)).round(6)
    reach, bins = 0.499 * edge, 300
    file = folder / "box.xyz"
    write_xyz(file, ["Ar"] * options.atoms, places, edge)
    ours, result = run(options.program, ["pairs", str(file), "--bins", str(bins), "--range", str(reach), "--threads", str(options.threads)])
    print(f"g(r), {options.atoms} atoms, r < {reach:.2f} of a box of {edge:g}, {bins} bins, {options.threads} threads")
    print(f"  cudaprophet pairs, file read too  {ours:8.3f} s  ({options.atoms ** 2 / 2 * 0.52 / ours:.3g} pairs in range a second)")
    try:
        import freud
    except ImportError as error:
        print(f"  freud: {error}")
        return
    freud.parallel.set_num_threads(options.threads)
    box = freud.box.Box.cube(edge)
    points = box.wrap(places - edge / 2)

    def theirs():
        rdf = freud.density.RDF(bins=bins, r_max=reach, normalization_mode="exact")
        rdf.compute((box, points), reset=True)
        return rdf

    seconds, rdf = best(theirs)
    g = np.array(result["columns"]["g"])
    far = slice(10, None)
    print(f"  freud {freud.__version__}, arrays               {seconds:8.3f} s  ({seconds / ours:.1f} times ours); largest difference of g beyond r = "
          f"{rdf.bin_centers[10]:.1f}: {np.abs(rdf.rdf[far] - g[far]).max():.1e}")


def patterns_of_ase(options, folder):
    try:
        import ase
        import ase.io
        from ase.utils.xrdebye import XrDebye
    except ImportError as error:
        print(f"I(q), ASE: {error}")
        return
    file = folder / "cu.xyz"
    subprocess.run([options.program, "structure", "Cu", "--shape", "sphere:30", "--displace", "0.05", "--out", str(file)], check=True)
    for method in ("histogram", "direct"):
        ours, result = run(options.program, ["powder", str(file), "--q", "0.5:10:0.1", "--form-factors", "constant", "--method", method,
                                             "--threads", str(options.threads)])
        print(f"I(q), Cu, 30 angstrom: {result['atoms']} atoms, {len(result['q'])} q, {method}, {options.threads} threads\n"
              f"  cudaprophet powder, file read too {ours:8.4f} s")
        if method == "histogram":
            peer = XrDebye(ase.io.read(file), wavelength=0.5, damping=0.0, method="none")
            seconds, values = best(lambda: [peer.get(q / (2 * np.pi)) for q in result["q"]], 1)
        error = np.abs(np.array(values) / 29 ** 2 / np.array(result["intensity"]) - 1).max()
        print(f"  ASE {ase.__version__}                        {seconds:8.4f} s  ({seconds / ours:.0f} times ours); largest relative "
              f"difference {error:.1e}")


def patterns(options, folder):
    try:
        from debyecalculator import DebyeCalculator
    except ImportError as error:
        print(f"I(q), DebyeCalculator: {str(error).strip().splitlines()[0]}")
        DebyeCalculator = None
    for diameter in options.diameters:
        file = folder / "coo.xyz"
        subprocess.run([options.program, "structure", "CoO", "--shape", f"sphere:{diameter}", "--out", str(file)], check=True)
        ours, result = run(options.program, ["powder", str(file), "--q", "0.5:10:0.05", "--form-factors", "waasmaier-kirfel", "--threads",
                                             str(options.threads), "--backend", options.device])
        print(f"I(q), CoO, {diameter:g} angstrom: {result['atoms']} atoms, {len(result['q'])} q, {options.threads} threads")
        print(f"  cudaprophet powder, file read too {ours:8.3f} s; bound of the error {result['error_bound']:.1e} I(0)")
        if DebyeCalculator is None:
            continue
        import torch

        torch.set_num_threads(options.threads)
        lines = file.read_text().split("\n")
        lines[1] = ""
        (folder / "plain.xyz").write_text("\n".join(lines))
        calculator = DebyeCalculator(qmin=0.5, qmax=10.0001, qstep=0.05, biso=0.0, device=options.device)
        seconds, (q, intensity) = best(lambda: calculator.iq(str(folder / "plain.xyz"), include_self_scattering=True), 1)
        mine = np.interp(q, result["q"], result["intensity"])
        scale = np.median(np.asarray(intensity) / mine)
        print(f"  DebyeCalculator                   {seconds:8.3f} s  ({seconds / ours:.1f} times ours); largest relative difference "
              f"{np.abs(np.asarray(intensity) / (scale * mine) - 1).max():.1e} after division by {scale:.6g} (theirs is per atom)")


def main():
    parser = study.parser(__doc__, "program")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--atoms", type=int, default=20000)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--diameters", type=float, nargs="*", default=[20, 30])
    options = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", str(options.threads))
    with tempfile.TemporaryDirectory() as name:
        distributions(options, Path(name))
        patterns_of_ase(options, Path(name))
        patterns(options, Path(name))


if __name__ == "__main__":
    main()
