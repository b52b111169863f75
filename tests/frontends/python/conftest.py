"""Runs the program beside the package, so that both can be compared."""
import json
import os
import subprocess

import pytest

import cudaprophet as cp


class Program:
    """The program cudaprophet, in a folder of the test's own."""

    def __init__(self, folder):
        self.folder = folder

    def run(self, *arguments):
        return subprocess.run([os.environ["PROPHET_PROGRAM"], *arguments], cwd=self.folder, capture_output=True,
                              text=True)

    def start(self, *arguments):
        return subprocess.Popen([os.environ["PROPHET_PROGRAM"], *arguments], cwd=self.folder)

    def result(self, text, name="a.inp"):
        """What --json writes of an input file with this text below its title."""
        (self.folder / name).write_text("title\n" + text + "\n")
        done = self.run(name, "--json", name + ".json")
        assert done.returncode in (0, 3), done.stderr
        return json.loads((self.folder / (name + ".json")).read_text())


@pytest.fixture
def program(tmp_path):
    return Program(tmp_path)


@pytest.fixture(scope="session")
def neon():
    return cp.Atom("Ne").energy()


@pytest.fixture(scope="session")
def neon_limit():
    return cp.Atom("Ne").limit()
