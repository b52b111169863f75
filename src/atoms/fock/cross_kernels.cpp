#include "atoms/fock/cross_kernels.hpp"

namespace prophet {

std::shared_ptr<const CrossKernels> extended(const CrossKernels& kernels, int points) {
  auto result = std::make_shared<CrossKernels>(kernels);
  result->points = points;
  for (auto* list : {&result->largeFromSmall, &result->smallFromLarge, &result->mixed}) {
    for (Eigen::VectorXd& kernel : *list) {
      Eigen::VectorXd longer = Eigen::VectorXd::Zero(2 * points - 1);
      longer.segment(points - kernels.points, kernel.size()) = kernel;
      kernel = std::move(longer);
    }
  }
  return result;
}

}  // namespace prophet
