#include "operations/tables/tables_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "atoms/atom/shell_list.hpp"
#include "atoms/properties/properties.hpp"
#include "atoms/subshells/compton_profile.hpp"
#include "core/common/constants.hpp"
#include "core/common/csv.hpp"
#include "core/common/listed_words.hpp"
#include "core/common/text.hpp"
#include "core/hdf5/hdf5_group.hpp"
#include "operations/catalogue/setting_values.hpp"
#include "operations/energies/batch_jobs.hpp"
#include "operations/tables/table_formats.hpp"

namespace prophet {
namespace {

const Names<TableTopic>& topicNames() {
  static const Names<TableTopic> kNames{
      {"binding", TableTopic::Binding},       {"kinetic", TableTopic::Kinetic},
      {"moments", TableTopic::Moments},       {"compton", TableTopic::Compton},
      {"magnetic", TableTopic::Magnetic},     {"incoherent", TableTopic::Incoherent},
      {"formfactor", TableTopic::XrayFactor}, {"beb", TableTopic::Beb}};
  return kNames;
}

const Names<ShellLevel>& levelNames() {
  static const Names<ShellLevel> kNames{
      {"j", ShellLevel::J}, {"nl", ShellLevel::Nl}, {"atom", ShellLevel::Atom}};
  return kNames;
}

const Names<TwoElectronOperator>& repulsionNames() {
  static const Names<TwoElectronOperator> kNames{{"none", TwoElectronOperator::Coulomb},
                                                 {"gaunt", TwoElectronOperator::CoulombGaunt},
                                                 {"breit", TwoElectronOperator::CoulombBreit}};
  return kNames;
}

/// "a,b" or ["a", "b"], each once.
template <class E>
std::vector<E> severalOf(const Json& value, const Names<E>& names) {
  std::vector<E> list;
  std::vector<std::string> known;
  for (const auto& [name, one] : names) known.push_back(name);
  for (const std::string& word : listedWords(listText(value))) {
    const auto found = std::ranges::find_if(names, [&](const auto& n) { return n.first == lowerCase(word); });
    if (found == names.end())
      throw Error(
          fmt::format("found '{}'; expected {}, several with commas between them", word, enumerate(known)));
    if (std::ranges::find(list, found->second) != list.end()) throw Error("names " + word + " twice");
    list.push_back(found->second);
  }
  if (list.empty()) throw Error("names nothing; expected " + enumerate(known));
  return list;
}

std::string namesOfAll(const auto& names) {
  std::string text;
  for (const auto& [name, value] : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

Eigen::VectorXd gridMomenta(const Json& value) {
  if (value.is_string() && lowerCase(value.get<std::string>()) == "biggs") return biggsMomenta();
  std::vector<double> list;
  if (value.is_string() && std::filesystem::is_regular_file(value.get<std::string>())) {
    for (const auto& row : readNumberRows(value.get<std::string>(), 1, 1, "a momentum, 1/bohr").rows)
      list.push_back(row.front());
  } else {
    Setting numbers;
    numbers.type = ValueType::Numbers;
    try {
      for (const Json& number : typedValue(numbers, value)) list.push_back(number);
    } catch (const Error& e) {
      throw Error(std::string(e.what()) + "; or 'biggs'; or a file with a momentum on each line");
    }
  }
  for (const double p : list)
    if (!(p >= 0 && p <= kLargestSubshellMomentum))
      throw Error(
          fmt::format("found a momentum of {:g} per bohr; Compton profiles are computed from 0 to {:g}", p,
                      kLargestSubshellMomentum));
  if (list.empty()) throw Error("has no momenta");
  return Eigen::Map<const Eigen::VectorXd>(list.data(), static_cast<Eigen::Index>(list.size()));
}

void addWhat(RequestTable<TablesRequest>& t) {
  addSpeciesRow(t).asOptionalWord();
  t.add("what", ValueType::Any, namesOfAll(topicNames()) + ": the tables; CSV has one",
        [](TablesRequest& r, const Json& v) { r.what = severalOf(v, topicNames()); })
      .called("LIST")
      .byDefault("binding,kinetic")
      .often();
  t.add("by", ValueType::Any,
        "subshells nlj (j), shells nl, their mean, or the whole (atom); several with commas",
        [](TablesRequest& r, const Json& v) { r.by = severalOf(v, levelNames()); })
      .called("LIST")
      .byDefault("j; of moments j,nl; of magnetic nl; of form factors atom")
      .often();
  t.add("powers", ValueType::Numbers, "k of <r^k>, whole numbers from -3 to 6",
        [](TablesRequest& r, const Json& v) {
          r.powers.clear();
          for (const double k : v) {
            if (k != std::floor(k)) throw Error(fmt::format("found {:g}; expected whole numbers", k));
            r.powers.push_back(static_cast<int>(k));
          }
        })
      .from(kLowestPower, kHighestPower)
      .byDefault("-3,-2,-1,1,2,3,4,5,6");
  t.add("grid", ValueType::Any,
        "momenta of Compton profiles, 1/bohr: biggs (31 from 0 to 100), START:STOP:STEP with both ends, "
        "numbers "
        "between commas, or a file with one on each line",
        [](TablesRequest& r, const Json& v) { r.p = gridMomenta(v); })
      .called("GRID")
      .byDefault("biggs")
      .often();
  const double largest = kLargestSubshellMomentum / constants::kAngstromsPerBohr;
  t.add("q", &TablesRequest::q, "momentum transfers q = 4 pi sin(theta)/lambda of incoherent and formfactor")
      .in("1/angstrom")
      .from(0, largest)
      .byDefault("0:25:0.5")
      .often();
  t.add("s", &TablesRequest::s, "sin(theta)/lambda of magnetic")
      .in("1/angstrom")
      .from(0, largest / (4 * constants::kPi))
      .byDefault("0:1.5:0.05")
      .often();
  t.add("shells", ValueType::Text, "shells of magnetic in the place of the open ones, '3d 4s'",
        [](TablesRequest& r, const Json& v) {
          r.shells = v.get<std::string>();
          for (const std::string& word : listedWords(r.shells)) shellNamed(word);  // throws
        })
      .called("SHELLS");
  t.add("fit", &TablesRequest::fit, "fit so many Gaussians and a constant to <j_k> of magnetic")
      .from(3, 5)
      .often();
  t.add("fit_range", &TablesRequest::largestS, "largest sin(theta)/lambda of the fits")
      .in("1/angstrom")
      .above(0, 20)
      .byDefault("1.5")
      .onlyWith({"fit", "format"});
  t.add("impact", &TablesRequest::energies,
        "energies of electrons for cross sections of ionisation from the numbers of beb")
      .in("eV")
      .above(0, 1e9);
  t.add(
      "outermost", &TablesRequest::experiment, Names<bool>{{"computed", false}, {"experiment", true}},
      "B of the outermost shell of beb: computed, or the ionisation energy of experiment where it is known");
}

void addHow(RequestTable<TablesRequest>& t) {
  t.add("binding", &TablesRequest::binding, namesOf<BindingMethod>(),
        "binding energies: of spinors, or as differences to an ion with a hole, which is computed for each "
        "shell")
      .often();
  t.add("breit", &TablesRequest::repulsion, repulsionNames(),
        "interaction of the electrons beside Coulomb's, in first order")
      .alone("breit")
      .often();
  t.add("qed", &TablesRequest::qed, "add vacuum polarisation and self-energy in first order").often();
  t.add("self_consistent", &TablesRequest::selfConsistent,
        "Breit interaction and QED in the self-consistent field")
      .onlyWith({"breit", "qed"});
  t.add("hamiltonian", &TablesRequest::hamiltonian,
        Names<OneElectronOperator>{{"dirac", OneElectronOperator::Dirac},
                                   {"nonrel", OneElectronOperator::Nonrelativistic}},
        "of one electron");
  addSpeciesMethod(
      t,
      "spinors of the numerical limit instead of a basis set; moments with k from 4 on have them "
      "unless a basis is named");
}

void addOutputs(RequestTable<TablesRequest>& t) {
  std::vector<std::string> formats;
  for (const TableFormat& f : tableFormats()) formats.push_back(f.name);
  t.add("format", ValueType::Text, "also write files that other programs read (they choose `what` and grids)",
        [](TablesRequest& r, const Json& v) { r.format = &tableFormatNamed(v.get<std::string>()); })
      .oneOf(formats)
      .onlyWith({"to"})
      .often();
  t.add("to", &TablesRequest::to, "the file of the format, or its folder where it has several")
      .isFile(FileUse::WriteBinary)
      .onlyWith({"format"})
      .often();
  t.add("batch", &TablesRequest::batch,
        "in the place of SPECIES many atoms and ions: 1-20,Fe2+ (with batch_charges), or all: every ion of H "
        "to "
        "Og, 7021")
      .called("IONS")
      .notWith({"species"})
      .often();
  t.add("batch_charges", &TablesRequest::batchCharges,
        "charges of elements in batch that have none: 0,1 or 0-2")
      .called("LIST")
      .byDefault("0")
      .onlyWith({"batch"});
  t.add(
       "data", &TablesRequest::data,
       "HDF5 file of an earlier run, or 'shipped', the neutral atoms and usual ions at the limit that are "
       "installed with the program: species are taken from there with the settings of the file, and computed "
       "where it has not all of their tables")
      .called("FILE|shipped")
      .isFile(FileUse::ReadIfThere);
  t.add("hdf5", &TablesRequest::hdf5, "write all tables to this HDF5 file")
      .isFile(FileUse::WriteBinary)
      .often();
  t.add("resume", &TablesRequest::resume,
        "continue an interrupted run with hdf5: finished species are not computed again")
      .onlyWith({"hdf5"})
      .often();
  t.add("compact", &TablesRequest::compact,
        "write hdf5 with ten digits of each number and two of each error, compressed")
      .onlyWith({"hdf5"});
}

/// A setting that only some tables use.
struct OfTopics {
  const char* setting;
  bool given;
  std::vector<TableTopic> topics;
  const char* otherwise = "";  ///< what else it is for
};

/// Settings that would have no effect, as none of the tables uses them. Those of a file of earlier tables may
/// be there for others of its tables.
void refuseUnused(const TablesRequest& r, const std::vector<OfTopics>& settings) {
  if (!r.data.empty()) return;
  for (const OfTopics& s : settings) {
    if (!s.given || std::ranges::any_of(s.topics, [&](TableTopic topic) { return r.wants(topic); })) continue;
    std::vector<std::string> names;
    for (const TableTopic topic : s.topics)
      for (const auto& [name, known] : topicNames())
        if (known == topic) names.push_back(name);
    throw SettingError(s.setting,
                       fmt::format("is for {0}; name {0} in what={1}", enumerate(names, ""), s.otherwise));
  }
}

/// The grids and powers that a format chooses, in the place of which no others were given.
void prepareFormat(TablesRequest& r) {
  const TablesRequest given = r;
  r.format->prepare(r);
  if (!r.data.empty()) return;  // the file's settings stand beside those that were given
  const auto isReplaced = [](const Eigen::VectorXd& mine, const Eigen::VectorXd& its) {
    return mine.size() > 0 && (mine.size() != its.size() || mine != its);
  };
  refuseTogether(fmt::format("format '{}', which has its own", r.format->name),
                 {{"grid", isReplaced(given.p, r.p)},
                  {"q", isReplaced(given.q, r.q)},
                  {"by", !given.by.empty() && given.by != r.by},
                  {"powers", !given.powers.empty() && given.powers != r.powers}});
}

/// What several settings are together.
void complete(TablesRequest& r) {
  if (r.species.empty() && r.batch.empty())
    throw SettingError("species", "is missing; expected atoms or ions, such as Fe3+, or batch");
  if (r.format) prepareFormat(r);
  constexpr const char* kInField = ", or self_consistent=";
  const std::vector<TableTopic> withEnergies{TableTopic::Binding, TableTopic::Kinetic, TableTopic::Beb};
  refuseUnused(
      r, {{"binding", r.binding != BindingMethod::Koopmans, withEnergies},
          {"breit", r.repulsion != TwoElectronOperator::Coulomb && !r.selfConsistent, withEnergies, kInField},
          {"qed", r.qed && !r.selfConsistent, withEnergies, kInField},
          {"by",
           !r.by.empty(),
           {TableTopic::Binding, TableTopic::Kinetic, TableTopic::Moments, TableTopic::Compton,
            TableTopic::XrayFactor, TableTopic::Beb}},
          {"fit_range", r.largestS != TablesRequest{}.largestS, {TableTopic::Magnetic}},
          {"grid", r.p.size() > 0, {TableTopic::Compton}},
          {"q", r.q.size() > 0, {TableTopic::Incoherent, TableTopic::XrayFactor}},
          {"s", r.s.size() > 0, {TableTopic::Magnetic}},
          {"shells", !r.shells.empty(), {TableTopic::Magnetic}},
          {"fit", r.fit > 0, {TableTopic::Magnetic}},
          {"powers", !r.powers.empty(), {TableTopic::Moments}},
          {"impact", r.energies.size() > 0, {TableTopic::Beb}},
          {"outermost", r.experiment, {TableTopic::Beb}}});
  if (r.powers.empty()) r.powers = {-3, -2, -1, 1, 2, 3, 4, 5, 6};
  if (r.p.size() == 0) r.p = biggsMomenta();
  if (r.q.size() == 0) r.q = Eigen::VectorXd::LinSpaced(51, 0, 25);
  if (r.s.size() == 0) r.s = Eigen::VectorXd::LinSpaced(31, 0, 1.5);
  if (r.hamiltonian != OneElectronOperator::Dirac && (r.repulsion != TwoElectronOperator::Coulomb || r.qed))
    throw SettingError("hamiltonian", "nonrel has neither Breit interaction nor QED; omit them");
  if (!r.data.empty() && !hdf5::isAvailable()) throw SettingError("data", hdf5::kNotBuilt);
  checkMoves(r);
}

}  // namespace

template <>
const Names<BindingMethod>& namesOf() {
  static const Names<BindingMethod> kNames{{"koopmans", BindingMethod::Koopmans},
                                           {"delta-scf", BindingMethod::DeltaScf}};
  return kNames;
}

bool TablesRequest::wants(TableTopic topic) const { return std::ranges::find(what, topic) != what.end(); }

std::vector<ShellLevel> TablesRequest::levelsOf(TableTopic topic) const {
  if (topic == TableTopic::Magnetic) return {ShellLevel::Nl};
  if (!by.empty()) return by;
  if (topic == TableTopic::Moments) return {ShellLevel::J, ShellLevel::Nl};
  if (topic == TableTopic::XrayFactor) return {ShellLevel::Atom};
  return {ShellLevel::J};
}

bool TablesRequest::atLimit() const {
  constexpr int kFarOut = 4;
  return limit || (library.empty() && wants(TableTopic::Moments) &&
                   std::ranges::any_of(powers, [](int k) { return k >= kFarOut; }));
}

RequestTable<TablesRequest> tablesRequestTable() {
  RequestTable<TablesRequest> t;
  addWhat(t);
  addHow(t);
  addOutputs(t);
  t.afterwards(complete);
  return t;
}

}  // namespace prophet
