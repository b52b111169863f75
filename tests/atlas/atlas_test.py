#!/usr/bin/env python3
"""The atlas of a few elements, in a real browser without a screen: links, console, keyboard, weight, the width of a phone.

Usage: atlas_test.py ROOT PROGRAM. Needs chromium, chromedriver and selenium (tools/setup --ci); where they are missing the
browser's tests fail if CI is set and are skipped elsewhere. ATLAS_SCREENSHOTS=FOLDER keeps pictures of the pages.
"""
import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path

ROOT, PROGRAM = Path(sys.argv[1]), sys.argv[2]
ELEMENTS = ("H", "Ne", "Fe")
SECTIONS = ["Energies", "Spinors", "Radial density", "Outermost spinors", "Ions", "X-ray form factor", "Basis sets", "Files"]
HEAVIEST = 100_000  # bytes of a page with its style: a second at 1 Mbit/s
LEVELS = {"operation": "levels", "symbol": "Ne", "levels": [
    {"J": 1, "parity": "-", "energy": -128.1, "excitation_energy": 0.6, "label": "2p5(2P) 3s1 3Po", "terms": [{"term": "3P", "percent": 93.2}], "g": 1.46},
    {"J": 0, "parity": "+", "energy": -128.7, "excitation_energy": 0.0, "label": "1S", "terms": [{"term": "1S", "percent": 100}], "g": None}]}
SITE = None
VOID = {"meta", "link", "br", "path", "img"}


def setUpModule():
    global SITE
    SITE = Path(tempfile.mkdtemp()) / "site"
    subprocess.run([ROOT / "studies/atlas", "--elements", ",".join(ELEMENTS), "--out", SITE, "--program", PROGRAM], check=True,
                   stdout=subprocess.DEVNULL)


def tearDownModule():
    shutil.rmtree(SITE.parent)


class Reader(HTMLParser):
    """Collects links and ids, and checks that every element is closed where it should be."""

    def __init__(self, path):
        super().__init__()
        self.open, self.links, self.ids, self.faults = [], [], set(), []
        self.feed(path.read_text())
        self.close()
        self.faults += self.open

    def handle_starttag(self, tag, attributes):
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attributes:
            if name in ("href", "src"):
                self.links.append(value)
            if name == "id":
                self.ids.add(value)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append("/" + tag)


class Pages(unittest.TestCase):
    def test_every_link_leads_to_a_file_of_the_site(self):
        for path in SITE.glob("*.html"):
            page = Reader(path)
            self.assertEqual(page.faults, [], path.name)
            for target in page.links:
                if target.startswith("#"):
                    self.assertIn(target[1:], page.ids)
                elif target != "data:,":
                    self.assertNotIn(":", target, "a resource from elsewhere")
                    self.assertTrue((SITE / target).is_file(), f"{path.name}: {target}")

    def test_index_names_the_chosen_elements(self):
        links = Reader(SITE / "index.html").links
        self.assertEqual([s for s in ELEMENTS if f"{s}.html" in links], list(ELEMENTS))
        self.assertNotIn("U.html", links)

    def test_numbers_are_those_of_the_program(self):
        job = SITE.parent / "fe.inp"
        job.write_text("Iron\n$nuc znuc=26 $end\n")
        subprocess.run([PROGRAM, job, "--quiet", "--threads", "1", "--json", SITE.parent / "fe.json"], check=True,
                       stdout=subprocess.DEVNULL)
        energy = json.loads((SITE.parent / "fe.json").read_text())["energy"]
        with open(SITE / "atlas.csv", newline="") as file:
            table = {row["symbol"]: row for row in csv.DictReader(file)}
        self.assertEqual(float(table["Fe"]["energy_basis"]), energy)
        page = (SITE / "Fe.html").read_text()
        self.assertIn(f"{energy:.10f}", page)
        self.assertIn("Compton profiles of Iron", page)
        momentum = json.loads((SITE / "data/Fe-momentum.json").read_text())
        atom = [J for label, J in zip(momentum["compton"]["label"], momentum["compton"]["J"]) if label == "atom"]
        self.assertAlmostEqual(atom[0], 7.06, delta=0.1)  # Biggs, Mendelsohn and Mann, without relativity
        self.assertLess(momentum["incoherent"]["S"][-1], 26)
        # Averages of configurations, no correlation: the measured values are 13.6 and 7.9 eV.
        self.assertAlmostEqual(float(table["H"]["ionisation_ev"] or 13.6057), 13.6057, delta=0.01)
        self.assertAlmostEqual(float(table["Ne"]["ionisation_ev"]), 19.8, delta=0.5)

    def test_wrong_elements_are_refused(self):
        run = subprocess.run([ROOT / "studies/atlas", "--elements", "Xx", "--out", SITE.parent / "none", "--program", PROGRAM],
                             capture_output=True, text=True)
        self.assertEqual(run.returncode, 1)
        self.assertIn("'Xx' is not an element", run.stderr)
        self.assertFalse((SITE.parent / "none").exists())


