#include "cudaprophet/operation.hpp"

#include "core/common/json_text.hpp"
#include "frontends/api/convert.hpp"
#include "operations/catalogue/operation.hpp"

namespace cudaprophet {
namespace {

const prophet::Operation& operationNamed(const std::string& name) {
  if (const prophet::Operation* found = prophet::findOperation(name)) return *found;
  throw prophet::Error("there is no operation '" + name + "'; operations() lists them");
}

Column columnOf(const prophet::Column& c) {
  Column column{c.key, c.unit, {}, {}, {}, {}};
  if (c.isText()) {
    column.texts = c.texts();
  } else if (const auto* complex = std::get_if<Eigen::VectorXcd>(&c.values)) {
    column.complex.assign(complex->begin(), complex->end());
  } else if (const auto* vectors = std::get_if<Eigen::MatrixX3d>(&c.values)) {
    for (const auto& row : vectors->rowwise()) column.vectors.push_back({row(0), row(1), row(2)});
  } else {
    column.numbers.assign(c.numbers().begin(), c.numbers().end());
  }
  return column;
}

Record recordOf(const prophet::Record& r) {
  Record record;
  record.operation = r.operation;
  for (const prophet::Quantity& q : r.quantities)
    if (q.value.is_number()) record.numbers[q.key] = q.value.get<double>();
  for (const prophet::Table& t : r.tables) {
    Table& table = record.tables.emplace_back(Table{t.key, {}});
    for (const prophet::Column& c : t.columns) table.columns.push_back(columnOf(c));
  }
  for (const prophet::RecordWarning& w : r.warnings) record.warnings.push_back({w.id, w.text});
  record.device = r.device;
  record.seconds = r.seconds;
  record.ok = r.outcome == prophet::Outcome::Done;
  record.json = prophet::jsonText(prophet::recordJson(r));
  record.report = prophet::recordText(r);
  return record;
}

}  // namespace

std::vector<std::string> operations() {
  std::vector<std::string> names;
  for (const prophet::Operation& o : prophet::operations()) names.push_back(o.name);
  return names;
}

std::string explainOperation(const std::string& name) {
  return translated([&] { return prophet::explain(operationNamed(name)); });
}

Record run(const std::string& operation, const std::map<std::string, Value>& settings, const Place& place) {
  return translated([&] {
    prophet::Execution execution;
    if (const auto backend = prophet::valueNamed<prophet::BackendRequest>(place.backend)) {
      execution.backend = *backend;
    } else {
      throw prophet::SettingError("backend",
                                  "found '" + place.backend + "'; expected 'auto', 'cpu' or 'cuda'");
    }
    execution.devices = place.devices;
    execution.threads = place.threads;
    execution.basisSets = place.basisSets;
    execution.cache = place.cache;
    prophet::Json values = prophet::Json::object();
    for (const auto& [name, value] : settings)
      std::visit([&, &key = name](const auto& v) { values[key] = v; }, value);
    return recordOf(operationNamed(operation).run(values, execution));
  });
}

}  // namespace cudaprophet
