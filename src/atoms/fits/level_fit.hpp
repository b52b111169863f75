#pragma once
#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

#include "atoms/levels/levels.hpp"
#include "core/common/error.hpp"

namespace prophet {

/// A level of experiment.
struct ObservedLevel {
  int twoJ = 0;
  bool odd = false;
  int index = 0;                ///< from 1, among the levels of its J and parity
  double energy = 0;            ///< above any zero, hartree
  double weight = 1;            ///< 0: held out of the fit, and compared with it
  std::string term{};           ///< "3P" as the source has it, without a sign of odd parity; empty: not given
  std::string configuration{};  ///< as the source has it; empty: not given
};

/// An atom, or an ion of an isoelectronic sequence, with its levels of experiment. What it refers to must
/// stay until the fit is done.
struct FittedIon {
  std::string name;   ///< "Cr3+"
  double charge = 0;  ///< of the ion
  const LevelSpace& space;
  const Result& result;
  const LevelHamiltonian& hamiltonian;
  std::vector<ObservedLevel> observed{};
};

/// One of the parameters that were fitted.
struct FittedParameter {
  /// "F2(3d,3d)", "scale(F,G,R)", "slope(zeta)"; "average(3d7 4s1)" of a configuration after the first.
  std::string name;
  double computed = 0;           ///< hartree; 1 of a scale factor, 0 of a slope
  double fitted = 0, error = 0;  ///< with its standard error
  bool isFactor = false;         ///< whether it has no unit
};

/// Root mean square deviations, weighted, hartree: of the computed levels with the best common zero of each
/// ion, and of the fitted ones; of those held out before and after.
struct FitDeviations {
  int fittedLevels = 0, heldOutLevels = 0;
  double before = 0, after = 0, heldOutBefore = 0, heldOutAfter = 0;
};

/// What the fit makes of one ion.
struct IonFit {
  FitDeviations deviations;
  /// Energies of the observed levels above their zero, hartree. An ion of which all levels are held out has
  /// the zero with which their deviations are zero in the mean.
  std::vector<double> computedEnergies, fittedEnergies;
  /// To the Hamiltonian of a block, for computeLevels (LevelOptions::correction).
  std::function<void(const LevelBlock&, Eigen::MatrixXd&)> correction;
};

struct LevelFit {
  std::vector<FittedParameter> parameters;
  Eigen::MatrixXd covariance;  ///< of them, in their order
  FitDeviations deviations;    ///< of all ions
  std::vector<IonFit> ions;
};

/// A parameter of a fit that the atom does not have, or too many of them.
class FitParameterError : public Error {
 public:
  using Error::Error;
};

/// The kinds in "scale(F,G2)", of the function "scale"; empty where the name is none of it.
std::vector<std::string> kindsIn(const std::string& name, const std::string& function);

/// Whether there are such parameters in any atom: Fin, zeta, h, and F, G or R with a rank or without.
bool isKind(const std::string& kind);

/// Whether a parameter is of one of these kinds: "F", "zeta", "F2" with the rank, or "Fin", F within a shell.
bool isOfKinds(const SlaterParameter& parameter, const std::vector<std::string>& kinds);

/// Parameters of multiplet theory fitted to levels of experiment: the computed Hamiltonian plus their
/// operators times what they change by, by least squares (Levenberg and Marquardt's, Eigen), with derivatives
/// by the theorem of Hellmann and Feynman. `parameters`, at most 20: single ones of a single ion, or
/// "scale(F,G)", one factor of all computed parameters of these kinds (Fin, F, G, R, h, zeta, or with
/// their rank, F2) in all ions, and "slope(F,G)", what that factor changes by with every unit of charge from
/// the first ion on. Averages of configurations are always free in each ion that has levels to fit. Source:
/// R. D. Cowan, The Theory of Atomic Structure and Spectra (1981), chapter 16. Throws FitParameterError for
/// unknown parameters; Error for levels that a space has not, fewer levels than parameters, and parameters
/// that the levels do not determine.
LevelFit fitLevels(const std::vector<FittedIon>& ions, const std::vector<std::string>& parameters,
                   const Checkpoint& checkpoint = {});

}  // namespace prophet
