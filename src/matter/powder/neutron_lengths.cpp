#include "matter/powder/neutron_lengths.hpp"

#include <map>
#include <string>

#include "atoms/atom/elements.hpp"

namespace prophet {

// Real parts, natural mixture of isotopes: V. F. Sears, Neutron News 3 (3), 29-37 (1992).
std::optional<double> neutronLength(int z) {
  // clang-format off
  static const std::map<std::string, double> lengths = {
      {"H", -3.739}, {"He", 3.26}, {"Li", -1.9}, {"Be", 7.79}, {"B", 5.3}, {"C", 6.646}, {"N", 9.36},
      {"O", 5.803}, {"F", 5.654}, {"Ne", 4.566}, {"Na", 3.63}, {"Mg", 5.375}, {"Al", 3.449}, {"Si", 4.1491},
      {"P", 5.13}, {"S", 2.847}, {"Cl", 9.577}, {"Ar", 1.909}, {"K", 3.67}, {"Ca", 4.7}, {"Sc", 12.29},
      {"Ti", -3.438}, {"V", -0.3824}, {"Cr", 3.635}, {"Mn", -3.73}, {"Fe", 9.45}, {"Co", 2.49},
      {"Ni", 10.3}, {"Cu", 7.718}, {"Zn", 5.68}, {"Ga", 7.288}, {"Ge", 8.185}, {"As", 6.58}, {"Se", 7.97},
      {"Br", 6.795}, {"Kr", 7.81}, {"Rb", 7.09}, {"Sr", 7.02}, {"Y", 7.75}, {"Zr", 7.16}, {"Nb", 7.054},
      {"Mo", 6.715}, {"Tc", 6.8}, {"Ru", 7.03}, {"Rh", 5.88}, {"Pd", 5.91}, {"Ag", 5.922}, {"Cd", 4.87},
      {"In", 4.065}, {"Sn", 6.225}, {"Sb", 5.57}, {"Te", 5.8}, {"I", 5.28}, {"Xe", 4.92}, {"Cs", 5.42},
      {"Ba", 5.07}, {"La", 8.24}, {"Ce", 4.84}, {"Pr", 4.58}, {"Nd", 7.69}, {"Pm", 12.6}, {"Sm", 0.8},
      {"Eu", 7.22}, {"Gd", 6.5}, {"Tb", 7.38}, {"Dy", 16.9}, {"Ho", 8.01}, {"Er", 7.79}, {"Tm", 7.07},
      {"Yb", 12.43}, {"Lu", 7.21}, {"Hf", 7.7}, {"Ta", 6.91}, {"W", 4.86}, {"Re", 9.2}, {"Os", 10.7},
      {"Ir", 10.6}, {"Pt", 9.6}, {"Au", 7.63}, {"Hg", 12.692}, {"Tl", 8.776}, {"Pb", 9.405}, {"Bi", 8.532},
      {"Ra", 10.0}, {"Th", 10.31}, {"Pa", 9.1}, {"U", 8.417}, {"Np", 10.55}, {"Am", 8.3}, {"Cm", 9.5},
  };
  // clang-format on
  const auto found = lengths.find(symbolOf(z));
  return found == lengths.end() ? std::nullopt : std::optional<double>(found->second);
}

}  // namespace prophet
