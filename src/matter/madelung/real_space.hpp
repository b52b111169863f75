#pragma once
#include "core/common/names.hpp"
#include "matter/madelung/charged_cell.hpp"

namespace prophet {

/// Numbers that sums over charges are formed with.
enum class ChargePrecision {
  Double,
  Mixed  ///< terms and meshes in single precision (1e-6 of the potentials), sums of many in double
};

template <>
inline const Names<ChargePrecision>& namesOf() {
  static const Names<ChargePrecision> kNames = {{"double", ChargePrecision::Double},
                                                {"mixed", ChargePrecision::Mixed}};
  return kNames;
}

/// Adds the sum over pairs within a cutoff of q_i q_j erfc(beta r)/r to energy, potentials, fields and
/// virial, and what a sum over Gaussians of width 1/beta counts too much: the charges' own energy and, for a
/// net charge, the uniform background's. The same digits for any number of threads.
void addRealSpace(const ChargedCell& cell, double beta, double cutoff, ChargePrecision precision, int threads,
                  Electrostatics& sums);

}  // namespace prophet
