"""What the studies share: where things are, arguments, the program's JSON, pools of processes, tables as CSV, marked parts of pages, sets of the
Basis Set Exchange."""
import argparse
import contextlib
import csv
import json
import multiprocessing
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "docs/data"
# What the program embeds.
LEVELS, SUSPECTS, IONISATION = (ROOT / "src/data" / name for name in ("nist-levels.csv", "nist-levels-suspects.csv", "nist-ionisation-energies.csv"))
PROGRAM = os.environ.get("PROPHET_PROGRAM") or str(ROOT / "build/release/cudaprophet")
HARTREE = 219474.63136314  # in cm-1
EV = 27.211386245988  # in a hartree
PUBLISHED = {"dz": "dyall-v2z", "tz": "dyall-v3z", "qz": "dyall-v4z", "5z": "dyall-v5z"}  # sets of the sizes of our tiers
# Every study that takes these has them alike.
ARGUMENTS = {
    "program": {"default": PROGRAM},
    "jobs": {"type": int, "default": 2, "help": "calculations side by side"},
    "table": {"action": "store_true", "help": "print the tables of the file that is there"},
    "folder": {"type": Path, "help": "keep there what is made on the way, and use what is there already"},
    "docs": {"action": "store_true", "help": "write into the documents instead of printing"},
}


class Failure(Exception):
    """A run of the program that gave no result; the text is the last line of what it said."""


def name():
    return f"studies/{Path(sys.argv[0]).name}"


def parser(text, *arguments):
    """With those of ARGUMENTS that are named; `text`: the docstring of the study."""
    made = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    for argument in arguments:
        made.add_argument("--" + argument, **ARGUMENTS[argument])
    return made


def record(program, *arguments, timeout=None, partial=False):
    """What the program writes with --json; partial: also where it says that it could not do everything."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "record.json"
        done = subprocess.run([program, *map(str, arguments), "--quiet", "--json", file], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=timeout)
        if not file.exists() or done.returncode and not partial:
            raise Failure((done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1])
        return json.loads(file.read_text())


def processor_seconds():
    """Of the processes that this one started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def side_by_side(function, items, jobs, chunksize=1):
    """The function's values in order, by as many processes; how many there are on a terminal."""
    items = list(items)
    with multiprocessing.Pool(jobs) as pool:
        for n, value in enumerate(pool.imap(function, items, chunksize), 1):
            if sys.stderr.isatty():
                print(f"{n} of {len(items)}", end="\r", file=sys.stderr)
            yield value
        pool.close()
        pool.join()


def read_table(path):
    """The rows of a CSV file whose first lines may be comments."""
    with open(path, newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def write_table(path, columns, rows, comment=""):
    """Rows are lists or dictionaries, whose other keys are left out; each is in the file when the next one is asked for. The comment ends with a line break."""
    with open(path, "w", newline="") as file:
        file.write(comment)
        lists, dictionaries = csv.writer(file, lineterminator="\n"), csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n")
        dictionaries.writeheader()
        for row in rows:
            (dictionaries if isinstance(row, dict) else lists).writerow(row)
            file.flush()


def put(text, page, mark):
    """Into the page of docs/ between the marks of this study."""
    begin, end = (f"<!-- {word}: {mark} -->" for word in ("begin", "end"))
    before, rest = (ROOT / "docs" / page).read_text().split(begin)
    (ROOT / "docs" / page).write_text(f"{before}{begin}\n{text}\n{end}{rest.split(end)[1]}")


def quantiles(values, *parts):
    """What these parts of the values stay below."""
    values = sorted(values)
    return [values[min(len(values) - 1, int(part * len(values)))] for part in parts]


def median_and_range(values, digits):
    """0.98 (0.91 to 1.02)."""
    values = sorted(values)
    return f"{values[len(values) // 2]:.{digits}f} ({values[0]:.{digits}f} to {values[-1]:.{digits}f})"


def numbers_of(text):
    """The numbers of '1-20,92' or '1-20 92'."""
    return [z for part in text.replace(",", " ").split() for first, last in [(part.split("-") * 2)[:2]] for z in range(int(first), int(last) + 1)]


def exchange():
    """The package of the Basis Set Exchange."""
    try:
        import basis_set_exchange
    except ImportError:
        sys.exit(f"{name()}: needs the package basis_set_exchange: pip install basis_set_exchange, or run this file with "
                 "build/release/interop-environment/bin/python (made by tests/interop/run)")
    return basis_set_exchange


def published_file(name_of_set, folder, **selection):
    """A set of the Exchange as its JSON."""
    file = Path(folder) / f"{name_of_set}.json"
    if not file.exists():
        file.write_text(exchange().get_basis(name_of_set, fmt="json", **selection))
    return file


def audit(what, name_of_set, folder, program, *flags, collections=None):
    """The rows of `basis audit` of a file or a collection."""
    file = folder / f"{name_of_set}.csv"
    if not file.exists():
        part = folder / f"{name_of_set}.part.csv"
        place = {"CUDAPROPHET_BASIS_SETS": str(collections)} if collections else {}
        run = subprocess.run([program, "basis", "audit", str(what), *flags, "--csv", part], capture_output=True, text=True, env={**os.environ, **place})
        if not part.exists():
            sys.exit(f"{name()}: the audit of {what} failed: {run.stderr}")
        part.rename(file)
    return read_table(file)


@contextlib.contextmanager
def tier_arguments(text, *flags, collections=False):
    """Those of a study that compares tiers with published sets; its folder lasts as long as the context where none is named."""
    made = parser(text, "program", "folder", "docs")
    for flag in flags:
        made.add_argument("--" + flag, action="store_true")
    if collections:
        made.add_argument("--collections", type=Path)
    made.add_argument("tiers", nargs="*")
    line = made.parse_args()
    if unknown := [tier for tier in line.tiers if tier not in PUBLISHED]:
        made.error(f"no tier {unknown[0]!r}; there is: {', '.join(PUBLISHED)}")
    if line.docs and line.tiers:
        made.error("--docs writes the tables of all tiers anew; name none")
    line.tiers = line.tiers or list(PUBLISHED)
    with tempfile.TemporaryDirectory() as scratch:
        line.folder = line.folder or Path(scratch)
        line.folder.mkdir(parents=True, exist_ok=True)
        yield line
