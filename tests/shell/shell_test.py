#!/usr/bin/env python3
"""Man page and completions: they say what the program's help says, and work in real shells.

Usage: shell_test.py FOLDER PROGRAM; the folder is the one that tools/manual has filled. A shell that is not installed fails the test where CI is set, and is skipped elsewhere.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHELL, PROGRAM = Path(sys.argv[1]), sys.argv[2]

# What zsh would offer for the words of a command line, one a line: a completion runs only in a line editor, so one is
# started in a pseudo terminal, with compadd reporting what it is given.
ZSH = r"""
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'PS1=; fpath=(%(folder)s $fpath); autoload -Uz compinit; compinit -u -D'
zpty -w z 'compadd() { local -a found; builtin compadd -O found "$@"; print -l -- "offer:"${^found}; builtin compadd "$@" }'
zpty -w z 'zstyle ":completion:*" list-prompt ""; LISTMAX=1000; bindkey "^I" complete-word; print ready-now'
zpty -r z line '*ready-now*'
zpty -r z line '*ready-now*'
zpty -w -n z '%(words)s'$'\t'
sleep 2
while zpty -r -t z line; do print -r -- $line; done
zpty -d z
"""


def need(case, shell):
    if shutil.which(shell):
        return
    if os.environ.get("CI"):
        case.fail(f"{shell} is not installed; tools/setup --ci installs it")
    case.skipTest(f"{shell} is not installed")


def bash_offers(*words):
    script = f"""
      source {SHELL}/cudaprophet.bash
      COMP_WORDS=({' '.join(f"'{w}'" for w in words)}); COMP_CWORD={len(words) - 1}
      _cudaprophet; printf '%s\\n' "${{COMPREPLY[@]}}" """
    return subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout.split()


def zsh_offers(words):
    script = ZSH % {"folder": SHELL, "words": words}
    output = subprocess.run(["zsh", "-fc", script], capture_output=True, text=True).stdout
    return {part.split()[0] for part in output.replace("\r", "").split("offer:")[1:] if part.split()}


class Manual(unittest.TestCase):
    def test_has_every_option_of_every_command(self):
        page = (SHELL / "cudaprophet.1").read_text().replace("\\-", "-")
        names = re.findall(r"^  (\w+) ", subprocess.run([PROGRAM, "help"], capture_output=True, text=True).stdout.split("Options")[0], re.M)
        self.assertGreater(len(names), 10)
        for name in names:
            options = re.findall(r"^  (?:-\w \[ )?(--[\w-]+)", subprocess.run([PROGRAM, "help", name, "all"], capture_output=True, text=True).stdout, re.M)
            self.assertIn("--help", options)
            for option in options:
                self.assertIn(option, page, name)

    def test_is_a_page_without_warnings(self):
        need(self, "groff")
        run = subprocess.run(["groff", "-man", "-ww", "-Tutf8", SHELL / "cudaprophet.1"], capture_output=True, text=True)
        self.assertEqual(run.stderr, "")
        self.assertIn("--json", run.stdout.replace("\u2010", "-").replace("\u2212", "-"))


class Pages(unittest.TestCase):
    """Pages of the site that tools/manual writes (tools/docs)."""

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([ROOT / "tools/manual", "--pages", PROGRAM, folder], check=True)
            cls.pages = {name: (Path(folder) / f"{name}.md").read_text() for name in ("commands", "keywords", "json-keys")}

    def test_every_option_of_every_command(self):
        text = subprocess.run([PROGRAM, "help"], capture_output=True, text=True).stdout
        names = re.findall(r"^  (\w+) ", text.split("Options")[0], re.M)
        sections = re.split(r"^## ", self.pages["commands"], flags=re.M)
        for name in names:
            section = next(s for s in sections if s.startswith(name + "\n"))
            for option in re.findall(r"^  (?:-\w \[ )?(--[\w-]+)", subprocess.run([PROGRAM, "help", name, "all"], capture_output=True, text=True).stdout, re.M):
                self.assertIn(f"`{option}`", section, name)

    def test_values_units_and_defaults(self):
        shape = re.split(r"^## ", self.pages["commands"], flags=re.M)
        shape = next(s for s in shape if s.startswith("shape\n"))
        self.assertRegex(shape, r"\| `--tolerance` \| a number, 1e-14 to 0.1 \| 1e-6 \|")
        self.assertRegex(shape, r"\| `--sphere` \| a number, more than 0, in angstrom \|")

    def test_every_keyword_of_every_group(self):
        text = subprocess.run([PROGRAM, "--explain"], capture_output=True, text=True).stdout
        groups = re.findall(r"^  \$(\w+)", text, re.M)
        self.assertGreater(len(groups), 8)
        for group in groups:
            text = subprocess.run([PROGRAM, "--explain", group], capture_output=True, text=True).stdout
            keywords = re.findall(r"^  (\w+)", text[text.index(f"${group}:"):], re.M)
            self.assertTrue(keywords)
            section = next(s for s in re.split(r"^## ", self.pages["keywords"], flags=re.M) if s.startswith(group + "\n"))
            for keyword in keywords:
                self.assertIn(f"`{keyword}`", section, group)

    def test_keys_of_the_json_have_meanings(self):
        rows = re.findall(r"^\| (`[^|]*`) \| ([^|]*) \| ([^|]*) \|$", self.pages["json-keys"], re.M)
        self.assertGreater(len(rows), 250)
        self.assertEqual([key for key, _, meaning in rows if not meaning.strip()], [])


class Bash(unittest.TestCase):
    def test_options_of_the_program_and_of_a_command(self):
        self.assertIn("--json", bash_offers("cudaprophet", "--"))
        self.assertNotIn("--json-lines", bash_offers("cudaprophet", "--"))
        self.assertIn("--json-lines", bash_offers("cudaprophet", "batch", "--"))
        self.assertEqual(bash_offers("cudaprophet", "--verb"), ["--verbose"])

    def test_commands_and_their_words(self):
        self.assertIn("validate", bash_offers("cudaprophet", "v"))
        self.assertEqual(bash_offers("cudaprophet", "basis", "exp"), ["export"])

    def test_elements_groups_and_names(self):
        self.assertEqual(bash_offers("cudaprophet", "--explain", "nuc"), ["nuc"])
        self.assertEqual(bash_offers("cudaprophet", "batch", "--elements", "Rn"), ["Rn"])
        self.assertEqual(bash_offers("cudaprophet", "tier", "dz"), ["dz"])
        self.assertIn("CoO", bash_offers("cudaprophet", "structure", "Co"))
        self.assertEqual(bash_offers("cudaprophet", "help", "mad"), ["madelung"])

    def test_first_word_is_an_input_file_or_a_command(self):
        offers = bash_offers("cudaprophet", f"{ROOT}/inputs/")
        self.assertIn(f"{ROOT}/inputs/rn.inp", offers)
        self.assertNotIn(f"{ROOT}/inputs/nacl.cif", offers)

    def test_values(self):
        self.assertEqual(bash_offers("cudaprophet", "--backend", ""), ["auto", "cpu", "cuda"])
        self.assertIn("nwchem", bash_offers("cudaprophet", "basis", "export", "Rn", "--format", ""))

    def test_files(self):
        self.assertIn(f"{ROOT}/inputs/rn.inp", bash_offers("cudaprophet", f"{ROOT}/inputs/rn"))
        self.assertEqual(bash_offers("cudaprophet", "--threads", ""), [])


class Zsh(unittest.TestCase):
    def setUp(self):
        need(self, "zsh")

    def test_commands(self):
        self.assertIn("validate", zsh_offers("cudaprophet v"))

    def test_options_of_a_command(self):
        offers = zsh_offers("cudaprophet batch --j")
        self.assertIn("--json-lines", offers)

    def test_values(self):
        self.assertIn("nwchem", zsh_offers("cudaprophet basis export Rn --format n"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
