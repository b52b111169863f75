#include "operations/tables/tables_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "atoms/basis/library.hpp"
#include "core/common/files.hpp"
#include "core/hdf5/hdf5_group.hpp"

namespace prophet {
namespace {

/// Settings that choose among what a file has, or say where things go.
const std::set<std::string>& freeSettings() {
  static const std::set<std::string> kNames{"species", "batch", "batch_charges", "what", "by",     "hdf5",
                                            "resume",  "data",  "format",        "to",   "compact"};
  return kNames;
}

Json boundSettings(const Json& request) {
  Json bound = Json::object();
  for (const auto& [name, value] : request.items())
    if (!freeSettings().contains(name)) bound[name] = value;
  return bound;
}

/// Files of earlier versions lack errors that are stated now: they are not known of them.
bool mayLack(const Column& c) { return c.key == "breit_error" || c.key == "qed_error"; }

bool hasColumns(const hdf5::Group& group, const Table& kind) {
  return std::ranges::all_of(
      kind.columns, [&](const Column& c) { return group.has(c.key) ? !group.isGroup(c.key) : mayLack(c); });
}

Table readTable(const hdf5::Group& group, Table kind) {
  const auto rows = static_cast<Eigen::Index>(group.texts(kind.columns.front().key).size());
  for (Column& c : kind.columns) {
    if (!group.has(c.key)) {
      c.values = Eigen::VectorXd(Eigen::VectorXd::Constant(rows, std::nan("")));
      continue;
    }
    if (c.isText()) {
      c.values = group.texts(c.key);
      continue;
    }
    const std::vector<double> numbers = group.numbers(c.key);
    c.values = Eigen::VectorXd(
        Eigen::Map<const Eigen::VectorXd>(numbers.data(), static_cast<Eigen::Index>(numbers.size())));
  }
  return kind;
}

ShellLevel levelOf(const std::string& label) {
  if (label == "atom") return ShellLevel::Atom;
  return label.ends_with("/2") ? ShellLevel::J : ShellLevel::Nl;
}

/// The topic of tables whose rows are groups of subshells.
std::optional<TableTopic> topicOf(const std::string& key) {
  if (key == "shells") return TableTopic::Binding;
  if (key == "moments") return TableTopic::Moments;
  if (key == "compton") return TableTopic::Compton;
  if (key == "form_factors") return TableTopic::XrayFactor;
  return {};
}

/// The column of the grid of a table, and the grid that a request has.
std::pair<const char*, const Eigen::VectorXd*> gridOf(const std::string& key, const TablesRequest& r) {
  if (key == "compton") return {"p", &r.p};
  if (key == "form_factors" || key == "incoherent") return {"q", &r.q};
  if (key == "bessel") return {"s", &r.s};
  if (key == "cross_sections") return {"T", &r.energies};
  return {"", nullptr};
}

/// Whether a column runs through the grid again and again.
bool repeats(const Eigen::VectorXd& column, const Eigen::VectorXd& grid) {
  if (column.size() % grid.size() != 0) return false;
  for (Eigen::Index i = 0; i < column.size(); ++i)
    if (std::abs(column[i] - grid[i % grid.size()]) > 1e-12 * std::abs(column[i])) return false;
  return true;
}

Table rowsOf(Table part, const std::vector<Eigen::Index>& rows) {
  for (Column& c : part.columns) {
    if (c.isText()) {
      std::vector<std::string> texts;
      for (const Eigen::Index i : rows) texts.push_back(c.texts()[static_cast<std::size_t>(i)]);
      c.values = std::move(texts);
    } else {
      c.values = Eigen::VectorXd(c.numbers()(rows));
    }
  }
  return part;
}

/// The rows that a request asks for of a species; empty where groups or points of the grid are missing.
std::optional<Table> partOf(const Table& table, const std::string& species, const TablesRequest& request) {
  const std::vector<std::string>& names = table.columns.front().texts();
  std::set<ShellLevel> wanted;
  const auto topic = topicOf(table.key);
  if (topic)
    for (const ShellLevel level : request.levelsOf(*topic)) wanted.insert(level);
  std::set<ShellLevel> seen;
  std::set<int> powers, seenPowers;
  if (table.key == "moments") powers.insert(request.powers.begin(), request.powers.end());
  std::vector<Eigen::Index> rows;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] != species) continue;
    if (topic) {
      const ShellLevel level = levelOf(table.find("label")->texts()[i]);
      if (!wanted.contains(level)) continue;
      seen.insert(level);
    }
    if (!powers.empty()) {
      const int k = static_cast<int>(table.find("k")->numbers()[static_cast<Eigen::Index>(i)]);
      if (!powers.contains(k)) continue;
      seenPowers.insert(k);
    }
    rows.push_back(static_cast<Eigen::Index>(i));
  }
  if (seen != wanted || seenPowers != powers) return {};
  Table part = rowsOf(table, rows);
  part.columns.erase(part.columns.begin());
  const auto [column, grid] = gridOf(table.key, request);
  if (grid && !repeats(part.find(column)->numbers(), *grid)) return {};
  return part;
}

