#include "input/keywords.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace prophet {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr JobSet kBsopt = jobBit(JobType::BasisOptimisation);

Range from(double low, double high) { return {low, high, false, false}; }
Range atLeast(double low) { return {low, kInfinity, false, true}; }
Range between(double low, double high) { return {low, high, true, true}; }

const ValueType R = ValueType::Real, I = ValueType::Integer, L = ValueType::Logical, T = ValueType::Text;
const SizeRule kOne = SizeRule::One, kEach = SizeRule::PerSymmetry, kFour = SizeRule::FourPerGroup;

// The table of the input language: group, name, aliases, type, size, default, range, choices, documentation,
// jobs.
const std::vector<Keyword>& table() {
  static const std::vector<Keyword> kTable = {
      {"contrl", "jobtype", {"jobtyp"}, T, kOne, "'energy'", {}, {"energy", "bsopt"}, "what to compute"},
      {"contrl", "c", {}, R, kOne, "137.03599976", from(1, 1e9), {}, "speed of light, atomic units"},

      {"nuc", "znuc", {}, R, kOne, "", {0, 170, true, false}, {}, "nuclear charge"},
      {"nuc",
       "nucmdl",
       {},
       I,
       kOne,
       "1; with a library basis the model that the set was made for",
       from(1, 4),
       {},
       "nuclear model: 1 point, 2 finite sphere, 3 Gaussian, 4 Fermi"},
      {"nuc",
       "rnuc",
       {},
       R,
       kOne,
       "sqrt(5/3) rms",
       {0, 1, true, false},
       {},
       "radius of the sphere in bohr (nucmdl=2)"},
      {"nuc",
       "alpha",
       {},
       R,
       kOne,
       "3/(2 rms^2)",
       {1, 1e24, false, false},
       {},
       "Gaussian exponent in bohr^-2 (nucmdl=3)"},
      {"nuc",
       "mass",
       {},
       R,
       kOne,
       "that of the most abundant or longest-lived isotope",
       from(1, 1000),
       {},
       "mass number, from which rms follows (nucmdl=2, 3, 4)"},
      {"nuc",
       "rms",
       {},
       R,
       kOne,
       "0.836 mass^(1/3) + 0.570",
       {0, 1e4, true, false},
       {},
       "root-mean-square charge radius in fm (nucmdl=2, 3, 4)"},
      {"nuc", "skin", {}, R, kOne, "2.30", {0, 100, true, false}, {}, "skin thickness t in fm (nucmdl=4)"},

      {"bas",
       "bastype",
       {},
       T,
       kOne,
       "'library'",
       {},
       {"wtbs", "rdin", "library"},
       "well-tempered ($wtbs), read in (after $end), or shipped with the program"},
      {"bas",
       "nsym",
       {},
       I,
       kOne,
       "for wtbs the number of values of nbs",
       from(1, kMostSymmetries),
       {},
       "number of symmetries s+, p-, p+, d-, ... (wtbs, rdin)"},
      {"bas",
       "ngroup",
       {},
       I,
       kOne,
       "1",
       from(1, kMostSymmetries),
       {},
       "number of well-tempered parameter groups (wtbs)"},
      {"bas",
       "library",
       {},
       T,
       kOne,
       "the program's default collection",
       {},
       {},
       "name of the collection of basis sets (library)"},

      {"wtbs",
       "wtbspara",
       {},
       R,
       kFour,
       "",
       atLeast(0),
       {},
       "alpha > 0, beta > 1, delta, gamma of group 1, then of group 2, ... (this order)"},
      {"wtbs", "nbs", {}, I, kEach, "", from(1, 500), {}, "number of functions of each symmetry"},
      {"wtbs",
       "start",
       {},
       I,
       kEach,
       "1",
       from(1, 500),
       {},
       "index in the ladder of each symmetry's first function"},
      {"wtbs", "groups", {}, I, kEach, "1", from(1, kMostSymmetries), {}, "parameter group of each symmetry"},
      {"wtbs",
       "pool",
       {},
       T,
       kOne,
       "'symmetry'",
       {},
       {"symmetry", "shared"},
       "a ladder's length M: the symmetry's own last index, or the largest of its group"},

      {"newuoa", "rhobeg", {}, R, kOne, "0.1", between(0, 10), {}, "first trust-region radius", kBsopt},
      {"newuoa", "rhoend", {}, R, kOne, "1e-4", between(0, 10), {}, "last trust-region radius", kBsopt},
      {"newuoa", "iprint", {}, I, kOne, "0", from(0, 3), {}, "amount of printing", kBsopt},
      {"newuoa", "maxfun", {}, I, kOne, "500", from(1, 1e6), {}, "most energy evaluations", kBsopt},

      {"seconfig",
       "config",
       {},
       T,
       kOne,
       "the neutral ground configuration, without $seconfig",
       {},
       {},
       "configuration such as '[Xe] 4f7 5d1 6s2'; partly filled shells are averaged"},
      {"seconfig", "nclose", {}, I, kEach, "0", from(0, 50), {}, "closed spinors of each symmetry"},
      {"seconfig",
       "nopen",
       {},
       I,
       kEach,
       "0",
       from(0, 1),
       {},
       "open spinors of each symmetry, above the closed ones"},
      {"seconfig", "freel", {}, I, kOne, "0", from(0, 200), {}, "electrons in the open spinors together"},
      {"seconfig",
       "autogen",
       {},
       L,
       kOne,
       ".false.; .true. with one open spinor",
       {},
       {},
       "average over all distributions of freel over the open spinors"},
      {"seconfig",
       "nconf",
       {},
       I,
       kOne,
       "0",
       from(0, 10000),
       {},
       "number of configurations that follow the group, one a line"},

      {"scf", "maxitr", {}, I, kOne, "50", from(1, 100000), {}, "most iterations"},
      {"scf", "ixtrp", {}, I, kOne, "2", from(0, 2), {}, "0 damping only, 1 Fock extrapolation, 2 DIIS"},
      {"scf",
       "dfctr",
       {},
       R,
       kOne,
       "0.3",
       {0, 1, false, true},
       {},
       "damping: share of the old Fock matrix (ixtrp=0, 1)"},
      {"scf",
       "thdll",
       {},
       R,
       kOne,
       "1e-5",
       between(0, 1),
       {},
       "largest change of an LL density-matrix element"},
      {"scf",
       "thdsl",
       {},
       R,
       kOne,
       "1e-7",
       between(0, 1),
       {},
       "largest change of an SL density-matrix element"},
      {"scf",
       "thdss",
       {},
       R,
       kOne,
       "1e-9",
       between(0, 1),
       {},
       "largest change of an SS density-matrix element"},
      {"scf",
       "fock",
       {},
       T,
       kOne,
       "the fastest that is exact to the thresholds",
       {},
       {"grid", "stored", "stse", "mtse"},
       "which Fock-matrix builder"},
  };
  return kTable;
}

