#include <algorithm>
#include <array>
#include <map>

#include "atoms/correlation/pair_angles.hpp"
#include "cuda/atoms/correlation/cuda_sums.hpp"
#include "cuda/atoms/correlation/device_space.hpp"

namespace prophet::cuda {
namespace {

constexpr std::size_t kMostIntegrals = std::size_t{1} << 26;  // at once: 512 MiB

/// Active spinors of one symmetry.
struct SpinorRun {
  std::size_t first = 0, count = 0;
  std::vector<DeviceBuffer<double>> densities;  ///< with all targets of each symmetry, spinor by spinor
};

class CudaPairSums : public PairSums {
 public:
  CudaPairSums(int device, const PairExcitations& excitations)
      : device_(device), all_(excitations), space_(excitations.space(), largestRank(excitations)) {
    const std::vector<ActiveSpinor>& active = all_.active();
    for (std::size_t i = 0; i < active.size(); ++i) {
      if (i == 0 || active[i].symmetry != active[i - 1].symmetry) runs_.push_back({i, 0, {}});
      ++runs_.back().count;
    }
    for (SpinorRun& run : runs_)
      for (int s = 0; s < space_.symmetries(); ++s) {
        DeviceBuffer<double>& values = run.densities.emplace_back(run.count * space_.targetSize(s));
        for (std::size_t i = 0; i < run.count; ++i)
          space_.densities(active[run.first + i].symmetry, active[run.first + i].column, s,
                           values.data() + i * space_.targetSize(s));
      }
    makeForms();
  }

  std::vector<PairPart> pairsOf(std::size_t a) override {
    PROPHET_CUDA_CHECK(cudaSetDevice(device_));
    space_.makePotentials(all_.active()[a].symmetry, all_.active()[a].column);
    std::vector<PairPart> parts(all_.active().size() - a);
    for (PairPart& part : parts)
      part.waves.assign(static_cast<std::size_t>(all_.space().largestL()) + 1, 0.0);
    Batch batch;
    for (const SpinorRun& run : runs_) {
      if (run.first + run.count <= a) continue;
      const std::size_t first = std::max(run.first, a);
      for (int r = 0; r < all_.symmetries(); ++r)
        for (int s = r; s < all_.symmetries(); ++s) {
          if (!all_.reaches(r, s)) continue;
          const Unit unit = unitOf(a, run, first, r, s);
          if (batch.size > 0 && batch.size + unit.size() > kMostIntegrals) compute(a, batch, parts);
          if (unit.size() == 0) continue;
          batch.units.push_back(unit);
          batch.size += unit.size();
        }
    }
    if (batch.size > 0) compute(a, batch, parts);
    return parts;
  }

 private:
  /// One spinor with several others of one symmetry, to two symmetries.
  struct Unit {
    const SpinorRun* run = nullptr;
    std::size_t first = 0, count = 0;  ///< those of the run that are not before the one
    int r = 0, s = 0, rows = 0, columns = 0;
    std::vector<int> direct, exchange;  ///< ranks

    std::size_t directSize() const { return direct.size() * area(); }
    /// Those of r and r are the direct ones.
    std::size_t size() const { return directSize() + (r == s ? 0 : exchange.size() * area()); }
    std::size_t area() const {
      return count * static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
    }
  };
  struct Batch {
    std::vector<Unit> units;
    std::size_t size = 0;  ///< integrals
  };
  using FormKey = std::array<int, 5>;

  static int largestRank(const PairExcitations& all) {
    int most = 0;
    for (const ActiveSpinor& a : all.active())
      for (const SymmetryOrbitals& r : all.space().symmetries())
        most = std::max(most, (all.of(a.symmetry).symmetry.twoJ() + r.symmetry.twoJ()) / 2);
    return most;
  }
  const SymmetryOrbitals& of(int symmetry) const { return space_.of(symmetry); }

