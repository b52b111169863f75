#include "frontends/app/backend_options.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include "core/common/error.hpp"

namespace prophet {
namespace {

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
