#include <fmt/format.h>

#include "operations/catalogue/catalogue.hpp"
#include "operations/catalogue/operation.hpp"

namespace prophet {
namespace {

std::vector<Operation>& list() {
  static std::vector<Operation> all = [] {
    std::vector<Operation> rows = {auditOperation(),     batchOperation(),      chainOperation(),
                                   compareOperation(),   formfactorOperation(), madelungOperation(),
                                   pairsOperation(),     powderOperation(),     shapeOperation(),
                                   structureOperation(), tierOperation(),       validateOperation()};
    for (Operation& o : basisOperations()) rows.push_back(std::move(o));
    return rows;
  }();
  return all;
}

}  // namespace

const std::vector<Operation>& operations() { return list(); }

const Operation* findOperation(const std::string& name) {
  for (const Operation& operation : list())
    if (operation.name == name) return &operation;
  return nullptr;
}

std::string explain(const Operation& operation) {
  std::string text = operation.name + ": " + operation.summary + "\n\n" + operation.description + "\n";
  for (const Setting& s : operation.settings) {
    text += fmt::format("\n  {:<14} {}\n                 {}{}\n", s.name, s.documentation, expectedValue(s),
                        s.defaultText.empty() ? "" : "; default: " + s.defaultText);
  }
  return text;
}

void addOperation(Operation operation) { list().push_back(std::move(operation)); }

}  // namespace prophet
