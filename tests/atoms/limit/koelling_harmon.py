"""Makes koelling_harmon.csv: energies of one electron and a point nucleus with the scalar-relativistic equation of
Koelling and Harmon (J. Phys. C 10, 3107 (1977)), by shooting in ln r with SciPy's DOP853, which shares nothing
with the program. s states are those of Dirac's equation, which the script checks itself with."""

import math

from scipy.integrate import solve_ivp
from scipy.optimize import brentq

C = 137.035999


def slope(charge, l, energy):
    def function(x, y):
        r = math.exp(x)
        kinetic = energy + charge / r
        mass = 1 + kinetic / (2 * C * C)
        large, flux = y  # P and (P' - P/r)/(2 M)
        return [large + 2 * mass * r * flux, -flux + (l * (l + 1) / (2 * mass * r) - kinetic * r) * large]

    return function


def ratio(charge, l, energy, start, end, initial):
    y = solve_ivp(slope(charge, l, energy), (start, end), initial, "DOP853", rtol=1e-13, atol=0).y[:, -1]
    return y[1] / y[0]


def mismatch(charge, n, l, energy, innermost=1e-13):
    gamma = math.sqrt(l * (l + 1) + 1 - (charge / C) ** 2)
    middle = math.log(n * n / charge)
    r = innermost / charge
    mass = 1 + (energy + charge / r) / (2 * C * C)
    inner = ratio(charge, l, energy, math.log(r), middle, [1, (gamma - 1) / (2 * mass * r)])
    decay = math.sqrt(-energy * (2 + energy / C**2))
    r = 42 / decay + n * n / charge
    power = charge * (1 + energy / C**2) / decay  # P ~ r^power exp(-decay r)
    mass = 1 + (energy + charge / r) / (2 * C * C)
    outer = ratio(charge, l, energy, math.log(r), middle, [1, (-decay + (power - 1) / r) / (2 * mass)])
    return inner - outer


def dirac(charge, n, kappa):
    radial = n - abs(kappa) + math.sqrt(kappa**2 - (charge / C) ** 2)
    x = (charge / C / radial) ** 2
    return -C * C * x / (math.sqrt(1 + x) * (1 + math.sqrt(1 + x)))


def energy(charge, n, l, innermost=1e-13):
    """Between the energies of both j."""
    low = dirac(charge, n, l if l else -1)
    high = dirac(charge, n, -l - 1)
    width = 1e-4 * abs(low)
    f = lambda e: mismatch(charge, n, l, e, innermost)
    return brentq(f, low - width, high + width, xtol=1e-13 * abs(low), rtol=1e-14)


def main():
    print("# energies of one electron and a point nucleus, hartree: koelling_harmon.py; c = 137.035999")
    print("Z,n,l,energy")
    for charge in (1, 30, 92):
        for n, l in ((1, 0), (2, 0), (2, 1), (3, 1), (3, 2), (4, 3)):
            e = energy(charge, n, l)
            if l == 0:
                assert abs(e / dirac(charge, n, -1) - 1) < 2e-11, (charge, n, e, dirac(charge, n, -1))
            print(f"{charge},{n},{l},{e:.14g}", flush=True)


if __name__ == "__main__":
    main()
