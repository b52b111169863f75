#include <fmt/format.h>

#include "atoms/atom/nuclear_charge.hpp"
#include "atoms/functional/functional.hpp"
#include "atoms/functional/functional_slopes.hpp"
#include "core/common/listed_words.hpp"
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
constexpr JobSet kEffective = kLevels | jobBit(JobType::Slater);

using KeywordTable = RequestTable<Job>;

/// What a value is by default, as `--explain` shows it; empty where there is none.
template <class T>
std::string usualText(const T& value) {
  return fmt::format("{}", value);
}
std::string usualText(bool value) { return value ? ".true." : ".false."; }
std::string usualText(const std::string& text) { return text.empty() ? "" : "'" + text + "'"; }
template <class T>
std::string usualText(const std::optional<T>&) {
  return "";
}

/// Puts the rows of one group into the table.
class Group {
 public:
  Group(KeywordTable& table, std::string name, JobSet jobs = kAllJobs)
      : table_(table), name_(std::move(name)), jobs_(jobs) {}

  /// For a member of the job, whose default value is that of the keyword.
  template <class Access>
  Keyword& add(const char* keyword, const Access& member, const std::string& text) {
    Job usual;
    return ours(table_.add(keyword, member, text)).byDefault(usualText(std::invoke(member, usual)));
  }
  /// For one whose values have names.
  template <class Access>
  Keyword& add(const char* keyword, const Access& member, const Names<KeywordTable::NamedOf<Access>>& names,
               const std::string& text) {
    Keyword& row = ours(table_.add(keyword, member, names, text));
    return row.byDefault(usualText(row.defaultText));
  }
  /// For an enumeration whose values have numbers, and names too.
  template <class Access, class E = KeywordTable::MemberOf<Access>>
  Keyword& addNumbered(const char* keyword, const Access& member, const Names<E>& names,
                       const std::string& text) {
    Job usual;
    Keyword& row = add(keyword, ValueType::Integer, text, [member](Job& j, const Json& v) {
      std::invoke(member, j) = static_cast<E>(v.get<int>());
    });
    for (const auto& [name, value] : names) row.named.push_back({name, static_cast<int>(value)});
    return row.from(row.named.front().number, row.named.back().number)
        .byDefault(usualText(static_cast<int>(std::invoke(member, usual))));
  }
  /// With a reader of its own; without one the section's rules read it.
  Keyword& add(const char* keyword, ValueType type, const std::string& text,
               std::function<void(Job&, const Json&)> read = {}) {
    return ours(table_.add(keyword, type, text, std::move(read)));
  }

 private:
  Keyword& ours(Keyword& row) const { return row.group = name_, row.only(jobs_); }

  KeywordTable& table_;
  const std::string name_;
  const JobSet jobs_;
};

/// A reader for a text.
template <class Read>
auto ofText(Read read) {
  return [read](Job& j, const Json& v) { read(j, v.get<std::string>()); };
}

/// For a part of the Hamiltonian that may be in the self-consistent field.
auto selfConsistent(Treatment Hamiltonian::*treatment) {
  return [treatment](Job& j, const Json& v) {
    j.hamiltonian.*treatment = v.get<bool>() ? Treatment::SelfConsistent : Treatment::FirstOrder;
  };
}

/// For a number of the nucleus that models have as their keyword.
Keyword& addOfModel(Group& group, const char* keyword, const std::string& text) {
  std::optional<double> NucleusRequest::*member = nullptr;
  for (const NuclearCharge* charge : nuclearCharges())
    for (const NuclearKeyword& k : charge->keywords)
      if (k.keyword == std::string_view(keyword)) member = k.given;
  return group.add(keyword, at(&Job::nucleus, member), text);
}

std::vector<std::string> namesOfJobs() {
  std::vector<std::string> names;
  for (const JobName& job : jobNames()) names.push_back(job.name);
  return names;
}

