// Prints F(Z alpha) of hydrogen-like ions with a point nucleus: the table of docs/theory/breit-qed.md.
#include <cstdio>

#include "tests/atoms/limit/hydrogen.hpp"

int main() {
  using namespace prophet;
  QedOptions options;
  options.vacuumPolarisation = options.selfEnergy = true;
  struct State {
    Symmetry symmetry;
    int number, n;
  };
  const State states[] = {{Symmetry{-1}, 1, 1}, {Symmetry{-1}, 2, 2}, {Symmetry{1}, 1, 2}};
  for (int z = 10; z <= 100; z += 10) {
    Nucleus nucleus;
    nucleus.charge = z;
    std::printf("%3d", z);
    for (int term : {1, 0}) {
      for (const State& s : states) {
        const auto shifts = test::ionShifts(nucleus, s.symmetry, s.number, options);
        std::printf(term == 1 ? " %10.7f" : " %14.11f", shifts.corrections[term] / test::shiftUnit(z, s.n));
      }
    }
    std::printf("\n");
  }
}
