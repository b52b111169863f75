#include "cuda/atoms/fock/contraction.hpp"

#include <cmath>
#include <tuple>

#include "atoms/fock/stored_builder.hpp"
#include "cuda/core/common/handles.hpp"
#include "gpu_test.hpp"
#include "random_basis.hpp"

namespace prophet::cuda {
namespace {

PairVectors toHost(const std::vector<double>& d) {
  PairVectors v(static_cast<std::int64_t>(d.size() / kPairComponents));
  for (Eigen::Index i = 0; i < v.ll.size(); ++i) {
    v.ll(i) = d[4 * i];
    v.ss(i) = d[4 * i + 1];
    v.rs(i) = d[4 * i + 2];
    v.sr(i) = d[4 * i + 3];
  }
  return v;
}

double largest(const PairVectors& v) {
  return std::max(std::max(v.ll.cwiseAbs().maxCoeff(), v.ss.cwiseAbs().maxCoeff()),
                  std::max(v.rs.cwiseAbs().maxCoeff(), v.sr.cwiseAbs().maxCoeff()));
}

double difference(const PairVectors& a, const PairVectors& b) {
  PairVectors d = a;
  d.ll -= b.ll;
  d.ss -= b.ss;
  d.rs -= b.rs;
  d.sr -= b.sr;
  return largest(d) / std::max(largest(b), 1e-300);
}

/// Random "integrals" and densities, device against host; rows are given in slabs ending at `cuts`.
struct ContractionCase {
  std::vector<int> sizes;
  std::vector<bool> open;
  std::vector<std::int64_t> cuts;
};

class ContractionTest : public GpuTest, public ::testing::WithParamInterface<ContractionKernel> {
 protected:
  void compare(const ContractionCase& c, unsigned seed) {
    std::mt19937 random(seed);
    const Stream stream;
    Workspace workspace(stream);
    const StoredBasis basis(makePrimitiveTable(randomBasis(c.sizes, random)), workspace);
    const PairIndex& index = basis.index();
    SuperMatrices matrices;
    for (auto& x : matrices.x) {
      const std::vector<double> numbers = randomNumbers(index.elements(), random);
      x.assign(numbers.begin(), numbers.end());
    }
    const std::vector<double> total = randomNumbers(4 * index.pairs(), random);
    const std::vector<double> open = openPart(c, index, random);
    const Eigen::MatrixXd reduction = randomReduction(c, random);

    PairVectors p(index.pairs()), q(index.pairs());
    ThreadPool pool(1);
    std::vector<PairVectors> qOfSymmetry;
    contractSuperMatrices(matrices, index, toHost(total), openFields(c, index, open, reduction), pool, p,
                          qOfSymmetry);
    for (const PairVectors& part : qOfSymmetry) q += part;  // each has its own symmetry's pairs only
    const auto [deviceP, deviceQ] = onDevice(c, basis, matrices, total, open, reduction, workspace);
    EXPECT_LT(difference(toHost(deviceP), p), 1e-13);
    if (largest(q) > 0.0) {
      EXPECT_LT(difference(toHost(deviceQ), q), 1e-13);
    }
  }

