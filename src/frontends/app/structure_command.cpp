#include "frontends/app/structure_command.hpp"

#include <fmt/format.h>

#include <boost/program_options.hpp>
#include <filesystem>
#include <sstream>

#include "core/common/number.hpp"
#include "core/common/text.hpp"
#include "frontends/app/command_files.hpp"
#include "frontends/app/exit_status.hpp"
#include "frontends/app/matter_options.hpp"
#include "frontends/app/parse_options.hpp"
#include "frontends/app/print.hpp"
#include "frontends/app/usage_error.hpp"
#include "matter/structure/disturb.hpp"
#include "matter/structure/frames.hpp"
#include "matter/structure/lattices.hpp"
#include "matter/structure/shapes.hpp"
#include "matter/structure/xyz.hpp"

namespace prophet {
namespace {

namespace po = boost::program_options;

po::options_description structureOptions() {
  po::options_description options("Options");
  // clang-format off
  options.add_options()
      ("help,h", "print this text")
      ("shape", po::value<std::string>()->value_name("SHAPE"), "sphere:DIAMETER, cube:EDGE, rod:DIAMETER:LENGTH (angstrom) or cells:A,B,C, a periodic block (default: the cell)")
      ("vacancies", po::value<std::string>()->value_name("FRACTION"), "fraction of atoms to take away, of all or of one kind: 0.01, O=0.05")
      ("strain", po::value<std::string>()->value_name("NUMBER"), "relative change of lengths: 0.01, or along x, y, z: 0.01,0,-0.01")
      ("displace", po::value<std::string>()->value_name("LENGTH"), "standard deviation of random displacements along each axis, angstrom")
      ("seed", po::value<unsigned long>()->value_name("N")->default_value(1), "of random numbers: the same seed gives the same atoms")
      ("out,o", po::value<std::string>()->value_name("FILE"), "write extended XYZ to this file instead of standard output");
  // clang-format on
  return options;
}

std::string helpText(const po::options_description& options) {
  std::ostringstream text;
  text << "usage: cudaprophet structure CRYSTAL [--shape SHAPE] [options]\n\n"
          "Cuts particles from a crystal, a centre on its first atom, and writes them as XYZ. CRYSTAL: a CIF "
          "or\n"
          "extended XYZ file, a lattice such as rocksalt:Co,O:4.26 (sc, bcc, fcc, diamond, rocksalt, cscl, "
          "zincblende,\n"
          "fluorite), or one of\n  ";
  for (const auto& name : latticeNames()) text << name << (name == latticeNames().back() ? ".\n\n" : "; ");
  text << options;
  return text.str();
}

Eigen::Vector3d strains(const std::string& text) {
  const auto parts = split(text, ',');
  Eigen::Vector3d values;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto value = parts.size() == 3 || parts.size() == 1
                           ? parseDouble(trimmed(parts[parts.size() == 1 ? 0 : i]))
                           : std::nullopt;
    if (!value) throw UsageError("--strain takes one number, or three with commas, not '" + text + "'");
    values(static_cast<int>(i)) = *value;
  }
  return values;
}

void vacate(Structure& s, const std::string& text, std::uint64_t seed) {
  if (text.find('=') != std::string::npos) {
    for (const auto& [kind, fraction] : parseKindNumbers(text, "--vacancies"))
      removeAtoms(s, fraction, kind, seed);
    return;
  }
  const auto fraction = parseDouble(trimmed(text));
  if (!fraction) throw UsageError("--vacancies takes a fraction, or ATOM=FRACTION, not '" + text + "'");
  removeAtoms(s, *fraction, "", seed);
}

Structure crystalOf(const std::string& word) {
  return std::filesystem::exists(word) ? readStructure(word) : namedLattice(word);
}

}  // namespace

int structureCommand(const std::vector<std::string>& arguments) {
  const po::options_description options = structureOptions();
  const po::variables_map values = parseOptions(arguments, options, "crystal", "cudaprophet structure");
  if (values.count("help")) {
    print(helpText(options));
    return kSuccess;
  }
  const auto words =
      values.count("crystal") ? values["crystal"].as<std::vector<std::string>>() : std::vector<std::string>{};
  if (words.size() != 1)
    throw UsageError(
        "structure takes one crystal, a file or a name such as CoO; 'cudaprophet structure --help' tells "
        "more");
  CommandFiles files;
  files.readsIfThere(words[0]);
  const std::string out = files.output(values, "out");
  files.open();
  const auto textOf = [&](const char* option) { return values[option].as<std::string>(); };
  const std::uint64_t seed = values["seed"].as<unsigned long>();
  Structure s;
  try {
    s = crystalOf(words[0]);
    if (values.count("shape")) s = cutShape(s, parseShape(textOf("shape")));
    if (values.count("vacancies")) vacate(s, textOf("vacancies"), seed);
    if (values.count("strain")) strain(s, strains(textOf("strain")));
    if (values.count("displace")) displace(s, numberOption(values, "displace", 0, true, 1e4), seed + 1);
  } catch (const StructureError&) {
    throw;
  } catch (const UsageError&) {
    throw;
  } catch (const Error& e) {
    throw UsageError(e.what());
  }
  s.title = wordsOfComment(s.title);
  if (values.count("shape")) s.title += (s.title.empty() ? "" : ", ") + textOf("shape");
  const std::string text = xyzText(s);
  printWarnings(s.warnings);
  if (!out.empty()) {
    files.write(out, text);
  } else {
    print(text);
  }
  return kSuccess;
}

}  // namespace prophet
