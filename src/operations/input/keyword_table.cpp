#include <fmt/format.h>
#include <fmt/ranges.h>

#include "atoms/functional/functional.hpp"
#include "core/common/text.hpp"
#include "operations/input/job.hpp"
#include "operations/input/keywords.hpp"

namespace prophet {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr JobSet kEnergy = jobBit(JobType::Energy);
constexpr JobSet kBsopt = jobBit(JobType::BasisOptimisation);
constexpr JobSet kChain = jobBit(JobType::Chain);
constexpr JobSet kStates =
    jobBit(JobType::Levels) | jobBit(JobType::Slater) | jobBit(JobType::Lines) | jobBit(JobType::Correlation);
constexpr JobSet kMeanField = jobBit(JobType::MeanField);
constexpr JobSet kWithBasis = kEnergy | kBsopt | kStates | kMeanField;
constexpr JobSet kWithLadders = kWithBasis | kChain;
constexpr JobSet kEnergyOrLimit = kEnergy | jobBit(JobType::Limit) | kStates | kMeanField;

constexpr JobSet kLevels = jobBit(JobType::Levels) | jobBit(JobType::Lines);

/// Makes one row of the table; what a row leaves out is as in Keyword.
class Row {
 public:
  Row(std::string group, std::string name, ValueType type, std::string documentation) {
    k_.group = std::move(group);
    k_.name = std::move(name);
    k_.type = type;
    k_.documentation = std::move(documentation);
  }
  Row& aliases(std::vector<std::string> names) { return k_.aliases = std::move(names), *this; }
  /// The default as `--explain` shows it.
  Row& byDefault(const std::string& text) { return k_.defaultText = text, *this; }
  Row& byDefault(const char* text) { return byDefault(std::string(text)); }
  template <class Number>
  Row& byDefault(Number value, const std::string& more = "") {
    return byDefault(fmt::format("{}{}", value, more));
  }
  Row& byDefault(bool value) { return byDefault(value ? ".true." : ".false."); }
  /// What a text is in some jobs.
  Row& byDefaultOf(JobSet jobs, const std::string& value) {
    return k_.jobDefaults.emplace_back(jobs, value), *this;
  }
  Row& from(double low, double high) { return k_.range = {low, high, false, false}, *this; }
  Row& beyond(const std::string& advice) { return k_.beyond = advice, *this; }
  Row& above(double low, double high = kInfinity) {
    return k_.range = {low, high, true, high == kInfinity}, *this;
  }
  Row& below(double high) { return k_.range = {-kInfinity, high, true, true}, *this; }
  Row& between(double low, double high) { return k_.range = {low, high, true, true}, *this; }
  Row& fromBelow(double low, double high) { return k_.range = {low, high, false, true}, *this; }
  Row& choices(std::vector<std::string> texts) { return k_.choices = std::move(texts), *this; }
  /// Names of the whole numbers, which may stand for them.
  Row& named(std::vector<NamedNumber> names) { return k_.named = std::move(names), *this; }
  /// Among the options that the short help of commands lists.
  Row& often() { return k_.common = true, *this; }
  /// The value of the option alone.
  Row& alone(const std::string& value) { return k_.implied = value, *this; }
  Row& eachSymmetry() { return k_.size = SizeRule::PerSymmetry, *this; }
  Row& fourPerGroup() { return k_.size = SizeRule::FourPerGroup, *this; }
  Row& readsFile() { return k_.file = FileUse::Read, *this; }
  /// A symbol may stand for the number.
  Row& element() { return k_.element = true, *this; }
  Row& only(JobSet jobs) { return k_.jobs = jobs, *this; }
  operator Keyword() const { return k_; }

