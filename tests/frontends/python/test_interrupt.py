"""Ctrl-C ends long computations cleanly."""
import os
import signal
import subprocess
import sys
import time

import pytest

SCRIPT = """
import sys
import numpy as np
import cudaprophet as cp
many = np.random.default_rng(1).uniform(0, 200, (300000, 3))
atoms = [cp.Atom(z) for z in range(80, 119)] * 20
print("ready", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", flush=True)
    print(cp.Atom("He").energy().status, flush=True)
"""


@pytest.mark.parametrize("call", [
    "cp.energies(atoms, progress=False)",
    "cp.energies(atoms, limit=True, progress=False)",
    "[cp.Atom('U').limit(breit=True) for _ in range(100)]",
    "[cp.Atom('U').energy() for _ in range(1000)]",
    "cp.chain('U')",
    "cp.optimise(cp.Atom('Rn'), cp.basis('Rn'), rhoend=1e-9, maxfun=100000)",
    "cp.powder(['Ar'] * len(many), many, q=np.linspace(0, 9, 999), method='direct', form_factors='constant')",
    "cp.pairs(['Ar'] * len(many), many)",
])
def test_ends_at_once(call):
    process = subprocess.Popen([sys.executable, "-c", SCRIPT.format(call=call)], stdout=subprocess.PIPE, text=True,
                               env=os.environ)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=120)
    assert out.splitlines() == ["interrupted", "converged"]
