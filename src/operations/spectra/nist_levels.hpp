#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "atoms/levels/levels.hpp"

namespace prophet {

/// A level of the NIST Atomic Spectra Database.
struct NistLevel {
  int twoJ = 0;
  double energy = 0;  ///< above the ion's ground level, cm^-1
  std::string term;   ///< "3H"; empty where the database has no term of LS coupling
};

/// Levels of one configuration of an ion in that database (src/data/nist-levels.csv says which release),
/// ascending in energy. Configurations with at most one open p, d or f and one open s shell; empty for
/// others, and for rows that cannot be right (src/data/nist-levels-suspects.csv).
std::vector<NistLevel> nistLevels(int z, int charge, const LevelSpace::Part& configuration);

/// The same of any configuration of ions I to IV (src/data/nist-levels-complex.csv as well). These lists need
/// not be whole.
std::vector<NistLevel> allNistLevels(int z, int charge, const LevelSpace::Part& configuration);

/// Each computed level of a configuration gets the energy of the same one in experiment above the lowest
/// known one of the configuration, cm^-1; not a number where none is known to be the same. `levels` ascend in
/// energy; `all`: they are all of the configuration.
///
/// Two levels of one J belong together where they have one term (that half or more of the computed one is)
/// and no other level has it, or, of several, the energies leave no doubt: the other ones are more than
/// twice as far away, and by a quarter of the energy, after all computed energies have been multiplied with
/// the factor that suits the clear ones. Where all levels of a J are known, also by their order, if the
/// multiplicities agree and a quarter of the computed level or more is of the known one's term. Those that
/// would change the order within a J are left out.
std::vector<double> besideComputed(const std::vector<NistLevel>& known, const std::vector<Level>& levels,
                                   bool all);

/// What is known of one of several configurations.
struct KnownConfiguration {
  std::vector<NistLevel> levels;
  double count = 0;  ///< of its levels, where all of them may have been computed; 0: they have not
};

/// A configuration in the database whose levels are computed beside those of others. It has its count where
/// the database has no term of any of its levels: these are paired by their order alone.
KnownConfiguration knownConfiguration(int z, int charge, const LevelSpace::Part& configuration);

/// The same of the levels of several configurations, each of which is matched by itself with its own levels:
/// energies above the ground level of the ion. `mixed`: a level that is of its configuration by less than
/// half is of none, and terms of other configurations in it do not count.
std::vector<double> besideComputed(const std::vector<KnownConfiguration>& known,
                                   const std::vector<Level>& levels, bool mixed);

/// The same of the first `references` configurations of a space, which are mixed. Energies count from the
/// ground level of the ion where its configuration is one of them, else from the lowest level that the
/// database has of them.
std::vector<double> besideComputed(int z, int charge, const LevelSpace& space, std::size_t references,
                                   const std::vector<Level>& levels, bool all);

/// The ground configuration of an ion and its ionisation energy in the NIST Atomic Spectra Database.
struct NistIonisation {
  std::size_t ground = 0;  ///< among configurations
  double energy = 0;       ///< hartree
};
/// Empty where the database has no energy, or none of these configurations is that of the ground level
/// (src/data/nist-ionisation-energies.csv).
std::optional<NistIonisation> nistIonisation(int z, int charge,
                                             const std::vector<LevelSpace::Part>& configurations);

}  // namespace prophet
