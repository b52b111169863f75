/// An operation that a program adds to those of the catalogue: one file and, at its end, one row.
#include <fmt/format.h>

#include <cmath>

#include "operations/catalogue/operation.hpp"

namespace {

using namespace prophet;

struct BoxRequest {
  double edge = 0;
  int layers = 1;
  bool open = false;
};

RequestTable<BoxRequest> boxTable() {
  RequestTable<BoxRequest> t;
  t.add("edge", &BoxRequest::edge, "edge of the box").in("angstrom").above(0, 1e3).asWord().mustBeGiven();
  t.add("layers", &BoxRequest::layers, "boxes on top of each other").from(1, 10).byDefault("1");
  t.add("open_top", &BoxRequest::open, "without the uppermost face");
  return t;
}

Table heightsTable(const Eigen::VectorXd& heights) {
  return {"columns", {{"height", "angstrom", heights, "of the top of each box"}}};
}

Record box(const BoxRequest& r, const Execution&) {
  Record record;
  record.title = "A box";
  const double volume = r.layers * std::pow(r.edge, 3);
  const double faces = 4 * r.layers + (r.open ? 1 : 2);
  record.quantities = {{"volume_angstrom3", "volume", volume, fmt::format("{:.6f} angstrom^3", volume)},
                       {"surface_angstrom2", "surface", faces * r.edge * r.edge}};
  Eigen::VectorXd heights = Eigen::VectorXd::LinSpaced(r.layers, r.edge, r.layers * r.edge);
  record.tables = {heightsTable(heights)};
  if (r.open) record.warn("open_box", "the box has no top");
  return record;
}

Operation boxOperation() {
  Operation o;
  o.name = "box";
  o.summary = "volume of a box";
  o.description = "Volume and surface of boxes on top of each other.";
  o.example = "box 2.5";
  o.tables = [] { return std::vector{heightsTable({})}; };
  return operationOf(std::move(o), boxTable(), box);
}

const bool added = (addOperation(boxOperation()), true);

}  // namespace
