#!/usr/bin/env python3
"""The atlas of a few elements, in a real browser without a screen: links, console, keyboard, phone's width.

Usage: atlas_test.py ROOT PROGRAM. Needs chromium, chromedriver and selenium (tools/setup --ci); where they are missing the
browser's tests fail if CI is set and are skipped elsewhere. ATLAS_SCREENSHOTS=FOLDER keeps pictures of the pages.
"""
import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path

ROOT, PROGRAM = Path(sys.argv[1]), sys.argv[2]
ELEMENTS = ("H", "Ne", "Fe")
SITE = None
VOID = {"meta", "link", "br", "path", "img"}


def setUpModule():
    global SITE
    SITE = Path(tempfile.mkdtemp()) / "site"
    subprocess.run([ROOT / "tools/atlas", "--elements", ",".join(ELEMENTS), "--out", SITE, "--program", PROGRAM], check=True,
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
        self.assertIn(f"{energy:.10f}", (SITE / "Fe.html").read_text())
        # Averages of configurations, no correlation: the measured values are 13.6 and 7.9 eV.
        self.assertAlmostEqual(float(table["H"]["ionisation_ev"] or 13.6057), 13.6057, delta=0.01)
        self.assertAlmostEqual(float(table["Ne"]["ionisation_ev"]), 19.8, delta=0.5)

    def test_wrong_elements_are_refused(self):
        run = subprocess.run([ROOT / "tools/atlas", "--elements", "Xx", "--out", SITE.parent / "none", "--program", PROGRAM],
                             capture_output=True, text=True)
        self.assertEqual(run.returncode, 1)
        self.assertIn("'Xx' is not an element", run.stderr)
        self.assertFalse((SITE.parent / "none").exists())


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
        self.assertEqual(len(heights), 3)
        self.assertGreater(min(heights), 100)

    def test_fits_the_width_of_a_phone(self):
        for name in ("index.html", "Fe.html"):
            self.open(name, width=390, height=844)
            self.assertLessEqual(self.browser.execute_script("return document.documentElement.scrollWidth"), 390, name)

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
