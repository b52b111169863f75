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

/// The short form for what begins with a noble gas.
std::string withCore(const std::string& text) {
  for (const int core : {86, 54, 36, 18, 10, 2}) {
    const std::string inner = textOf(orderedShells(core)) + " ";
    if (text.compare(0, inner.size(), inner) == 0)
      return fmt::format("[{}] {}", symbolOf(core), text.substr(inner.size()));
  }
  return text;
}

std::string cationConfiguration(int z, int charge) {
  std::vector<Shell> shells = orderedShells(z);
  for (auto shell = shells.rbegin(); shell != shells.rend(); ++shell) {
    const int lost = std::min(charge, shell->electrons);
    shell->electrons -= lost;
    charge -= lost;
  }
  return withCore(textOf(shells));
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
