// Compares Kohn-Sham atoms with the reference tables, a line for each atom: how many hartree the total and
// the worst eigenvalue are off, the estimated error and the time. Arguments: lda or rlda, first and last Z;
// or oncvpsp and a speed of light, where differences are relative.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "atoms/limit/limit.hpp"
#include "core/common/stopwatch.hpp"
#include "tests/atoms/limit/kohn_sham_reference.hpp"

namespace {

// Relative differences, which its eight or nine digits allow to be compared with.
int compareWithOncvpsp(double speedOfLight) {
  using namespace prophet;
  int numbers = 0;
  for (const test::OncvpspAtom& atom : test::readOncvpspAtoms()) {
    const Stopwatch watch;
    const LimitResult result = test::limitOf(atom, speedOfLight, 2);
    const test::OncvpspDifference d = test::differenceFrom(atom, result);
    numbers += d.numbers;
    fmt::print(
        "{:16s} {} {:14s} {:6s} total {:9.1e} ({:9.1e} hartree) level {:9.1e} {:5s} error {:7.1e} {:.2f} s\n",
        atom.file, result.converged ? "converged" : "NOT converged", atom.functional,
        atom.scalar ? "scalar" : "dirac", d.total, result.energy - atom.energy, d.level, d.worst,
        result.estimatedError, watch.seconds());
    std::fflush(stdout);
  }
  fmt::print("{} numbers\n", numbers);
  return 0;
}

}  // namespace

int main(int count, char** words) {
  using namespace prophet;
  if (count < 2)
    return std::puts("limit_kohn_sham_table lda|rlda [first Z] [last Z] [threads], or oncvpsp [c]"), 2;
  const std::string functional = words[1];
  if (functional == "oncvpsp")
    return compareWithOncvpsp(count > 2 ? std::stod(words[2]) : test::kOncvpspSpeedOfLight);
  const int first = count > 2 ? std::stoi(words[2]) : 1, last = count > 3 ? std::stoi(words[3]) : 92;
  double worstTotal = 0, worstLevel = 0, worstVirial = 0, worstError = 0, seconds = 0;
  for (const test::KohnShamAtom& atom : test::readKohnShamAtoms(functional)) {
    if (atom.z < first || atom.z > last) continue;
    Nucleus nucleus;
    nucleus.charge = atom.z;
    LimitOptions options;
    options.functional = functional;
    options.speedOfLight = test::kKohnShamSpeedOfLight;
    if (functional == "lda") options.oneElectron = OneElectronOperator::Nonrelativistic;
    if (count > 4) options.threads = std::stoi(words[4]);
    const Stopwatch watch;
    const LimitResult result = numericalLimit(nucleus, parseConfiguration(atom.configuration), options);
    const double time = watch.seconds(), total = result.energy - atom.energy;
    double level = 0;
    std::string label;
    for (const LimitSpinor& s : result.spinors) {
      const double off = s.energy - atom.energies.at(s.label);
      if (std::abs(off) > std::abs(level)) level = off, label = s.label;
    }
    seconds += time;
    worstTotal = std::max(worstTotal, std::abs(total));
    worstLevel = std::max(worstLevel, std::abs(level));
    worstVirial = std::max(worstVirial, std::abs(result.virialRatio - 1));
    worstError = std::max(worstError, result.estimatedError / std::abs(result.energy));
    fmt::print(
        "{:3d} {} total {:10.2e} level {:10.2e} {:6s} error {:8.1e} virial {:8.1e} iterations {} {} {:.2f} s "
        "{}\n",
        atom.z, result.converged ? "converged" : "NOT converged", total, level, label, result.estimatedError,
        result.virialRatio - 1, result.resolutions[0].iterations, result.resolutions[1].iterations, time,
        result.remark);
    std::fflush(stdout);
  }
  fmt::print(
      "worst total {:.2e}, eigenvalue {:.2e}, estimated error {:.1e} relative, virial {:.1e}; {:.1f} s\n",
      worstTotal, worstLevel, worstError, worstVirial, seconds);
}