class Levels(unittest.TestCase):
    """Pages with a program that knows `levels`, and with one that does not."""

    def page(self, answer, levels=LEVELS):
        """Neon's page, where `levels` does that."""
        folder = Path(tempfile.mkdtemp(dir=SITE.parent))
        (folder / "levels.json").write_text(json.dumps(levels))
        program = folder / "program"
        program.write_text(f'#!/bin/sh\nif [ "$1" = levels ]; then\n{answer}\nfi\nexec "{PROGRAM}" "$@"\n')
        program.chmod(0o755)
        subprocess.run([ROOT / "studies/atlas", "--elements", "Ne", "--out", folder / "site", "--program", program], check=True,
                       stdout=subprocess.DEVNULL)
        return (folder / "site/Ne.html").read_text()

    COPY = '[ "$2" = --help ] || cp "$(dirname "$0")/levels.json" "$4"; exit 0'

    def bars(self, page):
        """Heights of the bars of the diagram, in units of the picture, by column."""
        chart = re.search(r'<svg class="chart"[^>]*><title>Levels of .*?</svg>', page)
        return [[float(y) for y in re.findall(r"M[\d.]+ ([\d.]+)H", path)] for path in re.findall(r'class="level" d="([^"]*)"', chart[0])] \
            if chart else None

    def test_every_level_has_a_bar(self):
        """Of iron 3d6 4s2: 34 levels of 16 terms, in 11 columns, at heights that grow as the energies do."""
        page = (SITE / "Fe.html").read_text()
        columns = self.bars(page)
        self.assertEqual((len(columns), sum(map(len, columns))), (11, 34))
        with open(SITE / "data/Fe-levels.csv", newline="") as file:
            energies = sorted(float(row["excitation_cm-1"]) for row in csv.DictReader(line for line in file if not line.startswith("#")))
        heights = sorted((y for column in columns for y in column), reverse=True)
        scale = (heights[0] - heights[-1]) / energies[-1]
        for energy, height in zip(energies, heights):
            self.assertAlmostEqual(heights[0] - energy * scale, height, delta=0.11)
        self.assertIn(">4–0<", page)  # J of the ground term, the lowest first
        self.assertIn("34 levels: ", page)
        self.assertIn("A single level.", (SITE / "Ne.html").read_text())

    def test_too_many_levels_have_no_picture(self):
        def many(count):
            return {"operation": "levels", "levels": [{"J": n % 30, "parity": "+", "energy": 1e-4 * n, "label": f"4f7 {1 + n % 4}{'SPDF'[n % 4]}",
                                                       "terms": []} for n in range(count)]}

        page = self.page(self.COPY, many(401))
        self.assertIsNone(self.bars(page))
        self.assertIn("401 levels: ", page)
        self.assertIn("too many for a picture", page)
        self.assertIn("The lowest 60 of 401 levels.", page)
        self.assertEqual(sum(map(len, self.bars(self.page(self.COPY, many(400))))), 400)

    def test_levels_are_shown(self):
        page = self.page(self.COPY)
        self.assertIn("<h2>Levels of the ground configuration</h2>", page)
        self.assertIn("<td>2p⁵(²P) 3s</td><td>³P°</td><td>1</td><td>odd</td><td>131684.78</td><td>16.32683</td><td>1.4600</td>", page)
        self.assertLess(page.index("<td>¹S</td>"), page.index("<td>³P°</td>"))  # in the table by energy,
        self.assertLess(page.index(">³P°</text>"), page.index(">¹S</text>"))  # in the diagram by multiplicity

    def test_pages_do_without_them(self):
        for answer in ("exit 2", '[ "$2" = --help ]; exit $?'):
            self.assertNotIn("Levels of the ground configuration", self.page(answer))


