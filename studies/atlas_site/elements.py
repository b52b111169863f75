"""Elements and their places in the periodic table."""
from configurations import SYMBOLS

from .errors import AtlasError

NAMES = """Hydrogen Helium Lithium Beryllium Boron Carbon Nitrogen Oxygen Fluorine Neon Sodium Magnesium Aluminium Silicon
Phosphorus Sulfur Chlorine Argon Potassium Calcium Scandium Titanium Vanadium Chromium Manganese Iron Cobalt Nickel Copper
Zinc Gallium Germanium Arsenic Selenium Bromine Krypton Rubidium Strontium Yttrium Zirconium Niobium Molybdenum Technetium
Ruthenium Rhodium Palladium Silver Cadmium Indium Tin Antimony Tellurium Iodine Xenon Caesium Barium Lanthanum Cerium
Praseodymium Neodymium Promethium Samarium Europium Gadolinium Terbium Dysprosium Holmium Erbium Thulium Ytterbium Lutetium
Hafnium Tantalum Tungsten Rhenium Osmium Iridium Platinum Gold Mercury Thallium Lead Bismuth Polonium Astatine Radon
Francium Radium Actinium Thorium Protactinium Uranium Neptunium Plutonium Americium Curium Berkelium Californium
Einsteinium Fermium Mendelevium Nobelium Lawrencium Rutherfordium Dubnium Seaborgium Bohrium Hassium Meitnerium
Darmstadtium Roentgenium Copernicium Nihonium Flerovium Moscovium Livermorium Tennessine Oganesson""".split()
NOBLE = (0, 2, 10, 18, 36, 54, 86, 118)


def parse(text):
    """'1-10,18,Rn' as charges, ascending."""
    def charge(word):
        word = word.strip()
        z = int(word) if word.isdigit() else {s.lower(): i + 1 for i, s in enumerate(SYMBOLS)}.get(word.lower(), 0)
        if not 1 <= z <= 118:
            raise AtlasError(f"'{word}' is not an element; give charges from 1 to 118 or symbols")
        return z

    chosen = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        chosen.update(range(charge(first), charge(last or first) + 1))
    if not chosen:
        raise AtlasError(f"'{text}' names no elements")
    return sorted(chosen)


def place(z):
    """Row and column (from 1) in the long form with f elements below: rows 9 and 10."""
    period = next(p for p in range(1, 8) if z <= NOBLE[p])
    before, length = NOBLE[period - 1], NOBLE[period] - NOBLE[period - 1]
    position = z - before
    if period == 1:
        return 1, 1 if z == 1 else 18
    if length == 32 and 3 <= position <= 16:
        return period + 3, position + 1
    column = position if position <= 2 else 18 - (length - position)
    return period, column


def block(z):
    """s, p, d or f: the colour of an element's cell."""
    row, column = place(z)
    if row > 7:
        return "f"
    if z == 2 or column <= 2:
        return "s"
    return "p" if column >= 13 else "d"
