#include "cudaprophet/scattering.hpp"

#include "frontends/api/convert.hpp"
#include "matter/scattering/form_factor.hpp"

namespace cudaprophet {
namespace {

std::vector<double> listOf(const Eigen::VectorXd& values) { return {values.begin(), values.end()}; }

ScatteringFactors factorsOf(const Atom& atom, bool limit, const std::vector<double>& q,
                            const Settings& settings) {
  return translated([&] {
    const Eigen::VectorXd momenta =
        Eigen::Map<const Eigen::VectorXd>(q.data(), static_cast<Eigen::Index>(q.size()));
    prophet::requireMomenta(momenta);
    const auto found = computed(atom, nullptr, limit, settings);
    const prophet::Result& result = found->result;
    ScatteringFactors factors{resultOf(*found), {}, {}, {}};
    if (result.status != prophet::Status::Converged && result.status != prophet::Status::Unbound)
      return factors;
    factors.xray = listOf(prophet::formFactor(result, momenta));
    factors.electron = listOf(prophet::electronScatteringFactor(result, atom.nucleus.charge, momenta));
    const Eigen::MatrixXd spinors = prophet::spinorFormFactors(result, momenta);
    for (Eigen::Index i = 0; i < spinors.cols(); ++i) factors.spinors.push_back(listOf(spinors.col(i)));
    return factors;
  });
}

}  // namespace

ScatteringFactors scatteringFactors(const Atom& atom, const std::vector<double>& q,
                                    const Settings& settings) {
  return factorsOf(atom, false, q, settings);
}
ScatteringFactors scatteringFactorsAtLimit(const Atom& atom, const std::vector<double>& q,
                                           const Settings& settings) {
  return factorsOf(atom, true, q, settings);
}

}  // namespace cudaprophet
