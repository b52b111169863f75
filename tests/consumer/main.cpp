/// Energies of radon in the set of the library, and of neon in a set that is given by its exponents.
#include <cmath>
#include <cstdio>
#include <cudaprophet/cudaprophet.hpp>
#include <string>

namespace {

cudaprophet::Basis evenTempered(double smallest, double ratio, int s, int p) {
  std::vector<double> exponents;
  for (int i = 0; i < s; ++i) exponents.push_back(smallest * std::pow(ratio, i));
  const std::vector<double> ofP(exponents.begin(), exponents.begin() + p);
  cudaprophet::Basis basis;
  basis.exponents = {exponents, ofP, ofP};  // s+, p-, p+
  return basis;
}

void show(const char* what, const cudaprophet::Energy& e) {
  std::printf("%s %.8f hartree, %s\n", what, e.total, e.converged ? "converged" : "NOT CONVERGED");
}

}  // namespace

int main() {
  try {
    std::printf("cudaprophet %s\n", cudaprophet::version());
    cudaprophet::Atom radon;
    radon.charge = 86;
    show("Rn", cudaprophet::energy(radon));

    cudaprophet::Atom neon;
    neon.charge = 10;
    show("Ne", cudaprophet::energy(neon, evenTempered(0.1, 2.2, 18, 12)));

    // What cannot be computed is an exception that says why.
    try {
      neon.configuration = "1s2 2x6";
      cudaprophet::energy(neon);
      return 1;
    } catch (const cudaprophet::Error& e) {
      std::printf("refused: %s\n", e.what());
    }
  } catch (const std::exception& e) {
    std::fprintf(stderr, "consumer: %s\n", e.what());
    return 1;
  }
  return 0;
}
