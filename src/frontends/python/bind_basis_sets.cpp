#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <sstream>

#include "atoms/basis/library.hpp"
#include "bases/formats/exchange_formats.hpp"
#include "core/common/error.hpp"
#include "core/common/files.hpp"
#include "frontends/python/bindings.hpp"
#include "operations/jobs/basis_source.hpp"

namespace prophet::python {

nb::dict ladderDict(const WellTemperedSpec& spec) {
  nb::list groups;
  for (const WellTemperedParameters& p : spec.groups)
    groups.append(nb::make_tuple(p.alpha, p.beta, p.delta, p.gamma));
  nb::dict d;
  d["groups"] = groups;
  d["functions"] = spec.functions;
  d["start"] = spec.start;
  d["group"] = spec.group;
  d["shared"] = spec.pool == LadderPool::Shared;
  return d;
}

namespace {

nb::list exponentList(const BasisSet& basis) {
  nb::list list;
  for (const SymmetryBasis& s : basis.symmetries) list.append(nb::cast(s.exponents));
  return list;
}

nb::dict entryDict(const LibraryEntry& entry) {
  nb::dict d;
  d["z"] = entry.z;
  d["name"] = entry.library;
  d["configuration"] = entry.configuration;
  d["nucleus"] = nameOf(entry.nuclearModel);
  d["comment"] = entry.comment;
  d["ladder"] = ladderDict(entry.spec);
  d["exponents"] = exponentList(makeBasis(entry));
  const BasisProvenance& p = entry.provenance;
  nb::dict from;
  from["source"] = p.source;
  from["program"] = p.program;
  from["date"] = p.date;
  from["energy"] = p.energy ? nb::cast(*p.energy) : nb::none();
  from["limit"] = p.limit ? nb::cast(*p.limit) : nb::none();
  from["error"] = p.error ? nb::cast(*p.error) : nb::none();
  from["speed_of_light"] = p.speedOfLight ? nb::cast(*p.speedOfLight) : nb::none();
  d["provenance"] = from;
  return d;
}

/// What an input file says of the size of its nucleus, as keywords of $nuc.
nb::dict sizeOf(const NucleusRequest& nucleus) {
  nb::dict d;
  const auto put = [&](const char* keyword, const std::optional<double>& value) {
    if (value) d[keyword] = *value;
  };
  put("rnuc", nucleus.radius);
  put("alpha", nucleus.exponent);
  put("mass", nucleus.massNumber);
  put("rms", nucleus.rmsFemtometres);
  put("skin", nucleus.skinFemtometres);
  if (nucleus.measuredRadius) d["rnuc"] = "experimental";
  return d;
}

/// The sets of a file, or that of one element (0: all), with the nucleus that they mean; those of this
/// program's .basis files with their ladder and provenance.
nb::list readFileOfSets(const std::string& file, int element, const std::string& format) {
  nb::list list;
  const BasisFileSets found = readBasisSets(file, element, format);
  if (found.format == kOwnFormat) {
    std::istringstream in(readFile(file));
    list.append(entryDict(readBasisFile(in, file)));
    return list;
  }
  for (const auto& [z, basis] : found.sets) {
    nb::dict d;
    d["z"] = z;
    d["name"] = found.lists.at(z).name;
    d["comment"] = found.lists.at(z).reference;
    d["exponents"] = exponentList(basis);
    d["nucleus"] = nameOf(found.modelOf(z));
    if (const auto size = found.sizes.find(z); size != found.sizes.end())
      d["nucleus_size"] = sizeOf(size->second);
    list.append(d);
  }
  return list;
}

/// Element, name of the collection, reference, exponents of each symmetry.
using PlainSet = std::tuple<int, std::string, std::string, std::vector<std::vector<double>>>;

std::string writeSets(const std::vector<PlainSet>& sets, const std::string& format) {
  std::vector<ElementBasis> list;
  for (const auto& [z, name, reference, exponents] : sets) {
    BasisSet basis;
    for (std::size_t a = 0; a < exponents.size(); ++a)
      basis.symmetries.push_back({Symmetry::fromIndex(static_cast<int>(a)), exponents[a]});
    list.push_back(elementBasis(z, name, reference, basis));
  }
  return writeBasis(list, basisFormatOf(format));
}

using LadderTuple = std::tuple<std::vector<std::tuple<double, double, double, double>>, std::vector<int>,
                               std::vector<int>, std::vector<int>, bool>;

WellTemperedSpec specOf(const LadderTuple& ladder) {
  const auto& [groups, functions, start, group, shared] = ladder;
  WellTemperedSpec spec;
  for (const auto& [alpha, beta, delta, gamma] : groups) spec.groups.push_back({alpha, beta, delta, gamma});
  spec.functions = functions;
  spec.start = start;
  spec.group = group;
  spec.pool = shared ? LadderPool::Shared : LadderPool::Symmetry;
  return spec;
}

/// The text of a library file.
std::string ownFileText(int z, const std::string& name, const std::string& configuration,
                        const std::string& model, const LadderTuple& ladder, const std::string& source,
                        std::optional<double> energy, std::optional<double> limit) {
  LibraryEntry entry;
  entry.z = z;
  entry.library = name;
  entry.configuration = configuration;
  const auto known = nuclearModelNamed(model);
  if (!known) throw Error("there is no nuclear model '" + model + "'");
  entry.nuclearModel = *known;
  entry.spec = specOf(ladder);
  entry.provenance.source = source;
  entry.provenance.energy = energy;
  entry.provenance.limit = limit;
  if (energy && limit) entry.provenance.error = (*energy - *limit) / std::abs(*limit);
  return libraryFileText(entry);
}

}  // namespace

void bindBasisSets(nb::module_& m) {
  m.def(
      "library_set",
      [](int z, const std::string& collection,
         const std::filesystem::path& folder) -> std::optional<nb::dict> {
        const auto entry = readLibraryEntry(z, collection, folder);
        if (!entry) return std::nullopt;
        return entryDict(*entry);
      },
      nb::arg("z"), nb::arg("collection"), nb::arg("folder"), "A set of the library; None if there is none.");
  m.def("basis_set_folder", &basisSetFolder, nb::arg("folder"));
  m.def("nucleus_of_own_functions",
        [] { return nameOf(defaultNuclearModel(BasisType::ReadIn, JobType::Energy)); });
  m.def("read_sets", &readFileOfSets, nb::arg("file"), nb::arg("element"), nb::arg("format"));
  m.def("write_sets", &writeSets, nb::arg("sets"), nb::arg("format"));
  m.def(
      "ladder_exponents",
      [](const LadderTuple& ladder) { return exponentList(makeWellTempered(specOf(ladder))); },
      nb::arg("ladder"), "Of (groups, functions, start, group, shared): the exponents of each symmetry.");
  m.def("own_file_text", &ownFileText, nb::arg("z"), nb::arg("name"), nb::arg("configuration"),
        nb::arg("model"), nb::arg("ladder"), nb::arg("source"), nb::arg("energy").none(),
        nb::arg("limit").none());
  m.def(
      "write_file", [](const std::string& path, const std::string& text) { writeFileAtomically(path, text); },
      nb::arg("path"), nb::arg("text"));
}

}  // namespace prophet::python
