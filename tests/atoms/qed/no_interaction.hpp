#pragma once
#include <string>
#include <vector>

#include "atoms/fock/grid_builder.hpp"

namespace prophet::test {

/// Electrons without an interaction, whose spinors are hydrogen-like.
struct NoInteraction : FockBuilder {
  void build(const std::vector<OccupiedSpinors>& spinors, const Eigen::MatrixXd&, std::vector<BlockMatrix>& p,
             std::vector<BlockMatrix>& q) override {
    p.resize(spinors.size());
    q.resize(spinors.size());
    for (std::size_t a = 0; a < spinors.size(); ++a) {
      const int n = static_cast<int>(spinors[a].large.rows());
      p[a].resize(n, n);
      p[a].setZero();
      q[a] = p[a];
    }
  }
  std::string name() const override { return "none"; }
};

}  // namespace prophet::test
