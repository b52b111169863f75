"""Atomic data as carsus writes them for TARDIS: an HDF5 file of pandas tables, format version 2.0."""
from __future__ import annotations

import datetime
import hashlib
import os
import pickle
import uuid
from typing import Any, Dict, List, Tuple, Union

import numpy as np

from . import _core
from .spectra import HARTREE_CM, HARTREE_EV, Lines, excitation_of

_VERSION = "2.0"
# CODATA 2022, CGS.
_LIGHT, _PLANCK, _CHARGE, _MASS = 2.99792458e10, 6.62607015e-27, 4.803204712570263e-10, 9.1093837139e-28
_EINSTEIN = 4 * np.pi ** 2 * _CHARGE ** 2 / (_MASS * _LIGHT)
_METASTABLE = 1e-3  # a level without a stronger line downwards is metastable
_ION, _LEVEL = ["atomic_number", "ion_number"], ["atomic_number", "ion_number", "level_number"]
_DOWN, _INTERNAL_DOWN, _INTERNAL_UP = -1, 0, 1

#: An ion: what its record says, its lines, those that are to be written, and its ionisation energy in eV.
Ion = Tuple[Dict[str, Any], Lines, List[int], float]


def write_carsus(ions: List[Ion], path: Union[str, "os.PathLike[str]"]) -> int:
    """Writes levels below the ionisation energies and the lines between them; returns the number of lines."""
    try:
        import pandas as pd  # type: ignore[import-untyped,import-not-found,unused-ignore]
        import tables  # type: ignore[import-untyped,import-not-found,unused-ignore]  # noqa: F401  (pandas writes HDF5 with it)
    except ImportError:
        raise _core.Error("format: carsus needs pandas and PyTables: pip install pandas tables") from None
    levels: List[Any] = []
    lines: List[Any] = []
    names: Dict[int, Tuple[str, float]] = {}
    energies: Dict[Tuple[int, int], float] = {}
    for head, found, chosen, ionisation in ions:
        z, charge = round(float(head["Z"])), round(float(head.get("charge") or 0))
        if (z, charge + 1) in energies:
            raise _core.Error(f"lines: {head['symbol']} of charge {charge} is there twice")
        names[z] = str(head["symbol"]), float(found.mass or (head.get("nucleus") or {}).get("mass_number") or 0)
        energies[z, charge + 1] = ionisation
        electronvolts = HARTREE_EV * np.array([excitation_of(level) for level in head["levels"]])
        weight = np.rint(found.weight).astype(np.int64)
        order = np.lexsort((weight, electronvolts))
        order = order[electronvolts[order] < ionisation]
        place = np.full(len(weight), -1)
        place[order] = np.arange(len(order))
        strong = {int(found.upper[i]) for i in chosen if found.gf[i] > _METASTABLE}
        levels += [(z, charge, new, electronvolts[old], weight[old], int(old) not in strong) for new, old in enumerate(order)]
        for i in chosen:
            lower, upper = int(found.lower[i]), int(found.upper[i])
            if place[lower] < 0 or place[upper] < 0:
                continue
            wavelength = 1e8 * HARTREE_EV / HARTREE_CM / found.energy[i]  # angstrom, vacuum
            lines.append((len(lines) + 1, wavelength, z, charge, found.gf[i] / weight[upper], found.gf[i] / weight[lower],
                          place[lower], place[upper], 1e8 * _LIGHT / wavelength, electronvolts[lower], electronvolts[upper]))
    if not lines:
        raise _core.Error("format: there are no E1 lines below the ionisation energies for carsus")
    levels += [(z, z, 0, 0.0, 1, True) for z in names]
    table = pd.DataFrame(lines, columns=["line_id", "wavelength", *_ION, "f_ul", "f_lu", "level_number_lower", "level_number_upper", "nu", "lower", "upper"])
    table["B_lu"], table["B_ul"] = (_EINSTEIN * table[f] / (_PLANCK * table["nu"]) for f in ("f_lu", "f_ul"))
    table["A_ul"] = 2 * _EINSTEIN * table["nu"] ** 2 / _LIGHT ** 2 * table["f_ul"]
    of_levels = pd.DataFrame(levels, columns=[*_LEVEL, "energy", "g", "metastable"]).sort_values(_LEVEL).set_index(_LEVEL)
    temperatures = pd.Index(np.arange(2000.0, 42000.0, 2000.0), name="temp")
    ionisations = pd.Series(energies, name="ionization_energy").sort_index()
    ionisations.index.names = _ION
    parts = {
        "/atom_data": pd.DataFrame([(z, symbol, symbol, mass) for z, (symbol, mass) in sorted(names.items())],
                                   columns=["atomic_number", "symbol", "name", "mass"]).set_index("atomic_number"),
        "/ionization_data": ionisations,
        "/zeta_data": pd.DataFrame(1.0, columns=temperatures, index=pd.MultiIndex.from_tuples(sorted(energies), names=["atomic_number", "ion_charge"])),
        "/levels_data": of_levels,
        "/lines_data": table[["line_id", "wavelength", *_ION, "f_ul", "f_lu", "level_number_lower", "level_number_upper", "nu", "B_lu", "B_ul", "A_ul"]]
        .set_index([*_ION, "level_number_lower", "level_number_upper"]),
        "/macro_atom_data": _macro_atom(pd, table),
        "/macro_atom_references": _references(table, of_levels),
        "/lines_metadata": pd.DataFrame([["format", "version", "1.0"]], columns=["field", "key", "value"]).set_index(["field", "key"]),
    }
    head = ions[0][0]
    sums = [("format", "version", _VERSION)] + [("md5sum", key.lstrip("/"), hashlib.md5(pickle.dumps(part)).hexdigest()) for key, part in parts.items()]
    sums += [("datasets", "cudaprophet", str(head.get("version", ""))), ("software", "pandas", pd.__version__)]
    with pd.HDFStore(os.fspath(path), "w") as file:
        for key, part in parts.items():
            file.put(key, part, track_times=False)
        file.put("/metadata", pd.DataFrame(sums, columns=["field", "key", "value"]).set_index(["field", "key"]), track_times=False)
        marks = file.root._v_attrs
        marks["MD5"] = hashlib.md5("".join(value for field, _, value in sums if field == "md5sum").encode()).hexdigest()
        marks["UUID1"], marks["FORMAT_VERSION"], marks["DATE"] = uuid.uuid1().hex, _VERSION, datetime.datetime.now(datetime.timezone.utc).isoformat()
    return len(table)


