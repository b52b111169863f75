#include <algorithm>

#include "atoms/correlation/pair_angles.hpp"
#include "cuda/atoms/correlation/cuda_sums.hpp"
#include "cuda/atoms/correlation/device_space.hpp"

namespace prophet::cuda {
namespace {

/// Terms of one self-energy, each of them by one lane, which adds it up by partial waves.
class CudaSigmaSums : public SigmaSums {
 public:
  CudaSigmaSums(int device, const SelfEnergyTerms& terms)
      : device_(device),
        terms_(terms),
        space_(terms.space, terms.products),
        angles_(terms.factors),
        lanes_(Lanes::kCount) {
    const SpinorFunctions own = terms.products.valuesOf(terms.functions);
    large_ = uploaded(own.large);
    small_ = uploaded(own.small);
    for (int s = 0; s < space_.symmetries(); ++s) {
      DeviceBuffer<double>& values = ofColumns_.emplace_back(columns() * space_.targetSize(s));
      for (std::size_t p = 0; p < columns(); ++p)
        makeDensities(space_.points(), space_.targets(s), function(p), space_.spinors(s, space_.of(s).closed),
                      values.data() + p * space_.targetSize(s), space_.lanes().main());
    }
    for (const ActiveSpinor& hole : terms_.holes) makeHole(hole);
  }

  SigmaPart partOf(std::size_t a) override {
    PROPHET_CUDA_CHECK(cudaSetDevice(device_));
    const ActiveSpinor& hole = terms_.holes[a];
    space_.makePotentials(hole.symmetry, hole.column);
    std::vector<Term> terms;
    std::vector<double> forms;
    SigmaPart part;
    const auto add = [&](const PairSymmetries& pair, Term term, const SigmaWeights& weights) {
      term.direct = pairRanks(pair);
      term.exchange = pairRanks({pair.a, pair.b, pair.s, pair.r});
      if (term.direct.empty() && term.exchange.empty()) return;
      if (weights.rows.size() * weights.columns.size() == 0) return;
      term.blocks.count = static_cast<int>(columns());
      term.blocks.ranks = static_cast<int>(term.direct.size() + term.exchange.size());
      term.blocks.rows = static_cast<int>(weights.rows.size());
      term.blocks.columns = static_cast<int>(weights.columns.size());
      term.blocks.factor = weights.factor;
      term.blocks.base = weights.base;
      term.blocks.sign = weights.sign;
      part.gap = std::min(part.gap, weights.gap());
      const Eigen::MatrixXd& form = angles_.form(pair);
      term.form = forms.size();
      forms.insert(forms.end(), form.data(), form.data() + form.size());
      terms.push_back(std::move(term));
    };
    for (int r = 0; r < space_.symmetries(); ++r)
      for (int s = r; s < space_.symmetries(); ++s) {
        Term term;
        term.first = r;
        term.second = s;
        term.wave = terms_.waveOf({hole.symmetry, r, s});
        term.blocks.rowEnergies = space_.targetEnergies(r);
        term.blocks.columnEnergies = space_.targetEnergies(s);
        add(terms_.particles(hole, r, s), term, terms_.ofParticles(hole, r, s));
      }
    for (std::size_t b = a; b < terms_.holes.size(); ++b)
      for (int m = 0; m < space_.symmetries(); ++m) {
        Term term;
        term.first = m;
        term.otherHole = static_cast<int>(b);
        term.wave = terms_.waveOf({hole.symmetry, terms_.holes[b].symmetry, m});
        term.blocks.rowEnergies = space_.targetEnergies(m);
        add(terms_.withHoles(hole, terms_.holes[b], m), term, terms_.ofHoles(hole, terms_.holes[b], m));
      }
    compute(a, terms, forms);
    collect(part);
    return part;
  }

 private:
  struct Term {
    int first = 0, second = 0;  ///< symmetries of the particles
    int otherHole = -1;         ///< with one particle: the other hole
    int wave = 0;
    std::vector<int> direct, exchange;  ///< ranks
    SigmaBlocks blocks;
    std::size_t form = 0;  ///< where it begins