std::string number(double value) { return fmt::format("{:g}", value); }

}  // namespace

const std::vector<JobName>& jobNames() {
  static const std::vector<JobName> kNames = {
      {"energy", JobType::Energy, "Dirac-Hartree-Fock energy of one atom"},
      {"bsopt", JobType::BasisOptimisation,
       "fit the well-tempered parameters; needs bastype='wtbs' and $newuoa"},
  };
  return kNames;
}

const std::vector<KeywordGroup>& keywordGroups() {
  static const std::vector<KeywordGroup> kGroups = {
      {"contrl", "what to compute", ""},
      {"nuc", "the nucleus; required", ""},
      {"bas", "where the basis set comes from",
       "with bastype='rdin', for each symmetry: the number of functions, then that many exponents, one a "
       "line"},
      {"wtbs", "well-tempered exponents (bastype='wtbs')", ""},
      {"newuoa", "the basis optimiser", "", kBsopt},
      {"seconfig", "the electrons: config, or nclose, nopen, freel and (autogen or nconf)",
       "nconf lines, each the electrons in every open spinor of one configuration"},
      {"scf", "convergence", ""},
  };
  return kGroups;
}

const std::vector<Keyword>& keywords() { return table(); }

const KeywordGroup* findGroup(std::string_view name) {
  for (const KeywordGroup& group : keywordGroups()) {
    if (group.name == name) return &group;
  }
  return nullptr;
}

const Keyword* findKeyword(std::string_view group, std::string_view name) {
  for (const Keyword& keyword : keywords()) {
    if (keyword.group != group) continue;
    const auto& aliases = keyword.aliases;
    if (keyword.name == name || std::find(aliases.begin(), aliases.end(), name) != aliases.end())
      return &keyword;
  }
  return nullptr;
}

std::string enumerate(const std::vector<std::string>& names, std::string_view quote) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const char* separator = i == 0 ? "" : i + 1 == names.size() ? " or " : ", ";
    text += fmt::format("{}{}{}{}", separator, quote, names[i], quote);
  }
  return text;
}

std::string describeJobs(JobSet jobs) {
  std::vector<std::string> names;
  for (const JobName& job : jobNames()) {
    if (jobs & jobBit(job.type)) names.push_back(job.name);
  }
  return "jobtype=" + enumerate(names);
}

bool Range::contains(double value) const {
  return (lowOpen ? value > low : value >= low) && (highOpen ? value < high : value <= high);
}

std::string Range::description() const {
  const bool lower = std::isfinite(low), upper = std::isfinite(high);
  if (lower && upper && !lowOpen && !highOpen) return number(low) + " to " + number(high);
  const std::string below = (highOpen ? "less than " : "at most ") + number(high);
  const std::string above = (lowOpen ? "more than " : "at least ") + number(low);
  if (lower && upper) return above + " and " + below;
  return lower ? above : upper ? below : "";
}

std::string expectedValue(const Keyword& keyword) {
  const std::string range = keyword.range.description();
  const std::string separator = range.empty() ? "" : ", ";
  switch (keyword.type) {
    case ValueType::Real:
      return "a number" + separator + range;
    case ValueType::Integer:
      return "a whole number" + separator + range;
    case ValueType::Logical:
      return ".true. or .false.";
    case ValueType::Text:
      break;
  }
  return keyword.choices.empty() ? "a text in quotes" : enumerate(keyword.choices);
}

}  // namespace prophet
