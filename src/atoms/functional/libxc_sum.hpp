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
  /// Adds the values at the points.
  virtual void addTo(FunctionalValues& values, const Eigen::VectorXd& density,
                     const Eigen::VectorXd& sigma) const = 0;
};

/// \param names of libxc, in small letters
/// \param whole the functional as the user named it, for errors
/// Throws Error as the constructor of Functional.
std::shared_ptr<const LibxcSum> libxcSum(const std::vector<std::string>& names, const std::string& whole);

}  // namespace prophet