void addControl(KeywordTable& table) {
  Group g(table, "contrl");
  g.add("jobtype", ValueType::Text, "what to compute", ofText([](Job& j, const std::string& name) {
          for (const JobName& job : jobNames())
            if (job.name == name) j.type = job.type;
          if (j.type == JobType::Chain) j.optimiser = chainOptimiser();
        }))
      .alias("jobtyp")
      .alias("job")
      .byDefault("'energy'")
      .oneOf(namesOfJobs());
  g.add("c", at(&Job::hamiltonian, &Hamiltonian::speedOfLight), "speed of light, atomic units")
      .alias("speed_of_light")
      .from(1, 1e9);
  g.add("hamiltonian", at(&Job::hamiltonian, &Hamiltonian::oneElectron), wordsOf<OneElectronOperator>(),
        "one-electron Hamiltonian: four-component, exact two-component, the same without spin-orbit "
        "coupling, non-relativistic, or scalar-relativistic of Koelling and Harmon (limit with a "
        "functional)")
      .often();
  g.add("functional", ValueType::Text,
        "density functional in place of exact exchange, Kohn-Sham: " + namesOfFunctionals() +
            ", or names of libxc such as gga_x_rpbe+gga_c_pbe",
        ofText([](Job& j, const std::string& name) {
          const std::string functional = canonicalFunctional(name);
          if (functional != "none") j.hamiltonian.functional = functional;
        }))
      .byDefault("'none'")
      .often()
      .only(kEnergy | jobBit(JobType::Limit));
  g.add("spin", at(&Job::hamiltonian, &Hamiltonian::spin), wordsOf<SpinPolarisation>(),
        "spin polarisation of a density functional: none, or that of the open shells by Hund's first rule")
      .only(kEnergy | jobBit(JobType::Limit));
  g.add("breit", at(&Job::hamiltonian, &Hamiltonian::repulsion),
        Names<TwoElectronOperator>{{"none", TwoElectronOperator::Coulomb},
                                   {"gaunt", TwoElectronOperator::CoulombGaunt},
                                   {"breit", TwoElectronOperator::CoulombBreit}},
        "two-electron operator in addition to Coulomb: the magnetic (Gaunt) part alone, or the whole "
        "Breit interaction")
      .byDefaultOf(kLevels, "breit")  // fine structure of light atoms means nothing without it
      .often()
      .alone("breit")
      .only(kEnergyOrLimit);
  g.add("breitscf", ValueType::Logical,
        "treat the Breit interaction self-consistently (fock='grid') instead of in first order on the "
        "Coulomb spinors",
        selfConsistent(&Hamiltonian::breitTreatment))
      .byDefault(usualText(Hamiltonian{}.breitTreatment == Treatment::SelfConsistent))
      .only(kEnergyOrLimit);
  g.add("breitfreq", at(&Job::hamiltonian, &Hamiltonian::breitFrequency),
        "frequency-dependent Breit interaction (breit='breit' in first order)")
      .only(kEnergy | kLevels);
  g.add("qedvp", ValueType::Text,
        "vacuum polarisation: Uehling potential, or also Kallen-Sabry and Wichmann-Kroll",
        ofText([](Job& j, const std::string& name) {
          QedOptions& q = j.hamiltonian.qed;
          q.vacuumPolarisation = name != "none";
          q.kallenSabry = q.wichmannKroll = name == "full";
        }))
      .byDefault("'none'")
      .alone("full")
      .oneOf({"none", "uehling", "full"})
      .only(kEnergyOrLimit);
  g.add("qedse", ValueType::Text,
        "self-energy: radiative potential fitted to inner shells (total energies) or to valence states",
        ofText([](Job& j, const std::string& name) {
          QedOptions& q = j.hamiltonian.qed;
          q.selfEnergy = name != "none";
          q.fit = name == "valence" ? SelfEnergyFit::Valence : QedOptions{}.fit;
        }))
      .byDefault("'none'")
      .alone("inner")
      .oneOf({"none", "inner", "valence"})
      .only(kEnergyOrLimit);
  g.add("qedscf", ValueType::Logical, "treat the QED potentials self-consistently instead of in first order",
        selfConsistent(&Hamiltonian::qedTreatment))
      .byDefault(usualText(Hamiltonian{}.qedTreatment == Treatment::SelfConsistent))
      .only(kEnergyOrLimit);
}

