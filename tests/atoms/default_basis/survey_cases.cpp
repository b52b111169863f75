#include "survey_cases.hpp"

#include <algorithm>
#include <sstream>

#include "atoms/atom/default_configuration.hpp"
#include "atoms/atom/elements.hpp"

namespace prophet::test {
namespace {

struct Shell {
  int n, l, electrons;
};

constexpr const char* kLetters = "spdfgh";

/// The shells of a configuration string, noble-gas core written out.
std::vector<Shell> shellsOf(const std::string& text) {
  std::vector<Shell> shells;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (word.front() == '[') {
      for (int z = 1; z <= kLastElement; ++z) {
        if (symbolOf(z) == word.substr(1, word.size() - 2)) shells = shellsOf(groundConfiguration(z));
      }
      continue;
    }
    const int l = static_cast<int>(std::string(kLetters).find(word[1]));
    shells.push_back({word[0] - '0', l, std::stoi(word.substr(2))});
  }
  return shells;
}

std::string textOf(const std::vector<Shell>& shells) {
  std::string text;
  for (const Shell& s : shells) {
    if (s.electrons == 0) continue;
    if (!text.empty()) text += ' ';
    text += std::to_string(s.n) + kLetters[s.l] + std::to_string(s.electrons);
  }
  return text;
}

bool further(const Shell& a, const Shell& b) { return a.n != b.n ? a.n > b.n : a.l > b.l; }

void removeOutermost(std::vector<Shell>& shells) {
  Shell* outermost = nullptr;
  for (Shell& s : shells) {
    if (s.electrons > 0 && (!outermost || further(s, *outermost))) outermost = &s;
  }
  --outermost->electrons;
}

int capacity(const Shell& s) { return 4 * s.l + 2; }

/// Elements without a bound negative ion in experiment (T. Andersen, H. K. Haugan, H. Hotop, J. Phys. Chem.
/// Ref. Data 28, 1511 (1999); C. Ning, Y. Lu, J. Phys. Chem. Ref. Data 51, 021502 (2022)), up to Rn.
bool bindsElectron(int z) {
  static const std::vector<int> unbound = {2, 4, 7, 10, 12, 18, 25, 30, 36, 48, 54, 70, 80, 86};
  return z <= 86 && !std::binary_search(unbound.begin(), unbound.end(), z);
}

std::optional<std::string> anion(int z) {
  if (!bindsElectron(z)) return std::nullopt;
  const DefaultConfiguration known = defaultConfiguration(z, -1);
  if (known.source == ConfigurationSource::Nist) return known.text;
  std::vector<Shell> shells = shellsOf(groundConfiguration(z));
  Shell* room = nullptr;  // the innermost l of the valence that is partly filled
  for (Shell& s : shells) {
    if (s.electrons < capacity(s) && s.l < 3 && (!room || further(s, *room))) room = &s;
  }
  if (room) {
    ++room->electrons;
    return textOf(shells);
  }
  int n = 0;
  for (const Shell& s : shells) n = std::max(n, s.n);
  const bool hasS =
      std::any_of(shells.begin(), shells.end(), [n](const Shell& s) { return s.n == n && s.l == 0; });
  // Alkaline earths and lanthanides: the next p shell; palladium: 5s.
  if (n == 4 && z == 46) return textOf(shells) + " 5s1";
  return textOf(shells) + " " + std::to_string(n) + (hasS ? "p1" : "s1");
}

/// The outermost electron goes into the p shell of the next n.
std::string excited(int z) {
  std::vector<Shell> shells = shellsOf(groundConfiguration(z));
  const std::vector<Shell> before = shells;
  removeOutermost(shells);
  int n = 0;
  for (std::size_t i = 0; i < shells.size(); ++i) {
    if (shells[i].electrons != before[i].electrons) n = shells[i].n;
  }
  return textOf(shells) + " " + std::to_string(n + 1) + "p1";
}

/// The ion that is left when an electron is taken out of 1s.
std::string coreHole(int z) {
  std::vector<Shell> shells = shellsOf(groundConfiguration(z));
  --shells.front().electrons;
  return textOf(shells);
}

std::string ionWith(int z, int electrons) {
  std::vector<Shell> shells = shellsOf(groundConfiguration(z));
  for (int removed = z - electrons; removed > 0; --removed) removeOutermost(shells);
  return textOf(shells);
}

}  // namespace

const std::vector<std::string>& surveyClasses() {
  static const std::vector<std::string> classes = {"neutral",       "cation",    "dication",
                                                   "anion",         "neon-like", "helium-like",
                                                   "hydrogen-like", "excited",   "core-hole"};
  return classes;
}

std::optional<std::string> surveyConfiguration(int z, const std::string& ionClass) {
  if (ionClass == "neutral") return textOf(shellsOf(groundConfiguration(z)));
  if (ionClass == "anion") return anion(z);
  if (ionClass == "cation" && z > 1) return defaultConfiguration(z, 1).text;
  if (ionClass == "dication" && z > 2) return defaultConfiguration(z, 2).text;
  if (ionClass == "neon-like" && z > 10) return ionWith(10, 10);
  if (ionClass == "helium-like" && z > 2) return ionWith(2, 2);
  if (ionClass == "hydrogen-like" && z > 1) return ionWith(1, 1);
  if (ionClass == "excited" && z > 1) return excited(z);
  if (ionClass == "core-hole" && z > 2) return coreHole(z);
  return std::nullopt;
}

}  // namespace prophet::test
