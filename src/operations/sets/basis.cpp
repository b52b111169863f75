#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "atoms/atom/elements.hpp"
#include "atoms/basis/collection_names.hpp"
#include "atoms/basis/library.hpp"
#include "bases/collections/collection.hpp"
#include "bases/formats/basis_commands.hpp"
#include "core/common/files.hpp"
#include "core/common/text.hpp"
#include "operations/catalogue/catalogue.hpp"
#include "operations/catalogue/setting_values.hpp"
#include "operations/sets/basis_contraction.hpp"
#include "operations/sets/basis_export.hpp"

namespace prophet {
namespace {

std::string whatIsWritten() {
  return " ELEMENTS: symbols or charges, 'Rn', '86', '1-10,18'. FILE: a basis set as " + basisFormatList() +
         ", or an input file (.inp, .best) with exponents or ladders.";
}

struct BasisRequest {
  std::string file, library, other, from, format, out;
  std::vector<int> elements;  ///< of the library, or of the file (empty: all)
  std::vector<std::string> with, without;
  std::optional<SharedLists> shared;
  BasisContraction contraction;
  std::optional<NaturalChoice> natural;
  std::vector<AveragedState> states{{}};
  bool allElectrons = false;
};

using Rows = RequestTable<BasisRequest>;

void addLibrary(Rows& t) {
  t.add("basis", &BasisRequest::library, "collection")
      .called("NAME")
      .alias("library")
      .byDefault("the default collection; for exports to other programs prophet-l, with one list for each l");
}

void addElements(Rows& t) {
  addElementsRow(t, "symbols or charges, 'Rn', '86', '1-10,18'", "ELEMENTS").asWord().mustBeGiven();
}

/// A word that names a file (element lists have neither points nor slashes) or elements of a collection.
void addSource(Rows& t) {
  t.add("what", ValueType::Any, "elements of a collection, or a file",
        [](BasisRequest& r, const Json& v) {
          if (v.is_string() && v.get<std::string>().find_first_of("./\\_") != std::string::npos)
            r.file = v;
          else
            r.elements = elementsFrom(v);
        })
      .called("ELEMENTS or FILE")
      .isFile(FileUse::ReadIfThere)
      .asWord()
      .mustBeGiven();
}

void addFileSettings(Rows& t) {
  t.add("from", &BasisRequest::from,
        fmt::format("{} or inp: format of a file", fmt::join(basisFormatNames(), ", ")))
      .called("NAME")
      .byDefault("recognised by its content");
  t.add("element", ValueType::Any, "elements to take from a file",
        [](BasisRequest& r, const Json& v) {
          if (!r.elements.empty()) throw Error("belongs to files");
          r.elements = elementsFrom(v);
        })
      .called("LIST")
      .byDefault("all");
  t.add("shared", ValueType::Text,
        "how the lists for l-1/2 and l+1/2 become one in the formats of other programs: every exponent, or "
        "close neighbours averaged",
        [](BasisRequest& r, const Json& v) {
          r.shared = v == "all" ? SharedLists::All : SharedLists::Average;
        })
      .oneOf({"all", "average"})
      .byDefault("all; average for contractions");
  t.add("out", &BasisRequest::out, "write to this file instead of standard output")
      .called("FILE")
      .alias("o")
      .alias("output")
      .isFile(FileUse::Write);
  t.afterwards([](const BasisRequest& r) {
    if (r.file.empty() && !r.from.empty()) throw SettingError("from", "belongs to files");
    if (r.shared && (r.format.empty() || r.format == kOwnFormat))
      throw SettingError("shared",
                         "belongs to the formats of other programs; the .basis format has every list");
  });
}

std::vector<std::string> groupNames(const BasisRequest& r, const Json& v) {
  if (r.format.empty() || r.format == kOwnFormat)
    throw Error("belongs to the formats of other programs; the .basis format keeps groups separate");
  const auto names = v.is_array() ? v.get<std::vector<std::string>>() : split(v.get<std::string>(), ',');
  for (const std::string& name : names)
    if (std::ranges::find(kFunctionGroups, name) == std::end(kFunctionGroups))
      throw Error(fmt::format("found '{}'; expected {}", name, fmt::join(kFunctionGroups, " or ")));
  return names;
}

bool isOnRequest(const std::string& name) {
  return std::ranges::find(kGroupsOnRequest, name) != std::end(kGroupsOnRequest);
}

/// What an export leaves out: functions on request unless they are asked for.
std::vector<std::string> leftOut(const BasisRequest& r) {
  std::vector<std::string> names = r.without;
  for (const char* name : kGroupsOnRequest)
    if (std::ranges::find(r.with, name) == r.with.end()) names.push_back(name);
  return names;
}

void addFormat(Rows& t) {
  t.add("format", &BasisRequest::format, "format to write; json is that of the Basis Set Exchange")
      .oneOf(basisFormatNames())
      .byDefault(kOwnFormat);
  t.add("without", ValueType::Any,
        "groups of functions that an export to other programs omits: polarisation, correlation or both, "
        "separated by a comma",
        [](BasisRequest& r, const Json& v) { r.without = groupNames(r, v); })
      .called("NAME");
  t.add(
       "with", ValueType::Any,
       "groups of functions that an export to other programs has only then: core, for the correlation of the "
       "outer core with the valence, diffuse, for negative ions and polarisabilities, core-density, for "
       "hyperfine constants and shieldings, or several, separated by commas",
       [](BasisRequest& r, const Json& v) { r.with = groupNames(r, v); })
      .called("NAME");
  t.afterwards([](const BasisRequest& r) {
    for (const std::string& name : r.with) {
      if (!isOnRequest(name))
        throw SettingError("with", fmt::format("'{}' is written in any case; only {} have to be named", name,
                                               fmt::join(kGroupsOnRequest, ", ")));
      if (std::ranges::find(r.without, name) != r.without.end())
        throw SettingError("with", fmt::format("'{}' is in 'without' too", name));
    }
  });
}

BasisFileSets setsOf(const BasisRequest& r) {
  return readBasisSets(r.file, r.elements.size() == 1 ? r.elements.front() : 0, r.from);
}

/// Text for the file or the report.
Record written(const BasisRequest& r, const ExportedBasis& exported, const Execution& execution) {
  Record record;
  record.title = "Basis sets";
  record.quantities.push_back({"text", "", exported.text});
  record.warn("basis", exported.remarks);
  record.report = exported.text;
  record.printsTable = true;
  if (!r.out.empty()) execution.write(r.out, exported.text);
  return record;
}

/// Files of our own format hold one element each: several go into a folder.
Record exportBasis(const BasisRequest& r, const Execution& execution) {
  const BasisExport how{basisFormatOf(r.format.empty() ? kOwnFormat : r.format),
                        r.shared.value_or(SharedLists::All), timeNow(), leftOut(r)};
  if (r.file.empty())
    return written(r, exportLibrary(r.elements, r.library, how, execution.basisSets), execution);
  const BasisFileSets sets = setsOf(r);
  const std::filesystem::path folder = r.out;
  const bool several = (r.elements.empty() ? sets.sets.size() : r.elements.size()) > 1;
  const bool inFolder = how.format == kOwnFormat && !r.out.empty() && several;
  const ExportedBasis exported =
      exportFile(sets, r.elements, how, inFolder ? folder.filename().string() : "imported");
  if (!inFolder && exported.files.size() > 1)
    throw SettingError("out",
                       "the .basis format has one file for each element: name a folder, or one element");
  if (!inFolder) return written(r, exported, execution);
  std::filesystem::create_directories(folder);
  for (const auto& [name, text] : exported.files) writeFileAtomically((folder / name).string(), text);
  BasisRequest done = r;
  done.out.clear();
  return written(done, exported, execution);
}

Record contractBasis(const BasisRequest& r, const Execution& execution) {
  BasisContraction contraction = r.contraction;
  contraction.natural = r.natural;
  if (contraction.natural) {
    contraction.natural->states = r.states;
    contraction.natural->allElectrons = r.allElectrons;
  }
  // Near-dependent lists have large coefficients that cancel.
  contraction.how = {basisFormatOf(r.format), r.shared.value_or(SharedLists::Average), timeNow()};
  return written(r,
                 r.file.empty() ? contractLibrary(r.elements, r.library, contraction, execution.basisSets)
                                : contractFile(setsOf(r), r.elements, contraction),
                 execution);
}

Record textRecord(const std::string& title, const std::string& text) {
  Record record;
  record.title = title;
  record.quantities.push_back({"text", "", text});
  record.report = text;
  return record;
}

Record showBasis(const BasisRequest& r, const Execution& execution) {
  std::string text;
  for (const int z : r.elements) text += basisShow(z, r.library, execution.basisSets);
  return textRecord("Basis sets of a collection", text);
}

struct CollectionInList {
  std::string name;
  std::vector<int> elements;
};

Table tableOfCollections(const std::vector<CollectionInList>& list, const char* table = "collections") {
  using C = const CollectionInList&;
  const auto range = [](C c) -> std::string {
    return c.elements.empty() ? "" : symbolOf(c.elements.front()) + " to " + symbolOf(c.elements.back());
  };
  return {table,
          {columnOf(list, {"name", "", "name of the collection, or of the file below the folder"},
                    [](C c) { return c.name; }),
           columnOf(list, {"elements", "1", "number of elements"},
                    [](C c) { return static_cast<int>(c.elements.size()); }),
           columnOf(list, {"range", "", "first and last element"}, range)},
          Table::Layout::Rows};
}

/// Files in the form of the Basis Set Exchange, beside the collections, which other programs read.
std::vector<CollectionInList> filesBeside(const std::filesystem::path& folder) {
  std::vector<CollectionInList> list;
  for (const auto& item : std::filesystem::recursive_directory_iterator(folder)) {
    if (!item.is_regular_file() || item.path().extension() != ".json") continue;
    CollectionInList file{item.path().lexically_relative(folder).generic_string(), {}};
    const Json text = Json::parse(readFile(item.path().string()), nullptr, false);
    if (!text.is_object() || !text.contains("elements")) continue;
    for (const auto& element : text["elements"].items()) file.elements.push_back(std::stoi(element.key()));
    std::ranges::sort(file.elements);
    list.push_back(std::move(file));
  }
  std::ranges::sort(list, {}, &CollectionInList::name);
  return list;
}

Record listCollections(const BasisRequest&, const Execution& execution) {
  const std::string folder = basisSetFolder(execution.basisSets).string();
  std::vector<CollectionInList> list;
  for (const std::string& name : collectionNames(execution.basisSets)) {
    std::vector<int> elements = libraryElements(name, execution.basisSets);
    if (!elements.empty()) list.push_back({name, std::move(elements)});
  }
  Record record;
  record.title = "Collections of basis sets, for --basis NAME";
  record.quantities.push_back({"folder", "folder", folder, folder});
  record.tables.push_back(tableOfCollections(list));
  record.tables.push_back(tableOfCollections(filesBeside(folder), "files"));
  return record;
}

Record compareBases(const BasisRequest& r, const Execution& execution) {
  return textRecord("Errors that the files of two collections state",
                    basisCompare(r.library, r.other, execution.basisSets));
}

Record tableOfBases(const BasisRequest& r, const Execution& execution) {
  const auto service = openEngine<EnergyService>(execution, true);
  Record record = textRecord("Errors of basis sets, computed",
                             resultsTable(r.file.empty() ? r.library : r.file, r.other, *service, r.elements,
                                          execution.basisSets, [&](std::size_t finished, std::size_t total) {
                                            execution.show({"energies", finished, total});
                                          }));
  pass(execution.checkpoint);
  record.device = service.device();
  record.warn("device", service->notes());
  return record;
}

Operation action(const char* name, const char* summary, const std::string& description,
                 const char* arguments) {
  Operation o;
  o.name = std::string("basis_") + name;
  o.command = std::string("basis ") + name;
  o.summary = summary;
  o.description = description;
  o.example = o.command + " " + arguments;
  o.onThreads = false;
  return o;
}

Operation listOperation() {
  Operation o =
      action("list", "the collections that there are",
             "Lists the collections of basis sets, for --basis NAME, with their elements, and the files "
             "beside them for other programs: contracted sets, potentials of atoms.",
             "");
  o.example = "basis list";
  o.tables = [] { return std::vector{tableOfCollections({}), tableOfCollections({}, "files")}; };
  return operationOf(std::move(o), Rows{}, listCollections);
}

Operation showOperation() {
  Rows t;
  addElements(t);
  addLibrary(t);
  return operationOf(action("show", "sets of a collection and what their files state",
                            "Prints the sets of a collection and what their files state.", "ELEMENTS"),
                     std::move(t), showBasis);
}

Operation exportOperation() {
  Rows t;
  addSource(t);
  addLibrary(t);
  addFormat(t);
  addFileSettings(t);
  return operationOf(action("export", "sets in the format of another program",
                            std::string("Writes sets in the format of another program.") + whatIsWritten(),
                            "ELEMENTS|FILE --format FORMAT"),
                     std::move(t), exportBasis);
}

Operation importOperation() {
  Rows t;
  t.add("file", &BasisRequest::file, "a basis set").called("FILE").asWord().mustBeGiven();
  addFormat(t);
  addFileSettings(t);
  return operationOf(action("import", "basis sets of other programs as .basis files",
                            std::string("Writes .basis files, the format of this program; several elements "
                                        "go into a folder (out), which $bas library='./FOLDER' uses.") +
                                whatIsWritten(),
                            "FILE [--element ELEMENTS] [--format FORMAT]"),
                     std::move(t), exportBasis);
}

Operation contractOperation() {
  using R = BasisRequest;
  Rows t;
  addSource(t);
  addLibrary(t);
  t.add("format", &R::format, "format to write; json is that of the Basis Set Exchange")
      .oneOf(exchangeFormatNames())
      .mustBeGiven();
  addFileSettings(t);
  using C = BasisContraction;
  t.add("hamiltonian", at(&R::contraction, &C::hamiltonian), wordsOf<OneElectronOperator>(),
        "Hamiltonian of the spinors that become contracted functions");
  t.add("nucleus", at(&R::contraction, &C::nucleus), wordsOf<NuclearModel>(), "nuclear model");
  t.add("per", at(&R::contraction, &C::per),
        Names<ContractionPer>{{"l", ContractionPer::L}, {"j", ContractionPer::J}},
        "one contracted function for both j, their mean, or one for each j");
  t.add("uncontract", at(&R::contraction, &C::uncontracted),
        "number of outermost primitives of each l that remain free in addition to the contracted functions")
      .from(0)
      .byDefault("0");
  t.add("natural", ValueType::Any,
        "natural functions of second order in addition to the occupied spinors: the contracted functions of "
        "each l, '4s3p2d1f', or the electrons that a function holds at least, '1e-4'",
        [](R& r, const Json& v) {
          r.natural = naturalChoice(v.is_string() ? v.get<std::string>() : v.dump());
        })
      .called("FUNCTIONS");
  t.add("states", ValueType::Any,
        "charges of the atoms whose densities natural functions are of, '0 1 -1', with weights '0:2 1 -1'; "
        "the "
        "neutral atom first",
        [](R& r, const Json& v) { r.states = averagedStates(listText(v)); })
      .called("CHARGES")
      .byDefault("0")
      .onlyWith({"natural"});
  t.add("electrons", &R::allElectrons, Names<bool>{{"valence", false}, {"all", true}},
        "which electrons are correlated for natural functions")
      .onlyWith({"natural"});
  return operationOf(
      action("contract", "sets contracted with an atom's spinors",
             std::string("Computes the neutral atom and writes its occupied spinors as contracted functions, "
                         "with natural also natural spinors of second order.") +
                 whatIsWritten(),
             "ELEMENTS|FILE --format FORMAT [--hamiltonian NAME] [--natural FUNCTIONS]"),
      std::move(t), contractBasis);
}

Operation compareBasesOperation() {
  Rows t;
  t.add("first", &BasisRequest::library, "a collection").called("LIBRARY").asWord().mustBeGiven();
  t.add("second", &BasisRequest::other, "another one").called("LIBRARY").asWord().mustBeGiven();
  Operation o = action("compare", "errors that two collections state",
                       "Prints the errors that the files of two collections state.", "LIBRARY LIBRARY");
  o.prints = "the table";
  return operationOf(std::move(o), std::move(t), compareBases);
}

Operation tableOperation() {
  Rows t;
  t.add("first", &BasisRequest::file, "a collection").called("LIBRARY").asOptionalWord();
  t.add("second", &BasisRequest::other, "a second collection, printed beside it")
      .called("LIBRARY")
      .asOptionalWord();
  addLibrary(t);
  addElementsRow(t, "elements of the table").byDefault("1-118");
  Operation o =
      action("table", "all energies of collections against their limits",
             "Computes all energies and compares them with the limits that the first collection states.",
             "[LIBRARY [LIBRARY]]");
  o.prints = "the table";
  o.onGpus = true;
  return operationOf(std::move(o), std::move(t), tableOfBases);
}

}  // namespace

std::vector<Operation> basisOperations() {
  return {listOperation(),   showOperation(),         exportOperation(), contractOperation(),
          importOperation(), compareBasesOperation(), tableOperation()};
}

}  // namespace prophet
