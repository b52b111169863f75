#include "core/common/files.hpp"

#include <gtest/gtest.h>

#include "test_paths.hpp"

namespace prophet {
namespace {

/// tests/consumer shows the same for a shared library.
TEST(OwnFile, OfAProgramIsItsBinary) {
  EXPECT_EQ(ownFile(), std::filesystem::canonical(PROPHET_BINARY_DIR "/tests/core_tests"));
}

}  // namespace
}  // namespace prophet
