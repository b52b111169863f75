"""Line lists in the formats of other programs."""
from __future__ import annotations

import os
import re
from typing import Any, Dict, List, Optional, Tuple, Union

import numpy as np

from . import _core
from ._result import Array
from .spectra import HARTREE_CM, HARTREE_EV, Lines, air_wavelength, excitation_of, ion_of, lines_of

_FORMATS = ("kurucz", "pyneb", "jplt", "gsi", "carsus")


def write_lines(lines: Any, path: Union[str, "os.PathLike[str]"], format: str = "kurucz", *, least_gf: float = 0.0,
                levels: Optional[int] = None, ionisation_energy: Optional[float] = None) -> int:
    """Writes lines in the format of another program and returns the number of lines of the list, or of levels of the table.

    lines: a record of `lines`, its JSON as a dict, a JSON or HDF5 file, or one ion of a file with many ("ions.h5:Nd+"). format: "kurucz", the 160 columns of R. L. Kurucz's gfall, with
    the E1 lines in order of wavelength (nm, in air from 200 nm on) and a negative sign at energies that were computed, not observed;
    `least_gf` leaves out weaker ones. Or "pyneb", a table of PyNeb (V. Luridiana, C. Morisset and R. A. Shaw, A&A 573 (2015) A42) with energies, 2J+1
    and the sums of A of all types between the lowest levels, of which `levels` is the number (all if None); PyNeb takes element and spectrum
    from the file's name, o_iii_atom_NAME.dat. "jplt", the text of the Japan-Lithuania opacity database (D. Kato et al., version 2.1; the file is to be
    called Z_STAGE.txt, 58_3.txt of Ce2+), with the ionisation energy that the lines have or `ionisation_energy` (eV). "gsi", that of A. Floers et al.
    (arXiv 2507.07785): path is a folder, which gets 58CeIII_levels_calib.txt and 58CeIII_transitions_calib.txt (uncalib of levels that are not
    calibrated). artisatomic reads both; they have the E1 lines. "carsus", the HDF5 file of carsus for TARDIS (pandas tables, format version 2.0), of one
    ion or of a list of them: levels below the ionisation energies, E1 lines, macro atom; carsus itself leaves out lines of gf below 1e-3. The mass is that
    of the isotope, zeta is 1. It needs pandas and PyTables. `ionisation_energy` holds for all ions of a list."""
    if format not in _FORMATS:
        raise _core.Error(f"format: found {format!r}; expected {', '.join(_FORMATS[:-1])} or {_FORMATS[-1]}")
    if format == "carsus":
        from ._carsus import write_carsus
        ions = [_read(one) for one in (lines if isinstance(lines, (list, tuple)) else [lines])]
        return write_carsus([(head, found, _strong(found, least_gf), _ionisation(head, ionisation_energy)) for head, found in ions], path)
    head, found = _read(lines)
    if format == "gsi":
        return _write_gsi(found, head, path, least_gf)
    if format == "jplt":
        return _write_jplt(found, head, path, least_gf, ionisation_energy)
    text = _kurucz(found, head, least_gf) if format == "kurucz" else _pyneb(found, head, levels)
    _write(path, text)
    return len(text) if format == "kurucz" else sum(not row.startswith("***") for row in text) - 2


def _read(lines: Any) -> Tuple[Dict[str, Any], Lines]:
    from .plot._files import data_of  # that package imports cudaprophet.spectra
    if ion := ion_of(lines):
        return ion
    data = data_of(lines)
    if not data.head.get("levels"):
        raise _core.Error(f"{data.name or 'lines'}: a CSV file of lines has no energies of levels; give the JSON or HDF5 file")
    return data.head, lines_of(data)


def _write(path: Union[str, "os.PathLike[str]"], rows: List[str]) -> None:
    with open(path, "w", encoding="ascii", errors="replace") as file:
        file.write("\n".join(rows) + "\n")


# Kurucz: FORMAT(F11.4,F7.3,F6.2,F12.3,F5.1,1X,A10,F12.3,F5.1,1X,A10,3F6.2,A4,2I2,I3,F6.3,I3,F6.3,2I5,1X,A1,A1,1X,A1,A1,I1,A3,2I5,I6).

_WIDEST = 1e6  # nm that 11 columns hold


