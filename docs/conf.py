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
autodoc_mock_imports = ["cudaprophet._core", "numpy", "h5py", "tqdm", "matplotlib", "ase", "pyscf", "scipy"]
autodoc_member_order = "bysource"

html_theme = "furo"
smartquotes = False  # jobtype='energy' is for copying
html_show_copyright = False
html_copy_source = html_show_sourcelink = False

html_favicon = "site/favicon.svg"
html_static_path, html_css_files = ["site"], ["site.css"]


def without_jquery(app, page, template, context, tree):
    """The theme does not use what Sphinx loads beside its own scripts, 360 kB a page."""
    unused = ("jquery.js", "underscore.js", "_sphinx_javascript_frameworks_compat.js")
    context["script_files"] = [s for s in context["script_files"] if not str(getattr(s, "filename", s)).endswith(unused)]


def mend_theme(app, exception):
    """Debian's theme imports a script as a module and a style sheet from a web server, neither of which a folder of files has."""
    static = Path(app.outdir) / "_static"
    script, style = static / "scripts/furo.js", static / "styles/furo.css"
    text = script.read_text() if script.exists() else ""
    if text.startswith("import Gumshoe"):
        script.write_text((static / "scripts/gumshoe-patched.js").read_text() + text.split("\n", 1)[1])
    rule = "@import url(/javascript/normalize.css/normalize.css);"
    if style.exists() and rule in style.read_text():
        normal = Path("/usr/share/javascript/normalize.css/normalize.css")
        style.write_text((normal.read_text() if normal.exists() else "body{margin:0}") + style.read_text().replace(rule, ""))


def plain_bars(app, what, name, obj, options, lines):
    """|q| in a docstring is an absolute value."""
    lines[:] = [line.replace("|", "\\|") for line in lines]


def setup(app):
    from pygments.lexers import TextLexer
    for name in ("layers", "inp", "output"):  # the picture in CONTRIBUTING.md; input files; what a block printed (tools/run-pages)
        app.add_lexer(name, TextLexer)
    app.connect("autodoc-process-docstring", plain_bars)
    app.connect("html-page-context", without_jquery)
    app.connect("build-finished", mend_theme)
