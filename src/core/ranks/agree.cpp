#include "core/ranks/agree.hpp"

#include <cstdlib>

namespace prophet {
namespace {

std::string textOf(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "unknown error";
  }
}

}  // namespace

void Ranks::abort(int status) {
  endAll(status);
  std::_Exit(status);
}

void agree(Ranks& ranks, const std::exception_ptr& mine, int status) {
  if (ranks.size() == 1) {
    if (mine) std::rethrow_exception(mine);
    return;
  }
  // "status text", or nothing.
  const auto all = ranks.allGather(mine ? std::to_string(status) + " " + textOf(mine) : "");
  bool everywhere = true;
  for (const std::string& one : all) everywhere = everywhere && one == all.front();
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (all[rank].empty()) continue;
    const std::size_t blank = all[rank].find(' ');
    const std::string text = all[rank].substr(blank + 1);
    throw SharedError(rank == 0 || everywhere ? text : "rank " + std::to_string(rank) + ": " + text,
                      std::stoi(all[rank].substr(0, blank)));
  }
}

void together(Ranks& ranks, int status, const std::function<void()>& step) {
  std::exception_ptr error;
  try {
    step();
  } catch (...) {
    error = std::current_exception();
  }
  agree(ranks, error, status);
}

std::string fromFirst(Ranks& ranks, const std::string& text) {
  return ranks.allGather(ranks.rank() == 0 ? text : "").front();
}

}  // namespace prophet
