#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/common/error.hpp"
#include "cuda/matter/pairs/cuda_pair_engine.hpp"
#include "matter/structure/lattices.hpp"
#include "tests/cuda/gpu_test.hpp"
#include "tests/matter/pairs/alike.hpp"
#include "tests/matter/pairs/random_structure.hpp"
#include "tests/matter/pairs/references.hpp"

namespace prophet::cuda {
namespace {

using prophet::test::expectAlike;
using prophet::test::randomStructure;

class CudaPairs : public GpuTest {};

HistogramRequest request(double width, int bins) {
  HistogramRequest r;
  r.width = width;
  r.bins = bins;
  return r;
}

TEST_F(CudaPairs, HistogramsAreThoseOfTheHost) {
  int seed = 100;
  for (const HistogramKernel kernel : {HistogramKernel::Shared, HistogramKernel::Global}) {
    CudaPairEngine engine({0}, kernel);
    for (const int atoms : {2, 100, 128, 129, 700}) {
      for (const int kinds : {1, 2, 3}) {
        const Structure s = randomStructure(++seed, atoms, kinds, 10.0, false);
        for (const auto& r : {request(0.01, 3000), request(0.05, 100), request(0.5, 60)})
          expectAlike(referenceHistogram(s, r), engine.histogram(s, r));
      }
    }
  }
}

TEST_F(CudaPairs, PeriodicHistogramsAreThoseOfTheHost) {
  int seed = 200;
  for (const HistogramKernel kernel : {HistogramKernel::Shared, HistogramKernel::Global}) {
    CudaPairEngine engine({0}, kernel);
    for (const bool oblique : {false, true}) {
      const Structure s = randomStructure(++seed, 500, 2, 12.0, true, oblique);
      const double half = 0.5 * cellWidths(*s.lattice).minCoeff();
      for (const double range : {half, 0.3 * half})
        expectAlike(referenceHistogram(s, request(range / 200, 200)),
                    engine.histogram(s, request(range / 200, 200)));
    }
  }
}

struct NamedBox {
  const char* name;
  Eigen::Matrix3d edges;
};

std::vector<NamedBox> fiveBoxes(double edge) {
  const double root = std::sqrt(3.0) / 2;
  return {{"cubic", edge * Eigen::Matrix3d::Identity()},
          {"orthorhombic", edge * Eigen::Matrix3d{{1, 0, 0}, {0, 1.3, 0}, {0, 0, 0.8}}},
          {"hexagonal", edge * Eigen::Matrix3d{{1, 0, 0}, {-0.5, root, 0}, {0, 0, 1.2}}},
          {"primitive face-centred", edge * Eigen::Matrix3d{{0, 0.7, 0.7}, {0.7, 0, 0.7}, {0.7, 0.7, 0}}},
          {"triclinic", edge * Eigen::Matrix3d{{1, 0, 0}, {0.6, 0.9, 0}, {-0.4, 0.45, 0.8}}}};
}

Structure randomAtoms(const Eigen::Matrix3d& box, int count, int kinds) {
  std::mt19937_64 random(static_cast<std::uint64_t>(count));
  std::uniform_real_distribution<double> fraction(-0.5, 1.5);
  const char* names[] = {"Co", "O"};
  Structure s;
  for (int k = 0; k < kinds; ++k) s.kindNumber(names[k]);
  for (int i = 0; i < count; ++i) {
    const double a = fraction(random), b = fraction(random), c = fraction(random);
    s.add(i % kinds, box.transpose() * Eigen::Vector3d(a, b, c));
  }
  s.lattice = box;
  return s;
}

/// Chunks that are too far apart are skipped here: every pair that is lost would show. Counts are those of
/// the host in double precision, bin by bin.
TEST_F(CudaPairs, BoxesOfEveryShapeLoseNoPair) {
  for (const NamedBox& box : fiveBoxes(60)) {
    const Structure s = randomAtoms(box.edges, 20000, 2);
    const double half = 0.5 * cellWidths(box.edges).minCoeff();
    for (const double range : {half, 0.55 * half, 0.2 * half}) {
      HistogramRequest r = request(range / 300, 300);
      const PairHistogram shared = CudaPairEngine({0}).histogram(s, r);
      const PairHistogram global = CudaPairEngine({0}, HistogramKernel::Global).histogram(s, r);
      r.doublePrecision = true;
      r.threads = 4;
      const PairHistogram host = pairHistogram(s, r);
      EXPECT_EQ(shared.counts, host.counts) << box.name << " " << range;
      EXPECT_EQ(global.counts, host.counts) << box.name << " " << range;
      for (std::size_t i = 0; i < host.counts.size(); ++i)
        ASSERT_NEAR(shared.offsets[i], host.offsets[i],
                    shared.errorAt(range) / r.width * static_cast<double>(host.counts[i]) + 1e-6);
    }
  }
}

TEST_F(CudaPairs, RangesBeyondHalfTheBoxCountAllImages) {
  for (const NamedBox& box : fiveBoxes(14)) {
    const Structure s = randomAtoms(box.edges, 700, 2);
    const double half = 0.5 * cellWidths(box.edges).minCoeff();
    for (const double range : {1.3 * half, 1.9 * half, 5.1 * half}) {
      HistogramRequest r = request(range / 250, 250);
      for (const HistogramKernel kernel : {HistogramKernel::Shared, HistogramKernel::Global}) {
        r.doublePrecision = false;
        const PairHistogram device = CudaPairEngine({0}, kernel).histogram(s, r);
        r.doublePrecision = true;
        EXPECT_EQ(device.counts, pairHistogram(s, r).counts) << box.name << " " << range;
      }
    }
  }
}

/// Images of chunks that are too far apart are skipped, each for itself; with many bins most places are near
/// the end of one and looked at again.
TEST_F(CudaPairs, ImagesOfFarChunksLoseNoPair) {
  for (const NamedBox& box : fiveBoxes(60)) {
    const Structure s = randomAtoms(box.edges, 6000, 1);
    const double half = 0.5 * cellWidths(box.edges).minCoeff();
    for (const double range : {half, 1.2 * half, 2.2 * half}) {
      for (const int bins : {1, 250, 20000, 60000}) {
        HistogramRequest r = request(range / bins, bins);
        const PairHistogram device = CudaPairEngine({0}).histogram(s, r);
        r.doublePrecision = true;
        r.threads = 4;
        EXPECT_EQ(device.counts, pairHistogram(s, r).counts) << box.name << " " << range << " " << bins;
      }
    }
  }
}

/// Of atoms half a box apart two images are equally far: one of them counts for each translation.
TEST_F(CudaPairs, AtomsHalfABoxApartHaveTheirImages) {
  for (const NamedBox& box : fiveBoxes(10)) {
    Structure s;
    s.kindNumber("Co");
    for (int i = 0; i < 216; ++i)
      s.add(0, box.edges.transpose() * Eigen::Vector3d(i % 6, i / 6 % 6, i / 36) / 6);
    s.lattice = box.edges;
    const double half = 0.5 * cellWidths(box.edges).minCoeff();
    for (const double range : {1.01 * half, 2.3 * half}) {
      for (const HistogramKernel kernel : {HistogramKernel::Shared, HistogramKernel::Global}) {
        HistogramRequest r = request(range / 151.37, 151);
        const PairHistogram device = CudaPairEngine({0}, kernel).histogram(s, r);
        r.doublePrecision = true;
        EXPECT_EQ(device.counts, pairHistogram(s, r).counts) << box.name << " " << range;
      }
    }
  }
}

/// Thousands of pairs of a crystal share a distance, which may lie at the edge of a bin: what follows from
/// the histograms is compared, and the number of all pairs.
TEST_F(CudaPairs, ManyAtomsLoseNoPair) {
  CudaPairEngine engine({0});
  const Structure s = cutShape(namedLattice("CoO"), parseShape("sphere:60"));
  HistogramRequest r = request(0.002, static_cast<int>(largestDistance(s) / 0.002) + 2);
  const PairHistogram device = engine.histogram(s, r);
  const double atoms = static_cast<double>(s.size());
  EXPECT_EQ(device.total(), atoms * (atoms - 1) / 2);
  r.doublePrecision = true;
  r.threads = 4;
  const PairHistogram host = pairHistogram(s, r);
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(60, 0.1, 12);
  const Eigen::MatrixXd error =
      (debyeTransform(device, q, 4).values - debyeTransform(host, q, 4).values).cwiseAbs();
  EXPECT_LE((error - debyeErrorBound(device, q) - debyeErrorBound(host, q)).maxCoeff(), 0);
}

TEST_F(CudaPairs, AnOverflowOfAWordIsNoticed) {
  Structure s;
  const int a = s.kindNumber("Co"), b = s.kindNumber("O");
  for (int i = 0; i < 4300; ++i) s.add(a, {0, 0, 0});
  for (int i = 0; i < 4300; ++i) s.add(b, {1.2345, 0, 0});
  const PairHistogram h = CudaPairEngine({0}).histogram(s, request(0.1, 20));
  EXPECT_EQ(h.counts[h.at(1, 12)], 4300u * 4300u);
  EXPECT_NEAR(h.meanDistance(1, 12), 1.2345, h.errorAt(1.2345));
  EXPECT_EQ(h.counts[h.at(0, 0)], 4300u * 4299u / 2);
}

TEST_F(CudaPairs, PartsAddUp) {
  CudaPairEngine engine({0});
  const Structure s = randomStructure(7, 3000, 2, 20.0, false);
  const PairHistogram whole = engine.histogram(s, request(0.01, 4000));
  HistogramRequest r = request(0.01, 4000);
  r.parts = 2;
  PairHistogram sum = engine.histogram(s, r);
  r.part = 1;
  sum.add(engine.histogram(s, r));
  EXPECT_EQ(sum.counts, whole.counts);
}

/// Where one device's words overflow and another's do not, both still do the same parts of the pairs. (Two
/// shares of one GPU stand for two GPUs.)
TEST_F(CudaPairs, AnOverflowOfOnePartLosesNoPair) {
  Structure s;
  const int kind = s.kindNumber("Co");
  for (int i = 0; i < 700; ++i) s.add(kind, {0, 0, 0});
  for (const std::vector<int>& devices : {std::vector<int>{0}, {0, 0}, {0, 0, 0}}) {
    CudaPairEngine engine(devices);
    HistogramRequest r = request(0.1, 20);
    EXPECT_EQ(engine.histogram(s, r).total(), 700.0 * 699 / 2);
    r.parts = 2;
    PairHistogram sum = engine.histogram(s, r);
    r.part = 1;
    sum.add(engine.histogram(s, r));
    EXPECT_EQ(sum.total(), 700.0 * 699 / 2);
  }
}

/// Ranks choose their engines themselves: one part by a GPU, one by the host, one by the simple kernel.
TEST_F(CudaPairs, PartsOfHostAndGpuMakeTheWhole) {
  const auto host = hostPairEngine(2);
  CudaPairEngine shared({0}), pair({0, 0}), global({0}, HistogramKernel::Global);
  const std::vector<PairEngine*> engines{&shared, host.get(), &global, &pair};
  for (const Structure& s :
       {randomStructure(7, 3000, 2, 20.0, false), randomAtoms(fiveBoxes(20)[4].edges, 3000, 2)}) {
    HistogramRequest r = request(0.0125, s.lattice ? 720 : 4000);
    r.doublePrecision = true;
    const PairHistogram whole = host->histogram(s, r);
    r.doublePrecision = false;
    r.parts = 4;
    PairHistogram sum(r, 2);
    for (; r.part < 4; ++r.part) {
      HistogramRequest mine = r;
      mine.doublePrecision = r.part == 1;
      sum.add(engines[static_cast<std::size_t>(r.part)]->histogram(s, mine));
    }
    EXPECT_EQ(sum.total(), whole.total());
    if (s.lattice) {
      EXPECT_EQ(sum.counts, whole.counts);
    }
    DebyeRequest d;
    d.q = Eigen::VectorXd::LinSpaced(20, 0, 10);
    const Eigen::MatrixXd direct = host->direct(s, d).values;
    d.parts = 4;
    Eigen::MatrixXd values = 0 * direct;
    for (; d.part < 4; ++d.part) values += engines[static_cast<std::size_t>(d.part)]->direct(s, d).values;
    EXPECT_LT((values - direct).cwiseAbs().maxCoeff(), 1e-7);
  }
}

/// With the shared memory of smaller cards: 64 KB of Turing, 99 KB of cards for desks.
TEST_F(CudaPairs, LessSharedMemoryIsEnough) {
  const Structure s = randomStructure(17, 700, 2, 10.0, false);
  for (const int bytes : {65536, 101376}) {
    CudaPairEngine small({0}, HistogramKernel::Shared, bytes);
    EXPECT_EQ(small.freeBins(), (bytes - 1024) / 4);
    for (const auto& r : {request(0.01, 3000), request(0.001, 30000)})
      expectAlike(referenceHistogram(s, r), small.histogram(s, r));
  }
}

TEST_F(CudaPairs, DirectSumsAreThoseOfTheHost) {
  CudaPairEngine engine({0});
  DebyeRequest d;
  d.q = Eigen::VectorXd::LinSpaced(37, 0, 25);
  for (const int atoms : {2, 129, 700}) {
    for (const int kinds : {1, 2, 3}) {
      const Structure s = randomStructure(atoms + kinds, atoms, kinds, 30.0, false);
      d.doublePrecision = true;
      const DebyeSums simple = referenceDebyeSums(s, d);
      EXPECT_LT((engine.direct(s, d).values - simple.values).cwiseAbs().maxCoeff(), 1e-9);
      d.doublePrecision = false;
      const DebyeSums single = engine.direct(s, d);
      EXPECT_LT((single.values - simple.values).cwiseAbs().maxCoeff(), 1e-5 * atoms);
      EXPECT_EQ(single.terms, simple.terms);
    }
  }
}

TEST_F(CudaPairs, DirectSumsShareTheirTiles) {
  CudaPairEngine engine({0});
  const Structure s = randomStructure(9, 2000, 2, 30.0, false);
  DebyeRequest d;
  d.q = Eigen::VectorXd::LinSpaced(20, 0, 10);
  const Eigen::MatrixXd whole = engine.direct(s, d).values;
  d.parts = 3;
  Eigen::MatrixXd sum = 0 * whole;
  for (d.part = 0; d.part < 3; ++d.part) sum += engine.direct(s, d).values;
  EXPECT_LT((sum - whole).cwiseAbs().maxCoeff(), 1e-7);
}

TEST_F(CudaPairs, AtomsAtOnePlaceScatterAsOne) {
  Structure s;
  s.add(s.kindNumber("H"), {1, 1, 1});
  s.add(0, {1, 1, 1});
  DebyeRequest d;
  d.q = Eigen::VectorXd::LinSpaced(5, 0, 8);
  for (const bool doublePrecision : {false, true}) {
    d.doublePrecision = doublePrecision;
    EXPECT_LT((CudaPairEngine({0}).direct(s, d).values.array() - 1).abs().maxCoeff(), 1e-15);
  }
}

TEST_F(CudaPairs, TransformsAreThoseOfTheHost) {
  const Structure s = randomStructure(3, 900, 2, 25, false);
  const PairHistogram h = pairHistogram(s, request(0.01, 6000));
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(203, 0, 20);
  EXPECT_LT(
      (CudaPairEngine({0}).transform(h, q).values - debyeTransform(h, q, 2).values).cwiseAbs().maxCoeff(),
      1e-8);
}

/// Three particles against direct sums in double precision: histograms below their bound, which is 1e-6 of
/// I(0) by default; direct sums in single precision within 5e-5 of the highest intensity. (Between the peaks
/// of a crystal waves cancel to a hundredth of what its atoms scatter, and there errors of sines of 24 bits
/// are up to 3e-3 of the rest.)
TEST_F(CudaPairs, ThreeParticlesStayBelowTheBound) {
  CudaPairEngine engine({0});
  DebyeRequest d;
  d.q = Eigen::VectorXd::LinSpaced(100, 0.2, 20);
  for (const Structure& s : {cutShape(namedLattice("CoO"), parseShape("sphere:50")),
                             cutShape(namedLattice("Au"), parseShape("cube:45")),
                             cutShape(namedLattice("Si"), parseShape("rod:30:120"))}) {
    d.doublePrecision = true;
    const Eigen::MatrixXd exact = engine.direct(s, d).values;
    const double n = static_cast<double>(s.size());
    const PairHistogram h = engine.histogram(s, requestForTolerance(s, 1e-6, 20, engine.freeBins()));
    const Eigen::MatrixXd error = (engine.transform(h, d.q).values - exact).cwiseAbs(),
                          bound = debyeErrorBound(h, d.q);
    EXPECT_LE((error - bound).maxCoeff(), 1e-9 * n) << s.title;
    // (The thin rod at 20 per angstrom may have a little more: more bins do not fit.)
    EXPECT_LE(2 * bound.topRows(50).rowwise().sum().maxCoeff(), 1e-6 * n * n) << s.title;
    d.doublePrecision = false;
    const auto intensity = [&](const Eigen::MatrixXd& sums) {
      return (n + 2 * sums.rowwise().sum().array()).eval();
    };
    const Eigen::ArrayXd one = intensity(exact), other = intensity(engine.direct(s, d).values);
    EXPECT_LT((other - one).abs().maxCoeff(), 5e-5 * one.maxCoeff()) << s.title;
  }
}

/// Momenta in equal steps take another way than others: both are compared with double precision.
TEST_F(CudaPairs, SpacingOfMomentaDoesNotMatter) {
  CudaPairEngine engine({0});
  const Structure s = randomStructure(12, 900, 2, 40.0, false);
  for (const int count : {1, 2, 3, 31, 32, 33, 70}) {
    DebyeRequest d;
    d.q = Eigen::VectorXd::LinSpaced(count, 0.3, 22);
    for (const bool equal : {true, false}) {
      if (!equal) d.q(count / 2) *= 1.001;
      d.doublePrecision = true;
      const Eigen::MatrixXd exact = engine.direct(s, d).values;
      EXPECT_LT((exact - debyeSums(s, d).values).cwiseAbs().maxCoeff(), 1e-9) << count << " " << equal;
      d.doublePrecision = false;
      const Eigen::MatrixXd error = (engine.direct(s, d).values - exact).cwiseAbs();
      // 100,000 pairs of each kind and more, added up in runs of 128: roundings of 1e-7 each, over q = 0.3.
      EXPECT_LT(error.maxCoeff(), 1e-3) << count << " " << equal;
    }
  }
}

TEST_F(CudaPairs, ListsOfDistancesAreThoseOfTheHost) {
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(50, 0, 20);
  const std::vector<double> r{0, 1e-9, 0.7, 1.4, 300.25};
  EXPECT_LT((CudaPairEngine({0}).sincSum(r, q) - sincSum(r, q, 1)).cwiseAbs().maxCoeff(), 1e-13);
}

/// Where there are several GPUs they share the work: the same numbers, as tiles are shared and not split.
TEST_F(CudaPairs, SeveralGpusShareTheWork) {
  int count = 0;
  ASSERT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  if (count < 2) GTEST_SKIP() << "one GPU only";
  CudaPairEngine one({0}), all({});
  const Structure s = cutShape(namedLattice("CoO"), parseShape("sphere:70"));
  const HistogramRequest r = requestForTolerance(s, 1e-6, 10, one.freeBins());
  const PairHistogram a = one.histogram(s, r), b = all.histogram(s, r);
  EXPECT_EQ(a.counts, b.counts);
  // Sums of offsets are differences of numbers up to 57,344 for a pair.
  for (std::size_t i = 0; i < a.offsets.size(); ++i)
    ASSERT_NEAR(a.offsets[i], b.offsets[i], 1e-10 * static_cast<double>(a.counts[i]));
  for (const bool doublePrecision : {false, true}) {
    DebyeRequest d;
    d.q = Eigen::VectorXd::LinSpaced(50, 0, 10);
    d.doublePrecision = doublePrecision;
    const Eigen::MatrixXd direct = one.direct(s, d).values;
    EXPECT_LT((all.direct(s, d).values - direct).cwiseAbs().maxCoeff(),
              (doublePrecision ? 1e-10 : 1e-6) * direct.cwiseAbs().maxCoeff());
  }
}

TEST_F(CudaPairs, RefusesWhatItCannotDo) {
  CudaPairEngine engine({0});
  Structure s = randomStructure(3, 50, 1, 10, true);
  EXPECT_THROW(engine.histogram(s, request(5, 6000)), Error);
  HistogramRequest r = request(0.1, 10);
  r.doublePrecision = true;
  EXPECT_THROW(engine.histogram(s, r), Error);
  EXPECT_THROW(engine.histogram(s, request(1e-5, 70000)), Error);
  EXPECT_THROW(CudaPairEngine({99}), DeviceError);
}

}  // namespace
}  // namespace prophet::cuda
