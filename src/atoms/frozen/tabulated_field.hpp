#pragma once
#include <vector>

#include "atoms/frozen/frozen_field.hpp"
#include "atoms/frozen/trial_gatherer.hpp"
#include "core/common/permits.hpp"

namespace prophet {

/// Who measures the trials of a search: a device, where there is one, and how many threads may compute on the
/// host at once.
struct TrialMeans {
  TrialGatherer* device = nullptr;  ///< nullptr: the host measures
  Permits* host = nullptr;          ///< nullptr: any number
};

/// A frozen field whose trials are interpolated from tables, on a device or on the host: FrozenField's
/// shortfalls to 1e-12 of the energy at a small part of its cost. Exponents that no table contains, and
/// nuclei whose attraction has no closed form, are measured by the FrozenField itself.
class TabulatedField : public BasisTrials {
 public:
  /// The field is to outlive it. Makes the tables.
  explicit TabulatedField(const FrozenField& field, const TrialMeans& means = {});
  ~TabulatedField() override;
  TabulatedField(const TabulatedField&) = delete;
  TabulatedField& operator=(const TabulatedField&) = delete;

  int symmetries() const override { return field_.symmetries(); }
  int occupied(int symmetry) const override { return field_.occupied(symmetry); }
  BasisShortfall shortfall(int symmetry, const std::vector<double>& exponents) const override;
  /// Of exponents that the tables contain.
  std::optional<ShortfallSlopes> slopes(int symmetry, const std::vector<double>& exponents) const override;
  bool hasSlopes() const override { return !tables_.empty(); }

 private:
  const FrozenField& field_;
  TrialMeans means_;
  std::vector<FieldTable> tables_;  ///< by symmetry; empty where the attraction has no closed form
  std::vector<int> kept_;           ///< their numbers on the device
};

}  // namespace prophet