    std::size_t size() const {
      return static_cast<std::size_t>(blocks.area()) * static_cast<std::size_t>(blocks.count) *
             static_cast<std::size_t>(blocks.ranks);
    }
  };
  /// Products of a hole with all targets, and potentials of its products with the functions, of each rank.
  struct Hole {
    std::vector<DeviceBuffer<double>> densities;
    DeviceBuffer<double> potentials;
    int least = 0;
  };
  struct Lane {
    Room<double> integrals, mixed;
    DeviceBuffer<double> sums;  ///< a matrix for each wave
  };

  std::size_t columns() const { return static_cast<std::size_t>(terms_.count()); }
  /// The functions from the p-th on.
  SpinorColumns function(std::size_t p) const {
    const std::size_t offset = p * static_cast<std::size_t>(space_.points());
    return {large_.data() + offset, small_.size() == 0 ? nullptr : small_.data() + offset};
  }
  std::size_t matrixSize() const { return columns() * columns(); }
  std::size_t waves() const { return static_cast<std::size_t>(terms_.space.largestL()) + 1; }

  void makeHole(const ActiveSpinor& spinor) {
    Hole& hole = holes_.emplace_back();
    for (int s = 0; s < space_.symmetries(); ++s)
      space_.densities(spinor.symmetry, spinor.column, s,
                       hole.densities.emplace_back(space_.targetSize(s)).data());
    const Symmetry own = terms_.own().symmetry, other = terms_.of(spinor.symmetry).symmetry;
    hole.least = std::abs(own.twoJ() - other.twoJ()) / 2;
    if ((hole.least + own.l() + other.l()) % 2 != 0) ++hole.least;
    const int ranks = ((own.twoJ() + other.twoJ()) / 2 - hole.least) / 2 + 1;
    const std::size_t size = columns() * static_cast<std::size_t>(space_.points());
    double* const density = densities_.of(size);
    makeDensities(space_.points(), static_cast<int>(columns()),
                  space_.spinors(spinor.symmetry, spinor.column), function(0), density,
                  space_.lanes().main());
    hole.potentials = DeviceBuffer<double>(size * static_cast<std::size_t>(ranks));
    space_.lanes().begin();
    for (int i = 0; i < ranks; ++i)
      space_.lanes().multiply(i % Lanes::kCount, false, space_.points(), static_cast<int>(columns()),
                              space_.points(), space_.kernel(hole.least + 2 * i), density,
                              hole.potentials.data() + size * static_cast<std::size_t>(i));
    space_.lanes().end();
  }

  void compute(std::size_t a, const std::vector<Term>& terms, const std::vector<double>& forms) {
    const Lanes& lanes = space_.lanes();
    const double* const onDevice = forms_.holding(forms, lanes.main());
    std::size_t most = 0;
    for (const Term& term : terms) most = std::max(most, term.size());
    for (Lane& lane : lanes_) {
      lane.integrals.of(most);
      lane.mixed.of(most);
      if (lane.sums.size() == 0) lane.sums = DeviceBuffer<double>(waves() * matrixSize());
      lane.sums.fill(0, lanes.main());
    }
    lanes.begin();
    for (std::size_t t = 0; t < terms.size(); ++t) {
      const int number = static_cast<int>(t % lanes_.size());
      Lane& lane = lanes_[t % lanes_.size()];
      double* const integrals = lane.integrals.of(most);
      double* const mixed = lane.mixed.of(most);
      const Term& term = terms[t];
      if (term.otherHole < 0) {
        multiplyParticles(number, term, integrals);
      } else {
        multiplyHoles(number, a, term, integrals);
      }
      SigmaBlocks blocks = term.blocks;
      blocks.form = onDevice + term.form;
      mixRanks(blocks, integrals, mixed, lanes.stream(number));
      const double one = 1;
      const int count = term.blocks.count, depth = static_cast<int>(term.blocks.area()) * term.blocks.ranks;
      double* const sum = lane.sums.data() + static_cast<std::size_t>(term.wave) * matrixSize();
      PROPHET_CUDA_CHECK(cublasDgemm(lanes.blas(number), CUBLAS_OP_T, CUBLAS_OP_N, count, count, depth, &one,
                                     mixed, depth, integrals, depth, &one, sum, count));
    }
    lanes.end();
  }