void addNucleus(KeywordTable& table) {
  Group g(table, "nuc");
  Keyword& charge = g.add("znuc", at(&Job::nucleus, &NucleusRequest::charge),
                          "nuclear charge, or the element or ion: 'Rn', 'Fe2+'")
                        .alias("z")
                        .alias("element")
                        .byDefault("")
                        .above(0, 170);
  charge.element = true;
  g.addNumbered("nucmdl", at(&Job::nucleus, &NucleusRequest::model), wordsOf<NuclearModel>(), "nuclear model")
      .alias("model")
      .byDefault("3; 1 if the input gives the functions (bastype='wtbs' or 'rdin')")
      .often();
  // A word stands for the radius too.
  Keyword& radius =
      g.add("rnuc", ValueType::Real,
            "radius of the sphere in bohr (nucmdl=2); 'experimental': the measured charge radius of the "
            "isotope 'mass' (nucmdl=2, 3, 4)",
            [](Job& j, const Json& v) {
              const double number = v.get<double>();
              j.nucleus.measuredRadius = number == kMeasuredRadius;
              if (!j.nucleus.measuredRadius) j.nucleus.radius = number;
            })
          .alias("radius")
          .byDefault("sqrt(5/3) rms")
          .above(0, 1);
  radius.named = {{"experimental", kMeasuredRadius}};
  addOfModel(g, "alpha", "Gaussian exponent in bohr^-2 (nucmdl=3)")
      .alias("exponent")
      .byDefault("3/(2 rms^2)")
      .from(1, 1e24);
  g.add("mass", at(&Job::nucleus, &NucleusRequest::massNumber),
        "mass number, from which rms follows (nucmdl=2, 3, 4)")
      .alias("isotope")
      .byDefault("that of the most abundant or longest-lived isotope")
      .from(1, 1000);
  g.add("rms", at(&Job::nucleus, &NucleusRequest::rmsFemtometres),
        "root-mean-square charge radius in fm (nucmdl=2, 3, 4)")
      .byDefault("0.836 mass^(1/3) + 0.570")
      .above(0, 1e4);
  addOfModel(g, "skin", "skin thickness t in fm (nucmdl=4)").byDefault("2.30").above(0, 100);
}

void addBasis(KeywordTable& table) {
  Group g(table, "bas");
  g.add("bastype", &Job::basisType,
        Names<BasisType>{{"wtbs", BasisType::WellTempered},
                         {"rdin", BasisType::ReadIn},
                         {"library", BasisType::Library},
                         {"file", BasisType::File}},
        "well-tempered functions ($wtbs), exponents after $end, a set of the library, or a file")
      .alias("type");
  g.add("nsym", ValueType::Integer, "number of symmetries s+, p-, p+, d-, ... (wtbs, rdin)")
      .alias("symmetries")
      .byDefault("for wtbs the number of values of nbs")
      .from(1, kMostJobSymmetries);
  g.add("ngroup", ValueType::Integer, "number of well-tempered parameter groups (wtbs)")
      .byDefault("1")
      .from(1, kMostJobSymmetries);
  g.add("library", ValueType::Text,
        "name of the collection of basis sets, or path to a folder of them (library)")
      .byDefault("the program's default collection");
  g.add("file", ValueType::Text,
        "basis set file: Basis Set Exchange JSON, NWChem, DIRAC, Gaussian, .basis, .best, .inp (file)")
      .file = FileUse::Read;
  g.add("contracted", &Job::contracted,
        "use the contracted functions of the file instead of their primitives (file)");
}

