#include "cuda/atoms/batch/queue_choice.hpp"

#include <algorithm>
#include <iterator>

namespace prophet::cuda::batch {

std::size_t nextQueue(const std::vector<WaitingQueue>& queues, std::size_t now, bool gaveWay) {
  const auto shorter = [](const WaitingQueue& a, const WaitingQueue& b) { return a.jobs < b.jobs; };
  const auto younger = [&](const WaitingQueue& a, const WaitingQueue& b) {
    return a.since == b.since ? shorter(a, b) : a.since > b.since;
  };
  const auto oldest = std::max_element(queues.begin(), queues.end(), younger);
  const bool itsTurn = gaveWay || now > oldest->since + kMostPassedOver;
  const auto next = itsTurn ? oldest : std::max_element(queues.begin(), queues.end(), shorter);
  return static_cast<std::size_t>(std::distance(queues.begin(), next));
}

}  // namespace prophet::cuda::batch
