#pragma once
#include <vector>

#include "cudaprophet/compute.hpp"

namespace cudaprophet {

/// How a free atom or ion scatters X-rays and electrons, at some momentum transfers q = 4 pi
/// sin(theta)/lambda, 1/angstrom. The lists are empty if the field did not converge. An ion that is not bound
/// (Status::Unbound, O2- for example) has factors, which depend on the basis set and should not be used.
struct ScatteringFactors {
  Result result;                             ///< of the calculation
  std::vector<double> xray;                  ///< f(q), electrons; f(0) is their number
  std::vector<double> electron;              ///< f_e(q) by Mott and Bethe, angstrom; infinite at 0 for ions
  std::vector<std::vector<double>> spinors;  ///< for each of result.spinors its part of `xray`
};

/// In the basis set that is chosen for the atom, in closed form; at the numerical limit, by quadrature.
/// Throws Error for a q that is negative or not finite, and as compute() and limit() do.
CUDAPROPHET_API ScatteringFactors scatteringFactors(const Atom& atom, const std::vector<double>& q,
                                                    const Settings& settings = {});
CUDAPROPHET_API ScatteringFactors scatteringFactorsAtLimit(const Atom& atom, const std::vector<double>& q,
                                                           const Settings& settings = {});

}  // namespace cudaprophet