void addLadders(KeywordTable& table) {
  Group g(table, "wtbs");
  g.add("wtbspara", ValueType::Real,
        "alpha > 0, beta > 1, delta, gamma of group 1, then of group 2, ... (this order)")
      .alias("parameters")
      .fromBelow(0, kInfinity)
      .size = SizeRule::FourPerGroup;
  g.add("nbs", ValueType::Integer, "number of functions of each symmetry")
      .alias("functions")
      .from(1, 500)
      .size = SizeRule::PerSymmetry;
  g.add("start", ValueType::Integer, "index in the ladder of the first function of each symmetry")
      .byDefault("1")
      .from(1, 500)
      .size = SizeRule::PerSymmetry;
  g.add("groups", ValueType::Integer, "parameter group of each symmetry")
      .byDefault("1")
      .from(1, kMostJobSymmetries)
      .size = SizeRule::PerSymmetry;
  g.add("pool", at(&Job::wellTempered, &WellTemperedSpec::pool),
        Names<LadderPool>{{"shared", LadderPool::Shared}, {"symmetry", LadderPool::Symmetry}},
        "length M of a ladder: the largest last index of its group, or that of the symmetry")
      .byDefault("'shared'");
}

void addOptimiser(KeywordTable& table) {
  using O = OptimiserOptions;
  const auto of = [](auto member) { return at(&Job::optimiser, member); };
  const O chain = chainOptimiser();
  Group both(table, "newuoa", kBsopt | kChain), g(table, "newuoa", kBsopt);
  both.add("rhobeg", of(&O::rhoBegin), "first trust-region radius").alias("first_step").between(0, 10);
  both.add("rhoend", of(&O::rhoEnd), "last trust-region radius")
      .alias("last_step")
      .between(0, 10)
      .defaultText += fmt::format("; {} with jobtype='chain'", chain.rhoEnd);
  g.add("iprint", of(&O::printLevel),
        "what is printed: 0 a line every few seconds, 1 improvements, 2 every evaluation, 3 also its "
        "parameters (in the thesis: 0 nothing, 1 the end, 2 each smaller trust region, 3 all)")
      .from(0, 3);
  both.add("maxfun", of(&O::maxEvaluations), "largest number of energy evaluations")
      .alias("max_evaluations")
      .from(1, 1e6)
      .defaultText +=
      fmt::format("; 5000 with lbfgs and slsqp, {} with jobtype='chain'", chain.maxEvaluations);
  both.add("method", of(&O::method),
           "minimiser: four that need no derivatives, and lbfgs and slsqp, which use the gradient (bsopt)")
      .oneOf({"newuoa", "bobyqa", "nelder-mead", "sbplx", "lbfgs", "slsqp"});
  g.add("free", of(&O::freeExponents), Names<bool>{{"ladders", false}, {"exponents", true}},
        "what is optimised: the parameters of ladders, or every exponent (lbfgs, slsqp)")
      .byDefault("'ladders' with bastype='wtbs', otherwise 'exponents'");
  g.add("shared", of(&O::shared),
        "which symmetries share exponents: both j of an l; none; or s with d, p with f (free='exponents')")
      .oneOf({"l", "j", "family"});
  g.add("gradient", of(&O::gradient), "largest derivative at the end, hartree (lbfgs, slsqp)").between(0, 1);
  g.add("minratio", of(&O::leastRatio), "smallest ratio of neighbouring exponents (free='exponents')")
      .above(1, 100);
  g.add("maxratio", of(&O::mostRatio), "largest ratio of neighbouring exponents (free='exponents')")
      .above(1, 1e6);
  g.add("prolapse", of(&O::prolapse),
        "largest prolapse as a fraction of the error against the complete basis; 0 for no bound (lbfgs, "
        "slsqp)")
      .from(0, 1);
  g.add("starts", of(&O::starts),
        "number of searches, from the parameters of the input and from points around them; the best "
        "result is taken")
      .from(1, 4096);
  g.add("spread", of(&O::spread),
        "largest distance of those points in ln alpha, ln(beta - 1), ln delta, ln gamma (starts > 1)")
      .above(0, 3);
}

