#include "operations/tables/tables_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/common/files.hpp"
#include "core/hdf5/hdf5_group.hpp"

namespace prophet {
namespace {

/// Settings that choose among what a file has, or say where things go.
const std::set<std::string>& freeSettings() {
  static const std::set<std::string> kNames{"species", "batch", "batch_charges", "what", "hdf5",
                                            "resume",  "data",  "format",        "to"};
  return kNames;
}

Json boundSettings(const Json& request) {
  Json bound = Json::object();
  for (const auto& [name, value] : request.items())
    if (!freeSettings().contains(name)) bound[name] = value;
  return bound;
}

bool hasColumns(const hdf5::Group& group, const Table& kind) {
  return std::ranges::all_of(kind.columns,
                             [&](const Column& c) { return group.has(c.key) && !group.isGroup(c.key); });
}

Table readTable(const hdf5::Group& group, Table kind) {
  for (Column& c : kind.columns) {
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

}  // namespace

TablesData::TablesData(const std::string& path, const Json& values) {
  const std::string image = readFile(path);
  const auto locked = hdf5::lock();
  const hdf5::File file(image);
  const hdf5::Group root = file.root();
  if (root.has("provenance")) head_ = Json::parse(root.readText("provenance"), nullptr, false);
  if (!head_.is_object() || head_.value("operation", "") != "tables")
    throw Error(path + " is no HDF5 file of the operation 'tables'");
  const Json there = boundSettings(head_["request"]), here = boundSettings(values);
  std::set<std::string> names;
  for (const Json& settings : {there, here})
    for (const auto& [name, value] : settings.items()) names.insert(name);
  for (const std::string& name : names)
    if (there.value(name, Json()) != here.value(name, Json()))
      throw Error(
          fmt::format("the tables of {} are those of another {}: {}; leave `data` out to compute them", path,
                      name, there.value(name, Json()).dump()));
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

std::optional<SpeciesTables> TablesData::of(const std::string& species, const TablesRequest& request) const {
  const Json& list = head_["species"];
  const auto known =
      std::ranges::find_if(list, [&](const Json& s) { return s["name"] == species && s.contains("energy"); });
  if (known == list.end()) return {};
  SpeciesTables out;
  out.name = species;
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
    std::vector<Eigen::Index> rows;
    const std::vector<std::string>& names = table->columns.front().texts();
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == species) rows.push_back(static_cast<Eigen::Index>(i));
    Table part = *table;
    part.columns.erase(part.columns.begin());
    for (Column& c : part.columns) {
      if (c.isText()) {
        std::vector<std::string> texts;
        for (const Eigen::Index i : rows) texts.push_back(c.texts()[static_cast<std::size_t>(i)]);
        c.values = std::move(texts);
      } else {
        c.values = Eigen::VectorXd(c.numbers()(rows));
      }
    }
    out.tables.push_back(std::move(part));
  }
  return out;
}

}  // namespace prophet
