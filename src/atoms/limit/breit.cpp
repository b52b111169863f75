#include "atoms/limit/breit.hpp"

#include <map>

namespace prophet::limit {
namespace {

/// Sums the weights of each multipole.
class KernelSum {
 public:
  void add(const BreitTerm& t, double angular) {
    const double weight = t.coefficient * angular;
    if (weight == 0) return;
    if (t.rank1 == t.rank2) {
      addTo(t.rank1, weight, weight);
    } else if (t.rank1 < t.rank2) {  // theta(r1 < r2) (g_(J-1) - g_(J+1))
      addTo(t.rankJ - 1, 0, weight);
      addTo(t.rankJ + 1, 0, -weight);
    } else {
      addTo(t.rankJ - 1, weight, 0);
      addTo(t.rankJ + 1, -weight, 0);
    }
  }
  std::vector<KernelTerm> terms() const {
    std::vector<KernelTerm> list;
    for (const auto& [k, term] : sums_) list.push_back(term);
    return list;
  }

 private:
  void addTo(int k, double whereGreater, double whereSmaller) {
    KernelTerm& term = sums_[k];
    term.k = k;
    term.whereGreater += whereGreater;
    term.whereSmaller += whereSmaller;
  }
  std::map<int, KernelTerm> sums_;
};

}  // namespace

std::vector<ExchangeChannel> breitChannels(int symmetries, BreitPart part) {
  std::vector<ExchangeChannel> channels;
  for (int a = 0; a < symmetries; ++a) {
    for (int b = 0; b < symmetries; ++b) {
      KernelSum large, small, mixed;
      for (const BreitTerm& t : breitTerms(Symmetry::fromIndex(a), Symmetry::fromIndex(b), part)) {
        large.add(t, t.largeFromSmall);
        small.add(t, t.smallFromLarge);
        mixed.add(t, t.mixed);
      }
      channels.push_back({a, b, large.terms(), {{Block::LL, Block::SS, 1.0}}});
      channels.push_back({a, b, small.terms(), {{Block::SS, Block::LL, 1.0}}});
      channels.push_back({a, b, mixed.terms(), {{Block::LS, Block::SL, 1.0}}});
    }
  }
  return channels;
}

double breitEnergy(const RadialBasis& basis, const Configuration& configuration, const SpinorSet& spinors,
                   BreitPart part, int threads) {
  const int symmetries = static_cast<int>(configuration.symmetries.size());
  const bool direct = false;
  const MeanField field(basis, configuration, breitChannels(symmetries, part), threads, direct);
  return twoElectronEnergy(field.build(spinors), spinors, configuration);
}

}  // namespace prophet::limit