 private:
  Keyword k_;
};

Row real(const char* group, const char* name, const char* text) {
  return {group, name, ValueType::Real, text};
}
Row integer(const char* group, const char* name, const char* text) {
  return {group, name, ValueType::Integer, text};
}
Row logical(const char* group, const char* name, const char* text) {
  return {group, name, ValueType::Logical, text};
}
Row text(const char* group, const char* name, const std::string& words) {
  return {group, name, ValueType::Text, words};
}

const Hamiltonian kHamiltonian;
const ScfOptions kScf;
const OptimiserOptions kOptimiser;
const ChainRequest kChainDefaults;
const ConfigurationRequest kElectrons;
const VirtualRequest kVirtuals;
const CoreValenceRequest kCoreValence;

std::vector<std::string> namesOfJobs() {
  std::vector<std::string> names;
  for (const JobName& job : jobNames()) names.push_back(job.name);
  return names;
}

std::vector<Keyword> controlKeywords() {
  return {
      text("contrl", "jobtype", "what to compute")
          .aliases({"jobtyp", "job"})
          .byDefault("'energy'")
          .choices(namesOfJobs()),
      real("contrl", "c", "speed of light, atomic units")
          .aliases({"speed_of_light"})
          .byDefault(kHamiltonian.speedOfLight)
          .from(1, 1e9),
      text("contrl", "hamiltonian",
           "one-electron Hamiltonian: four-component, exact two-component, the same without spin-orbit "
           "coupling, non-relativistic, or scalar-relativistic of Koelling and Harmon (limit with a "
           "functional)")
          .byDefault("'dirac'")
          .often()
          .choices(prophet::wordsOf<OneElectronOperator>()),
      text("contrl", "functional",
           "density functional in place of exact exchange, Kohn-Sham: " + namesOfFunctionals() +
               ", or names of libxc such as gga_x_rpbe+gga_c_pbe")
          .byDefault("'none'")
          .often()
          .only(kEnergy | jobBit(JobType::Limit)),
      text("contrl", "spin",
           "spin polarisation of a density functional: none, or that of the open shells by Hund's first rule")
          .byDefault("'none'")
          .choices(prophet::wordsOf<SpinPolarisation>())
          .only(kEnergy | jobBit(JobType::Limit)),
      // Fine structure of light atoms means nothing without the Breit interaction.
      text("contrl", "breit",
           "two-electron operator in addition to Coulomb: the magnetic (Gaunt) part alone, or the whole "
           "Breit interaction")
          .byDefault("'none'")
          .byDefaultOf(kLevels, "breit")  // fine structure of light atoms means nothing without it
          .often()
          .alone("breit")
          .choices({"none", "gaunt", "breit"})
          .only(kEnergyOrLimit),
      logical("contrl", "breitscf",
              "treat the Breit interaction self-consistently (fock='grid') instead of in first order on the "
              "Coulomb spinors")
          .byDefault(kHamiltonian.breitTreatment == Treatment::SelfConsistent)
          .only(kEnergyOrLimit),
      logical("contrl", "breitfreq", "frequency-dependent Breit interaction (breit='breit' in first order)")
          .byDefault(kHamiltonian.breitFrequency)
          .only(kEnergy | kLevels),
      text("contrl", "qedvp",
           "vacuum polarisation: Uehling potential, or also Kallen-Sabry and Wichmann-Kroll")
          .byDefault("'none'")
          .alone("full")
          .choices({"none", "uehling", "full"})
          .only(kEnergyOrLimit),
      text("contrl", "qedse",
           "self-energy: radiative potential fitted to inner shells (total energies) or to valence states")
          .byDefault("'none'")
          .alone("inner")
          .choices({"none", "inner", "valence"})
          .only(kEnergyOrLimit),
      logical("contrl", "qedscf", "treat the QED potentials self-consistently instead of in first order")
          .byDefault(kHamiltonian.qedTreatment == Treatment::SelfConsistent)
          .only(kEnergyOrLimit),
  };
}

std::vector<Keyword> nucleusKeywords() {
  std::vector<NamedNumber> models;
  for (const auto& [name, model] : namesOf<NuclearModel>())
    models.push_back({lowerCase(name), static_cast<int>(model)});
  return {
      real("nuc", "znuc", "nuclear charge, or the element or ion: 'Rn', 'Fe2+'")
          .aliases({"z", "element"})
          .element()
          .above(0, 170),
      integer("nuc", "nucmdl", "nuclear model")
          .aliases({"model"})
          .byDefault("3; 1 if the input gives the functions (bastype='wtbs' or 'rdin')")
          .from(1, static_cast<int>(models.size()))
          .often()
          .named(models),
      real("nuc", "rnuc",
           "radius of the sphere in bohr (nucmdl=2); 'experimental': the measured charge radius of the "
           "isotope 'mass' (nucmdl=2, 3, 4)")
          .aliases({"radius"})
          .named({{"experimental", kMeasuredRadius}})
          .byDefault("sqrt(5/3) rms")
          .above(0, 1),
      real("nuc", "alpha", "Gaussian exponent in bohr^-2 (nucmdl=3)")
          .aliases({"exponent"})
          .byDefault("3/(2 rms^2)")
          .from(1, 1e24),
      real("nuc", "mass", "mass number, from which rms follows (nucmdl=2, 3, 4)")
          .aliases({"isotope"})
          .byDefault("that of the most abundant or longest-lived isotope")
          .from(1, 1000),
      real("nuc", "rms", "root-mean-square charge radius in fm (nucmdl=2, 3, 4)")
          .byDefault("0.836 mass^(1/3) + 0.570")
          .above(0, 1e4),
      real("nuc", "skin", "skin thickness t in fm (nucmdl=4)").byDefault("2.30").above(0, 100),
  };
}

std::vector<Keyword> levelKeywords() {
  return {
      text("levels", "spinors", "radial functions: in the basis set, or at the numerical limit")
          .byDefault("'basis'; of jobtype='correlation' 'limit' unless a basis set is named")
          .choices({"basis", "limit"})
          .often()
          .only(kStates),
      text("levels", "virtuals",
           "virtual shells such as '3s 3p 3d': levels with all single and double excitations into them")
          .often()
          .only(kLevels),
      text("levels", "excited", "with virtuals: shells whose electrons are excited, such as '2s 2p'")
          .byDefault("open shells, and closed ones with the largest n of the configurations")
          .only(kLevels),
      integer("levels", "excitations", "with virtuals: electrons excited at most")
          .byDefault(kVirtuals.excitations)
          .from(1, 2)
          .only(kLevels),
      integer("levels", "roots", "with virtuals: how many of the lowest levels of each J and parity")
          .byDefault("as many as the configurations have without virtuals")
          .from(1, 1000)
          .only(kLevels),
      text("levels", "virtual_spinors",
           "with virtuals: natural spinors, by iterations, or all spinors those of the average over all "
           "states with excitations")
          .byDefault("'natural'")
          .choices({"natural", "average"})
          .only(kLevels),
      logical("levels", "core_valence",
              "one to four electrons above a closed core, with its correlation in second order")
          .byDefault(kCoreValence.coreValence)
          .only(kLevels),
      logical("levels", "core_polarisation",
              "with core_valence: g factors, hyperfine constants and lines with the response of the core "
              "(RPA)")
          .byDefault(kCoreValence.corePolarisation)
          .only(kLevels),
      integer("levels", "lowest",
              "with core_valence: how many of the lowest levels of each J and parity, where no "
              "configurations are named")
          .byDefault(kCoreValence.lowest)
          .from(1, 16)
          .only(kLevels),
      integer("levels", "valence_spinors",
              "with core_valence: spinors of each symmetry for the valence electrons")
          .byDefault("12, of three and four electrons 10")
          .from(2, 40)
          .only(kLevels),
      integer("levels", "valence_lmax", "with core_valence: largest l of these spinors")
          .byDefault("4, of one electron 3")
          .from(1, 6)
          .only(kLevels),
      integer("levels", "core_lmax",
              "with core_valence: largest l of the spinors that the core is excited to")
          .byDefault(kCoreValence.largestInnerL)
          .from(1, 12)
          .only(kLevels),
      text("levels", "core_rings",
           "with core_valence: polarisation of the core in second order, or with the interaction of its "
           "excitations to all orders")
          .byDefault("'iterated'")
          .choices({"second", "iterated"})
          .only(kLevels),
      text("levels", "frozen_core",
           "with core_valence: shells of the core that are not correlated, such as '1s 2s'")
          .only(kLevels),
  };
}

std::vector<Keyword> embeddingKeywords() {
  return {
      real("watson", "charge", "charge of the shell, e: that of the ion with the opposite sign")
          .between(-100, 100),
      real("watson", "radius", "radius of the shell, bohr").above(0, 1000),
      text("crystal", "file", "the crystal: CIF, or extended XYZ with Lattice=").readsFile(),
      text("crystal", "site", "the ion's site: a label such as 'O1', or the first one of an element"),
      text("crystal", "charges", "'Mg=2,O=-2', 'column' or 'oxidation'").byDefault("the file's"),
      text("crystal", "block", "of a CIF file with several structures the name of one's data block"),
  };
}

std::vector<Keyword> basisKeywords() {
  return {
      text("bas", "bastype",
           "well-tempered functions ($wtbs), exponents after $end, a set of the library, or a file")
          .aliases({"type"})
          .byDefault("'library'")
          .choices({"wtbs", "rdin", "library", "file"}),
      integer("bas", "nsym", "number of symmetries s+, p-, p+, d-, ... (wtbs, rdin)")
          .aliases({"symmetries"})
          .byDefault("for wtbs the number of values of nbs")
          .from(1, kMostJobSymmetries),
      integer("bas", "ngroup", "number of well-tempered parameter groups (wtbs)")
          .byDefault(1)
          .from(1, kMostJobSymmetries),
      text("bas", "library", "name of the collection of basis sets, or path to a folder of them (library)")
          .byDefault("the program's default collection"),
      text("bas", "file",
           "basis set file: Basis Set Exchange JSON, NWChem, DIRAC, Gaussian, .basis, .best, .inp (file)")
          .readsFile(),
      logical("bas", "contracted",
              "use the contracted functions of the file instead of their primitives (file)")
          .byDefault(false),
  };
}

std::vector<Keyword> ladderKeywords() {
  return {
      real("wtbs", "wtbspara",
           "alpha > 0, beta > 1, delta, gamma of group 1, then of group 2, ... (this order)")
          .aliases({"parameters"})
          .fourPerGroup()
          .fromBelow(0, kInfinity),
      integer("wtbs", "nbs", "number of functions of each symmetry")
          .aliases({"functions"})
          .eachSymmetry()
          .from(1, 500),
      integer("wtbs", "start", "index in the ladder of the first function of each symmetry")
          .eachSymmetry()
          .byDefault(1)
          .from(1, 500),
      integer("wtbs", "groups", "parameter group of each symmetry")
          .eachSymmetry()
          .byDefault(1)
          .from(1, kMostJobSymmetries),
      text("wtbs", "pool",
           "length M of a ladder: the largest last index of its group, or that of the symmetry")
          .byDefault("'shared'")
          .choices({"shared", "symmetry"}),
  };
}

std::vector<Keyword> optimiserKeywords() {
  const OptimiserOptions chain = chainOptimiser();
  return {
      real("newuoa", "rhobeg", "first trust-region radius")
          .aliases({"first_step"})
          .byDefault(kOptimiser.rhoBegin)
          .between(0, 10)
          .only(kBsopt | kChain),
      real("newuoa", "rhoend", "last trust-region radius")
          .aliases({"last_step"})
          .byDefault(kOptimiser.rhoEnd, fmt::format("; {} with jobtype='chain'", chain.rhoEnd))
          .between(0, 10)
          .only(kBsopt | kChain),
      integer("newuoa", "iprint",
              "what is printed: 0 a line every few seconds, 1 improvements, 2 every evaluation, 3 also its "
              "parameters (in the thesis: 0 nothing, 1 the end, 2 each smaller trust region, 3 all)")
          .byDefault(kOptimiser.printLevel)
          .from(0, 3)
          .only(kBsopt),
      integer("newuoa", "maxfun", "largest number of energy evaluations")
          .aliases({"max_evaluations"})
          .byDefault(
              kOptimiser.maxEvaluations,
              fmt::format("; 5000 with lbfgs and slsqp, {} with jobtype='chain'", chain.maxEvaluations))
          .from(1, 1e6)
          .only(kBsopt | kChain),
      text("newuoa", "method",
           "minimiser: four that need no derivatives, and lbfgs and slsqp, which use the gradient (bsopt)")
          .byDefault("'" + kOptimiser.method + "'")
          .choices({"newuoa", "bobyqa", "nelder-mead", "sbplx", "lbfgs", "slsqp"})
          .only(kBsopt | kChain),
      text("newuoa", "free", "what is optimised: the parameters of ladders, or every exponent (lbfgs, slsqp)")
          .byDefault("'ladders' with bastype='wtbs', otherwise 'exponents'")
          .choices({"ladders", "exponents"})
          .only(kBsopt),
      text("newuoa", "shared",
           "which symmetries share exponents: both j of an l; none; or s with d, p with f (free='exponents')")
          .byDefault("'" + kOptimiser.shared + "'")
          .choices({"l", "j", "family"})
          .only(kBsopt),
      real("newuoa", "gradient", "largest derivative at the end, hartree (lbfgs, slsqp)")
          .byDefault(kOptimiser.gradient)
          .between(0, 1)
          .only(kBsopt),
      real("newuoa", "minratio", "smallest ratio of neighbouring exponents (free='exponents')")
          .byDefault(kOptimiser.leastRatio)
          .above(1, 100)
          .only(kBsopt),
      real("newuoa", "maxratio", "largest ratio of neighbouring exponents (free='exponents')")
          .byDefault(kOptimiser.mostRatio)
          .above(1, 1e6)
          .only(kBsopt),
      real("newuoa", "prolapse",
           "largest prolapse as a fraction of the error against the complete basis; 0 for no bound (lbfgs, "
           "slsqp)")
          .byDefault(kOptimiser.prolapse)
          .from(0, 1)
          .only(kBsopt),
      integer("newuoa", "starts",
              "number of searches, from the parameters of the input and from points around them; the best "
              "result is taken")
          .byDefault(kOptimiser.starts)
          .from(1, 4096)
          .only(kBsopt),
      real("newuoa", "spread",
           "largest distance of those points in ln alpha, ln(beta - 1), ln delta, ln gamma (starts > 1)")
          .byDefault(kOptimiser.spread)
          .above(0, 3)
          .only(kBsopt),
  };
}

std::vector<Keyword> chainKeywords() {
  return {
      text("chain", "method",
           "a ladder for each symmetry, or functions removed from groups, end by end ($bas, $wtbs, $newuoa)")
          .byDefault("'ladders'")
          .choices({"ladders", "thesis"}),
      real("chain", "threshold", "largest error relative to the limit")
          .byDefault(kChainDefaults.threshold)
          .from(1e-12, 1e-2),
      real("chain", "limit", "energy of the numerical limit in hartree, if known")
          .byDefault("computed")
          .below(0),
      integer("chain", "probes", "number of sizes tried at once (method='thesis')")
          .byDefault(kChainDefaults.probes)
          .from(1, 64),
  };
}

std::vector<Keyword> electronKeywords() {
  return {
      text("seconfig", "config",
           "configuration such as '[Xe] 4f7 5d1 6s2'; partly filled shells averaged over both j, or with j: "
           "'[Ne] 3s2 3p1/2:2 3p3/2:1'")
          .aliases({"configuration", "configs", "configurations"})
          .often()
          .byDefault("that of experiment if it is known, otherwise one by rule"),
      text(
          "seconfig", "hole",
          "shells that an electron is taken out of: '1s', '2p3/2', '2p 2p'; the atom has one charge more for "
          "each than 'charge' and 'config' say")
          .often(),
      text("seconfig", "promote",
           "electrons moved from shell to shell: '2p->3d', '2p->3d, 3p->4s', as X-ray absorption does; the "
           "charge stays"),
      integer("seconfig", "charge",
              "charge of the ion, before any 'hole'; without 'config' it has its default configuration")
          .byDefault("0, or the charge that follows from the configuration")
          .from(-4, 170),
      integer("seconfig", "nclose", "closed spinors of each symmetry")
          .aliases({"closed"})
          .eachSymmetry()
          .byDefault(0)
          .from(0, 50),
      integer("seconfig", "nopen", "open spinors of each symmetry, above the closed ones")
          .aliases({"open"})
          .eachSymmetry()
          .byDefault(0)
          .from(0, 1)
          .beyond("several open spinors of one symmetry: write config='...' with j, as in 6p1/2, instead"),
      integer("seconfig", "freel", "total number of electrons in the open spinors")
          .aliases({"open_electrons"})
          .byDefault(kElectrons.freeElectrons)
          .from(0, 200),
      logical("seconfig", "autogen", "average over all distributions of freel over the open spinors")
          .byDefault(".false.; .true. with one open spinor"),
      integer("seconfig", "nconf", "number of configurations that follow the group, one on each line")
          .byDefault(0)
          .from(0, 10000),
  };
}

std::vector<Keyword> scfKeywords() {
  return {
      integer("scf", "maxitr", "largest number of iterations")
          .aliases({"max_iterations"})
          .byDefault(kScf.maxIterations,
                     fmt::format("; {} at each resolution with jobtype='limit'", LimitMethod{}.maxIterations))
          .from(1, 100000),
      integer("scf", "ixtrp", "how the next Fock matrix is made: damping only, Fock extrapolation, DIIS")
          .aliases({"extrapolation"})
          .byDefault(static_cast<int>(kScf.extrapolation), "; 0 if dfctr is given")
          .from(0, 2)
          .named({{"damping", 0}, {"fock", 1}, {"diis", 2}})
          .only(kWithBasis),
      real("scf", "dfctr", "damping: fraction of the previous Fock matrix (ixtrp=0, 1)")
          .aliases({"damping"})
          .byDefault(kScf.damping)
          .fromBelow(0, 1)
          .only(kWithBasis),
      real("scf", "thdll", "largest change of an LL density-matrix element")
          .aliases({"threshold_ll"})
          .byDefault(kScf.thresholdLL)
          .between(0, 1)
          .only(kWithBasis),
      real("scf", "thdsl", "largest change of an SL density-matrix element")
          .aliases({"threshold_sl"})
          .byDefault(kScf.thresholdSL)
          .between(0, 1)
          .only(kWithBasis),
      real("scf", "thdss", "largest change of an SS density-matrix element")
          .aliases({"threshold_ss"})
          .byDefault(kScf.thresholdSS)
          .between(0, 1)
          .only(kWithBasis),
      text("scf", "fock", "Fock-matrix builder")
          .byDefault("the fastest that is exact to the thresholds")
          .choices({"grid", "stored", "stse", "mtse"})
          .only(kEnergy),
      text("scf", "mapping", "how a GPU finds the functions of a stored integral")
          .byDefault("search")
          .choices({"search", "arrays"})
          .only(kEnergy),
  };
}

}  // namespace

