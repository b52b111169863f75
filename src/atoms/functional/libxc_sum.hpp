#pragma once
#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "atoms/functional/functional.hpp"

namespace prophet {

/// Functionals of libxc that are added.
class LibxcSum {
 public:
  virtual ~LibxcSum() = default;
  virtual double exactExchange() const = 0;
  virtual bool needsGradient() const = 0;
  virtual bool needsKinetic() const = 0;
  /// Adds energies and derivatives at the points; `sums` have the rows of `points`.
  virtual void addTo(FunctionalSlopes& sums, const FunctionalPoints& points) const = 0;
};

/// All names that libxc knows, also of what cannot be used here; empty without libxc.
std::vector<std::string> libxcNames();

/// \param names of libxc, in small letters
/// \param whole the functional as the user named it, for errors
/// Throws Error as the constructor of Functional.
std::shared_ptr<const LibxcSum> libxcSum(const std::vector<std::string>& names, const std::string& whole,
                                         SpinPolarisation spin);

}  // namespace prophet