class Browser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        try:
            from selenium import webdriver
            from selenium.webdriver.chrome.service import Service
        except ImportError:
            webdriver = None
        if not webdriver or not shutil.which("chromedriver"):
            if os.environ.get("CI"):
                raise AssertionError("chromium, chromedriver or selenium is missing; tools/setup --ci installs them")
            raise unittest.SkipTest("chromium, chromedriver or selenium is missing")
        options = webdriver.ChromeOptions()
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        cls.browser = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()

    def open(self, name, width=1280, height=900):
        # A window cannot be as narrow as a phone; the device that it shows can.
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                     {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})
        self.browser.get((SITE / name).as_uri())
        if folder := os.environ.get("ATLAS_SCREENSHOTS"):
            Path(folder).mkdir(parents=True, exist_ok=True)
            tall = self.browser.execute_script("return document.documentElement.scrollHeight")
            self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                         {"width": width, "height": tall, "deviceScaleFactor": 1, "mobile": width < 600})
            self.browser.save_screenshot(f"{folder}/{name[:-5]}-{width}.png")

    def test_no_errors_on_the_console(self):
        for name in ["index.html"] + [f"{s}.html" for s in ELEMENTS]:
            self.open(name)
            self.assertEqual(self.browser.get_log("browser"), [], name)

    def test_style_and_charts_are_there(self):
        self.open("Fe.html")
        self.assertNotEqual(self.browser.execute_script("return getComputedStyle(document.querySelector('.near')).display"), "block")
        heights = self.browser.execute_script("return [...document.querySelectorAll('svg.chart')].map(s => s.getBoundingClientRect().height)")
        self.assertGreaterEqual(len(heights), 6)
        self.assertGreater(min(heights), 100)
        # Every curve and level lies within the frame of its chart.
        outside = self.browser.execute_script("""return [...document.querySelectorAll('svg.chart')].flatMap(svg => {
            const box = svg.querySelector('.frame').getBoundingClientRect();
            return [...svg.querySelectorAll('.curve, .level, circle')].map(c => c.getBoundingClientRect()).filter(c =>
                c.left < box.left - 2 || c.right > box.right + 2 || c.top < box.top - 2 || c.bottom > box.bottom + 2).length; })""")
        self.assertEqual(set(outside), {0})

    def test_sections_of_every_page(self):
        for symbol in ELEMENTS:
            self.open(f"{symbol}.html")
            found = self.browser.execute_script("return [...document.querySelectorAll('h2')].map(h => h.textContent)")
            self.assertEqual([h for h in found if h in SECTIONS], SECTIONS, symbol)

    def test_fits_the_width_of_a_phone(self):
        for name in ["index.html"] + [f"{s}.html" for s in ELEMENTS]:
            self.open(name, width=390, height=844)
            self.assertLessEqual(self.browser.execute_script("return document.documentElement.scrollWidth"), 390, name)
            self.assertEqual(self.browser.get_log("browser"), [], name)
            # The words of the charts can be read: they are 9 pixels high at least.
            scales = self.browser.execute_script("return [...document.querySelectorAll('svg.chart')].map(s => s.getBoundingClientRect().width / 560 "
                                                 "* parseFloat(getComputedStyle(s.querySelector('text')).fontSize))")
            self.assertTrue(all(size >= 8.5 for size in scales), (name, scales))

    def test_loads_at_once(self):
        """The weight is a promise, the time is told: it depends on the machine."""
        for name in ["index.html"] + [f"{s}.html" for s in ELEMENTS]:
            self.open(name)
            files = self.browser.execute_script("return performance.getEntriesByType('resource').map(r => r.name)")
            weight = sum((SITE / Path(f).name).stat().st_size for f in [name, *files])
            self.assertLess(weight, HEAVIEST, name)
            took = self.browser.execute_script("return performance.timing.loadEventEnd - performance.timing.navigationStart")
            print(f"{name}: {weight / 1000:.0f} kB, loaded in {took} ms", file=sys.stderr)

    def test_works_with_the_keyboard(self):
        from selenium.webdriver.common.keys import Keys
        self.open("index.html")
        body = self.browser.find_element("tag name", "body")
        visited = []
        for _ in range(len(ELEMENTS) + 2):
            body.send_keys(Keys.TAB)
            visited.append(self.browser.switch_to.active_element.get_attribute("href") or "")
        names = [Path(v).name for v in visited if v.endswith(".html")]
        self.assertEqual(names[: len(ELEMENTS)], [f"{s}.html" for s in ELEMENTS])
        self.open("index.html")
        self.browser.find_element("css selector", "a[href='Ne.html']").send_keys(Keys.ENTER)
        self.assertIn("Neon", self.browser.title)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
