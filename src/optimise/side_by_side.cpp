#include "optimise/side_by_side.hpp"

#include <fmt/format.h>

#include <exception>
#include <future>
#include <thread>
#include <vector>

#include "common/error.hpp"

namespace prophet {

void sideBySide(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::promise<bool> allStarted;
  const std::shared_future<bool> go = allStarted.get_future().share();
  std::vector<std::exception_ptr> errors(count);
  std::vector<std::thread> threads;
  std::string missing;
  try {
    for (std::size_t i = 0; i < count; ++i) {
      threads.emplace_back([&work, &errors, go, i] {
        try {
          if (go.get()) work(i);
        } catch (...) {
          errors[i] = std::current_exception();
        }
      });
    }
  } catch (const std::exception& error) {
    missing = error.what();
  }
  allStarted.set_value(missing.empty());
  for (std::thread& thread : threads) thread.join();
  if (!missing.empty())
    throw Error(fmt::format("cannot start {} searches at once ({}); take fewer starts", count, missing));
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace prophet
