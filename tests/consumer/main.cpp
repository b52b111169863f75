/// Energies of radon in the set of the library, and of neon in a set that is given by its exponents.
#include <cmath>
#include <cstdio>
#include <cudaprophet/cudaprophet.hpp>
#include <string>
#include <vector>

namespace {

cudaprophet::BasisSet evenTempered(double smallest, double ratio, int s, int p) {
  std::vector<double> exponents;
  for (int i = 0; i < s; ++i) exponents.push_back(smallest * std::pow(ratio, i));
  const std::vector<double> ofP(exponents.begin(), exponents.begin() + p);
  return cudaprophet::basisFromExponents({exponents, ofP, ofP});  // s+, p-, p+
}

void show(const char* what, const cudaprophet::Result& r) {
  std::printf("%s %.8f hartree, %s\n", what, r.energyWithCorrections,
              r.status == cudaprophet::Status::Converged ? "converged" : "NOT CONVERGED");
}

}  // namespace

int main() {
  try {
    std::printf("cudaprophet %s\n", cudaprophet::version());
    show("Rn", cudaprophet::compute(cudaprophet::atom("Rn")));
    cudaprophet::Atom neon = cudaprophet::atom("Ne");
    show("Ne", cudaprophet::compute(neon, evenTempered(0.1, 2.2, 18, 12)));
    show("Ne, limit", cudaprophet::limit(neon));

    const auto many =
        cudaprophet::computeAll({{cudaprophet::atom(2), {}, false}, {cudaprophet::atom(10), {}, true}});
    for (const cudaprophet::Result& r : many) show("in a batch", r);

    cudaprophet::Atom argon = cudaprophet::atom("Ar");
    argon.configuration = cudaprophet::withHole("[Ar]", "2p3/2");
    argon.charge = 1;
    show("Ar+, hole in 2p3/2", cudaprophet::compute(argon));
    std::printf("Lu+ is %s\n", cudaprophet::atom("Lu+").configuration.c_str());

    cudaprophet::Ladder ladder;
    ladder.groups = {{0.3, 2.4, 2.0, 0.5}};
    ladder.functions = {10};
    const auto best = cudaprophet::optimise(cudaprophet::atom("He"), ladder);
    std::printf("He, 10s optimised %.8f hartree after %d energies\n", best.energy, best.evaluations);

    const auto iron = cudaprophet::scatteringFactors(cudaprophet::atom("Fe"), {0.0, 5.0});
    std::printf("Fe scatters like %.6f and %.6f electrons\n", iron.xray[0], iron.xray[1]);

    // Caesium chloride with an edge of 2 bohr: nearest distance sqrt(3) bohr.
    cudaprophet::PointCharges salt({1.0, -1.0});
    const auto sums = salt.compute({{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}}, {{0, 0, 0}, {1, 1, 1}});
    std::printf("CsCl has the Madelung constant %.9f\n", -sums.energy * std::sqrt(3.0));

    // What cannot be computed is an exception that says why.
    try {
      neon.configuration = "1s2 2x6";
      cudaprophet::compute(neon);
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
