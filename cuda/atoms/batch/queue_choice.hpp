#pragma once
#include <cstddef>
#include <vector>

namespace prophet::cuda::batch {

/// What decides which of several queues, one for each shape, runs next.
struct WaitingQueue {
  std::size_t jobs;
  std::size_t since;  ///< number of choices made when it began, was last taken, or had to give way
};

/// A queue passed over in more choices than this is taken: searches that send one request at a time may keep
/// others longer for ever. More than there are elements, so that a batch of them all goes by length.
constexpr std::size_t kMostPassedOver = 128;

/// Position of the queue that a worker takes in choice number `now`: the longest, which fills a batch best.
/// Where the worker's last batch `gaveWay` to other queues, or one was passed over too often, it is the one
/// that has waited for most choices, of several such the longest. `queues`: at least one.
std::size_t nextQueue(const std::vector<WaitingQueue>& queues, std::size_t now, bool gaveWay);

}  // namespace prophet::cuda::batch
