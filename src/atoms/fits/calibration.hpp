#pragma once
#include <Eigen/Core>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "atoms/fits/level_fit.hpp"

namespace prophet {

class KeptMatrices;
class ParameterOperator;

/// A level of experiment that belongs to a configuration rather than to a place among the computed levels.
struct KnownLevel {
  int twoJ = 0;
  bool odd = false;
  int configuration = 0;  ///< of the space
  double energy = 0;      ///< above the ground level of the ion, hartree
  std::string term{};     ///< "3H"; empty: no LS term is known
  double weight = 1;      ///< 0: held out of the fit, and compared with it
};

/// What a calibration is made from.
struct CalibrationRequest {
  std::vector<KnownLevel> levels{};
  /// "scale(F,G,R)": one factor of all computed parameters of these kinds (Fin, F within a shell; F, G, R,
  /// zeta; or with their rank, F2).
  std::vector<std::string> classes{"scale(F,G,R)", "scale(zeta)"};
  /// Where a configuration has no levels: the energy of its average above that of `ground`, hartree, and its
  /// scatter. Empty: nothing is known.
  std::vector<std::optional<double>> averages{};
  double averageScatter = 0;
  int ground = 0;         ///< configuration of the ground level
  int z = 0, charge = 0;  ///< of the ion, on which the priors of factors depend
  int threads = 1;
  Checkpoint checkpoint{};
  LevelEngine* engine = nullptr;     ///< that has the matrices; nullptr: the processor, until the end
  AngularTables* angular = nullptr;  ///< where the blocks are kept; nullptr: none are
  Phases* phases = nullptr;          ///< counts times; may be nullptr
};

/// A level of experiment and the computed one that it was assigned to.
struct CalibratedLevel {
  KnownLevel known;
  int index = 0;      ///< of the computed level, from 1, among those of its J and parity
  double energy = 0;  ///< of it, with the parameters of the fit, above the zero of experiment, hartree
  /// The same from a fit without the levels of this J and parity (linearised); empty where the configuration
  /// has no others.
  std::optional<double> predicted{};
  bool isUnsure = false;  ///< another assignment costs nearly the same
};

/// Deviations of calibrated levels, hartree; `share`: of |deviation| in the energy of levels above 2000/cm.
struct CalibrationDeviations {
  int levels = 0;
  double mean = 0, share = 0;
};

/// Averages of configurations and factors of classes of parameters with which the Hamiltonian has the levels
/// of experiment, or, where none are known, what is expected of them.
class Calibration {
 public:
  std::vector<FittedParameter> parameters;  ///< factors first, then averages; fitted less computed of these
  Eigen::MatrixXd covariance;               ///< of them
  std::vector<double> scatter;              ///< of the levels of each configuration, hartree
  double lowestResidual = 0;                ///< of the lowest observed level, from which the others count
  std::vector<CalibratedLevel> levels;      ///< those that were assigned, in the order of the request
  int unassigned = 0;                       ///< observed levels that resemble no computed one
  CalibrationDeviations fitted, predicted, heldOut;
  int steps = 0;

  /// For LevelOptions. `moved`: whether with four changes of x that are as large as they may be, +- sqrt(C),
  /// C the covariance and on its diagonal the squares of `scatter` and of 0.05 of factors.
  LevelParameters parametersOfLevels(bool moved) const;
  /// What the energy of each level above the lowest one may be wrong by (one standard deviation), from
  /// Level::slopes: sqrt(scatter^2 + v' Cov v + r0^2), v the slopes less those of the lowest level, r0 its
  /// deviation.
  std::vector<double> errorsOf(const std::vector<Level>& levels) const;
  /// The same of energies between levels.
  class Differences {
   public:
    /// Without r0. Places in the list.
    double errorBetween(int upper, int lower) const {
      return std::sqrt((roots_.col(upper) - roots_.col(lower)).squaredNorm() + scatter_(upper) +
                       scatter_(lower));
    }

   private:
    friend class Calibration;
    Eigen::MatrixXd roots_;    ///< sqrt(Cov) v of each level
    Eigen::VectorXd scatter_;  ///< its scatter^2
  };
  Differences differencesOf(const std::vector<Level>& levels) const;
  /// Frees what the last levels were found with; others cannot be found then.
  void forgetMatrices() { kept_.reset(); }
  /// Raises configurations whose lowest level lies below that of `ground`, so that it does not; whether any
  /// was.
  bool keepGround(const std::vector<Level>& levels, int ground);

 private:
  friend Calibration calibrate(const LevelSpace&, const Result&, const LevelHamiltonian&,
                               const CalibrationRequest&);
  /// Changes of the parameters, a column for each Hamiltonian.
  Eigen::MatrixXd draws() const;

  std::size_t factors_ = 0;
  std::vector<std::shared_ptr<const ParameterOperator>> operators_;
  std::shared_ptr<KeptMatrices> kept_;
  Eigen::VectorXd changes_;  ///< factors less one; averages in hartree
};

/// The energy of the average of each configuration in these spinors, hartree.
std::vector<double> averageEnergies(const LevelSpace& space, const Result& result,
                                    const LevelHamiltonian& hamiltonian);

/// H(x) = H + sum_p x_p O_p + sum_c x_c 1_c with least sum_i w_i (E_i(x) - e_i)^2 / s^2 + sum_p ((x_p -
/// x_p0)/s_p)^2, s = 300/cm: one average of each configuration, and factors of classes with priors x_p0, by
/// Gauss and Newton's method with a full diagonalisation at each step (of blocks with more than 300 states in
/// the lowest fifth of their states). First each configuration is shifted by the median over J of its lowest
/// observed less lowest computed energy. At each step observed levels are assigned to computed ones of the
/// same J and parity with least sum of min(|E - e|/W, 3) + (1 - share of the configuration) + (1 - share of
/// the term)/2, W falling from 30,000 to 4,000/cm; levels far off lose weight, the lowest one of each
/// configuration counts 30-fold. Configurations without levels keep the average of the request relative to
/// that of the ground configuration. Source: docs/theory/levels.md. Throws FitParameterError for classes that
/// the atom has not; Error where a configuration names electrons by their j.
Calibration calibrate(const LevelSpace& space, const Result& result, const LevelHamiltonian& hamiltonian,
                      const CalibrationRequest& request);

/// Eigenproblems of a calibration with observed levels over those of the levels themselves, roughly.
double shareOfFit(const LevelCount& count);

/// Columns of least total cost, a different one for each row; there are at least as many columns as rows.
/// Source: R. Jonker and A. Volgenant, Computing 38 (1987) 325.
std::vector<int> leastAssignment(const Eigen::MatrixXd& costs);

}  // namespace prophet
