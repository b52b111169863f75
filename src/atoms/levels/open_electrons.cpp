#include "atoms/levels/open_electrons.hpp"

namespace prophet {

OpenElectrons::OpenElectrons(const LevelSpace& space, const Result& result,
                             const LevelHamiltonian& hamiltonian, const std::vector<Place>& places)
    : spinors_(result, hamiltonian.field, largestRank(space)),
      interaction_(space, spinors_, {spinors_, hamiltonian.electrons, hamiltonian.breitFrequency}),
      operator_{places.size(),
                oneBodyOf(places,
                          [this](const Place& to, const Place& from) {
                            return to.symmetry == from.symmetry && to.twoM == from.twoM
                                       ? interaction_.oneBody(to.spinor, from.spinor)
                                       : 0.0;
                          }),
                twoBodyOf(places, [this](int k, int a, int b, int c,
                                         int d) { return interaction_.multipole(k, a, b, c, d); })},
      space_(space),
      list_(places) {}

double OpenElectrons::averageOf(const LevelSpace::Part& configuration) const {
  return coreEnergy() + meanOver(space_, configuration, list_, operator_.one, operator_.two);
}

SparseMatrix OpenElectrons::upperTriangleOf(const LevelBlock& block) const {
  return betweenDeterminants(block, operator_, Triangle::Upper);
}

}  // namespace prophet
