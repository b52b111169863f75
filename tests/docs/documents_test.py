#!/usr/bin/env python3
"""Every file and every test that docs/data/documents.csv names is there."""
import csv
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TABLE = ROOT / "docs" / "data" / "documents.csv"


class Documents(unittest.TestCase):
    def setUp(self):
        lines = [line for line in TABLE.read_text().splitlines() if not line.startswith("#")]
        self.rows = [row[1:] for row in csv.reader(lines[1:])]  # without the document

    def test_rows_are_whole(self):
        self.assertGreater(len(self.rows), 50)
        for row in self.rows:
            self.assertEqual(len(row), 4, row)
            self.assertIn(row[1], ("yes", "no", "partly", "other"), row)
            if row[1] == "yes":
                self.assertTrue(row[2] and row[3], row)

    def test_files_exist(self):
        for row in self.rows:
            for name in re.findall(r"`([^`]+)`", row[2]):
                self.assertTrue((ROOT / name).exists(), name)

    def test_tests_exist(self):
        text = "\n".join(path.read_text() for path in sorted((ROOT / "tests").rglob("*_test.cpp")))
        there = set(re.findall(r"TEST(?:_F|_P)?\((\w+), (\w+)\)", text))
        for row in self.rows:
            for suite, name in re.findall(r"`(\w+)\.(\w+)`", row[3]):
                self.assertIn((suite, name), there)


if __name__ == "__main__":
    unittest.main()
