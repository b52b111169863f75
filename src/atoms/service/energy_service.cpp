#include "atoms/service/energy_service.hpp"

#include <exception>

namespace prophet {

Result EnergyService::evaluate(Calculation calculation) {
  Mailbox<Result> mailbox;
  submit(std::move(calculation), [&](Result result) { mailbox.put(std::move(result)); });
  return mailbox.take();
}

std::vector<Result> EnergyService::evaluateAll(const std::vector<Calculation>& calculations,
                                               const Progress& progress) {
  Mailbox<std::pair<std::size_t, Result>> mailbox;
  std::size_t submitted = 0;
  std::exception_ptr error;
  try {
    for (; submitted < calculations.size(); ++submitted) {
      submit(calculations[submitted], [&mailbox, i = submitted](Result result) {
        mailbox.put({i, std::move(result)});
      });
    }
  } catch (...) {
    error = std::current_exception();
  }
  std::vector<Result> results(calculations.size());
  // Whatever throws, every result is awaited: the callbacks refer to this mailbox.
  for (std::size_t finished = 0; finished < submitted; ++finished) {
    auto [position, result] = mailbox.take();
    results[position] = std::move(result);
    try {
      if (progress && !error) progress(position, results[position]);
    } catch (...) {
      error = std::current_exception();
    }
  }
  if (error) std::rethrow_exception(error);
  return results;
}

}  // namespace prophet
