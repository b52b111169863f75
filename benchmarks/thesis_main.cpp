// Tables 3.2 to 3.6 of Hennessey (2018) on the processor: Rn, point nucleus, seven symmetries of so many
// functions. Usage: prophet_thesis_benchmark THREADS [--terms] FUNCTIONS...     writes CSV, seconds, the best
// of some
// --terms: two-electron integrals term by term too, the program's own reference (slow)
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "atoms.hpp"
#include "core/common/stopwatch.hpp"

namespace {

using namespace prophet;
using namespace prophet::benchmarks;

template <class Work>
double best(int repeats, const Work& work) {
  double seconds = 1e9;
  for (int i = 0; i < repeats; ++i) {
    const Stopwatch watch;
    work();
    seconds = std::min(seconds, watch.seconds());
  }
  return seconds;
}

void measure(int functions, int threads, bool byTerms) {
  const Atom atom = thesisAtom(functions);
  ThreadPool pool(threads);
  const int repeats = functions <= 25 ? 5 : 2;
  const PrimitiveTable table = makePrimitiveTable(atom.basis);
  const PairIndex index(std::vector<int>(7, functions));
  const double integrals = best(repeats, [&] { polynomialSuperMatrices(table, index, pool); });
  const double terms = byTerms ? best(1, [&] { computeSuperMatrices(table, index, pool); }) : 0;
  double field = 1e9, whole = 1e9, energy = 0;
  std::size_t iterations = 0;
  for (int i = 0; i < std::max(1, repeats / 2); ++i) {
    const Stopwatch all;
    StoredFockBuilder builder(atom.basis, threads);
    const ScfResult result = run(atom, builder, pool);
    whole = std::min(whole, all.seconds());
    energy = result.energy.total;
    iterations = result.iterations.size();
    std::vector<BlockMatrix> p, q;
    const std::vector<OccupiedSpinors> spinors = occupiedSpinors(result);
    field =
        std::min(field, best(5, [&] { builder.build(spinors, atom.configuration.openReduction(), p, q); }));
  }
  std::printf("%d,%lld,%d,%.5f,", functions, static_cast<long long>(index.elements()), threads, integrals);
  if (byTerms) std::printf("%.5f", terms);
  std::printf(",%.5f,%.5f,%zu,%.8f\n", field, whole, iterations, energy);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: prophet_thesis_benchmark THREADS [--terms] FUNCTIONS...\n");
    return 2;
  }
  bool byTerms = false;
  std::puts("functions,elements,threads,integrals_s,integrals_by_terms_s,fock_s,whole_s,iterations,energy");
  for (int i = 2; i < argc; ++i) {
    if (std::string(argv[i]) == "--terms") {
      byTerms = true;
    } else {
      measure(std::stoi(argv[i]), std::stoi(argv[1]), byTerms);
    }
  }
}
