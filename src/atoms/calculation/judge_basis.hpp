#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/calculation/calculation.hpp"
#include "atoms/calculation/result.hpp"
#include "atoms/default_basis/basis_error.hpp"
#include "core/common/threads.hpp"

namespace prophet {

/// States the error of the basis set of a calculation where that is asked for, and warns where the basis is
/// poor for the job or was made for something else.
void judgeBasis(const AtomProblem& problem, const BasisMethod& method, const ExtraTerms& extra,
                const ScfResult& scf, ThreadPool& pool, Result& result);

/// Whether judgeSpinors has more to say about a result than the error that is known.
bool asksForJudgement(const Calculation& calculation, const Result& result);

/// Whether judgeSpinors looks at the spinors for that.
bool asksForSpinors(const Calculation& calculation, const Result& result);

/// The same for spinors that another device computed. `coefficients`: for each occupied symmetry a column for
/// each spinor, over the functions of its basis that Cholesky's factor U of the overlap makes orthonormal
/// (X = U^-1), the large ones above the small ones; needed only where asksForSpinors says so. What goes wrong
/// is a warning.
void judgeSpinors(const Calculation& calculation, const std::vector<Eigen::MatrixXd>& coefficients,
                  Result& result) noexcept;

/// The calculation of a converged result once more in a nearly complete basis (errorReference), from the
/// result's spinors, for the basis-set errors of other things than the energy.
Calculation inErrorReference(const Calculation& calculation, const Result& result);

}  // namespace prophet
