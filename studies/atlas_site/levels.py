"""The diagram of the levels of an atom, as the package's plot.levels draws it: columns of terms with J beside the bars, or columns of J."""
import re
from html import escape

from . import charts

HARTREE_CM = 219474.63136320  # CODATA 2018
MOST = 400  # levels that a picture shows
LETTERS = "SPDFGHIKLMNOQRTUV"  # of L = 0, 1, ...
MULTIPLETS = ["", "singlets", "doublets", "triplets", "quartets", "quintets", "sextets", "septets", "octets", "nonets", "decets", "undecets"]
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
BAR, GAP, LETTER, LINE = 13, 6, 7, 14  # of a bar, from there to its text, of a letter and a line of text, in units of the picture


def half(two_j):
    return str(two_j // 2) if two_j % 2 == 0 else f"{two_j}/2"


def is_odd(level):
    return str(level.get("parity", "+")).startswith(("-", "o"))


def term_name(term, odd):
    """3P as ³P, of odd parity ³P°."""
    found = re.fullmatch(r"(\d+)\s*([A-Z])\s*[o*°]?", term.strip())
    return found[1].translate(RAISED) + found[2] + ("°" if odd else "") if found else escape(term)


def line_of(level, lowest):
    """Excitation energy in cm^-1, 2J, the leading term as (multiplicity, L) or None, and its name."""
    excitation = level.get("excitation_energy")
    above = (level["energy"] - lowest if excitation is None else excitation) * HARTREE_CM
    terms = sorted(level.get("terms") or [], key=lambda t: -t["percent"])
    words = re.sub(r" \(\d+\)$", "", str(level.get("label") or "")).split()
    term = words[-1] if words and re.match(r"\d+[A-Z]", words[-1]) else terms[0]["term"] if terms else ""
    found = re.match(r"(\d+)([A-Z])", term)
    key = (int(found[1]), LETTERS.find(found[2])) if found else None
    return above, round(2 * level["J"]), key, term_name(term, is_odd(level))


def runs(lines, places):
    """Lines that lie close together and whose J go up or down one after the other, so that one text can name them: (places, J)."""
    found = []
    for (_, two_j, _, _), place in zip(lines, places):
        run, at = found[-1] if found else ([], [])
        step = two_j - run[-1] if run else 0
        if run and abs(step) == 2 and abs(place - at[-1]) < 0.6 * LINE and (len(run) == 1 or step == run[-1] - run[-2]):
            run.append(two_j)
            at.append(place)
        else:
            found.append(([two_j], [place]))
    return [((at[0] + at[-1]) / 2, half(run[0]) + ("" if len(run) == 1 else (", " if len(run) == 2 else "–") + half(run[-1]))) for run, at in found]


def by_terms(lines, y):
    """Columns of terms by multiplicity, highest first, and L, with J beside the bars; none where they would not fit."""
    terms = {}
    for line in lines:
        terms.setdefault(line[2], []).append(line)
    texts = {key: sorted(runs(some, [y.at(line[0]) for line in some]), reverse=True) for key, some in terms.items()}
    widest = max(len(words) for some in texts.values() for _, words in some)
    most = max(len(some) for some in texts.values())
    if None in terms or len(terms) * (BAR + GAP + LETTER * widest) > 0.96 * charts.INNER or most * LINE > charts.HEIGHT - charts.TOP - charts.BOTTOM:
        return [], 0
    columns = []
    for key in sorted(terms, key=lambda key: (-key[0], key[1])):
        places = [place for place, _ in texts[key]]
        columns.append((terms[key][0][3], [(line[0], 0) for line in terms[key]],
                        list(zip(places, charts.apart(places, LINE), [words for _, words in texts[key]]))))
    return columns, GAP + LETTER * widest


def by_j(lines, y):
    """Columns of J with a colour for each multiplicity, and terms beside the bars that have room for them; the multiplicities."""
    multiplicities = sorted({line[2][0] if line[2] else 0 for line in lines}, reverse=True)
    several = sorted({line[1] for line in lines})
    wide = charts.INNER / len(several) >= BAR + GAP + 3.5 * LETTER
    columns = []
    for two_j in several:
        mine = [line for line in lines if line[1] == two_j]
        places = [1e9, *(y.at(line[0]) for line in mine), -1e9]
        room = [(place, place, line[3]) for below, place, above, line in zip(places, places[1:], places[2:], mine)
                if wide and min(below - place, place - above) > LINE]
        columns.append((half(two_j), [(line[0], multiplicities.index(line[2][0] if line[2] else 0)) for line in mine], room))
    return columns, (GAP + 3.5 * LETTER if wide else 0), multiplicities


def diagram(name, lines):
    """`lines`: those of line_of, in order of energy."""
    high = lines[-1][0] or 1.0
    y = charts.Axis(-0.06 * high, 1.06 * high, charts.HEIGHT - charts.BOTTOM, charts.TOP)
    columns, room = by_terms(lines, y)
    if columns:
        return charts.bars(f"Levels of {name}", "", "excitation energy [cm⁻¹]", columns, y, room)
    columns, room, multiplicities = by_j(lines, y)
    names = [(MULTIPLETS[m] if 0 < m < len(MULTIPLETS) else "without a term", i, 0) for i, m in enumerate(multiplicities)]
    return charts.bars(f"Levels of {name}", "J", "excitation energy [cm⁻¹]", columns, y, room, names if len(names) > 1 else [])