void addChain(KeywordTable& table) {
  using C = ChainRequest;
  Group g(table, "chain");
  g.add("method", at(&Job::chain, &C::method),
        Names<ChainMethod>{{"ladders", ChainMethod::Ladders}, {"thesis", ChainMethod::Thesis}},
        "a ladder for each symmetry, or functions removed from groups, end by end ($bas, $wtbs, $newuoa)");
  g.add("threshold", at(&Job::chain, &C::threshold), "largest error relative to the limit").from(1e-12, 1e-2);
  g.add("limit", at(&Job::chain, &C::limit), "energy of the numerical limit in hartree, if known")
      .byDefault("computed")
      .between(-kInfinity, 0);
  g.add("probes", at(&Job::chain, &C::probes), "number of sizes tried at once (method='thesis')").from(1, 64);
}

void addElectrons(KeywordTable& table) {
  using C = ConfigurationRequest;
  Group g(table, "seconfig");
  g.add("config", ValueType::Text,
        "configuration such as '[Xe] 4f7 5d1 6s2'; partly filled shells averaged over both j, or with j: "
        "'[Ne] 3s2 3p1/2:2 3p3/2:1'")
      .alias("configuration")
      .alias("configs")
      .alias("configurations")
      .often()
      .byDefault("that of experiment if it is known, otherwise one by rule");
  g.add("hole", ValueType::Text,
        "shells that an electron is taken out of: '1s', '2p3/2', '2p 2p'; the atom has one charge more for "
        "each than 'charge' and 'config' say")
      .often();
  g.add("promote", ValueType::Text,
        "electrons moved from shell to shell: '2p->3d', '2p->3d, 3p->4s', as X-ray absorption does; the "
        "charge stays");
  g.add("charge", ValueType::Integer,
        "charge of the ion, before any 'hole'; without 'config' it has its default configuration")
      .byDefault("0, or the charge that follows from the configuration")
      .from(-4, 170);
  g.add("nclose", ValueType::Integer, "closed spinors of each symmetry")
      .alias("closed")
      .byDefault("0")
      .from(0, 50)
      .size = SizeRule::PerSymmetry;
  Keyword& open = g.add("nopen", ValueType::Integer, "open spinors of each symmetry, above the closed ones")
                      .alias("open")
                      .byDefault("0")
                      .from(0, 1);
  open.size = SizeRule::PerSymmetry;
  open.beyond = "several open spinors of one symmetry: write config='...' with j, as in 6p1/2, instead";
  g.add("freel", at(&Job::configuration, &C::freeElectrons), "total number of electrons in the open spinors")
      .alias("open_electrons")
      .from(0, 200);
  g.add("autogen", at(&Job::configuration, &C::autogen),
        "average over all distributions of freel over the open spinors")
      .byDefault(".false.; .true. with one open spinor");
  g.add("nconf", ValueType::Integer, "number of configurations that follow the group, one on each line")
      .byDefault("0")
      .from(0, 10000);
}

