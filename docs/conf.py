"""Sphinx configuration of the documents as a site. tools/docs copies the pages to one folder and calls Sphinx there."""
import os
import re
import sys
from pathlib import Path

ROOT = Path(os.environ["PROPHET_ROOT"])

project = "CUDAProphet"
release = version = re.search(r"project\(\w+ VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
html_title = f"{project} {release}"

extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_heading_anchors = 4
myst_disable_syntax = ["html_inline"]  # <r> is an expectation value, not a tag
suppress_warnings = ["misc.highlighting_failure"]  # program output in ``` blocks is no language

# C++: the XML that Doxygen makes of the public headers.
breathe_projects = {project: os.environ["PROPHET_DOXYGEN_XML"]}
breathe_default_project = project

# Python: the package's own sources; its compiled part is not needed for the texts.
sys.path.insert(0, str(ROOT / "src/frontends/python"))
autodoc_mock_imports = ["cudaprophet._core", "numpy", "h5py", "tqdm", "matplotlib"]
autodoc_member_order = "bysource"

html_theme = "furo"
html_show_copyright = False
html_copy_source = html_show_sourcelink = False


def setup(app):
    from pygments.lexers import TextLexer
    for name in ("layers", "inp", "output"):  # the picture in CONTRIBUTING.md; input files; what a block printed (tools/run-pages)
        app.add_lexer(name, TextLexer)
