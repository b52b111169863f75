#include "atoms/integrals/slater_polynomials.hpp"

#include "atoms/angular/angular.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

/// Adds factor * S^((n1+n2+1)/2) slaterHalf(k, n1, a, n2, b) as a polynomial in S/a.
void addHalf(int k, int n1, int n2, double factor, double* c) {
  const int s = (n1 - k - 2) / 2, twoM = n2 + k + 1;
  double term = factor * 0.25 * radial::factorial(s) * radial::gammaHalf(twoM);
  for (int j = 0; j <= s; ++j) {
    c[s - j] += term;
    term *= (0.5 * twoM + j) / (j + 1);
  }
}

/// Powers n1 = row + 2 i and n2 = column + 2 j.
template <int kDegree>
void addMultipole(int k, double factor, int row, int column, int firstI, int firstJ,
                  PolynomialBlock<kDegree>& block) {
  for (int i = firstI; i < 3; ++i) {
    for (int j = firstJ; j < 3; ++j) {
      addHalf(k, row + 2 * i, column + 2 * j, factor, block.row[i][j]);
      addHalf(k, column + 2 * j, row + 2 * i, factor, block.column[i][j]);
    }
  }
}

}  // namespace

template <int kDegree>
std::vector<PairPolynomials<kDegree>> makePairPolynomials(const std::vector<Symmetry>& symmetries) {
  std::vector<PairPolynomials<kDegree>> result;
  for (const Symmetry a : symmetries) {
    for (const Symmetry b : symmetries) {
      if (slaterDegree(a.l()) > kDegree || slaterDegree(b.l()) > kDegree) {
        throw Error("stored integrals go up to l = 7; use fock='grid' for higher symmetries");
      }
      PairPolynomials<kDegree> t{};
      t.rowFirst = a.kappa > 0 ? 0 : 1;
      t.columnFirst = b.kappa > 0 ? 0 : 1;
      t.angularSum = a.l() + b.l();
      addMultipole(0, 1.0, 2 * a.l(), 2 * b.l(), t.rowFirst, t.columnFirst, t.coulomb);
      const int first = std::max(t.rowFirst, t.columnFirst);
      for (const ExchangeTerm& term : exchangeTerms(a, b)) {
        addMultipole(term.k, term.coefficient, t.angularSum, t.angularSum, first, first, t.exchange);
      }
      result.push_back(t);
    }
  }
  return result;
}

template std::vector<PairPolynomials<5>> makePairPolynomials<5>(const std::vector<Symmetry>&);
template std::vector<PairPolynomials<9>> makePairPolynomials<9>(const std::vector<Symmetry>&);

}  // namespace prophet
