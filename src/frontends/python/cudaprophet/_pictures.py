"""The kinds of pictures and the options of the shell for them: the rows of plot/pictures.csv, which the help of the program has too."""
from __future__ import annotations

import csv
from pathlib import Path
from typing import Dict, List, NamedTuple


class Row(NamedTuple):
    takes: str  # of a kind: "atoms", "file of OPERATION" or "files of OPERATION"; of an option the name of its value. Empty: a function of its own; a flag
    usual: List[str]  # of a kind: operations whose usual picture it is; of an option its default
    text: str


def _rows() -> Dict[str, Row]:
    with open(Path(__file__).parent / "plot" / "pictures.csv", encoding="utf-8", newline="") as file:
        return {row["name"]: Row(row["takes"], row["usual"].split(), row["text"]) for row in csv.DictReader(file)}


KINDS = {name: row for name, row in _rows().items() if not name.startswith("--")}
OPTIONS = {name: row for name, row in _rows().items() if name.startswith("--")}


def function_of(kind: str) -> str:
    """The function of cudaprophet.plot that draws a kind of the shell."""
    return kind.replace("formfactor", "form_factor").replace("-", "_")