  /// Makes those of all symmetries that any pair goes from and to, and those without some of the projections.
  void makeForms() {
    std::map<FormKey, PairSymmetries> wanted;
    const auto want = [&](const ActiveSpinor& a, const ActiveSpinor& b, int r, int s, unsigned left) {
      wanted.try_emplace(
          {a.symmetry, b.symmetry, r, s, static_cast<int>(left)},
          PairSymmetries{of(a.symmetry).symmetry, of(b.symmetry).symmetry, of(r).symmetry, of(s).symmetry});
    };
    const std::vector<ActiveSpinor>& active = all_.active();
    for (std::size_t a = 0; a < active.size(); ++a)
      for (std::size_t b = a; b < active.size(); ++b)
        for (int r = 0; r < all_.symmetries(); ++r)
          for (int s = r; s < all_.symmetries(); ++s)
            forClasses(active[a], active[b], r, s, [&](int i, int j) {
              want(active[a], active[b], r, s,
                   samePlaces(all_.space(), active[a], active[b], {r, i}, {s, j}));
            });
    const std::vector<std::pair<FormKey, PairSymmetries>> list(wanted.begin(), wanted.end());
    ThreadPool& pool = *all_.options().pool;
    std::vector<PairAngles> angles(static_cast<std::size_t>(pool.threads()));
    std::vector<Eigen::MatrixXd> forms(list.size());
    pool.forEach(static_cast<int>(list.size()), [&](int i, int worker) {
      const auto& [key, pair] = list[static_cast<std::size_t>(i)];
      forms[static_cast<std::size_t>(i)] =
          angles[static_cast<std::size_t>(worker)].form(pair, static_cast<unsigned>(key.back()));
    });
    std::vector<double> values;
    for (std::size_t i = 0; i < list.size(); ++i) {
      formOf_[list[i].first] = values.size();
      values.insert(values.end(), forms[i].data(), forms[i].data() + forms[i].size());
    }
    forms_ = DeviceBuffer<double>(values);
  }

  /// Calls task(i, j) for targets of each class, those of the last row and column virtual ones.
  template <class Task>
  void forClasses(const ActiveSpinor& a, const ActiveSpinor& b, int r, int s, const Task& task) const {
    if (!all_.counts(a, b) || !all_.reaches(r, s)) return;
    for (int j = 0; j <= of(s).open; ++j)
      for (int i = 0; i <= of(r).open; ++i) task(i, j);
  }

  Unit unitOf(std::size_t a, const SpinorRun& run, std::size_t others, int r, int s) const {
    const Symmetry first = of(all_.active()[a].symmetry).symmetry,
                   second = of(all_.active()[run.first].symmetry).symmetry;
    return {&run,
            others,
            run.first + run.count - others,
            r,
            s,
            space_.targets(r),
            space_.targets(s),
            pairRanks({first, second, of(r).symmetry, of(s).symmetry}),
            pairRanks({first, second, of(s).symmetry, of(r).symmetry})};
  }

  void compute(std::size_t a, Batch& batch, std::vector<PairPart>& parts) {
    double* const integrals = integrals_.of(batch.size);
    std::vector<PairTask> tasks;
    std::vector<std::size_t> classesOf, others, waves;  // of each task
    std::vector<PairClass> classes;
    const double* next = integrals;
    for (const Unit& unit : batch.units) {
      for (std::size_t i = 0; i < unit.count; ++i) {
        const std::size_t b = unit.first + i;
        const ActiveSpinor &first = all_.active()[a], &second = all_.active()[b];
        if (!all_.counts(first, second)) continue;
        classesOf.push_back(classes.size());
        others.push_back(b - a);
        waves.push_back(static_cast<std::size_t>(std::max(of(unit.r).symmetry.l(), of(unit.s).symmetry.l())));
        forClasses(first, second, unit.r, unit.s, [&](int p, int q) {
          const unsigned same = samePlaces(all_.space(), first, second, {unit.r, p}, {unit.s, q});
          classes.push_back({all_.weight(first, second, unit.r, p, unit.s, q) *
                                 PairExcitations::multiplicity(first, second, unit.r, unit.s),
                             forms_.data() + formOf_.at({first.symmetry, second.symmetry, unit.r, unit.s,
                                                         static_cast<int>(same)})});
        });
        tasks.push_back(taskOf(unit, i, next, first.energy + second.energy));
        parts[b - a].integrals += static_cast<double>(unit.size() / unit.count);
      }
      next += unit.size();
    }
    const PairClass* const onDevice = classes_.holding(classes, space_.lanes().main());
    for (std::size_t t = 0; t < tasks.size(); ++t) tasks[t].classes = onDevice + classesOf[t];
    const PairTask* const list = tasks_.holding(tasks, space_.lanes().main());
    double* const sums = sums_.of(2 * tasks.size());
    multiply(batch, integrals);
    addExcitations(static_cast<int>(tasks.size()), list, sums, sums + tasks.size(), space_.lanes().main());
    std::vector<double> found(2 * tasks.size());
    PROPHET_CUDA_CHECK(cudaMemcpyAsync(found.data(), sums, found.size() * sizeof(double),
                                       cudaMemcpyDeviceToHost, space_.lanes().main()));
    space_.lanes().synchronize();
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      PairPart& part = parts[others[t]];
      part.waves[waves[t]] += found[t];
      part.gap = std::min(part.gap, found[tasks.size() + t]);
    }
    batch = {};
  }

