#!/usr/bin/env python3
"""What all pages keep to: lines that can be read, a README that is short, addresses that agree, figures of the first hour that hold."""
import json
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = [*sorted((ROOT / "docs").rglob("*.md")), *sorted(ROOT.glob("*.md")), *sorted((ROOT / ".github").glob("*.md")), ROOT / "inputs/README.md"]
LONGEST = 160
WORDS_OF_ENGINEERING = 22_000


def prose(text):
    """(number, line) of what is neither a table nor a block of code."""
    fence = False
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r"\s*(```|~~~)", line):
            fence = not fence
        elif not fence and not line.lstrip().startswith("|"):
            yield number, line


class Pages(unittest.TestCase):
    def test_lines(self):
        long = [f"{page.relative_to(ROOT)}:{number}: {len(line)}" for page in PAGES for number, line in prose(page.read_text()) if len(line) > LONGEST]
        self.assertEqual(long, [], f"lines above {LONGEST} characters")

    def test_sizes(self):
        self.assertLessEqual(len((ROOT / "README.md").read_text().splitlines()), 70)
        words = sum(len(page.read_text().split()) for page in (ROOT / "docs/engineering").glob("*.md"))
        self.assertLessEqual(words, WORDS_OF_ENGINEERING, "docs/engineering: today's method and figures, histories are in git")

    def test_changes_of_the_first_version(self):
        """What a user can do; no diary."""
        sections = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(), flags=re.M)
        first = next(section for section in sections if "0.1.0" in section.splitlines()[0])
        self.assertLessEqual(len(first.splitlines()), 120)

    def test_one_address(self):
        """Where releases, questions and citations are: pyproject.toml, CITATION.cff and SUPPORT.md name the same place, or none does yet."""
        urls = re.search(r"^\[project\.urls\]\n((?:.+\n)+)", (ROOT / "pyproject.toml").read_text(), re.M)
        address = re.search(r'(?i)^repository = "([^"]+)"', urls.group(1), re.M).group(1) if urls else None
        cited = re.search(r"^repository-code: (\S+)", (ROOT / "CITATION.cff").read_text(), re.M)
        self.assertEqual(cited and cited.group(1), address)
        for name in ("README.md", ".github/SUPPORT.md"):
            with self.subTest(name):
                self.assertEqual(address is not None and address in (ROOT / name).read_text(), address is not None)

    def test_forms_for_issues(self):
        forms = sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml"))
        self.assertEqual([form.stem for form in forms], ["config", "failure", "question", "wrong-number"])
        for form in forms:
            if form.stem != "config":
                for key in ("name: ", "description: ", "body:"):
                    self.assertRegex(form.read_text(), rf"(?m)^{key}", form.name)

    def test_notebook_is_one(self):
        notebook = json.loads((ROOT / "docs/tutorials/teaching.ipynb").read_text())
        self.assertEqual(notebook["nbformat"], 4)
        identities = [cell["id"] for cell in notebook["cells"]]
        self.assertEqual(len(set(identities)), len(identities))


if __name__ == "__main__":
    unittest.main()
