#include "frontends/app/plot_command.hpp"

#include <unistd.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "core/common/failure.hpp"
#include "core/common/files.hpp"
#include "frontends/app/environment.hpp"
#include "frontends/app/print.hpp"
#include "frontends/app/usage_error.hpp"

namespace prophet {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

constexpr const char* kUsageOfPlot =
    "usage: cudaprophet plot FILE [options]\n"
    "       cudaprophet plot KIND WHAT... [options]\n\n"
    "Draws a picture as PNG, SVG or PDF. FILE is a file that this program wrote: JSON, CSV or HDF5.\n"
    "Its picture is the usual one of the operation, or the one that KIND names. WHAT is atoms such as\n"
    "Rn, 86 or Fe3+, which are computed, files, or collections of basis sets. The pictures are drawn by\n"
    "Python 3.9 or later with the package cudaprophet and matplotlib: by the Python that the package is\n"
    "installed for, otherwise by the first python3 in PATH.\n\n"
    "Kinds:\n"
    "  audit: errors of basis sets across the periodic table, of 'cudaprophet basis audit';\n"
    "  chain: errors of the sets that a chain computes for an atom;\n"
    "  convergence: iterations of the self-consistent field of an atom;\n"
    "  density: radial density of one atom by shells, or of several atoms;\n"
    "  differences: differences of energies, of 'cudaprophet compare';\n"
    "  distribution: pair distributions or structure factors, of 'cudaprophet pairs';\n"
    "  errors: errors of the sets of collections, or of tier, chain and validate;\n"
    "  exponents: exponents of a collection across the periodic table;\n"
    "  formfactor: X-ray form factors of atoms, or of 'cudaprophet formfactor';\n"
    "  formfactor-differences: differences of fits to X-ray form factors;\n"
    "  image: detector image or map of intensities, of 'cudaprophet shape';\n"
    "  levels: levels as a Grotrian diagram, of 'cudaprophet levels' or 'cudaprophet lines';\n"
    "  madelung: potentials at the sites of a crystal, of 'cudaprophet madelung';\n"
    "  magnetic: magnetic form factors with the errors of their fits, of 'cudaprophet tables';\n"
    "  pattern: powder patterns, of 'cudaprophet powder';\n"
    "  profiles: Compton profiles of subshells, of 'cudaprophet tables';\n"
    "  scattering: incoherent scattering functions, of 'cudaprophet tables';\n"
    "  search: energies of an optimisation, of its state FILE.inp.bsopt;\n"
    "  shape: intensity of shapes against |q|, of 'cudaprophet shape';\n"
    "  slater: Slater integrals and spin-orbit parameters, of 'cudaprophet slater';\n"
    "  spectrum: spectrum of an ion in emission or absorption, of 'cudaprophet lines';\n"
    "  spinor-energies: energies of the spinors of atoms;\n"
    "  spinors: large and small components of the spinors of an atom;\n"
    "  structure: atoms seen along an axis, of 'cudaprophet structure', extended XYZ or CIF;\n"
    "  subshells: the first table of 'cudaprophet tables' that has a picture;\n"
    "  trends: ionisation energies, radii or errors across the table, of 'cudaprophet batch'.\n\n";

// `python3 -m cudaprophet` would answer a missing package with a line of Python's own. The working folder is
// no place for packages: it may hold the sources of this one.
constexpr const char* kBeginning = R"(import sys
sys.path = [folder for folder in sys.path if folder]
try:
    from cudaprophet.__main__ import main
except ImportError as missing:
    print(f"cudaprophet: error: plot needs the Python package cudaprophet with numpy and matplotlib, and {sys.executable} "
          f"does not find it: {missing}; install it for this Python ('pip install .[plot]' in the sources), or name the "
          "folder that holds it in PYTHONPATH", file=sys.stderr)
    sys.exit(1)
sys.exit(main(sys.argv[1:], "cudaprophet"))
)";

