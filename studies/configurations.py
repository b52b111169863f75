"""Configurations as text, for the studies of levels: '[Ar] 3d6 4s2', '3d6 4s2' without its core, shells as (n, letter, electrons)."""
import re

SYMBOLS = ("H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe "
           "Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr "
           "Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og").split()
# Shells as they are filled where a configuration does not name them.
CORES = [(0, ""), (2, "[He]"), (10, "[Ne]"), (18, "[Ar]"), (28, "[Ar] 3d10"), (36, "[Kr]"), (46, "[Kr] 4d10"), (54, "[Xe]"), (68, "[Xe] 4f14"),
         (78, "[Xe] 4f14 5d10"), (86, "[Rn]"), (100, "[Rn] 5f14"), (110, "[Rn] 5f14 6d10")]
FILLING = "1s 2s 2p 3s 3p 3d 4s 4p 4d 5s 5p 4f 5d 6s 6p 5f 6d 7s".split()
CAPACITY = {"s": 2, "p": 6, "d": 10, "f": 14, "g": 18, "h": 22}
NOBLE = {"He": 1, "Ne": 3, "Ar": 5, "Kr": 8, "Xe": 11, "Rn": 15}  # shells of a noble gas
SHELLS_OF_NOBLE = "1s 2s 2p 3s 3p 3d 4s 4p 4d 5s 5p 4f 5d 6s 6p".split()


def shells_of(text):
    return [(int(n), letter, int(q or 1)) for n, letter, q in re.findall(r"(\d+)([spdfgh])(\d*)", text)]


def inside(core):
    """The shells of a core."""
    noble = re.match(r"\[(\w+)\]", core)
    names = SHELLS_OF_NOBLE[:NOBLE.get(noble[1], 0) if noble else 0]
    return [(int(s[0]), s[1]) for s in names] + [(n, letter) for n, letter, _ in shells_of(core)]


def whole(z, charge, text):
    """The configuration with its core; None where the core is not unique."""
    listed = shells_of(text)
    inner = z - charge - sum(q for *_, q in listed)
    named = {f"{n}{letter}" for n, letter, _ in listed}
    core, left = [], inner
    for shell in FILLING:
        if shell in named or left <= 0:
            continue
        if CAPACITY[shell[1]] > left:
            break
        core.append(f"{shell}{CAPACITY[shell[1]]}")
        left -= CAPACITY[shell[1]]
    standard = dict(CORES).get(inner)
    if standard is not None and not any(f"{n}{letter}" in named for n, letter in inside(standard)):
        return f"{standard} {text}".strip()
    return " ".join(core + [text]) if left == 0 else None


def all_shells(text):
    """Electrons of every shell of '[Ar] 3d6 4s2', as a dictionary by (n, letter)."""
    shells = {shell: CAPACITY[shell[1]] for shell in inside((re.match(r"\[\w+\]", text) or [""])[0])}
    for n, letter, q in shells_of(text):
        shells[n, letter] = q
    return {shell: q for shell, q in shells.items() if q}


def text_of(shells):
    """The text of such a dictionary, with the largest noble gas that is in it, shells by n and l."""
    core, left = "", shells
    for gas in NOBLE:
        inner = {shell: CAPACITY[shell[1]] for shell in inside(f"[{gas}]")}
        if inner.items() <= shells.items():
            core, left = f"[{gas}]", {shell: q for shell, q in shells.items() if shell not in inner}
    return " ".join([core] * bool(core) + [f"{n}{letter}{q}" for (n, letter), q in sorted(left.items(), key=lambda item: (item[0][0], "spdfgh".index(item[0][1])))])
