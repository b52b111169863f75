#include "scf/energy_correction.hpp"

#include <cctype>

namespace prophet {

std::string EnergyCorrection::key() const {
  std::string text;
  for (const char c : name)
    text += std::isalpha(static_cast<unsigned char>(c)) ? static_cast<char>(std::tolower(c)) : '_';
  return text;
}

double firstOrderSum(const std::vector<EnergyCorrection>& corrections) {
  double sum = 0;
  for (const EnergyCorrection& part : corrections) {
    if (!part.selfConsistent) sum += part.value;
  }
  return sum;
}

}  // namespace prophet
