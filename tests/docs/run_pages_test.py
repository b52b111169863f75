#!/usr/bin/env python3
"""tools/run-pages finds what differs between a page and what its commands and cells do.

Usage: run_pages_test.py. The program is a script of this test; nothing has to be built.
"""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

RUNNER = Path(__file__).resolve().parents[2] / "tools/run-pages"
PROGRAM = """#!/bin/sh
echo "energy of $1"
echo "  total energy   -128.6919299277 hartree"
echo "  in 7 iterations, 0.03 s"
"""


def page(*blocks):
    return "\n\n".join(f"```{word}\n{text}\n```" if word != "text" else text for word, text in blocks) + "\n"


class RunPages(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        program = self.folder / "cudaprophet"
        program.write_text(PROGRAM)
        program.chmod(0o755)

    def run_page(self, text, *options):
        (self.folder / "page.md").write_text(text)
        command = [sys.executable, RUNNER, "--program", self.folder, *options, self.folder / "page.md"]
        return subprocess.run(command, capture_output=True, text=True)

    def right(self, text, summary):
        done = self.run_page(text)
        self.assertEqual((done.returncode, done.stdout), (0, f"1 pages: {summary}, 0 differences\n"), done.stdout + done.stderr)

    def wrong(self, text, line, expected, got):
        done = self.run_page(text)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn(f"page.md:{line}:\n  expected {expected}\n  got      {got}", done.stdout)

    def test_output_of_a_command(self):
        shown = "$ cudaprophet Ne\nenergy of Ne\n  total energy   -128.6919 hartree\n  in 7 iterations, ... s"
        self.right(page(("console", shown)), "1 commands and 0 Python cells run, 0 blocks not run")
        self.right(page(("", shown)), "1 commands and 0 Python cells run, 0 blocks not run")
        self.wrong(page(("console", shown.replace("6919", "6922"))), 4, "  total energy   -128.6922 hartree",
                   "  total energy   -128.6919299277 hartree")
        self.wrong(page(("console", shown.replace("7 it", "8 it"))), 5, "  in 8 iterations, ... s", "  in 7 iterations, 0.03 s")
        self.wrong(page(("console", shown.replace("hartree", "eV"))), 4, "  total energy   -128.6919 eV", "  total energy ")
        self.wrong(page(("console", shown + "\nthe end")), 6, "the end", "(nothing more)")
        self.wrong(page(("console", "$ cudaprophet Ne\nenergy of Ne")), 3, "(nothing more)", "  total energy ")

    def test_any_lines(self):
        self.right(page(("console", "$ cudaprophet Ne\n...\n  in 7 iterations, 0.03 s")), "1 commands and 0 Python cells run, 0 blocks not run")
        self.right(page(("console", "$ cudaprophet Ne\n...\n  total energy ...\n...")), "1 commands and 0 Python cells run, 0 blocks not run")
        self.wrong(page(("console", "$ cudaprophet Ne\n...\n  total energy   -128.5 hartree\n...")), 4,
                   "  total energy   -128.5 hartree", "energy of Ne")
        self.right(page(("console", "$ cudaprophet Ne\n...\n  total energy   -128.69... hartree\n...")), "1 commands and 0 Python cells run, 0 blocks not run")
        self.right(page(("console", "$ echo a 128.5\n... 12...")), "1 commands and 0 Python cells run, 0 blocks not run")
        self.wrong(page(("console", "$ echo 12.5\n13...")), 3, "13...", "12.5")
        self.wrong(page(("console", "$ cudaprophet Ne\nenergy of Ar\n...")), 3, "energy of Ar", "energy of Ne")

    def test_last_digit_may_differ_by_one(self):
        for shown, good in (("0.3334", True), ("0.3335", False), ("3.34e-01", True), ("3.35e-01", False), ("0.33333333333333", True),
                            ("0.333333333333359", True), ("0.333333333333399", False), ("1", False)):
            done = self.run_page(page(("python", ">>> 1/3\n" + shown)))
            self.assertEqual(done.returncode, 0 if good else 1, shown + done.stdout)

    def test_cells(self):
        summary = "0 commands and 2 Python cells run, 0 blocks not run"
        self.right(page(("python", "a = 2\nprint('x')\na + 1"), ("output", "x\n3"), ("python", ">>> a\n2")), summary)
        self.wrong(page(("python", "a = 2\nprint('x')\na + 1"), ("output", "x\n4")), 9, "4", "3")
        self.wrong(page(("text", "Words."), ("python", "1 + 1\n1/0")), 4, "that the cell runs", "Traceback")
        self.right(page(("python", ">>> 1/0\nTraceback (most recent call last):\n...\nZeroDivisionError: division by zero"),
                        ("text", "A block below text is no output."), ("output", "x"), ("python", "1")), summary)

    def test_one_shell_for_a_page(self):
        text = page(("bash", "mkdir sub && cd sub\nword='two\nlines'"), ("console", "$ echo \"$word\"; basename $PWD\ntwo\nlines\nsub"),
                    ("console", "$ cat > f <<E\n> a\n> E\n$ cat f ../inputs/rn.inp | head -n 1\na"))
        self.right(text, "5 commands and 0 Python cells run, 0 blocks not run")

    def test_failing_command(self):
        self.wrong(page(("bash", "false")), 2, "that the command succeeds: false", "exit status 1")
        self.wrong(page(("console", "$ exit 3")), 2, "that the command succeeds: exit 3", "exit status None")
        self.right(page(("console", "$ ls /nowhere\nls: ... No such file or directory")), "1 commands and 0 Python cells run, 0 blocks not run")

    def test_comments(self):
        false = "```bash\nfalse\n```\n"
        self.right(f"<!-- not run: takes an hour -->\n{false}", "0 commands and 0 Python cells run, 1 blocks not run")
        self.right(f"<!-- needs: no_such_module -->\n{false}", "0 commands and 0 Python cells run, 1 blocks not run")
        self.wrong(f"<!-- needs: json cudaprophet -->\n{false}", 3, "that the command succeeds: false", "exit status 1")
        self.right("<!-- file: a.inp -->\n```\nNeon\n$nuc z=10 $end\n```\n\n```console\n$ cat a.inp\nNeon\n$nuc z=10 $end\n```\n",
                   "1 commands and 0 Python cells run, 0 blocks not run")

    def test_blocks_that_readers_do_not_see(self):
        self.right("<!--\n```bash\necho a > file\n```\n-->\n\n```console\n$ cat file\na\n```\n", "2 commands and 0 Python cells run, 0 blocks not run")

    def test_other_blocks_and_wrong_command_lines(self):
        self.right(page(("", "cudaprophet nothing"), ("text", "`$ false`"), ("json", "{"), ("cpp", "int")),
                   "0 commands and 0 Python cells run, 0 blocks not run")
        self.assertEqual(self.run_page("", "--nonsense").returncode, 2)
        (self.folder / "cudaprophet").unlink()
        self.assertIn("no program cudaprophet", self.run_page("").stderr)

    def test_kept_files(self):
        self.run_page(page(("bash", "echo kept > file")), "--keep", self.folder / "kept")
        self.assertEqual((self.folder / "kept/0-page/file").read_text(), "kept\n")
        self.assertIn("is not empty", self.run_page("", "--keep", self.folder / "kept").stderr)


if __name__ == "__main__":
    unittest.main()
