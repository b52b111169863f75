#include <gtest/gtest.h>

#include <set>
#include <string>

extern "C" char* openblas_get_corename();

namespace prophet {
namespace {

TEST(BlasKernels, AreThoseOfAProcessorWithAvx2WhereThisOneHasIt) {
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) GTEST_SKIP() << "no AVX2";
  const std::set<std::string> modern = {"Haswell",        "Zen",           "SkylakeX", "Cooperlake",
                                        "Sapphirerapids", "SapphireRapids"};
  EXPECT_EQ(modern.count(openblas_get_corename()), 1u) << openblas_get_corename();
#else
  GTEST_SKIP() << "x86 only";
#endif
}

}  // namespace
}  // namespace prophet
