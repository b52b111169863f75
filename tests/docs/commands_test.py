#!/usr/bin/env python3
"""Runs every command of the tables of docs/how-to/i-want.md, in their order, in one folder; all of them must end well.

Usage: commands_test.py BUILD-FOLDER [PYTHON]     PYTHON: one with matplotlib, for the pictures; without it they are skipped
"""
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs/how-to/i-want.md"
LEAST_ROWS = 60


def rows():
    """(what is wanted, command) of all tables."""
    found = re.findall(r"^\| (?!I want \|)([^|]+?) \| `(.+)` \|$", PAGE.read_text(), re.M)
    return [(wanted, command.replace(r"\|", "|")) for wanted, command in found]


def main():
    build = Path(sys.argv[1]).resolve()
    environment = {**os.environ, "MPLBACKEND": "Agg", "PYTHONPATH": str(build / "python"), "PYTHONDONTWRITEBYTECODE": "1"}
    python = Path(sys.argv[2]).absolute() if len(sys.argv) > 2 else None
    folders = [str(build)] + ([str(python.parent)] if python else [])
    environment["PATH"] = os.pathsep.join([*folders, environment["PATH"]])
    listed, failed, skipped, slowest = rows(), 0, 0, (0.0, "")
    if len(listed) < LEAST_ROWS:
        sys.exit(f"{PAGE}: found {len(listed)} rows; expected at least {LEAST_ROWS}")
    with tempfile.TemporaryDirectory() as folder:
        environment["XDG_CACHE_HOME"] = str(Path(folder) / "cache")
        (Path(folder) / "inputs").symlink_to(ROOT / "inputs")
        for wanted, command in listed:
            if command.startswith("cudaprophet plot") and not python:
                print(f"skipped, no Python with matplotlib: {command}")
                skipped += 1
                continue
            start = time.monotonic()
            done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
            slowest = max(slowest, (time.monotonic() - start, command))
            if done.returncode != 0:
                failed += 1
                print(f"{wanted}: {command}\n  status {done.returncode}: {(done.stderr or done.stdout).strip()[-600:]}")
        # The first file that anyone runs prints no warning. (Its JSON says that this set is not for densities at the nucleus.)
        first = subprocess.run(["cudaprophet", "inputs/rn.inp"], cwd=folder, env=environment, capture_output=True, text=True)
        if first.returncode != 0 or re.search(r"warning(?!s +none$)", first.stdout + first.stderr, re.M):
            failed += 1
            print(f"inputs/rn.inp warns:\n{first.stdout}{first.stderr}")
    print(f"{len(listed)} commands, {failed} failed, {skipped} skipped; the slowest took {slowest[0]:.1f} s: {slowest[1]}")
    return 1 if failed else 0


sys.exit(main())
