#include "cuda/atoms/scf/scf_kernels.hpp"

#include <Eigen/Dense>
#include <memory>

#include "atoms/fock/stored_builder.hpp"
#include "atoms/scf/fock_mixer.hpp"
#include "atoms/scf/fock_operator.hpp"
#include "cuda/atoms/scf/eigen_batch.hpp"
#include "cuda/core/common/handles.hpp"
#include "gpu_test.hpp"
#include "random_basis.hpp"

namespace prophet::cuda {
namespace {

constexpr int kPoison = 0xff;

/// A stream that is made when it is first used: the fixture's members exist before SetUp can skip the test.
class StreamOnDemand {
 public:
  cudaStream_t get() const { return stream().get(); }
  /// The owner itself.
  operator const Stream&() const { return stream(); }

 private:
  const Stream& stream() const {
    if (!stream_) stream_ = std::make_unique<Stream>();
    return *stream_;
  }
  mutable std::unique_ptr<Stream> stream_;
};

/// Three symmetries: closed and open, closed only, empty of electrons; the second has dropped directions.
class ScfKernels : public GpuTest {
 protected:
  const ScfShape shape{3, 9, 3};
  const std::vector<SymmetryData> symmetries{
      {9, 9, 9, 3, 2, 1, 0, 4.0, 1.7}, {7, 6, 5, 2, 2, 0, 45, 2.0, 0.0}, {4, 4, 4, 0, 0, 0, 73, 6.0, 0.0}};
  const std::vector<int> sizes{9, 7, 4};
  const StreamOnDemand stream;
  std::mt19937 random{41};