def _kurucz(lines: Lines, head: Dict[str, Any], least_gf: float) -> List[str]:
    levels: List[Dict[str, Any]] = head["levels"]
    code = float(head["Z"]) + float(head.get("charge") or 0) / 100
    place = air_wavelength(1e7 * HARTREE_EV / HARTREE_CM / lines.energy)
    rows = []
    for i in np.argsort(place, kind="stable"):
        if lines.type[i] != "E1" or lines.gf[i] <= 0 or lines.gf[i] < least_gf or place[i] >= _WIDEST:
            continue
        pair = [levels[lines.lower[i]], levels[lines.upper[i]]]
        observed = all(level.get("observed_energy") is not None for level in pair)
        ends = "".join(_kurucz_level(level, observed) for level in pair)
        damping = float(np.log10(lines.decay[lines.lower[i]] + lines.decay[lines.upper[i]]))
        factors = "".join(f"{round(1000 * float(level.get('g') or 0)):5d}" for level in pair)
        rows.append(f"{place[i]:11.4f}{np.log10(lines.gf[i]):7.3f}{code:6.2f}{ends}{damping:6.2f}{0:6.2f}{0:6.2f}CPRO 0 0"
                    f"{0:3d}{0:6.3f}{0:3d}{0:6.3f}{0:5d}{0:5d}{'':6}0{'':3}{factors}{0:6d}")
        if len(rows[-1]) != 160:
            raise _core.Error(f"format: an energy, gf or g of {rows[-1]!r} does not fit the columns of Kurucz's lists")
    if not rows:
        raise _core.Error("format: there are no E1 lines for Kurucz's list")
    return rows


def _kurucz_level(level: Dict[str, Any], observed: bool) -> str:
    energy = HARTREE_CM * (excitation_of(level) if observed else -float(level["excitation_energy"]))
    return f"{energy + 0.0:12.3f}{float(level['J']):5.1f} {_kurucz_label(str(level.get('label') or '')):<10}"


def _kurucz_label(label: str) -> str:
    """"4p 3P" of "3d6(5D) 4p1 3Po (1)": the last shells that fit into ten columns, and the term."""
    words = re.sub(r" \(\d+\)$", "", label).split()
    if not words:
        return ""
    term = re.sub(r"(?<=[A-Z])o$", "", words[-1])
    shells = [re.sub(r"(?<=[a-z])1(?!\d)", "", word) for word in words[:-1]]
    while shells and len("".join(shells)) + 1 + len(term) > 10:
        shells.pop(0)
    return f"{''.join(shells)} {term}".strip()[:10]


# PyNeb.

def _pyneb(lines: Lines, head: Dict[str, Any], number: Optional[int]) -> List[str]:
    energies = HARTREE_CM / HARTREE_EV * (np.zeros(0) if lines.excitation is None else lines.excitation)
    if number is not None and not 2 <= number <= len(energies):
        raise _core.Error(f"levels: found {number}; expected 2 to {len(energies)}")
    order = np.argsort(energies, kind="stable")[:number]
    rates = _rates(lines)[np.ix_(order, order)]
    units = ["1/s"] * len(order)
    rows = [" ".join(["Energy", "Weight", "Aij"]), " ".join(["cm-1", "1", *units])]
    for i, row in zip(order, rates):
        rows.append(f"{energies[i]:14.4f} {lines.weight[i]:4.0f} " + " ".join(f"{rate:.6e}" for rate in row))
    types = " ".join(sorted(set(lines.type)))
    return rows + [
        f"*** SPECTRUM {round(float(head.get('charge') or 0)) + 1}", f"*** N_LEVELS {len(order)}", f"*** GSCONFIG {_open_shell(head)}",
        "*** VACUUM 1", f"*** SOURCE CUDAProphet {head.get('version', '')}: {head.get('hamiltonian', '')}, lines {types}",
        "*** NOTE1 Energies above the lowest level" + (", observed where they are known" if any(
            level.get("observed_energy") is not None for level in head["levels"]) else ", computed")]


def _rates(lines: Lines) -> Array:
    """A from each level (rows) to each other, the types added; from the level that is higher in energy."""
    rates = np.zeros((len(lines.weight), len(lines.weight)))
    np.add.at(rates, (lines.upper, lines.lower), lines.rate)
    return rates


def _open_shell(head: Dict[str, Any]) -> str:
    """"p4" of "[He] 2s2 2p4"; "unknown" of several configurations."""
    words = str((head.get("configuration") or {}).get("description") or "").split()
    match = re.fullmatch(r"\d+([a-z])(\d*)", words[-1]) if words and "|" not in words else None
    return f"{match[1]}{match[2] or 1}" if match else "unknown"


# Opacities: the databases that artisatomic reads.

_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")


def _strong(lines: Lines, least_gf: float) -> List[int]:
    """The E1 lines that are strong enough."""
    return [i for i, kind in enumerate(lines.type) if kind == "E1" and lines.gf[i] > 0 and lines.gf[i] >= least_gf]


def _by_energy(head: Dict[str, Any], lines: Lines) -> Dict[int, int]:
    """Places of the levels, those of the lines and of any others, in order of energy."""
    energies = [excitation_of(level) for level in head["levels"]]
    return {int(old): new for new, old in enumerate(np.argsort(energies, kind="stable"))}


