#include "operations/report/moved_electrons.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace prophet {
namespace {

constexpr double kElectronMoved = 1e-6;

using Electrons = std::map<std::string, double>;  // by shell or spinor

/// Changes of the spinors by shell.
std::map<std::string, Electrons> changes(const ComparedResult& from, const ComparedResult& to) {
  std::map<std::string, Electrons> byShell;
  for (const auto& [label, s] : to.spinors) byShell[shellOf(label)][label] += s.electrons;
  for (const auto& [label, s] : from.spinors) byShell[shellOf(label)][label] -= s.electrons;
  for (auto& [shell, spinors] : byShell) {
    for (auto s = spinors.begin(); s != spinors.end();)
      s = std::abs(s->second) < kElectronMoved ? spinors.erase(s) : std::next(s);
  }
  return byShell;
}

bool isWhole(double electrons) { return std::abs(electrons - std::round(electrons)) < kElectronMoved; }

/// Whether the spinors are to be told apart: one of a pair alone, or both in opposite directions.
bool byJ(const std::string& shell, const Electrons& spinors) {
  if (spinors.empty() || shell.back() == 's') return false;
  for (const auto& [label, electrons] : spinors)
    if (!isWhole(electrons)) return false;
  return spinors.size() == 1 || spinors.begin()->second * spinors.rbegin()->second < 0;
}

void add(const std::string& name, double electrons, std::string& text) {
  if (electrons < kElectronMoved) return;
  text += (text.empty() ? "" : " ") + name;
  if (std::abs(electrons - 1) < kElectronMoved) return;
  text += (name.find('/') == std::string::npos ? "" : ":") + fmt::format("{:g}", electrons);
}

}  // namespace

std::string movedElectrons(const ComparedResult& from, const ComparedResult& to) {
  if (from.spinors.empty() || to.spinors.empty()) return "";
  std::string lost, gained;
  for (const auto& [shell, spinors] : changes(from, to)) {
    double sum = 0;
    for (const auto& [label, electrons] : spinors) {
      sum += electrons;
      if (!byJ(shell, spinors)) continue;
      add(label, -electrons, lost);
      add(label, electrons, gained);
    }
    if (byJ(shell, spinors)) continue;
    add(shell, -sum, lost);  // none between an average and one of its j
    add(shell, sum, gained);
  }
  if (lost.empty() && gained.empty()) return "";
  if (lost.empty() || gained.empty()) return " (" + lost + gained + ")";
  return " (" + lost + " -> " + gained + ")";
}

}  // namespace prophet
