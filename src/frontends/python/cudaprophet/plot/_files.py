"""What pictures are drawn from: results, records, and the files that the program and this package write."""
from __future__ import annotations

import csv
import json
import os
import re
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence, Union

import numpy as np

from .. import _core
from .._batch import Results
from .._operations import Record, run
from .._result import Array, Result, load, names

Head = Dict[str, Any]
Columns = Dict[str, Any]
Path = Union[str, "os.PathLike[str]"]


@dataclass
class Data:
    """What an operation gave: its quantities, and the columns of all of its tables by name."""

    operation: str
    head: Head
    columns: Columns
    name: str = ""

    def column(self, key: str) -> Array:
        if key not in self.columns:
            raise _core.Error(f"{self.name or self.operation}: there is no column '{key}'; there is "
                              f"{', '.join(self.columns) or 'no table'}")
        return _numbers(self.columns[key])


# The columns of a table that has no operation of its own.
_ORBITALS = ["r", "density", "density_slope", "nuclear_potential", "coulomb_potential",
             *(f"{part}_potential{spin}" for part in ("xc", "effective") for spin in ("", "_up", "_down"))]
_HEADINGS = [("orbitals", _ORBITALS), *((o["name"], heading) for o in map(json.loads, _core.operations()) for heading in o["csv_headings"])]


def _operation_of(keys: Sequence[str]) -> str:
    """Whose CSV has these columns, as the file does not say it: that with the most of them, one that has the first and another one, rather where it
    is the first there too; else none."""
    most, _, name = max(((len(set(heading) & set(keys)), heading[0] == keys[0], name) for name, heading in _HEADINGS if keys[0] in heading),
                        default=(0, False, ""))
    return name if most > 1 else ""


def _refuse_unknown_columns(operation: str, keys: List[str], path: str) -> None:
    """A column that is misspelt would pass as if it were not there."""
    if operation == "orbitals":  # the program has no list of them: potentials by name, P and Q of any spinor
        for key in keys:
            if key not in _ORBITALS and not re.fullmatch(r"[PQ]_\d+[a-z]\d*/?\d*", key):
                raise _core.Error(f"{path}: unknown column '{key}'; expected {', '.join(_ORBITALS)}, P_2p1/2, Q_2p1/2, ...")
        return
    _core.require_known_columns(keys, operation, path)


def _keys_of(value: Any) -> Any:
    """A document's keys without its values."""
    if isinstance(value, dict):
        return {str(key): _keys_of(below) for key, below in value.items()}
    return [_keys_of(below) for below in value if isinstance(below, (dict, list))] if isinstance(value, list) else None


def _refuse_unknown_keys(whole: Head, operation: str, place: str) -> None:
    """The same of JSON."""
    _core.require_known_keys(json.dumps(_keys_of(whole)), operation, place)


def _numbers(values: Any) -> Array:
    """An array of numbers; nan where there is none."""
    if isinstance(values, np.ndarray) and values.dtype != object:
        return values if np.iscomplexobj(values) else np.asarray(values, dtype=float)
    return np.array([np.nan if v in (None, "") else v for v in values], dtype=float)


def data_of(source: Any) -> Data:
    """Of a record, what its JSON file holds as a dict, or the name of a file."""
    if isinstance(source, Data):
        return source
    if isinstance(source, Record):
        head = source._head
        columns = {name: values for table in source.tables.values() for name, values in table.items()}
        return Data(str(head["operation"]), head, columns)
    if isinstance(source, dict):
        return _of_json(source, "")
    if isinstance(source, (str, os.PathLike)):
        found = read(source)
        if isinstance(found, Data):
            return found
        raise _core.Error(f"{os.fspath(source)}: expected what an operation wrote, not the spinors of atoms")
    raise _core.Error(f"found {source!r}; expected a record, its JSON as a dict, or the name of a file")


def read(file: Path) -> Union[Data, Results]:
    """A file of the program: JSON, JSON lines, CSV or HDF5; of atoms also what it reads, such as extended XYZ and CIF."""
    path = os.fspath(file)
    try:
        with open(path, "rb") as opened:
            start = opened.read(4096)
    except OSError as error:
        raise _core.Error(f"{path}: {error.strerror}") from None
    if b"\x89HDF\r\n" in start:
        return _hdf5(path)
    if path.endswith(".h5"):  # cut off, or another file: the core's reader says what is wrong
        return Results(load(path, name) for name in names(path))
    if path.endswith(".bsopt"):
        return _of_search(path)
    if path.lower().endswith(tuple(_core.structure_endings())):
        return data_of(run("structure", {"crystal": path}))
    try:
        with open(path, encoding="utf-8", newline="") as text:
            if start.lstrip()[:1] in (b"{", b"["):
                return _json(text.read(), path)
            return _csv(text, path)
    except (UnicodeDecodeError, csv.Error):
        raise _core.Error(f"{path}: expected JSON, CSV or HDF5 of this program") from None