const std::vector<JobName>& jobNames() {
  static const std::vector<JobName> kNames = {
      {"energy", JobType::Energy, "Dirac-Hartree-Fock energy of one atom"},
      {"bsopt", JobType::BasisOptimisation,
       "fit the well-tempered parameters, or every exponent of a set; needs $newuoa"},
      {"chain", JobType::Chain, "the smallest well-tempered set within a threshold of the numerical limit"},
      {"limit", JobType::Limit, "energy without a basis set (complete basis, by B-splines)"},
      {"levels", JobType::Levels, "the levels of open shells, by configuration interaction"},
      {"lines", JobType::Lines, "the lines between the levels of several configurations"},
      {"correlation", JobType::Correlation, "correlation energy of second order"},
      {"mean_field", JobType::MeanField, "the two-electron field of one atom as matrices"},
      {"slater", JobType::Slater, "Slater integrals and spin-orbit parameters of the shells"},
  };
  return kNames;
}

const std::vector<KeywordGroup>& keywordGroups() {
  static const std::vector<KeywordGroup> kGroups = {
      {"contrl", {"control"}, "what to compute", ""},
      {"nuc", {"nucleus"}, "the nucleus; required", ""},
      {"bas",
       {"basis"},
       "where the basis set comes from",
       "with bastype='rdin', for each symmetry: the number of functions, then that many exponents, one on "
       "each line",
       kWithLadders},
      {"wtbs", {"ladder"}, "well-tempered exponents (bastype='wtbs')", "", kWithLadders},
      {"newuoa", {"optimiser"}, "the basis optimiser", "", kBsopt | kChain},
      {"chain", {}, "the search for the smallest set", "", kChain},
      {"seconfig",
       {"electrons"},
       "the electrons: config or charge, or nclose, nopen, freel and (autogen or nconf)",
       "nconf lines, each the electrons in every open spinor of one configuration"},
      {"levels", {}, "levels, lines, Slater integrals and correlation", "", kStates},
      {"watson", {}, "a charged shell around the ion", "", kEnergyOrLimit},
      {"crystal", {}, "the charged shell that stands for the crystal around a site", "", kEnergyOrLimit},
      {"scf", {}, "convergence", "", kWithBasis | kEnergyOrLimit},
  };
  return kGroups;
}

const std::vector<Keyword>& keywords() {
  static const std::vector<Keyword> kTable = [] {
    std::vector<Keyword> table;
    for (const auto& group :
         {controlKeywords, nucleusKeywords, basisKeywords, ladderKeywords, optimiserKeywords, chainKeywords,
          electronKeywords, levelKeywords, embeddingKeywords, scfKeywords}) {
      for (Keyword& keyword : group()) table.push_back(std::move(keyword));
    }
    return table;
  }();
  return kTable;
}

}  // namespace prophet
