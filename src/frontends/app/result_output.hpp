#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/common/stopwatch.hpp"
#include "frontends/app/batch_items.hpp"
#include "operations/result_file/result_file.hpp"

namespace prophet {

/// The result file of a batch: written at the end and now and then before.
class BatchResults {
 public:
  /// \param resume go on with the results that the file holds, if there is one
  BatchResults(std::string path, bool resume);
  bool contains(const std::string& id) const { return collection_.contains(id); }
  void add(const BatchTask& task, const Calculation& calculation, const Result& result);
  void write();
  /// Converged results that came without spinors.
  std::size_t withoutSpinors() const { return withoutSpinors_; }

 private:
  std::string path_;
  ResultCollection collection_;
  Stopwatch sinceWritten_;
  std::size_t withoutSpinors_ = 0;
};

}  // namespace prophet
