#include "service/batch_tally.hpp"

#include <fmt/format.h>

#include <set>

#include "common/error.hpp"

namespace prophet {

void BatchTally::count(const EnergyOutcome& outcome) {
  ++finished_;
  switch (outcome.status) {
    case EnergyStatus::Converged:
      ++summary_.converged;
      break;
    case EnergyStatus::NotConverged:
      ++summary_.notConverged;
      break;
    case EnergyStatus::Failed:
      ++summary_.failed;
      break;
  }
}

void requireDistinctIds(const std::vector<BatchItem>& items) {
  std::set<std::string> seen;
  for (const BatchItem& item : items) {
    if (item.id.empty()) throw Error("a job of the batch has no id");
    if (!seen.insert(item.id).second) {
      throw Error(fmt::format("two jobs of the batch are called '{}'; name every job once", item.id));
    }
  }
}

EnergyOutcome withoutRequest(const BatchItem& item) {
  EnergyOutcome outcome;
  outcome.id = item.id;
  outcome.reason = item.error;
  return outcome;
}

void submitItem(EnergyService& service, const BatchItem& item, const EnergyService::Callback& done) {
  if (!item.request) {
    done(withoutRequest(item));
    return;
  }
  EnergyRequest request = *item.request;
  request.id = item.id;
  service.submit(std::move(request), done);
}

}  // namespace prophet