 private:
  /// For each open symmetry the density of all open ones, times their weights for it.
  static std::vector<OpenField> openFields(const ContractionCase& c, const PairIndex& index,
                                           const std::vector<double>& open,
                                           const Eigen::MatrixXd& reduction) {
    const PairNumbering n = index.view();
    std::vector<OpenField> fields;
    for (int a = 0; a < n.symmetries; ++a) {
      if (!c.open[a]) continue;
      std::vector<double> density = open;
      for (int b = 0; b < n.symmetries; ++b)
        for (std::int64_t i = 4 * n.pairOffset[b]; i < 4 * n.pairOffset[b + 1]; ++i)
          density[i] *= reduction(a, b);
      fields.push_back({a, toHost(density)});
    }
    return fields;
  }
  /// The open-shell density exists only in open symmetries.
  static std::vector<double> openPart(const ContractionCase& c, const PairIndex& index,
                                      std::mt19937& random) {
    std::vector<double> d = randomNumbers(4 * index.pairs(), random);
    const PairNumbering n = index.view();
    for (int a = 0; a < n.symmetries; ++a) {
      if (c.open[a]) continue;
      std::fill(d.begin() + 4 * n.pairOffset[a], d.begin() + 4 * n.pairOffset[a + 1], 0.0);
    }
    return d;
  }
  static Eigen::MatrixXd randomReduction(const ContractionCase& c, std::mt19937& random) {
    const int n = static_cast<int>(c.sizes.size());
    const std::vector<double> values = randomNumbers(n * n, random);
    Eigen::MatrixXd reduction = Eigen::MatrixXd::Zero(n, n);
    for (int a = 0; a < n; ++a) {
      for (int b = 0; b < n; ++b) {
        if (c.open[a] && c.open[b]) reduction(a, b) = values[a * n + b];
      }
    }
    return reduction;
  }
  static std::tuple<std::vector<double>, std::vector<double>> onDevice(
      const ContractionCase& c, const StoredBasis& basis, const SuperMatrices& matrices,
      const std::vector<double>& total, const std::vector<double>& open, const Eigen::MatrixXd& reduction,
      Workspace& workspace) {
    const cudaStream_t stream = workspace.stream();
    const DeviceBuffer<double> dTotal(total), dOpen(open);
    DeviceBuffer<double> p(total.size()), q(total.size());
    p.fill(0, stream);
    q.fill(0, stream);
    Contraction contraction(basis, c.open, reduction, GetParam(), workspace);
    std::int64_t first = 0;
    std::vector<std::int64_t> cuts = c.cuts;
    cuts.push_back(basis.index().pairs());
    for (const std::int64_t end : cuts) {
      // Room between rows holds anything.
      const std::int64_t room = slabRoom(first, end);
      std::vector<double> places(static_cast<std::size_t>(8 * room), std::nan(""));
      for (int i = 0; i < 8; ++i) {
        for (std::int64_t row = first; row < end; ++row)
          std::copy(matrices.x[i].begin() + triangle(row), matrices.x[i].begin() + triangle(row + 1),
                    places.begin() + i * room + rowStart(row) - rowStart(first));
      }
      DeviceBuffer<double> data(places);
      contraction.add(makeSlab(data.data(), first, end), first, end, dTotal.data(), dOpen.data(), p.data(),
                      q.data(), stream);
      PROPHET_CUDA_CHECK(cudaStreamSynchronize(stream));
      first = end;
    }
    return {p.download(stream), q.download(stream)};
  }
};

TEST_P(ContractionTest, ClosedShells) {
  compare({{9, 7, 7, 5, 5}, {false, false, false, false, false}, {}}, 21);
}

TEST_P(ContractionTest, OneOpenShell) {
  compare({{9, 7, 7, 5, 5}, {true, false, false, false, false}, {}}, 22);
}

TEST_P(ContractionTest, SeveralOpenShells) {
  compare({{15, 12, 12, 8, 8, 4, 4}, {true, false, true, true, true, false, true}, {}}, 23);
}

TEST_P(ContractionTest, SymmetryLargerThanOneTile) { compare({{24, 3, 17}, {false, true, true}, {}}, 24); }

TEST_P(ContractionTest, SlabsOfRows) {
  compare({{15, 12, 12, 8, 8}, {false, true, true, false, true}, {37, 150, 151, 260}}, 25);
}

TEST_P(ContractionTest, OneFunction) { compare({{1}, {false}, {}}, 26); }

TEST_P(ContractionTest, EmptySymmetry) { compare({{5, 0, 6}, {true, false, true}, {}}, 27); }

std::string kernelName(const ::testing::TestParamInfo<ContractionKernel>& kernel) {
  switch (kernel.param) {
    case ContractionKernel::Stse:
      return "Stse";
    case ContractionKernel::Mtse:
      return "Mtse";
    default:
      return "Stored";
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, ContractionTest,
                         ::testing::Values(ContractionKernel::Stse, ContractionKernel::Mtse,
                                           ContractionKernel::Stored),
                         kernelName);

}  // namespace
}  // namespace prophet::cuda
