#include <gtest/gtest.h>

#include <Eigen/QR>
#include <array>
#include <map>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "atoms/angular/angular.hpp"
#include "atoms/configurations/determinant_space.hpp"
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

/// Of so many levels over coupled states, and in two other Hamiltonians.
BlockLevels randomLevels(Eigen::Index states, Eigen::Index count, std::mt19937& random) {
  const Eigen::MatrixXd any = randomMatrix(states, count, random);
  const Eigen::MatrixXd vectors =
      Eigen::HouseholderQR<Eigen::MatrixXd>(any).householderQ() * Eigen::MatrixXd::Identity(states, count);
  std::vector<Eigen::MatrixXd> moved;
  for (int k = 0; k < 2; ++k) {
    moved.push_back(vectors *
                    (Eigen::MatrixXd::Identity(count, count) + 0.02 * randomMatrix(count, count, random)));
    moved.back().colwise().normalize();
  }
  return {hostStates(vectors, moved), randomMatrix(count, 1, random).cwiseAbs()};
}

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
      const auto compare = [&](const Eigen::VectorXd& at, Eigen::Index count) {
        const Eigen::VectorXd values = ours->solve(at, count), expected = theirs->solve(at, count);
        ASSERT_EQ(values.size(), count);
        EXPECT_LT((values - expected).cwiseAbs().maxCoeff(), 1e-11 * (1 + expected.cwiseAbs().maxCoeff()));
        std::vector<int> levels;
        for (int i = 0; i < count; i += 7) levels.push_back(i);
        EXPECT_LT((theirs->slopes(levels) - ours->slopes(levels)).cwiseAbs().maxCoeff(), 1e-7);
        EXPECT_LT((theirs->shares() - ours->shares()).cwiseAbs().maxCoeff(), 1e-7);
        const std::vector<int> states{0, 3, static_cast<int>(n) - 1};
        const Eigen::MatrixXd parts = randomMatrix(3, 2, random);
        // Of either sign.
        EXPECT_LT(
            (theirs->overlaps(states, parts).cwiseAbs() - ours->overlaps(states, parts).cwiseAbs()).norm(),
            1e-6);
      };
      compare({}, n);
      compare(x, some);
      compare(x, n);
      EXPECT_LT((ours->states()->vectors().transpose() * ours->states()->vectors() -
                 Eigen::MatrixXd::Identity(n, n))
                    .norm(),
                1e-10);
      const Eigen::MatrixXd changes = 0.01 * randomMatrix(6, 4, random);
      EXPECT_LT((ours->move(changes) - theirs->move(changes)).cwiseAbs().maxCoeff(), 1e-7);
      const auto a = ours->states(), b = theirs->states();
      ASSERT_EQ(a->moved().size(), 4u);
      // Vectors are of either sign, each level's the same in all Hamiltonians.
      const Eigen::VectorXd signs = (a->vectors().transpose() * b->vectors()).diagonal();
      for (std::size_t k = 0; k < 4; ++k)
        EXPECT_LT((a->moved()[k] * signs.asDiagonal() - b->moved()[k]).norm(), 1e-6 * std::sqrt(n)) << n;
      for (int c = 0; c < 4; ++c) {
        const auto lowest = ours->lowestOf(x, c), known = theirs->lowestOf(x, c);
        ASSERT_EQ(lowest.has_value(), known.has_value());
        if (known) {
          EXPECT_NEAR(*lowest, *known, 1e-11 * (1 + std::abs(*known)));
        }
      }
      ours->restrictTo(x, some);
      theirs->restrictTo(x, some);
      compare(x + 0.05 * randomMatrix(6, 1, random), some);
      ours->restrictTo(x, n);
      theirs->restrictTo(x, n);
      compare(x, n);
      // What was given away stays as it was.
      EXPECT_LT((a->vectors() * signs.asDiagonal() - b->vectors()).norm(), 1e-6);
    }
  EXPECT_GT(largest, 448);  // so that all ways are taken
}

/// Lines by their levels: both elements and the spread.
std::map<std::pair<int, int>, std::array<double, 3>> listed(const ChosenLines& c) {
  std::map<std::pair<int, int>, std::array<double, 3>> list;
  for (std::size_t n = 0; n < c.length.size(); ++n)
    list[{c.bra[n], c.ket[n]}] = {c.length[n], c.velocity.empty() ? 0 : c.velocity[n],
                                  c.spread.empty() ? 0 : c.spread[n]};
  return list;
}

