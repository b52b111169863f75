#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "atoms/calculation/compute.hpp"
#include "atoms/service/json_lines.hpp"
#include "operations/energies/batch_jobs.hpp"

/// What a batch does on the processor for each job, whoever computes it.
namespace prophet {
namespace {

/// An input file that is removed at the end.
class InputFile {
 public:
  explicit InputFile(int z)
      : path_(std::filesystem::temp_directory_path() / ("prophet-batch-" + std::to_string(z) + ".inp")) {
    std::ofstream(path_) << "Atom\n$nuc znuc=" << z << " $end\n";
  }
  ~InputFile() { std::filesystem::remove(path_); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

/// Reading an input file and resolving it to a calculation.
void BatchLoad(benchmark::State& state) {
  const InputFile file(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(batchItem({file.path(), file.path(), {}}, true, {}));
}
BENCHMARK(BatchLoad)->Arg(2)->Arg(86)->Unit(benchmark::kMicrosecond);

/// Making a job's line of the output.
void BatchLine(benchmark::State& state) {
  const InputFile file(static_cast<int>(state.range(0)));
  const Result outcome = compute(*batchItem({file.path(), file.path(), {}}, true, {}).calculation);
  for (auto _ : state) benchmark::DoNotOptimize(jsonLine("job.inp", outcome));
}
BENCHMARK(BatchLine)->Arg(2)->Arg(86)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace prophet
