#include "operations/spectra/multiplet_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/common/error.hpp"
#include "core/common/unique_json.hpp"
#include "core/hdf5/hdf5_group.hpp"

namespace prophet {
namespace {

using OrderedJson = nlohmann::ordered_json;

void requireOneOfWholeShells(const LevelSpace& space) {
  if (space.configurations.size() != 1)
    throw Error("files of multiplet programs have one configuration each; name one");
  if (const Shell* s = openShellOfOneJ(space))
    throw Error("files of multiplet programs name whole shells; found '" + s->name() +
                "', which names one j");
}

std::string withElectrons(const Shell& s) { return fmt::format("{}{}", s.name(), s.electrons); }

/// Closer to what multiplet programs expect than the splitting of mean energies, and with less scatter
/// (docs/engineering/levels.md).
constexpr const char* kZeta = "zeta_radial";

double find(const std::vector<SlaterParameter>& parameters, const std::string& integral,
            const std::string& shells, int k) {
  for (const SlaterParameter& p : parameters)
    if (p.integral == integral && p.shells == shells && p.k == k) return p.value;
  return 0;
}

constexpr const char* kAtom = "atom";
constexpr const char* kShells = "configuration";

/// All shells with electrons: what names of open shells leave out.
std::string allShells(const LevelSpace& space) {
  std::vector<Shell> shells = space.configurations.front().shells;
  std::sort(shells.begin(), shells.end(),
            [](const Shell& a, const Shell& b) { return std::pair(a.n, a.l) < std::pair(b.n, b.l); });
  std::string text;
  for (const Shell& s : shells)
    if (s.electrons > 0) text += (text.empty() ? "" : " ") + withElectrons(s);
  return text;
}

/// Throws Error unless what the file has under a name is of the same atom and shells. Empty: it does not say.
void requireSame(const std::string& name, const std::string& thereAtom, const std::string& thereShells,
                 const std::string& atom, const std::string& shells) {
  if (thereAtom == atom && thereShells == shells) return;
  throw Error(fmt::format(
      "the file has a configuration {} already, {}; this one is of {}, {}: name another file, "
      "or remove that one",
      name,
      thereAtom.empty() ? "and does not say of which atom" : fmt::format("of {}, {}", thereAtom, thereShells),
      atom, shells));
}

/// The result files of this program are of another kind; so are files with anything but configurations.
void requireParameters(const hdf5::Group& root) {
  for (const std::string& name : root.names())
    if (name.find_first_of("123456789") != 0 || !root.isGroup(name))
      throw Error(
          fmt::format("'{}' in the file that is there is no configuration of a file for Quanty; name "
                      "another file",
                      name));
}

}  // namespace

std::string quantyFile(const std::string& atom, const LevelSpace& space, const std::vector<Shell>& shells,
                       const std::vector<SlaterParameter>& parameters, const std::string& before) {
  requireOneOfWholeShells(space);
  std::string name;
  std::vector<std::string> open;
  for (const Shell& s : shells) {
    name += (name.empty() ? "" : ",") + withElectrons(s);
    open.push_back(s.name());
  }
  const auto isOpen = [&](const std::string& pair) {
    const std::size_t comma = pair.find(',');
    const auto has = [&](const std::string& shell) {
      return std::find(open.begin(), open.end(), shell) != open.end();
    };
    return has(pair.substr(0, comma)) && (comma == std::string::npos || has(pair.substr(comma + 1)));
  };
  const auto locked = hdf5::lock();
  hdf5::File file = before.empty() ? hdf5::File() : hdf5::File(before);
  hdf5::Group root = file.root();
  requireParameters(root);
  if (root.has(name)) {
    const hdf5::Group there = root.open(name);
    const auto said = [&](const char* key) { return there.hasAttribute(key) ? there.text(key) : ""; };
    requireSame(name, said(kAtom), said(kShells), atom, allShells(space));
    root.remove(name);
  }
  hdf5::Group configuration = root.create(name);
  configuration.set(kAtom, atom);
  configuration.set(kShells, allShells(space));
  hdf5::Group atomic = configuration.create("Atomic");
  for (const SlaterParameter& p : parameters) {
    if (!isOpen(p.shells)) continue;
    const bool within = p.shells.substr(0, p.shells.find(',')) == p.shells.substr(p.shells.find(',') + 1);
    if (p.integral == kZeta) {
      atomic.writeNumber(fmt::format("zeta({})", p.shells), p.value);
    } else if ((p.integral == "F" && p.k > 0 && (!within || p.shells.starts_with(open.back()))) ||
               p.integral == "G") {
      atomic.writeNumber(fmt::format("{}{}({})", p.integral, p.k, p.shells), p.value);
    }
  }
  return file.image();
}

std::string edrixsFile(const std::string& atom, const LevelSpace& space, const std::vector<Shell>& open,
                       const std::vector<SlaterParameter>& parameters, const std::string& before) {
  requireOneOfWholeShells(space);
  if (open.size() > 2)
    throw Error("EDRIXS has a valence shell and a core shell; the configuration has more open shells");
  const Shell& valence = open.back();
  std::string name = withElectrons(valence);
  std::vector<double> slater{0}, zeta{find(parameters, kZeta, valence.name(), 0)};
  const std::string within = valence.name() + "," + valence.name();
  for (int k = 2; k <= 2 * valence.l; k += 2) slater.push_back(find(parameters, "F", within, k));
  if (open.size() == 2) {
    const Shell& core = open.front();
    name += "_" + withElectrons(core);
    const std::string both = core.name() + "," + valence.name();
    slater.push_back(0);
    for (int k = 2; k <= 2 * std::min(core.l, valence.l); k += 2)
      slater.push_back(find(parameters, "F", both, k));
    for (int k = std::abs(valence.l - core.l); k <= valence.l + core.l; k += 2)
      slater.push_back(find(parameters, "G", both, k));
    zeta.push_back(find(parameters, kZeta, core.name(), 0));
  }
  OrderedJson json = before.empty() ? OrderedJson::object() : uniqueJson<OrderedJson>(before);
  if (!json.is_object()) throw Error("what is there already is no JSON object");
  for (const auto& [there, its] : json.items())
    if (!its.is_object() || !its.contains("slater") || !its.contains("soc"))
      throw Error(
          fmt::format("'{}' in the file that is there is no configuration of a file for EDRIXS; name "
                      "another file",
                      there));
  const auto said = [&](const char* key) { return json[name].value(key, OrderedJson("")); };
  if (json.contains(name)) {
    const OrderedJson itsAtom = said(kAtom), itsShells = said(kShells);
    requireSame(name, itsAtom.is_string() ? itsAtom.get<std::string>() : "",
                itsShells.is_string() ? itsShells.get<std::string>() : "", atom, allShells(space));
  }
  json[name] = {{"slater", slater}, {"soc", zeta}, {kAtom, atom}, {kShells, allShells(space)}};
  return json.dump(1) + "\n";
}

}  // namespace prophet
