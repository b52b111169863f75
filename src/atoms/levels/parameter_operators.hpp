#pragma once
#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

#include "atoms/configurations/determinant_space.hpp"
#include "atoms/levels/slater_parameters.hpp"

namespace prophet {

/// What multiplet theory multiplies a parameter with: the operator of the open electrons in which both j of a
/// shell have the same radial function, less its mean over all states of each configuration, so that energies
/// of averages do not depend on the parameter. Source: R. D. Cowan, The Theory of Atomic Structure and
/// Spectra (1981), chapter 12.
class ParameterOperator {
 public:
  ParameterOperator(const LevelSpace& space, const std::vector<Place>& places,
                    const SlaterParameter& parameter);
  /// The sum of the operators of several parameters, each times a factor. `sum`: what it is called.
  ParameterOperator(const LevelSpace& space, const std::vector<Place>& places,
                    const std::vector<std::pair<SlaterParameter, double>>& list, SlaterParameter sum);

  const SlaterParameter& parameter() const { return parameter_; }
  const ElectronOperator& electrons() const { return operator_; }
  /// Between the coupled states of a block.
  Eigen::MatrixXd matrixOf(const LevelBlock& block) const { return prophet::matrixOf(block, operator_); }

 private:
  SlaterParameter parameter_;
  ElectronOperator operator_;  ///< less the means over the states of each configuration
};

/// The parameters that have an operator between open shells: F (but F^0, which moves all states together), G,
/// R, h and zeta, each integral once. Throws Error where a configuration names electrons by their j.
std::vector<SlaterParameter> openParameters(const LevelSpace& space,
                                            const std::vector<SlaterParameter>& parameters);

/// Their operators: where both j of each shell have one radial function their sum, each times its parameter,
/// is the Hamiltonian less the averages of the configurations. Throws as openParameters.
std::vector<ParameterOperator> parameterOperators(const LevelSpace& space, const std::vector<Place>& places,
                                                  const std::vector<SlaterParameter>& parameters);

}  // namespace prophet