void addLevels(KeywordTable& table) {
  using V = VirtualRequest;
  using C = CoreValenceRequest;
  const auto ofVirtuals = [](auto member) { return at(&Job::virtuals, member); };
  const auto ofCore = [](auto member) { return at(&Job::coreValence, member); };
  const std::vector<std::string> virtuals = {"virtuals"}, core = {"core_valence"};
  Group(table, "levels", kStates)
      .add("spinors", &Job::limitSpinors, Names<bool>{{"basis", false}, {"limit", true}},
           "radial functions: in the basis set, or at the numerical limit")
      .often()
      .defaultText += "; of jobtype='correlation' 'limit' unless a basis set is named";
  Group g(table, "levels", kLevels);
  g.add("virtuals", ofVirtuals(&V::virtuals),
        "virtual shells such as '3s 3p 3d': levels with all single and double excitations into them")
      .often()
      .notWith(core);
  g.add("excited", ofVirtuals(&V::excited),
        "with virtuals: shells whose electrons are excited, such as '2s 2p'")
      .byDefault("open shells, and closed ones with the largest n of the configurations")
      .onlyWith(virtuals);
  g.add("excitations", ofVirtuals(&V::excitations), "with virtuals: electrons excited at most")
      .from(1, 2)
      .onlyWith(virtuals);
  g.add("roots", ofVirtuals(&V::roots), "with virtuals: how many of the lowest levels of each J and parity")
      .byDefault("as many as the configurations have without virtuals")
      .from(1, 1000)
      .onlyWith(virtuals);
  g.add("virtual_spinors", ofVirtuals(&V::average), Names<bool>{{"natural", false}, {"average", true}},
        "with virtuals: natural spinors, by iterations, or all spinors those of the average over all "
        "states with excitations")
      .onlyWith(virtuals);
  g.add("core_valence", ofCore(&C::coreValence),
        "one to four electrons above a closed core, with its correlation in second order")
      .only(kEffective);
  g.add("core_polarisation", ofCore(&C::corePolarisation),
        "with core_valence: g factors, hyperfine constants and lines with the response of the core (RPA) and "
        "structural radiation")
      .onlyWith(core);
  g.add("lowest", ofCore(&C::lowest),
        "with core_valence: how many of the lowest levels of each J and parity, where no configurations are "
        "named")
      .from(1, 16)
      .onlyWith(core);
  g.add("valence_spinors", ofCore(&C::spinors),
        "with core_valence: spinors of each symmetry for the valence electrons")
      .byDefault("12, of three and four electrons 10")
      .from(2, 40)
      .onlyWith(core);
  g.add("valence_lmax", ofCore(&C::largestL), "with core_valence: largest l of these spinors")
      .byDefault("4, of one electron 3")
      .from(1, 6)
      .onlyWith(core);
  g.add("core_lmax", ofCore(&C::largestInnerL),
        "with core_valence: largest l of the spinors that the core is excited to")
      .from(1, 12)
      .only(kEffective)
      .onlyWith(core);
  g.add("core_extrapolation", ofCore(&C::allWaves),
        "with core_valence: Sigma_1 with spinors of all l, from the last partial waves to core_lmax")
      .only(kEffective)
      .onlyWith(core);
  g.add("core_rings", ofCore(&C::iteratedRings), Names<bool>{{"second", false}, {"iterated", true}},
        "with core_valence: polarisation of the core in second order, or with the interaction of its "
        "excitations to all orders")
      .only(kEffective)
      .onlyWith(core);
  g.add(
       "screening_factors", ofCore(&C::screening),
       "with core_rings='second': factors f_0, f_1, ... of Coulomb lines of rank k in Sigma, which stand for "
       "higher orders")
      .called("F0,F1,...")
      .from(0, 2)
      .only(kEffective)
      .onlyWith(core);
  g.add("sigma_factors", ofCore(&C::sigmaFactors),
        "with core_valence: empirical factors of Sigma_1 of symmetries, p=1.02 or p1/2=1.02,p3/2=1.01")
      .called("s=0.98,p1/2=1.02,...")
      .from(0, 2)
      .only(kEffective)
      .onlyWith(core);
  g.add("fit_sigma", ofCore(&C::fitSigma),
        "with core_valence, of one or two electrons: factors of Sigma_1 that give the core with one electron "
        "NIST's lowest levels")
      .notWith({"sigma_factors"})
      .only(kLevels)
      .onlyWith(core);
  g.add("frozen_core", ValueType::Text,
        "with core_valence: shells of the core that are not correlated, such as '1s 2s'",
        ofText([](Job& j, const std::string& shells) { j.coreValence.inner = listedWords(shells); }))
      .only(kEffective)
      .onlyWith(core);
}

