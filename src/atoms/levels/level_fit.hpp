#pragma once
#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

#include "atoms/levels/levels.hpp"

namespace prophet {

/// A level of experiment.
struct ObservedLevel {
  int twoJ = 0;
  bool odd = false;
  int index = 0;      ///< from 1, among the levels of its J and parity
  double energy = 0;  ///< above any zero, hartree
  double weight = 1;  ///< 0: held out of the fit, and compared with it
};

/// One of the parameters that were fitted.
struct FittedParameter {
  std::string name;  ///< "F2(3d,3d)", "scale(F,G,R)"; "average(3d7 4s1)" of a configuration after the first
  double computed = 0;           ///< hartree, or 1 of a scale factor
  double fitted = 0, error = 0;  ///< with its standard error
};

struct LevelFit {
  std::vector<FittedParameter> parameters;
  Eigen::MatrixXd covariance;  ///< of them, in their order
  int fittedLevels = 0, heldOutLevels = 0;
  /// Root mean square deviations, weighted, hartree: of the computed levels with the best common zero, and of
  /// the fitted ones; of those held out before and after.
  double before = 0, after = 0, heldOutBefore = 0, heldOutAfter = 0;
  /// To the Hamiltonian of a block, for computeLevels (LevelOptions::correction).
  std::function<void(const LevelBlock&, Eigen::MatrixXd&)> correction;
  std::vector<double> computedEnergies,
      fittedEnergies;  ///< of the observed levels, above their zero, hartree
};

/// Parameters of multiplet theory fitted to levels of experiment: the computed Hamiltonian plus their
/// operators times what they change by, by least squares (Levenberg and Marquardt's, Eigen), with derivatives
/// by the theorem of Hellmann and Feynman. `parameters`: single ones, or "scale(F,G)" for one factor of all
/// computed parameters of these kinds (F, G, R, zeta); at most 20. Averages of configurations are always
/// free. Source: R. D. Cowan, The Theory of Atomic Structure and Spectra (1981), chapter 16. Throws Error for
/// unknown parameters, levels that the space has not, fewer levels than parameters, and parameters that the
/// levels do not determine.
LevelFit fitLevels(const LevelSpace& space, const Result& result, const LevelHamiltonian& hamiltonian,
                   const std::vector<ObservedLevel>& observed, const std::vector<std::string>& parameters,
                   const Checkpoint& checkpoint = {});

}  // namespace prophet
