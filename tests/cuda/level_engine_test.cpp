#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <thread>

#include "atoms/angular/angular.hpp"
#include "atoms/levels/determinant_space.hpp"
#include "cuda/atoms/levels/cuda_level_engine.hpp"
#include "cuda/core/common/check.hpp"
#include "tests/cuda/gpu_test.hpp"

namespace prophet::cuda {
namespace {

class CudaLevels : public GpuTest {};

Eigen::MatrixXd randomMatrix(Eigen::Index rows, Eigen::Index columns, std::mt19937& random) {
  std::normal_distribution<double> normal;
  return Eigen::MatrixXd::NullaryExpr(rows, columns,
                                      [&](Eigen::Index, Eigen::Index) { return normal(random); });
}

struct RandomBlock {
  Eigen::MatrixXd vectors;
  BlockLevels levels;
  RandomBlock(Eigen::Index states, Eigen::Index count, std::mt19937& random)
      : vectors(randomMatrix(states, count, random)) {
    levels = {&vectors, randomMatrix(count, 1, random).cwiseAbs()};
  }
};

TransitionOperators randomOperators(Eigen::Index rows, Eigen::Index columns, bool magnetic,
                                    std::mt19937& random) {
  TransitionOperators o;
  o.rows = rows;
  o.starts = {0};
  for (Eigen::Index column = 0; column < columns; ++column) {
    for (int row = 0; row < rows; ++row)
      if (random() % 5 == 0) o.places.push_back(row);
    o.starts.push_back(static_cast<int>(o.places.size()));
  }
  o.nodes = {0.1, 0.7, 2.3};
  const auto count = static_cast<Eigen::Index>(o.places.size());
  o.charge = randomMatrix(count, 3, random);
  if (!magnetic) {
    o.current = randomMatrix(count, 3, random);
    o.velocity = randomMatrix(count, 3, random);
  }
  return o;
}

TEST_F(CudaLevels, EigenpairsAreThoseOfTheHost) {
  CudaLevelEngine device({});
  const std::unique_ptr<LevelEngine> host = hostLevelEngine();
  std::mt19937 random(3);
  for (const Eigen::Index n : {1, 60, 193, 500}) {
    const Eigen::MatrixXd any = randomMatrix(n, n, random), matrix = any + any.transpose();
    for (const Eigen::Index count : {n, (n + 2) / 3}) {
      Eigen::MatrixXd a = matrix, b = matrix, vectors, expectedVectors;
      Eigen::VectorXd values, expected;
      device.eigenpairs(a, count, values, vectors);
      host->eigenpairs(b, count, expected, expectedVectors);
      EXPECT_LT((values - expected).cwiseAbs().maxCoeff(), 1e-12 * matrix.norm()) << n;
      ASSERT_EQ(vectors.cols(), count);
      EXPECT_LT((matrix * vectors - vectors * values.asDiagonal()).norm(),
                1e-12 * matrix.norm() * std::sqrt(n));
      EXPECT_LT((vectors.transpose() * vectors - Eigen::MatrixXd::Identity(count, count)).norm(), 1e-11);
    }
  }
}

/// A scalar operator with random integrals.
ElectronOperator randomOperator(const LevelSpace& space, bool hasMeans, std::mt19937& random) {
  std::normal_distribution<double> normal;
  const std::vector<Place> places = placesOf(space);
  const auto symmetric = [&] {
    auto values = std::make_shared<std::map<std::vector<int>, double>>();
    return [values, &random, &normal](std::vector<int> key) {
      return values->try_emplace(std::move(key), normal(random)).first->second;
    };
  };
  ElectronOperator o{places.size(), {}, {}};
  const auto one = symmetric();
  o.one = oneBodyOf(places, [&](const Place& a, const Place& b) {
    return a.symmetry == b.symmetry && a.twoM == b.twoM
               ? one({std::min(a.spinor, b.spinor), std::max(a.spinor, b.spinor)})
               : 0.0;
  });
  const auto two = symmetric();
  o.two = twoBodyOf(places, [&](int k, int a, int b, int c, int d) {
    const auto pair = [](int i, int j) { return std::pair(std::min(i, j), std::max(i, j)); };
    const auto low = std::min(pair(a, c), pair(b, d)), high = std::max(pair(a, c), pair(b, d));
    const auto symmetry = [&](int spinor) { return space.open[static_cast<std::size_t>(spinor)].symmetry; };
    return two({k, low.first, low.second, high.first, high.second}) * reducedC(symmetry(a), k, symmetry(c)) *
           reducedC(symmetry(b), k, symmetry(d));
  });
  if (hasMeans)
    for (std::size_t c = 0; c < space.configurations.size(); ++c) o.means.push_back(normal(random));
  return o;
}

TEST_F(CudaLevels, MatricesAreThoseOfTheHost) {
  CudaLevelEngine device({});
  const std::unique_ptr<LevelEngine> host = hostLevelEngine();
  std::mt19937 random(11);
  const LevelSpace space = levelSpace("[Xe] 4f5 5d1 | [Xe] 4f5 6s1 | [Xe] 4f5 6p1 | [Xe] 4f4 5d2");
  const std::vector<ElectronOperator> list{randomOperator(space, false, random),
                                           randomOperator(space, true, random),
                                           randomOperator(space, true, random)};
  const std::vector<const ElectronOperator*> operators{&list[0], &list[1], &list[2]};
  int largest = 0;
  for (const bool odd : {false, true})
    for (const int twoJ : {8, 16, 26}) {
      const LevelBlock block = blockOf(space, twoJ, odd);
      if (block.size() == 0) continue;
      largest = std::max(largest, static_cast<int>(block.size()));
      const auto ours = device.matricesOf(block, operators, 4),
                 theirs = host->matricesOf(block, operators, 4);
      const Eigen::VectorXd x = randomMatrix(6, 1, random);
      const Eigen::Index n = block.size(), some = (n + 3) / 4;
      Eigen::VectorXd values, expected;
      Eigen::MatrixXd vectors, expectedVectors;
      const auto compare = [&](const Eigen::VectorXd& at, Eigen::Index count) {
        ours->eigenpairs(at, count, values, vectors);
        theirs->eigenpairs(at, count, expected, expectedVectors);
        ASSERT_EQ(values.size(), count);
        EXPECT_LT((values - expected).cwiseAbs().maxCoeff(), 1e-11 * (1 + expected.cwiseAbs().maxCoeff()));
        EXPECT_LT((vectors.transpose() * vectors - Eigen::MatrixXd::Identity(count, count)).norm(), 1e-10);
        // Their Hamiltonian has the same expectation values in the device's vectors.
        EXPECT_LT((theirs->slopes(vectors) - ours->slopes(vectors)).cwiseAbs().maxCoeff(), 1e-9);
      };
      compare({}, n);
      compare(x, n);
      compare(x, some);
      for (int c = 0; c < 4; ++c) {
        const auto a = ours->lowestOf(x, c), b = theirs->lowestOf(x, c);
        ASSERT_EQ(a.has_value(), b.has_value());
        if (a) {
          EXPECT_NEAR(*a, *b, 1e-11 * (1 + std::abs(*b)));
        }
      }
      theirs->eigenpairs(x, n, expected, expectedVectors);
      const Eigen::MatrixXd changes = 0.01 * randomMatrix(6, 4, random);
      const LevelResponses a = ours->responses(expected, expectedVectors, changes),
                           b = theirs->responses(expected, expectedVectors, changes);
      EXPECT_LT((a.slopes - b.slopes).cwiseAbs().maxCoeff(), 1e-10);
      ASSERT_EQ(a.moved.size(), 4u);
      for (std::size_t k = 0; k < 4; ++k)
        EXPECT_LT((a.moved[k] - b.moved[k]).norm(), 1e-6 * std::sqrt(n)) << n;
      ours->restrictTo(x, some);
      theirs->restrictTo(x, some);
      compare(x + 0.05 * randomMatrix(6, 1, random), some);
      ours->restrictTo(x, n);
      theirs->restrictTo(x, n);
      compare(x, n);
    }
  EXPECT_GT(largest, 448);  // so that all ways are taken
}

TEST_F(CudaLevels, ProductsAreThoseOfTheHostFromSeveralThreads) {
  CudaLevelEngine device({});
  const std::unique_ptr<LevelEngine> host = hostLevelEngine();
  std::mt19937 random(5);
  std::vector<RandomBlock> blocks;
  blocks.reserve(3);
  for (const auto& [states, count] : std::vector<std::pair<int, int>>{{40, 40}, {257, 257}, {130, 17}})
    blocks.emplace_back(states, count, random);
  blocks[2].levels.energies(3) = blocks[0].levels.energies(5);  // a line of no energy
  std::vector<BlockLevels> levels;
  for (const RandomBlock& b : blocks) levels.push_back(b.levels);
  const auto ours = device.productsOf(levels), theirs = host->productsOf(levels);
  struct Case {
    int bra, ket;
    TransitionOperators operators;
  };
  std::vector<Case> cases;
  for (const bool magnetic : {false, true})
    for (int bra = 0; bra < 3; ++bra)
      for (int ket = 0; ket < 3; ++ket)
        cases.push_back(
            {bra, ket,
             randomOperators(blocks[static_cast<std::size_t>(bra)].vectors.rows(),
                             blocks[static_cast<std::size_t>(ket)].vectors.rows(), magnetic, random)});
  cases.push_back({0, 1, {40, std::vector<int>(258, 0), {}, {0.5}, Eigen::MatrixXd(0, 1), {}, {}}});
  std::vector<TransitionElements> found(cases.size());
  std::vector<std::jthread> threads;
  for (std::size_t t = 0; t < 6; ++t)
    threads.emplace_back([&, t] {
      for (std::size_t i = t; i < cases.size(); i += 6)
        found[i] = ours->elements(cases[i].bra, cases[i].ket, cases[i].operators);
    });
  threads.clear();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const TransitionElements expected = theirs->elements(cases[i].bra, cases[i].ket, cases[i].operators);
    const double scale = 1 + expected.length.norm();
    ASSERT_EQ(found[i].length.rows(), expected.length.rows());
    EXPECT_LT((found[i].length - expected.length).norm(), 1e-12 * scale) << i;
    ASSERT_EQ(found[i].velocity.size(), expected.velocity.size());
    // Near energies of zero the quotient magnifies rounding.
    if (expected.velocity.size() > 0) {
      EXPECT_LT((found[i].velocity - expected.velocity).norm(), 1e-10 * (1 + expected.velocity.norm())) << i;
    }
  }
}

TEST_F(CudaLevels, RefusesAGpuThatIsNotThere) { EXPECT_THROW(CudaLevelEngine({99}), CudaError); }

}  // namespace
}  // namespace prophet::cuda
