#include "atoms/configurations/excitations.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "atoms/atom/shell_list.hpp"
#include "atoms/atom/symmetry.hpp"
#include "atoms/configurations/level_count.hpp"
#include "atoms/configurations/level_space.hpp"
#include "core/common/error.hpp"
#include "core/common/index.hpp"
#include "core/common/listed_words.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

/// Electrons in each shell that has some.
using Occupations = std::map<ShellName, int>;

int capacityOf(ShellName shell) { return 4 * shell.second + 2; }

std::string nameOf(ShellName shell) { return Shell{shell.first, shell.second}.name(); }

int electronsIn(const Occupations& occupations, ShellName shell) {
  const auto found = occupations.find(shell);
  return found == occupations.end() ? 0 : found->second;
}

Occupations occupationsOf(const std::string& text) {
  Occupations occupations;
  for (const Shell& s : parseShells(text)) {
    if (s.twoJ != 0)
      throw ExcitationError(
          "virtuals",
          fmt::format("excitations are of whole shells; '{}' is one of j = {}/2", s.name(), s.twoJ));
    if (s.electrons > 0) occupations[{s.n, s.l}] += s.electrons;
  }
  return occupations;
}

std::string textOf(const Occupations& occupations) {
  std::vector<Shell> shells;
  for (const auto& [name, electrons] : occupations)
    if (electrons > 0) shells.push_back({name.first, name.second, 0, electrons});
  return configurationText(shells);
}

/// "3s", "3p" ... between blanks or commas.
std::vector<ShellName> shellsOf(const std::string& setting, const std::string& text) {
  std::vector<ShellName> shells;
  std::vector<std::string> names;
  try {
    names = listedWords(text);
  } catch (const Error& e) {
    throw ExcitationError(setting, e.what());
  }
  for (const std::string& name : names) {
    const std::size_t digits = name.find_first_not_of("0123456789");
    const bool isShell = digits != std::string::npos && digits > 0 && digits < 3 && digits + 1 == name.size();
    const int n = isShell ? std::stoi(name.substr(0, digits)) : 0, l = isShell ? lOfLetter(name.back()) : -1;
    if (l < 0 || l >= n)
      throw ExcitationError(setting, fmt::format("'{}' is no shell; expected 3s, 4d", name));
    if (std::find(shells.begin(), shells.end(), ShellName{n, l}) != shells.end())
      throw ExcitationError(setting, fmt::format("{} is there twice", name));
    shells.emplace_back(n, l);
  }
  return shells;
}

/// Open shells, and closed ones with the largest n that has electrons.
std::vector<ShellName> valenceOf(const std::vector<Occupations>& references) {
  int outermost = 0;
  for (const Occupations& reference : references)
    for (const auto& [shell, electrons] : reference) outermost = std::max(outermost, shell.first);
  std::set<ShellName> shells;
  for (const Occupations& reference : references)
    for (const auto& entry : reference) {
      const ShellName shell = entry.first;
      const bool open = std::any_of(references.begin(), references.end(), [&](const Occupations& other) {
        return electronsIn(other, shell) < capacityOf(shell);
      });
      if (open || shell.first == outermost) shells.insert(shell);
    }
  return {shells.begin(), shells.end()};
}

bool isOdd(const Occupations& occupations) {
  int sum = 0;
  for (const auto& [shell, electrons] : occupations) sum += shell.second * electrons;
  return sum % 2 != 0;
}

void requireSound(const ExcitedConfigurations& made, const std::vector<Occupations>& references) {
  if (made.virtuals.empty()) throw ExcitationError("virtuals", "names no shell; expected '3s 3p 3d'");
  for (const Occupations& reference : references) {
    for (const ShellName& shell : made.virtuals)
      if (electronsIn(reference, shell) > 0)
        throw ExcitationError(
            "virtuals",
            fmt::format("{} has electrons in '{}'; name shells that are empty there (excitations into open "
                        "shells are always included)",
                        nameOf(shell), textOf(reference)));
  }
  for (const ShellName& shell : made.excited)
    if (std::all_of(references.begin(), references.end(),
                    [&](const Occupations& reference) { return electronsIn(reference, shell) == 0; }))
      throw ExcitationError("excited", fmt::format("{} has no electrons to excite", nameOf(shell)));
}

}  // namespace