po::options_description optionsOfPlot() {
  po::options_description options("Options", 100);
  const auto value = [](const char* name) { return po::value<std::string>()->value_name(name); };
  options.add_options()("help,h", "print this text")("out,o", value("FILE"),
                                                     "file.png, file.svg or file.pdf (default: KIND.png)")(
      "limit", "atoms at the numerical limit instead of in a basis set")(
      "spinor", value("LABEL"),
      "which spinor, 6p3/2; several times for several (default: the outermost ones)")(
      "threshold", value("NUMBER"), "of a chain (default: 1e-6)")(
      "quantity", value("NAME"),
      "ionisation, affinity, radius, binding, error, energy or functions: what trends are shown of")(
      "highest", value("NUMBER"), "largest excitation energy of levels, cm^-1")(
      "experiment", value("FILE"),
      "measured levels beside the computed ones: CSV with columns J, parity, energy (cm^-1)")(
      "lines", "draw the strongest lines between levels, of a file of 'cudaprophet lines'")(
      "over", value("NAME"),
      "what a spectrum is drawn over: wavelength (in vacuum), air, energy or wavenumber (default: "
      "wavelength)")("span", value("LIST"), "both ends of that axis, 1.2:1.8, in nm, eV or 1/cm")(
      "absorption", "the spectrum in absorption instead of emission")(
      "types", value("LIST"), "types of lines of a spectrum, 'E1 M1' (default: all)")(
      "temperature", value("NUMBER"),
      "K of the populations of levels (default: all levels equally populated; in absorption the lowest "
      "level)")("power", "emission in eV instead of photons")(
      "stimulated", "absorption less stimulated emission at the temperature")(
      "fwhm", value("NUMBER"), "full width at half maximum of a Gaussian, in the unit of the axis")(
      "lorentz", value("NUMBER"), "full width at half maximum of a Lorentzian, in the unit of the axis")(
      "natural", "add the natural widths to the Lorentzian")(
      "doppler", value("NUMBER"), "add the Doppler width at this temperature, K, to the Gaussian")(
      "axis", value("NAME"), "x, y or z, along which a structure is seen (default: z)")(
      "title", value("TEXT"), "instead of the usual title")(
      "colours", value("LIST"), "names or #rrggbb with commas between them; of an image a colour map")(
      "no-legend", "draw no legend");
  return options;
}

/// The folder to look for the package in that lies beside the program in its build or where it is installed,
/// or that the program lies in; empty: Python knows where it is, or nobody.
fs::path packageFolder(const fs::path& programs) {
  std::error_code none;
  for (const char* place : {"python", "../..", "../lib/cudaprophet/python", "../share/cudaprophet/python",
                            "../lib/python3/dist-packages"}) {
    const fs::path folder = fs::canonical(programs / place, none);
    if (!folder.empty() && fs::exists(folder / "cudaprophet" / "__main__.py", none)) return folder;
  }
  return {};
}

/// The Python of the build, the one that the package's folder belongs to (lib/python3.11/site-packages), or
/// that of the virtual environment that the program lies in; else the name, to be found in PATH.
std::string pythonFor(const fs::path& programs, const fs::path& package) {
  std::error_code none;
  const auto exists = [&](const fs::path& file) { return fs::exists(file, none); };
  if (const fs::path built = programs / "python-environment/bin/python";
      exists(built) && exists(programs / "python"))
    return built;
  if (const std::string name = package.parent_path().filename(); name.rfind("python3", 0) == 0) {
    const fs::path own = package.parent_path().parent_path().parent_path() / "bin" / name;
    return exists(own) ? own.string() : name;
  }
  if (exists(programs / "../pyvenv.cfg") && exists(programs / "python3")) return programs / "python3";
  return "python3";
}

}  // namespace

int plotCommand(const std::vector<std::string>& arguments) {
  if (std::any_of(arguments.begin(), arguments.end(),
                  [](const std::string& word) { return word == "--help" || word == "-h"; })) {
    std::ostringstream text;
    text << kUsageOfPlot << optionsOfPlot();
    print(text.str());
    return 0;
  }
  if (arguments.empty())
    throw UsageError(
        "plot: expected a file or a kind of picture, as in 'cudaprophet plot density Rn'; "
        "'cudaprophet plot --help' lists the kinds");
  const fs::path programs = ownFile().parent_path();
  const fs::path folder = packageFolder(programs);
  if (!folder.empty()) {
    const std::string others = environment::pythonPath();
    ::setenv("PYTHONPATH", (folder.string() + (others.empty() ? "" : ":" + others)).c_str(), 1);
  }
  std::vector<std::string> words{pythonFor(programs, folder), "-c", kBeginning, "plot"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execvp(pointers[0], pointers.data());
  throw FailureError("plot needs Python 3.9 or later: cannot run '" + words[0] +
                     "': " + std::strerror(errno) +
                     "; install it (Debian: apt-get install python3) or put it in PATH");
}

}  // namespace prophet
