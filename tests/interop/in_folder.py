"""Tests that run the program in a folder of their own."""
import os
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["PROPHET_PROGRAM"]


class InFolder(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)

    def path(self, name):
        return os.path.join(self.scratch.name, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def run_program(self, *arguments, status=0):
        done = subprocess.run([PROGRAM, *arguments], cwd=self.scratch.name, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return done
