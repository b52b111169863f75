#pragma once
#include <future>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "cuda/atoms/batch/shape.hpp"

namespace prophet::cuda::batch {

/// Tables of grid kernels (kernelTable) that batches asked for last: few shapes differ in what a table
/// depends on, and mixed work comes back to them. Each is made once, by whoever comes first. Any number of
/// threads.
class KernelTables {
 public:
  using Table = std::shared_ptr<const std::vector<double>>;
  Table of(const Shape& shape);

 private:
  struct Key {
    int symmetries, points, breitParts, breitInScf, functional;
    double h;
    bool operator==(const Key& o) const {
      return symmetries == o.symmetries && points == o.points && breitParts == o.breitParts &&
             breitInScf == o.breitInScf && functional == o.functional && h == o.h;
    }
  };
  struct Entry {
    Key key;
    std::shared_future<Table> table;
  };
  std::mutex mutex_;
  std::list<Entry> entries_;  ///< the one asked for last in front
};

}  // namespace prophet::cuda::batch
