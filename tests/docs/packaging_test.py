#!/usr/bin/env python3
"""The recipes of packaging/ name the version, the libraries and the options of the build as they are in CMake and tools/packages."""
import ast
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CONDA = ROOT / "packaging/conda-forge/recipe.yaml"
SPACK = ROOT / "packaging/spack/packages/cudaprophet/package.py"
# Debian's package: what conda-forge and Spack call it. Packages that only tests, benchmarks or the compiler need are not libraries of a recipe.
NAMES = {
    "libboost-program-options-dev": ("libboost-devel", "boost"), "libeigen3-dev": ("eigen", "eigen"), "libspectra-dev": ("spectra", "spectra"),
    "libfmt-dev": ("fmt", "fmt"), "nlohmann-json3-dev": ("nlohmann_json", "nlohmann-json"), "liblapacke-dev": ("liblapacke", "netlib-lapack"),
    "libnlopt-dev": ("nlopt", "nlopt"), "libnlopt-cxx-dev": ("nlopt", "nlopt"), "libhdf5-dev": ("hdf5", "hdf5"), "libpng-dev": ("libpng", "libpng"),
    "libyaml-cpp-dev": ("yaml-cpp", "yaml-cpp"), "libxc-dev": ("libxc-c", "libxc"), "gemmi-dev": ("gemmi", "gemmi"), "tao-pegtl-dev": ("pegtl", "pegtl"),
    "libboost-dev": ("libboost-devel", "boost"),
}
OTHERS = {"build-essential", "cmake", "ninja-build", "gfortran", "python3", "python3-dev", "python3-venv", "python3-h5py", "libgtest-dev", "libgmock-dev",
          "libbenchmark-dev"}


class Recipes(unittest.TestCase):
    def setUp(self):
        self.conda, self.spack = CONDA.read_text(), SPACK.read_text()
        self.cmake = (ROOT / "CMakeLists.txt").read_text()

    def test_version(self):
        version = re.search(r"project\(cudaprophet VERSION ([\d.]+)", self.cmake).group(1)
        self.assertIn(f"\n  version: {version}\n", self.conda)
        self.assertIn(f'    version("{version}")\n', self.spack)

    def test_libraries(self):
        packages = [line for line in (ROOT / "tools/packages").read_text().splitlines() if line and not line.startswith("#")]
        self.assertEqual(set(packages), set(NAMES) | OTHERS, "tools/packages has changed: say here what recipes call it, and add it to them")
        host = re.findall(r"^    - ([\w.-]+)", self.conda, re.M)
        spack = re.findall(r'depends_on\("([\w-]+)', self.spack)
        for debian, (conda, other) in NAMES.items():
            self.assertIn(conda, host, debian)
            self.assertIn(other, spack, debian)

    def test_least_versions(self):
        cmake = re.search(r"cmake_minimum_required\(VERSION ([\d.]+)", self.cmake).group(1)
        self.assertIn(f"cmake >={cmake}", self.conda)
        self.assertIn(f"cmake@{cmake}:", self.spack)
        project = (ROOT / "pyproject.toml").read_text()
        for name in ("scikit-build-core", "nanobind", "numpy"):
            least = re.search(rf'"{name}(>=[\d.]+)"', project).group(1)
            self.assertIn(f"{name} {least}", self.conda)

    def test_options_of_spack_are_those_of_cmake(self):
        ast.parse(self.spack)
        text = "\n".join(path.read_text() for path in [ROOT / "CMakeLists.txt", *(ROOT / "cmake").glob("*.cmake")])
        named = set(re.findall(r'"PROPHET_(\w+)"', self.spack)) | {word.upper() for word in re.findall(r'variant\("(\w+)"', self.spack)} | {"CUDA"}
        for name in named:
            self.assertRegex(text, rf"PROPHET_{name}\b")


if __name__ == "__main__":
    unittest.main()
