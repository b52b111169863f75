#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "atoms/atom/species.hpp"
#include "atoms/calculation/calculation.hpp"
#include "atoms/calculation/result.hpp"
#include "operations/execution/execution.hpp"
#include "operations/record/record.hpp"
#include "operations/tables/tables_request.hpp"

namespace prophet {

/// The tables of one atom or ion.
struct SpeciesTables {
  std::string name;
  int z = 0, charge = 0;
  std::string configuration, nucleus, basis;  ///< as reports name them
  Status status = Status::Failed;
  std::string reason;  ///< what is wrong; empty if converged
  double energy = 0, energyError = 0, electrons = 0, slope = 0;
  std::vector<RecordWarning> warnings{};
  std::vector<std::pair<std::string, double>> phases{};  ///< seconds of the parts of the computation
  std::vector<Table> tables{};  ///< those of tableKinds that were asked for, without the species

  /// Whether there are tables.
  bool ok() const { return status == Status::Converged || status == Status::Unbound; }
};

/// All tables that there may be, without rows; the first column is the species.
std::vector<Table> tableKinds();
/// The keys of the tables of a request, in its order.
std::vector<std::string> tableKeys(const TablesRequest& request);

/// A species before its field is computed.
struct SpeciesTask {
  SpeciesTables tables;                    ///< without tables; failed where there is no calculation
  std::optional<Calculation> calculation;  ///< which keeps its spinors
};
/// Errors of the species are in the status and reason.
SpeciesTask speciesTask(const TablesRequest& request, const Species& species, const Execution& execution);
/// Its tables from a result with spinors, whoever computed it, in so many seconds. Further fields (ions with
/// holes) are computed here, on one thread.
SpeciesTables tablesOf(const TablesRequest& request, SpeciesTask task, const Result& result, double seconds,
                       const Execution& execution);
/// Both, and the field between them, on one thread.
SpeciesTables speciesTables(const TablesRequest& request, const Species& species, const Execution& execution);

/// Tables as bytes, and back.
std::string packed(const SpeciesTables& tables);
SpeciesTables unpacked(const std::string& bytes);

/// The tables of all species, each as one, in the order of the request.
std::vector<Table> joined(const TablesRequest& request, const std::vector<SpeciesTables>& all);

}  // namespace prophet