bool ExcitedConfigurations::isVirtual(ShellName shell) const {
  return std::find(virtuals.begin(), virtuals.end(), shell) != virtuals.end();
}

ExcitedConfigurations excitedConfigurations(const std::string& references, const ExcitationRequest& request) {
  ExcitedConfigurations made;
  std::vector<Occupations> all;
  std::vector<std::string> texts;
  for (const std::string& text : split(references, '|')) {
    all.push_back(occupationsOf(trimmed(text)));
    texts.push_back(trimmed(text));
  }
  made.references = static_cast<int>(all.size());
  made.virtuals = shellsOf("virtuals", request.virtuals);
  std::sort(made.virtuals.begin(), made.virtuals.end());
  made.excited = request.excited.empty() ? valenceOf(all) : shellsOf("excited", request.excited);
  requireSound(made, all);
  std::vector<ShellName> targets = made.virtuals;
  targets.insert(targets.end(), made.excited.begin(), made.excited.end());
  std::set<Occupations> known(all.begin(), all.end());
  const std::vector<Occupations> first = all;
  for (const Occupations& reference : first) {
    const std::function<void(const Occupations&, int)> excite = [&](const Occupations& from, int left) {
      if (left == 0) return;
      for (const ShellName& out : made.excited) {
        if (electronsIn(from, out) == 0) continue;
        for (const ShellName& into : targets) {
          if (into == out || electronsIn(from, into) == capacityOf(into)) continue;
          Occupations to = from;
          if (--to[out] == 0) to.erase(out);
          ++to[into];
          if (isOdd(to) == isOdd(reference) && known.insert(to).second) texts.push_back(textOf(to));
          excite(to, left - 1);
        }
      }
    };
    excite(reference, request.electrons);
  }
  std::erase_if(made.virtuals, [&](const ShellName& shell) {
    return std::none_of(known.begin(), known.end(),
                        [&](const Occupations& o) { return electronsIn(o, shell) > 0; });
  });
  if (made.virtuals.empty())
    throw ExcitationError(
        "virtuals", fmt::format("no excitation of {} that keeps the parity leads to {}",
                                request.electrons == 1 ? "one electron" : "two electrons", request.virtuals));
  made.text = fmt::format("{}", fmt::join(texts, " | "));
  return made;
}

std::string configurationsByRules(const std::string& references, const std::string& rules) {
  std::vector<Occupations> all;
  std::vector<std::string> texts;
  for (const std::string& text : split(references, '|')) {
    all.push_back(occupationsOf(trimmed(text)));
    texts.push_back(trimmed(text));
  }
  std::set<Occupations> known(all.begin(), all.end());
  for (const std::string& rule : split(rules, ';')) {
    const std::size_t arrow = rule.find("->");
    const std::vector<ShellName> from =
        shellsOf("excite", rule.substr(0, arrow == std::string::npos ? 0 : arrow));
    if (from.size() != 1)
      throw ExcitationError("excite",
                            fmt::format("found '{}'; expected a shell, -> and the shells that one of "
                                        "its electrons goes to: '4f->5d,6s,6p'",
                                        trimmed(rule)));
    const std::vector<ShellName> into = shellsOf("excite", rule.substr(arrow + 2));
    const std::vector<Occupations> before = all;
    for (const Occupations& occupations : before)
      for (const ShellName& shell : into) {
        if (shell == from.front() || electronsIn(occupations, from.front()) == 0 ||
            electronsIn(occupations, shell) == capacityOf(shell))
          continue;
        Occupations to = occupations;
        if (--to[from.front()] == 0) to.erase(from.front());
        ++to[shell];
        if (!known.insert(to).second) continue;
        all.push_back(to);
        texts.push_back(textOf(to));
      }
  }
  if (texts.size() == usize(std::ranges::count(references, '|')) + 1)
    throw ExcitationError("excite", fmt::format("'{}' makes no configuration of {}", rules, references));
  return fmt::format("{}", fmt::join(texts, " | "));
}

