#include "frontends/app/plot_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "core/common/csv.hpp"
#include "core/common/failure.hpp"
#include "core/common/files.hpp"
#include "frontends/app/environment.hpp"
#include "frontends/app/output_stream.hpp"
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
    "installed for, otherwise by the first python3 in PATH.\n\n";

// plot/pictures.csv of the Python package: kinds of pictures, and options.
constexpr const char* kPictures =
#include "frontends/app/pictures.inc"
    ;

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

struct PlotRow {
  std::string name, takes, usual, text;
};

/// Kinds of pictures, or the options.
std::vector<PlotRow> plotRows(bool options) {
  std::vector<PlotRow> rows;
  for (const CsvRow& row : parseCsv(kPictures))
    if (const auto& f = row.fields; f[0] != "name" && f[0].starts_with("--") == options)
      rows.push_back({options ? f[0].substr(2) : f[0], f[1], f[2], f[3]});
  return rows;
}

std::string helpOfPlot() {
  std::string kinds;
  for (const PlotRow& kind : plotRows(false))
    kinds += fmt::format("{}  {}: {}", kinds.empty() ? "" : ";\n", kind.name, kind.text);
  po::options_description options("Options", 100);
  options.add_options()("help,h", "print this text");
  for (const PlotRow& o : plotRows(true)) {
    const std::string name = o.name == "out" ? "out,o" : o.name;
    const std::string text = o.text + (o.usual.empty() ? "" : fmt::format(" (default: {})", o.usual));
    if (o.takes.empty())
      options.add_options()(name.c_str(), text.c_str());
    else
      options.add_options()(name.c_str(), po::value<std::string>()->value_name(o.takes), text.c_str());
  }
  std::ostringstream text;
  text << kUsageOfPlot << "Kinds:\n" << kinds << ".\n\n" << options;
  return text.str();
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
    print(helpOfPlot());
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