  /// A column for each p, in which blocks of r x s follow each other rank by rank.
  void multiplyParticles(int lane, const Term& term, double* to) const {
    const double one = 1, none = 0;
    const int rows = term.blocks.rows, columns = term.blocks.columns, points = space_.points();
    const auto batched = [&](const double* left, std::size_t strideLeft, const double* right,
                             std::size_t strideRight) {
      PROPHET_CUDA_CHECK(cublasDgemmStridedBatched(
          space_.lanes().blas(lane), CUBLAS_OP_T, CUBLAS_OP_N, rows, columns, points, &one, left, points,
          static_cast<long long>(strideLeft), right, points, static_cast<long long>(strideRight), &none, to,
          rows, term.blocks.area() * term.blocks.ranks, term.blocks.count));
      to += term.blocks.area();
    };
    const int r = term.first, s = term.second;
    for (const int k : term.direct)
      batched(ofColumns_[static_cast<std::size_t>(r)].data(), space_.targetSize(r), space_.potential(s, k),
              0);
    for (const int k : term.exchange)
      batched(space_.potential(r, k), 0, ofColumns_[static_cast<std::size_t>(s)].data(),
              space_.targetSize(s));
  }

  /// A column for each p, in which the particles follow each other rank by rank.
  void multiplyHoles(int lane, std::size_t a, const Term& term, double* to) const {
    const double one = 1, none = 0;
    const int rows = term.blocks.rows, points = space_.points();
    const auto between = [&](const Hole& still, const Hole& moving, int k) {
      const double* const potentials =
          still.potentials.data() +
          columns() * static_cast<std::size_t>(points) * static_cast<std::size_t>((k - still.least) / 2);
      PROPHET_CUDA_CHECK(cublasDgemm(space_.lanes().blas(lane), CUBLAS_OP_T, CUBLAS_OP_N, rows,
                                     term.blocks.count, points, &one,
                                     moving.densities[static_cast<std::size_t>(term.first)].data(), points,
                                     potentials, points, &none, to, rows * term.blocks.ranks));
      to += rows;
    };
    const Hole &first = holes_[a], &second = holes_[static_cast<std::size_t>(term.otherHole)];
    for (const int k : term.direct) between(first, second, k);
    for (const int k : term.exchange) between(second, first, k);
  }

  void collect(SigmaPart& part) const {
    part.matrix = Eigen::MatrixXd::Zero(terms_.count(), terms_.count());
    part.waves.assign(waves(), 0.0);
    for (const Lane& lane : lanes_) {
      const std::vector<double> sums = lane.sums.download(space_.lanes().main());
      for (std::size_t l = 0; l < waves(); ++l) {
        const Eigen::Map<const Eigen::MatrixXd> matrix(sums.data() + l * matrixSize(), terms_.count(),
                                                       terms_.count());
        part.matrix += matrix;
        part.waves[l] += matrix(terms_.place, terms_.place);
      }
    }
  }

  int device_;
  const SelfEnergyTerms& terms_;
  DeviceSpace space_;
  PairAngles angles_;
  DeviceBuffer<double> large_, small_;           ///< of the functions
  std::vector<DeviceBuffer<double>> ofColumns_;  ///< of each symmetry: the targets of each function
  std::vector<Hole> holes_;
  std::vector<Lane> lanes_;
  Room<double> densities_, forms_;
};

}  // namespace

std::unique_ptr<SigmaSums> cudaSigmaSums(int device, const SelfEnergyTerms& terms) {
  return std::make_unique<CudaSigmaSums>(device, terms);
}

}  // namespace prophet::cuda
