"""Atoms that other libraries hold, frame by frame: symbols, positions and lattice rows in angstrom, charges where they have some."""
from __future__ import annotations

import os
from typing import Any, Iterator, List, Optional, Tuple

import numpy as np

from . import _core

Frame = Tuple[List[str], Any, Any, Optional[List[float]]]


def _places(positions: Any) -> Any:
    array = np.ascontiguousarray(positions, dtype=np.float64)
    if array.ndim != 2 or array.shape[1] != 3:
        raise _core.Error(f"positions: found an array of shape {array.shape}; expected (atoms, 3), in angstrom")
    return array


def _vectors(lattice: Any) -> Any:
    if lattice is None:
        return None
    array = np.ascontiguousarray(lattice, dtype=np.float64)
    if array.shape != (3, 3):
        raise _core.Error(f"lattice: found an array of shape {array.shape}; expected (3, 3), rows a, b, c in angstrom")
    return array


def _of_ase(atoms: Any) -> Frame:
    if any(atoms.pbc) and not all(atoms.pbc):
        raise _core.Error(f"pbc: found {[bool(p) for p in atoms.pbc]}; a box must repeat in all three directions or in none")
    charges = atoms.get_initial_charges()
    return (list(atoms.get_chemical_symbols()), _places(atoms.get_positions()),
            _vectors(atoms.cell[:]) if all(atoms.pbc) else None, charges.tolist() if charges.any() else None)


def _of_group(group: Any) -> Iterator[Frame]:
    """The atoms of an MDAnalysis group in each frame of their trajectory."""
    try:
        symbols = [str(s) for s in group.elements]
    except AttributeError:  # NoDataError of MDAnalysis is one
        symbols = [str(s) for s in group.types]
    for step in group.universe.trajectory:
        yield symbols, _places(group.positions), _vectors(step.triclinic_dimensions), None


def _of_chemfiles(frame: Any) -> Frame:
    # The columns of its matrix are the vectors.
    matrix = np.array(frame.cell.matrix).T
    return [a.type for a in frame.atoms], _places(frame.positions.copy()), _vectors(matrix) if matrix.any() else None, None


def _of_one(item: Any) -> Frame:
    if hasattr(item, "get_chemical_symbols"):
        return _of_ase(item)
    if hasattr(item, "positions") and hasattr(item, "cell"):
        return _of_chemfiles(item)
    if isinstance(item, tuple) and len(item) in (2, 3):
        return [str(s) for s in item[0]], _places(item[1]), _vectors(item[2] if len(item) == 3 else None), None
    raise _core.Error(f"found a frame of type {type(item).__name__}; expected Atoms of ASE, a frame of chemfiles, or a tuple of symbols, positions and lattice")


def frames_of(atoms: Any) -> Iterator[Frame]:
    """One frame after the other of: Atoms of ASE; a Universe or a group of atoms of MDAnalysis; a Frame or a Trajectory of
    chemfiles; or anything that can be iterated over such frames or tuples (symbols, positions, lattice)."""
    if hasattr(atoms, "atoms") and hasattr(atoms, "universe"):
        yield from _of_group(atoms.atoms)
    elif hasattr(atoms, "get_chemical_symbols") or (hasattr(atoms, "positions") and hasattr(atoms, "cell")):
        yield _of_one(atoms)
    else:
        for item in atoms:
            yield _of_one(item)


def frames_of_arrays(symbols: List[str], positions: Any, lattice: Any) -> Iterator[Frame]:
    """Of positions (atoms, 3) or (frames, atoms, 3) and a lattice (3, 3), one for each frame, or None."""
    array = np.asarray(positions, dtype=np.float64)
    if array.ndim != 3:
        yield symbols, _places(array), _vectors(lattice), None
        return
    vectors = None if lattice is None else np.asarray(lattice, dtype=np.float64)
    if vectors is not None and vectors.ndim == 3 and len(vectors) != len(array):
        raise _core.Error(f"lattice: found {len(vectors)} of them; expected one, or one for each of {len(array)} frames")
    for k, places in enumerate(array):
        yield symbols, _places(places), _vectors(vectors[k] if vectors is not None and vectors.ndim == 3 else vectors), None


def are_symbols(atoms: Any) -> bool:
    """Whether this is a list of names, not of frames."""
    return isinstance(atoms, (list, tuple, np.ndarray)) and all(isinstance(a, (str, np.str_)) for a in atoms)


def is_file(atoms: Any) -> bool:
    return isinstance(atoms, (str, os.PathLike))
