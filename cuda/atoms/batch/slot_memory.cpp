#include "cuda/atoms/batch/slot_memory.hpp"

#include <algorithm>

namespace prophet::cuda::batch {
namespace {

/// The arrays of the views and the doubles that each takes for one slot.
template <class Visit>
void forEachArray(View& v, QedView& q, Visit visit) {
  const Shape& s = v.shape;
  const std::size_t points = s.points, orbitals = s.firstOrbital[s.symmetries], matrix = s.matrixSize;
  visit(v.input, static_cast<std::size_t>(s.inputSize));
  visit(v.tableNuclear, static_cast<std::size_t>(s.blockSize));
  visit(v.x, static_cast<std::size_t>(s.blockSize));
  visit(v.phi, static_cast<std::size_t>(s.phiSize));
  visit(v.w, static_cast<std::size_t>(s.bracketSize) * s.symmetries);
  visit(v.core, matrix);
  visit(v.closedFock, matrix);
  visit(v.mixed, matrix);
  visit(v.nuclear, static_cast<std::size_t>(s.blockSize));
  visit(v.focks, kDiisDepth * matrix);
  visit(v.errors, kDiisDepth * matrix);
  visit(v.products, static_cast<std::size_t>(kDiisDepth) * kDiisDepth);
  visit(v.weights, static_cast<std::size_t>(kDiisDepth));
  visit(v.coefficients[0], static_cast<std::size_t>(s.coefficientSize));
  visit(v.coefficients[1], static_cast<std::size_t>(s.coefficientSize));
  visit(v.orbitals, s.components * orbitals * points);
  visit(v.potential, static_cast<std::size_t>(s.potentialSize));
  visit(v.openFock, static_cast<std::size_t>(s.vectorSize));
  visit(v.energies, orbitals);
  visit(v.partials, static_cast<std::size_t>(kMaxSymmetries) * kPartials);
  if (q.shape.vectors == 0) return;
  visit(q.input, static_cast<std::size_t>(q.inputSize));
  visit(q.matrices, static_cast<std::size_t>(q.matrixSize));
  visit(q.parts, static_cast<std::size_t>(s.symmetries) * kMostQedParts);
}

QedView qedViewOf(const BatchShape& shape) {
  QedView q{};
  q.shape = shape.qed;
  if (q.shape.vectors == 0) return q;
  q.inputSize = kQedFactors + q.shape.vectors * (kMaxSymmetries + kQedPoints);
  q.matrixSize = q.shape.inScf ? shape.arrays.blockSize / 2 * 3 : 0;
  return q;
}

std::size_t doublesPerSlot(const BatchShape& shape) {
  View view{};
  view.shape = shape.arrays;
  QedView qed = qedViewOf(shape);
  std::size_t sum = 0;
  forEachArray(view, qed, [&](double*&, std::size_t size) { sum += size; });
  return sum;
}

/// Every array begins on a line of 128 bytes.
constexpr std::size_t kLine = 16, kMostArrays = 32;
constexpr std::size_t wholeLines(std::size_t doubles) { return (doubles + kLine - 1) / kLine * kLine; }

/// Doubles of an arena for so many slots, and slots of an arena.
std::size_t arenaFor(std::size_t slots, std::size_t perSlot) { return slots * perSlot + kLine * kMostArrays; }
std::size_t slotsOf(std::size_t arena, std::size_t perSlot) {
  return arena < kLine * kMostArrays ? 0 : (arena - kLine * kMostArrays) / perSlot;
}

/// An arena begins with so many doubles (4 GB) where the device has them, and serves a shape of which it
/// holds so many slots.
constexpr std::size_t kUsualArena = std::size_t{1} << 29, kEnoughSlots = 256;

}  // namespace

std::size_t SlotMemory::budget() const {
  const double usual = sizeof(double) * static_cast<double>(kUsualArena) / share_;
  return static_cast<std::size_t>(share_ * static_cast<double>(freeDeviceMemory(usual))) / sizeof(double);
}

/// Slots to try first: what the arena holds, or more where that are few and the device has room.
std::size_t SlotMemory::affordable(std::size_t perSlot) const {
  const std::size_t held = std::min(most_, slotsOf(arena_.size(), perSlot));
  if (held >= std::min(most_, kEnoughSlots)) return held;
  const std::size_t possible = slotsOf(budget() + arena_.size(), perSlot);
  return std::max(held, std::min(most_, std::max<std::size_t>(1, possible)));
}

void SlotMemory::provide(std::size_t doubles) {
  if (doubles <= arena_.size()) return;
  const std::size_t usual = std::min(budget(), kUsualArena);
  arena_ = DeviceBuffer<double>();  // given back before more is taken
  arena_ = DeviceBuffer<double>(std::max(doubles, usual));
}

void SlotMemory::cut(const BatchShape& shape, std::size_t slots) {
  view_ = View{};
  view_.shape = shape.arrays;
  qed_ = qedViewOf(shape);
  double* next = arena_.data();
  forEachArray(view_, qed_, [&](double*& array, std::size_t size) {
    array = next;
    next += wholeLines(size * slots);
  });
  slots_ = static_cast<int>(slots);
}

void SlotMemory::fit(const BatchShape& shape, const std::function<void(int slots)>& before) {
  const std::size_t perSlot = doublesPerSlot(shape);
  for (std::size_t slots = affordable(perSlot);;) {
    try {
      before(static_cast<int>(slots));
      provide(arenaFor(slots, perSlot));
      cut(shape, slots);
      return;
    } catch (const OutOfDeviceMemory&) {
      if (slots == 1) throw;
      slots = (slots + 1) / 2;
      const int left = static_cast<int>(slots);
      fewest_ = fewest_ == 0 ? left : std::min(fewest_, left);
    }
  }
}

}  // namespace prophet::cuda::batch
