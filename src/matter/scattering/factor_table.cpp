#include "matter/scattering/factor_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/common/csv.hpp"
#include "core/common/json_text.hpp"

namespace prophet {
namespace {

using Json = nlohmann::ordered_json;

struct FactorColumn {
  std::string name;
  Eigen::VectorXd values;
};

std::vector<FactorColumn> columnsOf(const FactorTable& table) {
  std::vector<FactorColumn> columns{{"q", table.q}};
  for (const SpeciesFactors& s : table.species) {
    if (s.values.size() == 0) continue;
    columns.push_back({s.species.name, s.values});
    for (std::size_t i = 0; i < s.spinorNames.size(); ++i)
      columns.push_back(
          {s.species.name + " " + s.spinorNames[i], s.spinors.col(static_cast<Eigen::Index>(i))});
  }
  return columns;
}

/// What a value is, and what is wrong.
std::string comments(const FactorTable& table) {
  std::string text = table.kind == FactorKind::Xray ? "# X-ray form factors f(q), electrons"
                                                    : "# Electron scattering factors (Mott-Bethe), angstrom";
  text += fmt::format("; q = 4 pi sin(theta)/lambda, 1/angstrom; {}\n", table.program);
  for (const SpeciesFactors& s : table.species) {
    text += fmt::format("# {}: {}\n", s.species.name, s.configuration);
    if (s.status == Status::Converged) continue;
    std::string reason = s.reason;
    std::replace(reason.begin(), reason.end(), '\n', ' ');
    text += fmt::format("# {}: {}: {}\n", s.species.name,
                        s.status == Status::Unbound ? "NOT BOUND" : "NO VALUES", reason);
  }
  return text;
}

Json numbers(const Eigen::VectorXd& values) {
  Json list = Json::array();
  for (const double x : values) list.push_back(std::isfinite(x) ? Json(x) : Json(nullptr));
  return list;
}

Json fitJson(const FitForm& form, const GaussianFit& fit) {
  Json j{{"form", form.name}, {"a", fit.a}, {"b", fit.b}};
  if (form.constant) j["c"] = fit.c;
  j["largest_s"] = form.largestS;
  j["largest_error"] = fit.largestError;
  j["largest_error_at"] = fit.largestErrorAt;
  j["rms_error"] = fit.rmsError;
  return j;
}

Json speciesJson(const FactorTable& table, const SpeciesFactors& s) {
  Json j{{"name", s.species.name},           {"Z", s.species.z},     {"charge", s.species.charge},
         {"configuration", s.configuration}, {"nucleus", s.nucleus}, {"basis", s.basis},
         {"status", nameOf(s.status)}};
  if (!s.reason.empty()) j["reason"] = s.reason;
  if (s.values.size() > 0) j[table.kind == FactorKind::Xray ? "f" : "f_electron"] = numbers(s.values);
  for (std::size_t i = 0; i < s.spinorNames.size(); ++i)
    j["spinors"][s.spinorNames[i]] = numbers(s.spinors.col(static_cast<Eigen::Index>(i)));
  if (s.fit && table.form) j["fit"] = fitJson(*table.form, *s.fit);
  return j;
}

}  // namespace

std::string factorsCsv(const FactorTable& table) {
  const std::vector<FactorColumn> columns = columnsOf(table);
  std::string text = comments(table);
  for (const FactorColumn& c : columns) text += (&c == &columns.front() ? "" : ",") + csvField(c.name);
  text += "\n";
  for (Eigen::Index i = 0; i < table.q.size(); ++i) {
    for (const FactorColumn& c : columns)
      text += fmt::format("{}{}", &c == &columns.front() ? "" : ",", c.values(i));
    text += "\n";
  }
  return text;
}

std::string factorsText(const FactorTable& table) {
  const std::vector<FactorColumn> columns = columnsOf(table);
  std::string text = comments(table);
  const auto widthOf = [](const FactorColumn& c) { return std::max<std::size_t>(12, c.name.size() + 2); };
  for (const FactorColumn& c : columns) text += fmt::format("{:>{}}", c.name, widthOf(c));
  text += "\n";
  for (Eigen::Index i = 0; i < table.q.size(); ++i) {
    for (const FactorColumn& c : columns) {
      text += &c == &columns.front() ? fmt::format("{:>{}.6g}", c.values(i), widthOf(c))
                                     : fmt::format("{:>{}.6f}", c.values(i), widthOf(c));
    }
    text += "\n";
  }
  return text;
}

std::string factorsJson(const FactorTable& table) {
  Json j{{"schema_version", 1},
         {"program", table.program},
         {"kind", table.kind == FactorKind::Xray ? "x-ray" : "electron"},
         {"unit", table.kind == FactorKind::Xray ? "electrons" : "angstrom"},
         {"q_unit", "1/angstrom"},
         {"q", numbers(table.q)}};
  j["species"] = Json::array();
  for (const SpeciesFactors& s : table.species) j["species"].push_back(speciesJson(table, s));
  return jsonText(j, 1) + "\n";
}

}  // namespace prophet