def _dotted(label: str) -> str:
    """"3d6(5D).4s_6D" of "3d6(5D) 4s1 6Do (1)": shells between dots, the last word a term or a shell."""
    words = re.sub(r" \(\d+\)$", "", label).split() or ["?"]
    term = words.pop() if len(words) > 1 and re.fullmatch(r"\d+[A-Z]o?", words[-1]) else ""
    shells = [re.sub(r"(?<=[a-z])1(?![\d/])", "", word) for word in words]
    return ".".join(shells) + (f"_{term}" if term else "")


def _ionisation(head: Dict[str, Any], given: Optional[float]) -> float:
    if given is not None:
        return float(given)
    limit = head.get("ionisation_limit")
    if limit is None:
        raise _core.Error("ionisation_energy: these lines have none; give it, in eV")
    return HARTREE_EV * float(limit)


def _is_odd(level: Dict[str, Any]) -> bool:
    return level.get("parity") in ("-", -1, -1.0)


def _write_jplt(lines: Lines, head: Dict[str, Any], path: Union[str, "os.PathLike[str]"], least_gf: float, ionisation: Optional[float]) -> int:
    levels, place, chosen = head["levels"], _by_energy(head, lines), _strong(lines, least_gf)
    if len(levels) >= 10 ** 7:
        raise _core.Error("format: jplt numbers levels in seven columns")
    rows = [f"# {round(float(head['Z']))} {round(float(head.get('charge') or 0)) + 1}", f"# {len(levels)} {len(chosen)}", "#",
            f"# IP = {_ionisation(head, ionisation):.6f}", "# Energy levels", "#   num  weight parity      E(eV)      configuration"]
    for old, new in place.items():
        level = levels[old]
        rows.append(f"{new + 1:7d}{round(2 * float(level['J']) + 1):7d} {'odd' if _is_odd(level) else 'even':>4}"
                    f"{HARTREE_EV * excitation_of(level):14.7f} {_dotted(str(level.get('label') or ''))}")
    rows += ["# Transitions", "# num_u   num_l   wavelength(nm)     g_u*A      log(g_l*f)"]
    for i in chosen:
        upper, lower = int(lines.upper[i]), int(lines.lower[i])
        rows.append(f"{place[upper] + 1:7d}{place[lower] + 1:8d}{1e7 * HARTREE_EV / HARTREE_CM / lines.energy[i]:15.4f}"
                    f"{lines.weight[upper] * lines.rate[i]:13.4e}{np.log10(lines.gf[i]):12.4f}")
    _write(path, rows)
    return len(chosen)


def _write_gsi(lines: Lines, head: Dict[str, Any], path: Union[str, "os.PathLike[str]"], least_gf: float) -> int:
    if not os.path.isdir(path):
        raise _core.Error(f"path: {os.fspath(path)!r} is no folder; the format gsi has two files of fixed names in one")
    levels, place, chosen = head["levels"], _by_energy(head, lines), _strong(lines, least_gf)
    stage = round(float(head.get("charge") or 0)) + 1
    if not 1 <= stage <= len(_ROMAN):
        raise _core.Error(f"format: gsi names ions I to X; found a charge of {stage - 1}")
    calibrated = head.get("calibration") in ("nist", "fit")
    ion = f"{round(float(head['Z']))}{head['symbol']}{_ROMAN[stage - 1]}"
    rule = "-" * 60
    start = [rule, f"CUDAProphet {head.get('version', '')}: {head.get('hamiltonian', '')}", rule]
    names = ["Index", "Configuration", "Parity", "J", "Energy"] + ["Uncertainty"] * ("error" in levels[0])
    rows = start + ["energies in cm^-1 above the lowest level, vacuum", rule, " ".join(names)]
    for old, new in place.items():
        level = levels[old]
        twice = round(2 * float(level["J"]))
        cells = [str(new), _dotted(str(level.get("label") or "")), str(int(_is_odd(level))), f"{twice}/2" if twice % 2 else str(twice // 2),
                 f"{HARTREE_CM * excitation_of(level):.3f}"]
        rows.append(" ".join(cells + ([f"{HARTREE_CM * float(level['error']):.1f}"] if "error" in level else [])))
    kind = "calib" if calibrated else "uncalib"
    _write(os.path.join(path, f"{ion}_levels_{kind}.txt"), rows)
    rows = start + ["E1 lines: A in 1/s, wavelengths in vacuum in nm", rule, "Upper Lower A gf Wavelength"]
    for i in chosen:
        rows.append(f"{place[int(lines.upper[i])]} {place[int(lines.lower[i])]} {lines.rate[i]:.5e} {lines.gf[i]:.5e} "
                    f"{1e7 * HARTREE_EV / HARTREE_CM / lines.energy[i]:.5f}")
    _write(os.path.join(path, f"{ion}_transitions_{kind}.txt"), rows)
    return len(chosen)