namespace {

/// Valence shells of the elements up to `last`: inner ones, between which electrons go, and the p shell
/// beyond, or empty.
struct ValenceShells {
  int last;
  std::vector<ShellName> inner;
  std::optional<ShellName> outer;
};

const ValenceShells& valenceShellsOf(int z) {
  static const std::vector<ValenceShells> kAll{{30, {{3, 2}, {4, 0}}, ShellName{4, 1}},
                                               {36, {{4, 0}, {4, 1}, {4, 2}}, {}},
                                               {48, {{4, 2}, {5, 0}}, ShellName{5, 1}},
                                               {54, {{5, 0}, {5, 1}, {5, 2}}, {}},
                                               {71, {{4, 3}, {5, 2}, {6, 0}}, ShellName{6, 1}},
                                               {80, {{5, 2}, {6, 0}}, ShellName{6, 1}},
                                               {86, {{6, 0}, {6, 1}, {6, 2}}, {}},
                                               {103, {{5, 3}, {6, 2}, {7, 0}}, ShellName{7, 1}}};
  return *std::ranges::find_if(kAll, [&](const ValenceShells& v) { return z <= v.last; });
}

/// With so many electrons from one shell to another; empty where that cannot be.
std::optional<Occupations> moved(Occupations o, ShellName from, ShellName to, int electrons) {
  if (electronsIn(o, from) < electrons || electronsIn(o, to) + electrons > capacityOf(to)) return {};
  if ((o[from] -= electrons) == 0) o.erase(from);
  o[to] += electrons;
  return o;
}

}  // namespace

bool hasValenceRule(int z, int charge) { return z >= 20 && z <= 103 && charge >= 0 && charge <= 3; }

namespace {

/// How far valenceConfigurations goes.
enum class Reach {
  All,
  KeepsF,  ///< no electron leaves the f shell for one that has some
  Ground   ///< that, and only the ground configuration gives one into the p shell
};

std::string nearConfigurations(const ValenceShells& valence, const Occupations& ground, Reach reach) {
  const auto& [last, inner, outer] = valence;
  std::vector<Occupations> all{ground};
  const auto add = [&](const Occupations& from, ShellName a, ShellName b, int electrons) {
    const auto to = moved(from, a, b, electrons);
    if (to && std::ranges::find(all, *to) == all.end()) all.push_back(*to);
  };
  std::vector<ShellName> shells = inner;
  if (outer) shells.push_back(*outer);
  if (std::ranges::none_of(shells, [&](ShellName s) { return electronsIn(ground, s) > 0; })) {
    const ShellName outermost = std::prev(ground.end())->first;
    for (const ShellName& s : shells)
      if (s.second != outermost.second) add(ground, outermost, s, 1);
  } else {
    constexpr int kF = 3;
    const bool hasD = inner.size() == 3 && electronsIn(ground, inner[1]) > 0;
    for (const ShellName& a : inner)
      for (const ShellName& b : inner)
        if (a != b && !(reach != Reach::All && hasD && a.second == kF)) add(ground, a, b, 1);
    if (outer && inner.size() == 2) add(ground, inner.back(), inner.front(), 2);
    std::vector<Occupations> before = all;
    if (reach == Reach::Ground) before.resize(1);
    if (outer)
      for (const Occupations& o : before)
        for (auto s = inner.rbegin(); s != inner.rend(); ++s)
          if (electronsIn(o, *s) > 0) {
            add(o, *s, *outer, 1);
            break;
          }
  }
  std::string text;
  for (const Occupations& o : all) text += (text.empty() ? "" : " | ") + textOf(o);
  return text;
}

}  // namespace

std::string valenceConfigurations(int z, const std::string& ground) {
  constexpr double kMostLevels = 75000;
  std::string text;
  for (const Reach reach : {Reach::All, Reach::KeepsF, Reach::Ground}) {
    text = nearConfigurations(valenceShellsOf(z), occupationsOf(ground), reach);
    if (countLevels(levelSpace(text)).levels <= kMostLevels) break;
  }
  return text;
}

}  // namespace prophet