/// So many significant bits; errors are rounded up.
double rounded(double x, int bits, bool up) {
  if (!std::isfinite(x) || x == 0) return x;
  int exponent = 0;
  const double fraction = std::ldexp(std::frexp(x, &exponent), bits);
  return std::ldexp(up ? std::ceil(fraction) : std::nearbyint(fraction), exponent - bits);
}

void writeCompact(hdf5::Group& group, const Table& table) {
  // Grids and counts repeat, and are as they were asked for.
  static const std::set<std::string> kExact{"k", "n", "l", "two_j", "occupation", "p", "q", "s", "T", "N"};
  constexpr int kBits = 34, kErrorBits = 7;
  for (const Column& c : table.columns) {
    if (c.isText()) {
      group.write(c.key, c.texts());
      continue;
    }
    const bool isError = c.key.ends_with("error") && table.key != "fits";
    std::vector<double> numbers(c.numbers().begin(), c.numbers().end());
    if (!kExact.contains(c.key))
      for (double& x : numbers) x = rounded(x, isError ? kErrorBits : kBits, isError);
    group.write(c.key, numbers, c.unit);
  }
}

}  // namespace

TablesData::TablesData(const std::string& path) : path_(path) {
  const std::string image = readFile(path);
  const auto locked = hdf5::lock();
  const hdf5::File file(image);
  const hdf5::Group root = file.root();
  if (root.has("provenance")) head_ = Json::parse(root.readText("provenance"), nullptr, false);
  if (!head_.is_object() || head_.value("operation", "") != "tables")
    throw Error(path + " is no HDF5 file of the operation 'tables'");
  // The first table has no group of its own.
  for (const Table& kind : tableKinds()) {
    if (root.has(kind.key) && root.isGroup(kind.key)) {
      const hdf5::Group group = root.open(kind.key);
      if (hasColumns(group, kind)) tables_.push_back(readTable(group, kind));
    } else if (hasColumns(root, kind)) {
      tables_.push_back(readTable(root, kind));
    }
  }
}

Json TablesData::completed(const Json& values) const {
  const Json there = boundSettings(head_["request"]), asked = boundSettings(values);
  for (const auto& [name, value] : asked.items())
    if (!value.is_null() && name != "powers" && value != there.value(name, Json()) &&
        !(value == Json(false) && !there.contains(name)))
      throw Error(
          fmt::format("the tables of {} are those of another {}: {}; leave `data` out to compute them", path_,
                      name, there.value(name, Json()).dump()));
  Json both = values;
  for (const auto& [name, value] : there.items())
    if (both.value(name, Json()).is_null()) both[name] = value;
  return both;
}

std::optional<SpeciesTables> TablesData::of(const Species& species, const TablesRequest& request) const {
  const Json& list = head_["species"];
  const auto isIt = [&](const Json& s) {
    if (!s.contains("energy")) return false;
    const std::string name = s["name"];
    if (name == species.name) return true;
    return species.configuration.empty() && name.find(' ') == std::string::npos && s["Z"] == species.z &&
           s["charge"] == species.charge;
  };
  const auto known = std::ranges::find_if(list, isIt);
  if (known == list.end()) return {};
  SpeciesTables out;
  out.name = species.name;
  out.z = (*known)["Z"];
  out.charge = (*known)["charge"];
  out.configuration = (*known)["configuration"];
  out.nucleus = (*known)["nucleus"];
  out.basis = (*known)["basis"];
  out.status = statusNamed((*known)["status"]);
  out.reason = known->value("reason", "");
  out.energy = (*known)["energy"];
  out.energyError =
      (*known)["energy_error"].is_number() ? (*known)["energy_error"].get<double>() : std::nan("");
  out.electrons = (*known)["electrons"];
  out.slope = known->value("incoherent_slope", 0.0);
  for (const std::string& key : tableKeys(request)) {
    const auto table = std::ranges::find(tables_, key, &Table::key);
    if (table == tables_.end()) return {};
    auto part = partOf(*table, (*known)["name"], request);
    if (!part) return {};
    out.tables.push_back(std::move(*part));
  }
  return out;
}

std::string tablesDataFile(const std::string& data, const std::filesystem::path& basisSets) {
  return data == kShippedTables ? (basisSetFolder(basisSets) / "subshells.h5").string() : data;
}

std::string compactTablesHdf5(const Record& record) {
  const auto locked = hdf5::lock();
  hdf5::File file;
  hdf5::Group root = file.root();
  root.compress();
  for (std::size_t i = 0; i < record.tables.size(); ++i) {
    if (i == 0) {
      writeCompact(root, record.tables[i]);
      continue;
    }
    hdf5::Group group = root.create(record.tables[i].key);
    writeCompact(group, record.tables[i]);
  }
  Json head = recordHead(record);
  for (const char* key : {"device", "seconds"}) head.erase(key);
  root.writeText("provenance", head.dump());
  return file.image();
}

}  // namespace prophet
