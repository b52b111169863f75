#include "frontends/app/backend_options.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include "core/common/error.hpp"

namespace prophet {
namespace {

/// A service that has something to say.
class Talkative : public EnergyService {
 public:
  void submit(Calculation, Callback) override {}
  std::string description() const override { return "talkative"; }
  std::vector<std::string> notes() const override { return {"GPU 1 failed", "3 jobs were left to the CPU"}; }
};

std::string printed(bool quiet) {
  std::FILE* file = std::tmpfile();
  printNotes(Talkative(), quiet, file);
  std::rewind(file);
  std::string text(1000, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  return text;
}

TEST(BatchService, NotesAreALineEach) {
  EXPECT_EQ(printed(false), "note: GPU 1 failed\nnote: 3 jobs were left to the CPU\n");
  EXPECT_EQ(printed(true), "");
}

/// Without any GPU: the reason tells whether one was tried.
TEST(BatchService, FewSearchesTryAGpuOnlyWhereOneIsNamed) {
  ::setenv("CUDAPROPHET_CUDA_LIBRARY", "/nowhere/libnone.so", 1);
  const auto why = [](const BackendOptions& options, int searches) {
    return openSearchService(executionOf(options, 1), searches).note;
  };
  const BackendRequest any = BackendRequest::Automatic;
  EXPECT_NE(why({any, {}}, kStartsForGpu - 1).find("are faster there"), std::string::npos);
  for (const std::string& choice : {why({any, {}}, kStartsForGpu), why({any, {0}}, 1)})
    EXPECT_NE(choice.find("without its CUDA library"), std::string::npos) << choice;
  EXPECT_EQ(why({BackendRequest::Cpu, {}}, kStartsForGpu), "");
  EXPECT_THROW(why({BackendRequest::Cuda, {}}, 1), Error);
  ::unsetenv("CUDAPROPHET_CUDA_LIBRARY");
}

}  // namespace
}  // namespace prophet