def opened(source: Any) -> Any:
    """What a file holds, results as a list; anything else as it is."""
    if not isinstance(source, (str, os.PathLike)):
        return source
    found = read(source)
    return found if isinstance(found, Data) else list(found)


def _json(text: str, path: str) -> Data:
    try:
        return _of_json(json.loads(text), path)
    except json.JSONDecodeError as error:
        lines = [line for line in text.splitlines() if line.strip()]
        try:
            rows = [json.loads(line) for line in lines]
        except json.JSONDecodeError:
            raise _core.Error(f"{path}: this is not JSON: {error}") from None
        if len(rows) < 2 or not all(isinstance(row, dict) for row in rows):
            raise _core.Error(f"{path}: this is not JSON: {error}") from None
        for number, row in enumerate(rows, 1):
            _refuse_unknown_keys(row, "batch", f"{path}:{number}")
        return Data("batch", {"jobs": rows}, _turned(rows), path)


def _of_json(whole: Any, path: str) -> Data:
    if isinstance(whole, dict) and "operation" not in whole and "audit_version" in whole:
        whole = {**whole, "operation": "audit"}
    if isinstance(whole, dict) and "operation" not in whole and {"id", "energy", "status"} <= set(whole):
        _refuse_unknown_keys(whole, "batch", path or "dict")
        return Data("batch", {"jobs": [whole]}, _turned([whole]), path)  # JSON lines with a single line
    if not isinstance(whole, dict) or "operation" not in whole:
        raise _core.Error(f"{path or 'dict'}: the key 'operation' is missing; expected what --json of this program writes")
    _refuse_unknown_keys(whole, str(whole["operation"]), path or "dict")
    columns: Columns = {}
    for key, value in whole.items():
        if isinstance(value, dict) and value and all(isinstance(v, list) for v in value.values()):
            columns.update(value)
        elif isinstance(value, list) and value and all(isinstance(v, dict) for v in value):
            columns.update({k: v for k, v in _turned(value).items() if k not in columns})
        elif isinstance(value, list) and value and not isinstance(value[0], (dict, str)):
            columns.setdefault(key, value)
    if "amplitude" in columns and whole["operation"] == "shape":
        columns["amplitude"] = np.array(columns["amplitude"], dtype=float) @ np.array([1, 1j])
    return Data(str(whole["operation"]), whole, columns, path)


def _turned(rows: Sequence[Dict[str, Any]]) -> Columns:
    """Rows as columns; the keys of the first row that any has."""
    keys = list(dict.fromkeys(key for row in rows for key in row))
    return {key: [row.get(key) for row in rows] for key in keys}


def _csv(text: Any, path: str) -> Data:
    lines = text.read().splitlines()
    notes = [line[1:].strip() for line in lines if line.startswith("#")]
    rows = list(csv.reader(line for line in lines if line and not line.startswith("#")))
    if len(rows) < 2:
        raise _core.Error(f"{path}: this file has no table")
    if any(len(row) != len(rows[0]) for row in rows) or len(set(rows[0])) < len(rows[0]):
        raise _core.Error(f"{path}: a row has other fields than the heading, or two columns have one name")
    columns: Columns = {key: _typed([row[i] for row in rows[1:]]) for i, key in enumerate(rows[0])}
    operation = _operation_of(rows[0]) or ("formfactor" if rows[0][0] == "q" else "")
    if not operation:
        raise _core.Error(f"{path}: the columns {', '.join(rows[0][:6])} are those of no operation that a picture can be drawn of")
    _refuse_unknown_columns(operation, rows[0], path)
    if operation == "shape":
        columns["q"] = np.stack([columns[f"q_{axis}"] for axis in "xyz"], axis=-1)
        columns["amplitude"] = np.asarray(columns["amplitude_re"]) + 1j * np.asarray(columns["amplitude_im"])
    head: Head = {"operation": operation, "notes": notes}
    for note in notes:
        if operation == "shape" and (match := re.match(r"(grid|detector): ([\d x]+) (?:points|pixels)", note)):
            head[match[1]] = [int(n) for n in match[2].split(" x ")]
        if operation == "shape" and note.startswith("CUDAProphet ") and " of " in note:
            head["body"] = note.split(" of ", 1)[1]
    return Data(operation, head, columns, path)