  /// Direct integrals: a row for each r of each rank, a column for each s of each spinor; exchange ones: a
  /// row for each r of each spinor, a column for each s of each rank.
  PairTask taskOf(const Unit& unit, std::size_t b, const double* integrals, double energy) const {
    PairTask task;
    const int direct = static_cast<int>(unit.direct.size()),
              exchange = static_cast<int>(unit.exchange.size());
    const std::int64_t height = static_cast<std::int64_t>(direct) * unit.rows,
                       otherHeight = static_cast<std::int64_t>(unit.count) * unit.rows;
    task.direct = {integrals + static_cast<std::int64_t>(b) * unit.columns * height, unit.rows, 1, height,
                   direct};
    if (unit.r == unit.s) {
      task.exchange = {task.direct.first, unit.rows, height, 1, direct};
    } else {
      task.exchange = {integrals + unit.directSize() + b * static_cast<std::size_t>(unit.rows),
                       unit.columns * otherHeight, 1, otherHeight, exchange};
    }
    task.rows = unit.rows;
    task.columns = unit.columns;
    task.openRows = of(unit.r).open;
    task.openColumns = of(unit.s).open;
    task.rowEnergies = space_.targetEnergies(unit.r);
    task.columnEnergies = space_.targetEnergies(unit.s);
    task.energy = energy;
    return task;
  }

  void multiply(const Batch& batch, double* next) const {
    const Lanes& lanes = space_.lanes();
    lanes.begin();
    int lane = 0;
    for (const Unit& u : batch.units) {
      const int others = static_cast<int>(u.count);
      const auto density = [&](int symmetry) {
        return u.run->densities[static_cast<std::size_t>(symmetry)].data() +
               (u.first - u.run->first) * space_.targetSize(symmetry);
      };
      if (!u.direct.empty())
        lanes.multiply(lane, true, static_cast<int>(u.direct.size()) * u.rows, others * u.columns,
                       space_.points(), space_.potential(u.r, u.direct.front()), density(u.s), next);
      if (u.r != u.s && !u.exchange.empty())
        lanes.multiply(lane, true, others * u.rows, static_cast<int>(u.exchange.size()) * u.columns,
                       space_.points(), density(u.r), space_.potential(u.s, u.exchange.front()),
                       next + u.directSize());
      next += u.size();
      lane = (lane + 1) % Lanes::kCount;
    }
    lanes.end();
  }

  int device_;
  const PairExcitations& all_;
  DeviceSpace space_;
  std::vector<SpinorRun> runs_;
  DeviceBuffer<double> forms_;
  std::map<FormKey, std::size_t> formOf_;  ///< where each begins
  Room<double> integrals_, sums_;
  Room<PairClass> classes_;
  Room<PairTask> tasks_;
};

}  // namespace

std::unique_ptr<PairSums> cudaPairSums(int device, const PairExcitations& excitations) {
  return std::make_unique<CudaPairSums>(device, excitations);
}

}  // namespace prophet::cuda