TEST_F(CudaLevels, LinesAreThoseOfTheHostFromSeveralThreads) {
  CudaLevelEngine device({});
  const std::unique_ptr<LevelEngine> host = hostLevelEngine();
  std::mt19937 random(5);
  std::vector<BlockLevels> levels;
  for (const auto& [states, count] : std::vector<std::pair<int, int>>{{40, 40}, {257, 257}, {130, 17}})
    levels.push_back(randomLevels(states, count, random));
  levels[2].energies(3) = levels[0].energies(5);  // a line of no energy
  std::vector<BlockLevels> still = levels;
  for (BlockLevels& b : still) b.states = hostStates(b.states->vectors());
  struct Case {
    bool moves;
    int bra, ket;
    LineChoice choice;
    TransitionOperators operators;
  };
  std::vector<Case> cases;
  for (const bool magnetic : {false, true})
    for (int bra = 0; bra < 3; ++bra)
      for (int ket = 0; ket < 3; ++ket)
        for (const double least : {0.0, 0.3})
          cases.push_back(
              {bra != 1,
               bra,
               ket,
               {0.7, magnetic ? 1 : 3, least, magnetic ? 1e300 : 0.01},
               randomOperators(levels[static_cast<std::size_t>(bra)].states->states(),
                               levels[static_cast<std::size_t>(ket)].states->states(), magnetic, random)});
  cases.push_back({true, 0, 1, {}, {40, std::vector<int>(258, 0), {}, {0.5}, Eigen::MatrixXd(0, 1), {}, {}}});
  const auto ours = device.productsOf(levels), theirs = host->productsOf(levels),
             oursStill = device.productsOf(still), theirsStill = host->productsOf(still);
  std::vector<ChosenLines> found(cases.size());
  std::vector<std::jthread> threads;
  for (std::size_t t = 0; t < 6; ++t)
    threads.emplace_back([&, t] {
      for (std::size_t i = t; i < cases.size(); i += 6)
        found[i] = (cases[i].moves ? ours : oursStill)
                       ->lines(cases[i].bra, cases[i].ket, cases[i].operators, cases[i].choice);
    });
  threads.clear();
  std::size_t few = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Case& c = cases[i];
    const ChosenLines expected = (c.moves ? theirs : theirsStill)->lines(c.bra, c.ket, c.operators, c.choice);
    const auto a = listed(found[i]), b = listed(expected);
    ASSERT_EQ(a.size(), found[i].length.size());
    ASSERT_EQ(a.size(), b.size()) << i;
    ASSERT_EQ(found[i].spread.size(), expected.spread.size());
    if (c.choice.leastGf > 0 && found[i].belowKet.sum() > 0) ++few;
    double largest = 0, largestOther = 0;
    for (const auto& [pair, values] : b) {
      largest = std::max(largest, std::abs(values[0]));
      largestOther = std::max(largestOther, std::abs(values[1]));
    }
    for (const auto& [pair, values] : b) {
      ASSERT_TRUE(a.contains(pair)) << i;
      EXPECT_NEAR(a.at(pair)[0], values[0], 1e-12 * largest) << i;
      // Near energies of zero the quotient magnifies rounding.
      EXPECT_NEAR(a.at(pair)[1], values[1], 1e-10 * largestOther) << i;
      if (std::abs(values[0]) > 1e-6 * largest) {
        EXPECT_NEAR(a.at(pair)[2], values[2], 1e-5) << i;
      }
    }
    EXPECT_LT((found[i].belowBra - expected.belowBra).norm(), 1e-11 * (1 + expected.belowBra.norm())) << i;
    EXPECT_LT((found[i].belowKet - expected.belowKet).norm(), 1e-11 * (1 + expected.belowKet.norm())) << i;
  }
  EXPECT_GT(few, 10u);
}

TEST_F(CudaLevels, PartsAreOfTheDeviceWithFewest) {
  CudaLevelEngine one({0}), two({0, 0});
  EXPECT_EQ(one.devices(), 1);
  EXPECT_EQ(one.part(1e6).get(), &one);
  ASSERT_EQ(two.devices(), 2);
  const auto first = two.part(1e6);
  auto second = two.part(1e6);
  EXPECT_EQ(first.get(), &two);
  EXPECT_NE(second.get(), &two);
  second.reset();
  EXPECT_NE(two.part(1e6).get(), &two);
  // More than there is: alone.
  EXPECT_EQ(one.part(1e15).get(), &one);
}

TEST_F(CudaLevels, RefusesAGpuThatIsNotThere) { EXPECT_THROW(CudaLevelEngine({99}), CudaError); }

}  // namespace
}  // namespace prophet::cuda