def _macro_atom(pd: Any, table: Any) -> Any:
    """Three transitions of a macro atom for each line (L. B. Lucy, A&A 384 (2002) 725), as carsus has them: emission and the internal ones."""
    factor = 2 * table["nu"] ** 2 * table["f_ul"] / _LIGHT ** 2
    kinds = [("level_number_upper", "level_number_lower", _DOWN, factor * (table["upper"] - table["lower"])),
             ("level_number_upper", "level_number_lower", _INTERNAL_DOWN, factor * table["lower"]),
             ("level_number_lower", "level_number_upper", _INTERNAL_UP, table["f_lu"] * table["lower"] / (_PLANCK * table["nu"]))]
    all_kinds = pd.concat([pd.DataFrame({**{name: table[name] for name in _ION}, "source_level_number": table[source], "destination_level_number": table[target],
                                         "transition_type": kind, "transition_probability": probability, "transition_line_id": table["line_id"]})
                           for source, target, kind, probability in kinds])
    return all_kinds.sort_values([*_ION, "source_level_number", "transition_line_id", "transition_type"], kind="stable").reset_index(drop=True)


def _references(table: Any, levels: Any) -> Any:
    counts = levels[[]].copy()
    counts.index = counts.index.set_names([*_ION, "source_level_number"])
    for name, end in (("count_down", "upper"), ("count_up", "lower")):
        found = table.groupby([*_ION, f"level_number_{end}"]).size()
        found.index = found.index.set_names(counts.index.names)
        counts[name] = found.reindex(counts.index, fill_value=0).astype(np.int64)
    counts["count_total"] = 2 * counts["count_down"] + counts["count_up"]
    return counts
