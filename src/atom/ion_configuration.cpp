#include "atom/ion_configuration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "atom/configuration.hpp"
#include "atom/elements.hpp"

namespace prophet {
namespace {

struct Shell {
  int n = 0;
  char letter = 's';
  int electrons = 0;
};

/// The shells of a ground configuration, its core's first.
std::vector<Shell> shellsOf(const std::string& configuration) {
  std::vector<Shell> shells;
  std::istringstream words(configuration);
  for (std::string word; words >> word;) {
    if (word.front() == '[') {
      const int core = elementOf(word.substr(1, word.size() - 2)).value();
      for (const Shell& shell : shellsOf(groundConfiguration(core))) shells.push_back(shell);
      continue;
    }
    shells.push_back({word[0] - '0', word[1], std::stoi(word.substr(2))});
  }
  return shells;
}

bool leavesFirst(const Shell& a, const Shell& b) {
  if (a.n != b.n) return a.n > b.n;
  return lOfLetter(a.letter) > lOfLetter(b.letter);
}

std::string textOf(const std::vector<Shell>& shells) {
  std::string text;
  for (const Shell& s : shells) {
    if (s.electrons > 0) text += fmt::format("{}{}{}{}", text.empty() ? "" : " ", s.n, s.letter, s.electrons);
  }
  return text;
}

/// Shells in the order in which electrons leave, the last to leave first.
std::vector<Shell> orderedShells(int z) {
  std::vector<Shell> shells = shellsOf(groundConfiguration(z));
  std::sort(shells.rbegin(), shells.rend(), leavesFirst);
  return shells;
}

/// Shells that `core` has are taken away where all of them are there, full.
bool takeAway(const std::vector<Shell>& core, std::vector<Shell>& shells) {
  std::vector<Shell> left = shells;
  for (const Shell& inner : core) {
    const auto same = std::find_if(left.begin(), left.end(), [&](const Shell& s) {
      return s.n == inner.n && s.letter == inner.letter && s.electrons == inner.electrons;
    });
    if (same == left.end()) return false;
    left.erase(same);
  }
  shells = left;
  return true;
}

/// The short form for what holds a noble gas.
std::string withCore(std::vector<Shell> shells) {
  for (const int core : {86, 54, 36, 18, 10, 2}) {
    if (takeAway(shellsOf(groundConfiguration(core)), shells)) {
      const std::string rest = textOf(shells);
      return fmt::format("[{}]{}{}", symbolOf(core), rest.empty() ? "" : " ", rest);
    }
  }
  return textOf(shells);
}

std::string cationConfiguration(int z, int charge) {
  std::vector<Shell> shells = orderedShells(z);
  for (auto shell = shells.rbegin(); shell != shells.rend(); ++shell) {
    const int lost = std::min(charge, shell->electrons);
    shell->electrons -= lost;
    charge -= lost;
  }
  return withCore(std::move(shells));
}

}  // namespace

std::string ionConfiguration(int z, int charge) {
  const int electrons = z - charge;
  if (electrons < 1)
    throw Error(
        fmt::format("{} with charge {:+d} has no electrons; give a smaller charge", symbolOf(z), charge));
  if (electrons > kLastElement)
    throw Error(fmt::format("{} with charge {:+d} has more than {} electrons; give config='...'", symbolOf(z),
                            charge, kLastElement));
  return charge > 0 ? cationConfiguration(z, charge) : groundConfiguration(electrons);
}

}  // namespace prophet
