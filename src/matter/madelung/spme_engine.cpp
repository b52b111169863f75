#include "matter/madelung/spme_engine.hpp"

#include <fmt/format.h>

namespace prophet {
namespace {

class HostSpmeEngine : public SpmeEngine {
 public:
  explicit HostSpmeEngine(int threads) : threads_(threads) {}
  std::string name() const override {
    return fmt::format("CPU, {} {}", threads_, threads_ == 1 ? "thread" : "threads");
  }
  Electrostatics compute(const ChargedCell& cell, const SpmeParameters& parameters,
                         SpmeTimes* times) override {
    return Spme(cell.vectors, parameters, threads_).compute(cell, times);
  }

 private:
  int threads_;
};

}  // namespace

std::unique_ptr<SpmeEngine> hostSpmeEngine(int threads) { return std::make_unique<HostSpmeEngine>(threads); }

}  // namespace prophet