void addEmbedding(KeywordTable& table) {
  using C = CrystalRequest;
  Group watson(table, "watson"), crystal(table, "crystal");
  const auto of = [](auto member) { return at(&Job::crystal, member); };
  watson
      .add(
          "charge", [](Job& j) -> double& { return j.hamiltonian.shell.charge; },
          "charge of the shell, e: that of the ion with the opposite sign")
      .byDefault("")
      .between(-100, 100);
  watson
      .add(
          "radius", [](Job& j) -> double& { return j.hamiltonian.shell.radius; }, "radius of the shell, bohr")
      .byDefault("")
      .above(0, 1000);
  crystal.add("file", of(&C::file), "the crystal: CIF, or extended XYZ with Lattice=").file = FileUse::Read;
  crystal.add("site", of(&C::site), "the ion's site: a label such as 'O1', or the first one of an element");
  crystal.add("charges", of(&C::charges), "'Mg=2,O=-2', 'column' or 'oxidation'").byDefault("the file's");
  crystal.add("block", of(&C::block), "of a CIF file with several structures the name of one's data block");
}

void addScf(KeywordTable& table) {
  using S = ScfOptions;
  const auto of = [](auto member) { return at(&Job::scf, member); };
  Group every(table, "scf"), g(table, "scf", kWithBasis);
  every
      .add("maxitr", ValueType::Integer, "largest number of iterations",
           [](Job& j, const Json& v) { j.scf.maxIterations = j.limit.maxIterations = v.get<int>(); })
      .alias("max_iterations")
      .byDefault(fmt::format("{}; {} at each resolution with jobtype='limit'", S{}.maxIterations,
                             LimitMethod{}.maxIterations))
      .from(1, 100000);
  g.addNumbered(
       "ixtrp", of(&S::extrapolation),
       Names<Extrapolation>{
           {"damping", Extrapolation::None}, {"fock", Extrapolation::Fock}, {"diis", Extrapolation::Diis}},
       "how the next Fock matrix is made: damping only, Fock extrapolation, DIIS")
      .alias("extrapolation")
      .defaultText += "; 0 if dfctr is given";
  g.add("dfctr", of(&S::damping), "damping: fraction of the previous Fock matrix (ixtrp=0, 1)")
      .alias("damping")
      .fromBelow(0, 1);
  g.add("thdll", of(&S::thresholdLL),
        "largest change of an LL density-matrix element; of levels, lines, Slater integrals and second order "
        "at most 1e-9, which is their default")
      .alias("threshold_ll")
      .between(0, 1);
  g.add("thdsl", of(&S::thresholdSL),
        "largest change of an SL density-matrix element; of levels, lines, Slater integrals and second order "
        "at most 1e-11, which is their default")
      .alias("threshold_sl")
      .between(0, 1);
  g.add("thdss", of(&S::thresholdSS),
        "largest change of an SS density-matrix element; of levels, lines, Slater integrals and second order "
        "at most 1e-13, which is their default")
      .alias("threshold_ss")
      .between(0, 1);
  Names<FockKind> builders = namesOf<FockKind>();
  std::erase_if(builders, [](const auto& row) { return row.second == FockKind::Automatic; });
  g.add("fock", &Job::fock, builders, "Fock-matrix builder")
      .byDefault("the fastest that is exact to the thresholds")
      .only(kEnergy);
  g.add("mapping", &Job::mapping,
        Names<MappingKind>{{"search", MappingKind::OnTheFly}, {"arrays", MappingKind::StoredArrays}},
        "how a GPU finds the functions of a stored integral")
      .byDefault("search")
      .only(kEnergy);
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

const std::deque<Keyword>& keywords() {
  static const KeywordTable kTable = [] {
    KeywordTable table;
    for (const auto add : {addControl, addNucleus, addBasis, addLadders, addOptimiser, addChain, addElectrons,
                           addLevels, addEmbedding, addScf})
      add(table);
    return table;
  }();
  return kTable.rows();
}

}  // namespace prophet