  Eigen::MatrixXd randomMatrix(int rows, int columns) {
    const std::vector<double> v = randomNumbers(static_cast<std::size_t>(rows) * columns, random);
    return Eigen::Map<const Eigen::MatrixXd>(v.data(), rows, columns);
  }
  Eigen::MatrixXd randomSymmetric(int n) {
    const Eigen::MatrixXd m = randomMatrix(n, n);
    return m + m.transpose();
  }
  /// Orthonormal columns without parts in the padding of symmetry a, padded.
  Eigen::MatrixXd orbitals(int a) {
    const SymmetryData& s = symmetries[a];
    Eigen::MatrixXd padded = Eigen::MatrixXd::Zero(shape.dim(), shape.columns);
    if (s.occupied == 0) return padded;
    const Eigen::MatrixXd q =
        Eigen::HouseholderQR<Eigen::MatrixXd>(randomMatrix(s.large + s.small, s.occupied)).householderQ() *
        Eigen::MatrixXd::Identity(s.large + s.small, s.occupied);
    padded.topLeftCorner(s.large, s.occupied) = q.topRows(s.large);
    padded.block(shape.half, 0, s.small, s.occupied) = q.bottomRows(s.small);
    return padded;
  }
  /// Rows and columns of the padding removed.
  Eigen::MatrixXd compact(int a, const Eigen::MatrixXd& m, bool columnsToo) const {
    const SymmetryData& s = symmetries[a];
    std::vector<int> keep;
    for (int i = 0; i < s.large; ++i) keep.push_back(i);
    for (int i = 0; i < s.small; ++i) keep.push_back(shape.half + i);
    if (columnsToo) return m(keep, keep);
    return m(keep, Eigen::seqN(0, s.occupied));
  }
  Eigen::MatrixXd paddedSymmetric(int a) {
    const Eigen::MatrixXd m = randomSymmetric(symmetries[a].large + symmetries[a].small);
    Eigen::MatrixXd padded = Eigen::MatrixXd::Zero(shape.dim(), shape.dim());
    std::vector<int> keep;
    for (int i = 0; i < symmetries[a].large; ++i) keep.push_back(i);
    for (int i = 0; i < symmetries[a].small; ++i) keep.push_back(shape.half + i);
    padded(keep, keep) = m;
    return padded;
  }
  static std::vector<double> join(const std::vector<Eigen::MatrixXd>& matrices) {
    std::vector<double> all;
    for (const Eigen::MatrixXd& m : matrices) all.insert(all.end(), m.data(), m.data() + m.size());
    return all;
  }
  Eigen::MatrixXd part(const std::vector<double>& all, int a, int columns) const {
    return Eigen::Map<const Eigen::MatrixXd>(all.data() + static_cast<std::size_t>(a) * shape.dim() * columns,
                                             shape.dim(), columns);
  }
  DeviceBuffer<double> poisoned(std::size_t size) {
    DeviceBuffer<double> b(size);
    b.fill(kPoison, stream.get());
    return b;
  }
};

TEST_F(ScfKernels, PicksOccupiedVectors) {
  std::vector<Eigen::MatrixXd> vectors;
  for (int a = 0; a < 3; ++a) vectors.push_back(randomMatrix(shape.dim(), shape.dim()));
  const DeviceBuffer<SymmetryData> data(symmetries);
  const DeviceBuffer<double> in(join(vectors));
  DeviceBuffer<double> out = poisoned(3 * shape.block());
  pickOccupied(shape, data.data(), in.data(), out.data(), stream.get());
  const std::vector<double> values = out.download(stream.get());
  for (int a = 0; a < 3; ++a) {
    Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(shape.dim(), shape.columns);
    const int m = symmetries[a].occupied;
    expected.leftCols(m) = vectors[a].middleCols(symmetries[a].small, m);
    EXPECT_EQ((part(values, a, shape.columns) - expected).norm(), 0.0);
  }
}

TEST_F(ScfKernels, PackedDensitiesEqualHost) {
  std::vector<Eigen::MatrixXd> c;
  std::vector<OccupiedSpinors> spinors(3);
  std::vector<double> occupations(3 * shape.columns, 0.0);
  for (int a = 0; a < 3; ++a) {
    const int m = symmetries[a].occupied, n = sizes[a];
    spinors[a].large = randomMatrix(n, m);
    spinors[a].small = randomMatrix(n, m);
    spinors[a].occupation = randomMatrix(m, 1).cwiseAbs();
    if (symmetries[a].open) spinors[a].open = {m - 1};
    c.push_back(Eigen::MatrixXd::Zero(shape.dim(), shape.columns));
    c[a].topLeftCorner(n, m) = spinors[a].large;
    c[a].block(shape.half, 0, n, m) = spinors[a].small;
    for (int i = 0; i < m; ++i) occupations[a * shape.columns + i] = spinors[a].occupation(i);
  }
  const PairIndex index(sizes);
  const DeviceBuffer<SymmetryData> data(symmetries);
  const DeviceBuffer<double> coefficients(join(c)), weights(occupations);
  DeviceBuffer<double> total = poisoned(4 * index.pairs()), open = poisoned(4 * index.pairs());
  packDensities(shape, data.data(), coefficients.data(), weights.data(), total.data(), open.data(),
                stream.get());
  for (const bool openOnly : {false, true}) {
    std::vector<Eigen::VectorXd> columns;
    for (const OccupiedSpinors& s : spinors) {
      columns.push_back(openOnly ? Eigen::VectorXd::Zero(s.occupation.size()).eval() : s.occupation);
      if (openOnly)
        for (const int i : s.open) columns.back()(i) = s.occupation(i);
    }
    const PairVectors expected = packDensity(spinors, columns, index);
    const std::vector<double> values = (openOnly ? open : total).download(stream.get());
    for (std::int64_t i = 0; i < index.pairs(); ++i) {
      ASSERT_NEAR(values[4 * i], expected.ll(i), 1e-14);
      ASSERT_NEAR(values[4 * i + 1], expected.ss(i), 1e-14);
      ASSERT_NEAR(values[4 * i + 2], expected.rs(i), 1e-14);
      ASSERT_NEAR(values[4 * i + 3], expected.sr(i), 1e-14);
    }
  }
}

TEST_F(ScfKernels, UnpackedMatricesEqualHost) {
  const PairIndex index(sizes);
  const std::vector<double> packed = randomNumbers(4 * index.pairs(), random);
  PairVectors host(index.pairs());
  for (std::int64_t i = 0; i < index.pairs(); ++i) {
    host.ll(i) = packed[4 * i];
    host.ss(i) = packed[4 * i + 1];
    host.rs(i) = packed[4 * i + 2];
    host.sr(i) = packed[4 * i + 3];
  }
  std::vector<BlockMatrix> blocks(3);
  for (int a = 0; a < 3; ++a) unpackFock(host, index, a, blocks[a]);
  const DeviceBuffer<SymmetryData> data(symmetries);
  const DeviceBuffer<double> pairs(packed);
  DeviceBuffer<double> out = poisoned(3 * shape.matrix());
  unpackPairs(shape, data.data(), pairs.data(), out.data(), stream.get());
  const std::vector<double> values = out.download(stream.get());
  for (int a = 0; a < 3; ++a) {
    const Eigen::MatrixXd m = part(values, a, shape.dim());
    const int n = sizes[a], half = shape.half;
    EXPECT_EQ((m.topLeftCorner(n, n) - blocks[a].LL).norm(), 0.0);
    EXPECT_EQ((m.block(half, half, n, n) - blocks[a].SS).norm(), 0.0);
    EXPECT_EQ((m.block(0, half, n, n) - blocks[a].LS).norm(), 0.0);
    EXPECT_EQ((m.block(half, 0, n, n) - blocks[a].LS.transpose()).norm(), 0.0);
  }
}

/// The host's effectiveFock, with an identity transformation so that P is the Fock matrix itself.
TEST_F(ScfKernels, EffectiveFockAndGradientEqualHost) {
  std::vector<Eigen::MatrixXd> c, fock, open;
  for (int a = 0; a < 3; ++a) {
    c.push_back(orbitals(a));
    fock.push_back(paddedSymmetric(a));
    open.push_back(paddedSymmetric(a));
  }
  const DeviceBuffer<SymmetryData> data(symmetries);
  const DeviceBuffer<double> coefficients(join(c)), focks(join(fock)), opens(join(open));
  DeviceBuffer<double> work = poisoned(3 * (shape.block() + 5 * shape.dim()));
  DeviceBuffer<double> effective = poisoned(3 * shape.matrix()), gradient = poisoned(3 * shape.matrix());
  makeEffectiveFock(shape, data.data(), coefficients.data(), focks.data(), opens.data(), work.data(),
                    effective.data(), gradient.data(), stream.get());
  const std::vector<double> f = effective.download(stream.get()), g = gradient.download(stream.get());
  for (int a = 0; a < 3; ++a) {
    const SymmetryData& s = symmetries[a];
    const auto blocks = [&](const Eigen::MatrixXd& padded) {
      const Eigen::MatrixXd m = compact(a, padded, true);
      return BlockMatrix{m.topLeftCorner(s.large, s.large), m.topRightCorner(s.large, s.small),
                         m.bottomRightCorner(s.small, s.small)};
    };
    SymmetrySpace space;
    space.large.x = Eigen::MatrixXd::Identity(s.large, s.large);
    space.small.x = Eigen::MatrixXd::Identity(s.small, s.small);
    space.core = Eigen::MatrixXd::Zero(s.large + s.small, s.large + s.small);
    SymmetryFock host;
    const BlockMatrix q = blocks(open[a]);
    effectiveFock(
        space,
        SymmetryOccupation::aufbau(static_cast<int>(s.degeneracy), s.closed, s.open ? s.openElectrons : 0.0),
        blocks(fock[a]), &q, compact(a, c[a], false), host);
    EXPECT_LT((compact(a, part(f, a, shape.dim()), true) - host.effective).cwiseAbs().maxCoeff(), 1e-13);
    EXPECT_LT((compact(a, part(g, a, shape.dim()), true) - host.gradient).cwiseAbs().maxCoeff(), 1e-13);
  }
}

TEST_F(ScfKernels, MeasuresEqualDirectSums) {
  std::vector<Eigen::MatrixXd> c, core, nuclear, fock, open, density, old, gradient;
  for (int a = 0; a < 3; ++a) {
    c.push_back(orbitals(a));
    for (auto* list : {&core, &nuclear, &fock, &open, &density, &old, &gradient})
      list->push_back(paddedSymmetric(a));
  }
  const DeviceBuffer<SymmetryData> data(symmetries);
  const DeviceBuffer<double> dC(join(c)), dCore(join(core)), dNuclear(join(nuclear)), dFock(join(fock)),
      dOpen(join(open)), dDensity(join(density)), dGradient(join(gradient));
  DeviceBuffer<double> dOld(join(old));
  DeviceBuffer<SymmetryMeasures> out(3);
  out.fill(kPoison, stream.get());
  measure(shape, data.data(), dC.data(), dCore.data(), dNuclear.data(), dFock.data(), dOpen.data(),
          dDensity.data(), dOld.data(), dGradient.data(), out.data(), stream.get());
  const std::vector<SymmetryMeasures> values = out.download(stream.get());
  EXPECT_EQ(dOld.download(stream.get()), join(density));
  const int h = shape.half;
  for (int a = 0; a < 3; ++a) {
    const Eigen::MatrixXd change = (density[a] - old[a]).cwiseAbs();
    double two = 0.5 * density[a].cwiseProduct(fock[a] - core[a]).sum();
    if (symmetries[a].open) {
      const Eigen::VectorXd o = c[a].col(symmetries[a].closed);
      two -= 0.5 * symmetries[a].openElectrons * o.dot(open[a] * o);
    }
    EXPECT_NEAR(values[a].core, density[a].cwiseProduct(core[a]).sum(), 1e-11);
    EXPECT_NEAR(values[a].nuclear, density[a].cwiseProduct(nuclear[a]).sum(), 1e-11);
    EXPECT_NEAR(values[a].momentum, 2.0 * density[a].cwiseProduct(core[a]).bottomLeftCorner(h, h).sum(),
                1e-11);
    EXPECT_NEAR(values[a].twoElectron, two, 1e-11);
    EXPECT_EQ(values[a].changeLL, change.topLeftCorner(h, h).maxCoeff());
    EXPECT_EQ(values[a].changeSL, change.bottomLeftCorner(h, h).maxCoeff());
    EXPECT_EQ(values[a].changeSS, change.bottomRightCorner(h, h).maxCoeff());
    EXPECT_EQ(values[a].gradient, gradient[a].cwiseAbs().maxCoeff());
  }
}

TEST_F(ScfKernels, ProductsAndCombinations) {
  const std::size_t size = 5003;
  const std::vector<double> x = randomNumbers(size, random), y = randomNumbers(size, random);
  const DeviceBuffer<double> dx(x), dy(y);
  DeviceBuffer<double> dots = poisoned(2), sum = poisoned(size);
  const History both{{dx.data(), dy.data()}};
  dotProducts(both, dy.data(), size, 2, dots.data(), stream.get());
  combine(both, {{0.25, -1.5}}, size, 2, sum.data(), stream.get());
  const Eigen::Map<const Eigen::VectorXd> ex(x.data(), size), ey(y.data(), size);
  const std::vector<double> d = dots.download(stream.get()), s = sum.download(stream.get());
  EXPECT_NEAR(d[0], ex.dot(ey), 1e-11);
  EXPECT_NEAR(d[1], ey.squaredNorm(), 1e-11);
  const Eigen::Map<const Eigen::VectorXd> es(s.data(), size);
  EXPECT_LT((es - (0.25 * ex - 1.5 * ey)).cwiseAbs().maxCoeff(), 1e-15);
}

/// Padding with c^2 on its diagonal leaves the eigenpairs of the matrix itself.
TEST_F(ScfKernels, PaddedEigenproblemsEqualHost) {
  std::vector<Eigen::MatrixXd> m;
  for (int a = 0; a < 3; ++a) m.push_back(paddedSymmetric(a));
  const DeviceBuffer<SymmetryData> data(symmetries);
  DeviceBuffer<double> matrices(join(m)), values = poisoned(3 * shape.dim());
  padDiagonal(shape, data.data(), 1e4, matrices.data(), stream.get());
  Workspace workspace(stream);
  EigenBatch eigen(shape.dim(), 3, workspace);
  eigen.solve(matrices.data(), values.data());
  eigen.checkLast();
  const std::vector<double> w = values.download(stream.get()), v = matrices.download(stream.get());
  for (int a = 0; a < 3; ++a) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> host(compact(a, m[a], true));
    const Eigen::Index n = host.eigenvalues().size();
    for (Eigen::Index i = 0; i < n; ++i) {
      EXPECT_NEAR(w[a * shape.dim() + i], host.eigenvalues()(i), 1e-11);
      const Eigen::VectorXd vector = part(v, a, shape.dim()).col(i);
      EXPECT_LT((m[a] * vector - w[a * shape.dim() + i] * vector).norm(), 1e-11);
      EXPECT_NEAR(vector.norm(), 1.0, 1e-13);
    }
  }
}

/// Matrices like Dirac's: the small component far below, a few bound levels, positive energies above.
TEST_F(ScfKernels, OccupiedVectorsEqualHost) {
  std::vector<Eigen::MatrixXd> m, c;
  for (int a = 0; a < 3; ++a) {
    Eigen::MatrixXd f = paddedSymmetric(a);
    for (int i = 0; i < symmetries[a].large; ++i) f(i, i) += 40.0 * (i - 2.5);
    for (int i = 0; i < symmetries[a].small; ++i) f(shape.half + i, shape.half + i) -= 4e4;
    m.push_back(f);
    c.push_back(Eigen::MatrixXd::Zero(shape.dim(), shape.columns));
  }
  ASSERT_TRUE(canFindOccupied(shape));
  const DeviceBuffer<SymmetryData> data(symmetries);
  DeviceBuffer<double> matrices(join(m)), vectors(join(c));
  DeviceBuffer<int> failures(std::vector<int>(1, 0));
  for (const bool known : {false, true}) {
    // The second time from vectors that belong to a slightly different matrix.
    if (known) {
      for (int a = 0; a < 3; ++a) m[a] += 0.1 * paddedSymmetric(a);
      matrices = DeviceBuffer<double>(join(m));
    }
    findOccupied(shape, data.data(), matrices.data(), known, vectors.data(), failures.data(), stream.get());
    const std::vector<double> found = vectors.download(stream.get());
    EXPECT_EQ(failures.download(stream.get())[0], 0);
    for (int a = 0; a < 3; ++a) {
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> host(compact(a, m[a], true));
      for (int i = 0; i < symmetries[a].occupied; ++i) {
        const Eigen::VectorXd vector = part(found, a, shape.columns).col(i);
        const double value = host.eigenvalues()(symmetries[a].small + i);
        EXPECT_LT((m[a] * vector - value * vector).norm(), 1e-10) << a << " " << i;
        EXPECT_NEAR(vector.norm(), 1.0, 1e-13);
      }
    }
  }
}

/// Errors with a combination that cancels nearly: the weights are those of the host.
TEST_F(ScfKernels, DiisEqualsHost) {
  const std::size_t size = 3001;
  const int stored = 5, newest = 3;
  std::vector<std::vector<double>> errors, focks;
  for (int i = 0; i < stored; ++i) {
    errors.push_back(randomNumbers(size, random));
    focks.push_back(randomNumbers(size, random));
  }
  for (std::size_t e = 0; e < size; ++e) errors[4][e] = errors[1][e] - errors[2][e] + 1e-4 * errors[4][e];
  std::vector<DeviceBuffer<double>> deviceErrors, deviceFocks;
  History errorHistory{}, fockHistory{};
  for (int i = 0; i < stored; ++i) {
    deviceErrors.emplace_back(errors[i]);
    deviceFocks.emplace_back(focks[i]);
    errorHistory.entry[i] = deviceErrors.back().data();
    fockHistory.entry[i] = deviceFocks.back().data();
  }
  DeviceBuffer<double> work = poisoned(diisWorkSize()), mixed = poisoned(size);
  // Products of earlier errors are known from earlier calls.
  for (const int last : {0, 1, 2, 4, newest})
    combineByDiis(fockHistory, errorHistory, last, stored, size, work.data(), mixed.data(), stream.get());
  Eigen::MatrixXd products(stored, stored);
  for (int i = 0; i < stored; ++i) {
    for (int j = 0; j < stored; ++j)
      products(i, j) = Eigen::Map<const Eigen::VectorXd>(errors[i].data(), size)
                           .dot(Eigen::Map<const Eigen::VectorXd>(errors[j].data(), size));
  }
  const Eigen::VectorXd weights = diisCombination(products);
  const std::vector<double> values = mixed.download(stream.get());
  for (std::size_t e = 0; e < size; ++e) {
    double expected = 0.0;
    for (int i = 0; i < stored; ++i) expected += weights(i) * focks[i][e];
    ASSERT_NEAR(values[e], expected, 1e-7);
  }
}

TEST_F(ScfKernels, DensitiesAndExpectationValues) {
  std::vector<Eigen::MatrixXd> c, fock;
  for (int a = 0; a < 3; ++a) {
    c.push_back(orbitals(a));
    fock.push_back(paddedSymmetric(a));
  }
  const std::vector<double> occupations = randomNumbers(3 * shape.columns, random);
  const DeviceBuffer<double> dC(join(c)), dFock(join(fock)), weights(occupations);
  DeviceBuffer<double> density = poisoned(3 * shape.matrix()), energies = poisoned(3 * shape.columns);
  makeDensities(shape, dC.data(), weights.data(), density.data(), stream.get());
  expectationValues(shape, dC.data(), dFock.data(), energies.data(), stream.get());
  const std::vector<double> d = density.download(stream.get()), e = energies.download(stream.get());
  for (int a = 0; a < 3; ++a) {
    const Eigen::Map<const Eigen::VectorXd> n(occupations.data() + a * shape.columns, shape.columns);
    EXPECT_LT((part(d, a, shape.dim()) - c[a] * n.asDiagonal() * c[a].transpose()).cwiseAbs().maxCoeff(),
              1e-14);
    for (int i = 0; i < shape.columns; ++i) {
      EXPECT_NEAR(e[a * shape.columns + i], c[a].col(i).dot(fock[a] * c[a].col(i)), 1e-13);
    }
  }
}

}  // namespace
}  // namespace prophet::cuda