def _typed(cells: List[str]) -> Any:
    """Numbers, where all cells that are not empty hold one."""
    try:
        return np.array([float(cell) if cell else np.nan for cell in cells])
    except ValueError:
        return cells


def _hdf5(path: str) -> Union[Data, Results]:
    try:
        import h5py  # type: ignore[import-untyped,import-not-found,unused-ignore]
    except ImportError:
        h5py = None
    if h5py is None:
        try:  # results need no other library
            return Results(load(path, name) for name in names(path))
        except _core.Error:
            raise _core.Error(f"{path}: pictures of HDF5 files of tables and images need h5py: pip install h5py") from None
    try:
        opened = h5py.File(path, "r")
    except OSError:
        raise _core.Error(f"{path}: this HDF5 file is damaged") from None
    with opened as file:
        if file.attrs.get("format") == "cudaprophet":
            return Results(load(path, name) for name in names(path))
        sets = {key: item[()] for key, item in file.items() if isinstance(item, h5py.Dataset)}
        attributes: Head = {key: value for key, value in file.attrs.items()}
    if "F" in sets and "qx" in sets:
        return _of_image(sets, attributes, path)
    try:
        head = json.loads(sets["provenance"])  # what the JSON says beside the table
        operation = str(head["operation"])
    except (KeyError, TypeError, ValueError):
        raise _core.Error(f"{path}: this HDF5 file is not one that an operation of this program wrote") from None
    columns: Columns = {key: [v.decode() for v in value] if value.dtype.kind in "SO" else value for key, value in sets.items()
                        if isinstance(value, np.ndarray) and value.ndim == 1}
    return Data(operation, head, columns, path)


def _of_image(sets: Dict[str, Any], attributes: Head, path: str) -> Data:
    """A file of `shape --hdf5`, with a value for each point as its CSV has them."""
    amplitude = np.asarray(sets["F"])
    head: Head = {"operation": "shape", "body": attributes.get("shape", "")}
    axes = [sets[f"q{axis}"] for axis in "xyz"]
    if "alpha_f" in sets:
        head["detector"] = list(amplitude.shape[-2:])
    elif amplitude.ndim == 3:
        head["grid"] = list(amplitude.shape)
        axes = list(np.meshgrid(*axes, indexing="ij"))
    columns: Columns = {"q": np.stack([np.ravel(a) for a in axes], axis=-1), "amplitude": amplitude.ravel()}
    columns["intensity"] = np.ravel(sets["intensity"]) if "intensity" in sets else np.abs(columns["amplitude"]) ** 2
    if "alpha_f" in sets:
        if "point" in sets:  # any pixels, each with its own angles
            columns["alpha_f"], columns["two_theta_f"] = np.ravel(sets["alpha_f"]), np.ravel(sets["two_theta_f"])
        else:
            names = [name for name in ("alpha_i", "omega", "alpha_f", "two_theta_f") if name in sets]
            for name, angles in zip(names, np.meshgrid(*(sets[name] for name in names), indexing="ij")):
                columns[name] = angles.ravel()
    return Data("shape", head, columns, path)


def _of_search(path: str) -> Data:
    """The state of an optimisation, FILE.inp.bsopt: a line of each evaluation begins with e and its energy."""
    energies = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if len(words) > 1 and words[0] == "e":
                try:
                    energies.append(float(words[1]))
                except ValueError:
                    energies.append(np.nan)  # parameters without an energy
    if not energies:
        raise _core.Error(f"{path}: no evaluations are recorded in this file")
    return Data("search", {"operation": "search"}, {"energy": np.array(energies)}, path)


def several_of(source: Any, kind: type) -> "Optional[List[Any]]":
    """A list of objects of that kind, from one or several; None of anything else."""
    if isinstance(source, kind):
        return [source]
    if isinstance(source, (list, tuple)) and source and all(isinstance(item, kind) for item in source):
        return list(source)
    return None


def results_of(source: Any) -> List[Result]:
    """Results, of one or several, or of an HDF5 file."""
    if isinstance(source, (str, os.PathLike)):
        source = read(source)
    found = several_of(source, Result)
    if found is None:
        raise _core.Error("expected a Result with its spinors (Atom(...).energy() or .limit(), or an HDF5 file of --hdf5)")
    return found
