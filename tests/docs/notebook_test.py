#!/usr/bin/env python3
"""Runs the cells of docs/tutorials/teaching.ipynb one after the other, as a notebook does, and compares what they print with the file.

Usage: notebook_test.py [--write]     --write: puts what they print into the file. Needs the package cudaprophet and matplotlib, no Jupyter.
"""
import ast
import contextlib
import io
import json
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
PAGE = Path(__file__).resolve().parent.parent.parent / "docs/tutorials/teaching.ipynb"


def run(source, scope):
    """What a cell prints; its last expression is computed too, as a picture of it would be drawn."""
    tree = ast.parse("".join(line for line in source if not line.startswith("%")))
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(tree, str(PAGE), "exec"), scope)
    return said.getvalue()


def main():
    notebook, scope, differ = json.loads(PAGE.read_text()), {}, 0
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    if len(cells) < 5:
        sys.exit(f"{PAGE}: found {len(cells)} cells of code; expected 5")
    for cell in cells:
        said = run(cell["source"], scope)
        if "--write" in sys.argv:
            cell["outputs"] = [{"name": "stdout", "output_type": "stream", "text": said.splitlines(True)}] if said else []
            continue
        shown = "".join(line for output in cell["outputs"] for line in output.get("text", []))
        if said != shown:
            differ += 1
            print(f"expected\n{shown}got\n{said}")
    if "--write" in sys.argv:
        PAGE.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")
    print(f"{len(cells)} cells, {differ} differences")
    return 1 if differ else 0


sys.exit(main())
