#!/usr/bin/env python3
"""Samples in BornAgain (PyPI: bornagain, 25.0) that are the scenes of tests/matter/shape/scenes, and their differential cross sections.
bornagain_cases.py --write   writes cross-sections.csv beside the scenes."""
import sys
from pathlib import Path

import bornagain as ba
import numpy as np
from bornagain import deg

SCENES = Path(__file__).resolve().parents[1] / "matter/shape/scenes"
WAVELENGTH, ALPHA_I = 1.0, 0.2  # angstrom, degrees
GREY = (0.5, 0.5, 0.5)
INDICES = {"air": (0, 0), "gold": (1.1e-5, 1.2e-6), "polymer": (1.5e-6, 2e-9), "oxide": (5e-6, 4e-8), "silicon": (3.2e-6, 3e-8)}


def pixels(rows, columns, top, side):
    """Angles (degrees) of the pixels of SphericalDetector(columns, -side, side, rows, 0, top) and their solid angles. In BornAgain 25 the
    bounds of bins are equidistant in the tangents of both angles, and a pixel stands for the mean of the angles of its bounds."""
    alpha = np.arctan(np.radians(np.linspace(0, top, rows + 1)))
    phi = np.arctan(np.radians(np.linspace(-side, side, columns + 1)))
    solid = np.diff(np.sin(alpha))[:, None] * np.diff(phi)[None, :]
    return np.degrees(alpha[1:] + alpha[:-1]) / 2, np.degrees(phi[1:] + phi[:-1]) / 2, solid


def material(name):
    return ba.RefractiveMaterial(name, GREY, *INDICES[name])


def particle(name, body, height=0.0, rotation=None):
    """`height` of its lowest point above the lower end of the layer; nm."""
    made = ba.Particle(material(name), body)
    if rotation:
        made.rotate(rotation)
    made.translate(ba.R3(0, 0, height))
    return made


def rough(sigma):
    """Of a correlation length and with a cutoff that leave the whole sigma, but little scattering by itself."""
    return ba.Roughness(ba.SelfAffineFractalModel(sigma, 0.7, 1e-3, 1e10), ba.ErfTransient())


def layer(name, thickness=None, sigma=0):
    return ba.Layer(material(name), *([thickness] if thickness else []), *([rough(sigma)] if sigma else []))


def sample(layers, where, what, density):
    """`density`: particles per nm^2; 0: none."""
    if density:
        layers[where].deposit2D(ba.Dilute2D(density, what))
    made = ba.Sample()
    for one in layers:
        made.addLayer(one)
    return made


def on_silicon(what, density):
    return sample([layer("air"), layer("silicon")], 0, what, density)


def in_polymer(what, density, sigmas=(0, 0)):
    return sample([layer("air"), layer("polymer", 50.0, sigmas[0]), layer("silicon", None, sigmas[1])], 1, what, density)


def in_oxide(what, density):
    return sample([layer("air"), layer("polymer", 40.0), layer("oxide", 15.0), layer("silicon")], 2, what, density)


def compound():
    made = ba.Compound()
    box = particle("gold", ba.Box(6, 8, 5), 0, ba.RotationZ(30 * deg))
    made.addComponent(box)
    ball = ba.Particle(material("polymer"), ba.Sphere(4))
    ball.translate(ba.R3(12, -3, 6))
    made.addComponent(ball)
    return made


CASES = {
    "substrate": lambda density: on_silicon(particle("gold", ba.Cylinder(5, 8)), density),
    "buried_sphere": lambda density: in_polymer(particle("gold", ba.Sphere(5), 20), density),
    "tilted_cylinder": lambda density: in_polymer(particle("gold", ba.Cylinder(4, 10), 20, ba.RotationX(40 * deg)), density),
    "buried_pyramid": lambda density: in_polymer(particle("gold", ba.Pyramid4(10, 6, np.arctan2(6, 3)), 20), density),
    "buried_cone": lambda density: in_polymer(particle("gold", ba.Cone(5, 6, np.arctan2(6, 5)), 20), density),
    "two_films": lambda density: in_oxide(particle("gold", ba.Cylinder(4, 8), 3), density),
    "compound": lambda density: on_silicon(compound(), density),
    "half_sphere": lambda density: on_silicon(particle("gold", ba.Sphere(5), -4), density),
    "cut_cylinder": lambda density: in_polymer(particle("gold", ba.Cylinder(4, 10), -3), density),
    "cut_box": lambda density: in_oxide(particle("gold", ba.Box(6, 8, 30), -5, ba.RotationZ(25 * deg)), density),
    "cut_pyramid": lambda density: in_polymer(particle("gold", ba.Pyramid4(10, 6, np.arctan2(6, 3)), -2), density),
    "cut_cone": lambda density: on_silicon(particle("gold", ba.Cone(5, 6, np.arctan2(6, 5)), -2.5), density),
    "rough": lambda density: in_polymer(particle("gold", ba.Sphere(5), 20), density, (0.8, 0.5)),
}


def intensities(made, rows, columns, top, side):
    detector = ba.SphericalDetector(columns, -side * deg, side * deg, rows, 0, top * deg)
    simulation = ba.ScatteringSimulation(ba.Beam(1, 0.1 * WAVELENGTH, ALPHA_I * deg), made, detector)
    return np.asarray(simulation.simulate().intensities()).reshape(rows, columns)


def cross_sections(build, rows=8, columns=5, top=2.0, side=1.5):
    """Angstrom^2 per steradian of one particle, rows of alpha_f. Rough interfaces scatter by themselves, which is subtracted."""
    density = 1e-10  # at higher ones BornAgain mixes the particles into their layer
    image = intensities(build(density), rows, columns, top, side) - intensities(build(0), rows, columns, top, side)
    solid = pixels(rows, columns, top, side)[2]
    return 100 * image / solid * np.sin(np.radians(ALPHA_I)) / density


def write():
    alpha, phi, _ = pixels(8, 5, 2.0, 1.5)
    with open(SCENES / "cross-sections.csv", "w", encoding="utf-8") as file:
        file.write(f"# Differential cross sections (angstrom^2/sr) of the scenes beside this file by BornAgain {ba.version_str}\n"
                   "# (tests/interop/bornagain_cases.py --write); wavelength 1 angstrom, alpha_i 0.2 degrees\nscene,alpha_f,two_theta_f,cross_section\n")
        for name, build in CASES.items():
            for a, row in zip(alpha, cross_sections(build)):
                for p, value in zip(phi, row):
                    file.write(f"{name},{a:.15g},{p:.15g},{value:.12g}\n")


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    write()
