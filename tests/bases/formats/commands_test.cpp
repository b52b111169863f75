#include <gtest/gtest.h>

#include "bases/formats/basis_commands.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

TEST(Commands, ShowHasProvenanceAndEveryExponent) {
  const std::string text = basisShow(86, "wtbs-2.1");
  EXPECT_NE(text.find("Table 2.1"), std::string::npos);
  EXPECT_NE(text.find("s+: 32 exponents"), std::string::npos);
  EXPECT_NE(text.find("f+: 14 exponents"), std::string::npos);
  EXPECT_NE(text.find("5.716000000000e-02"), std::string::npos);
  EXPECT_THROW(basisShow(87, "wtbs-2.1"), Error);
}

TEST(Commands, ExportReadsBack) {
  const auto read = readBasis(basisExport({2, 10}, "wtbs-2.1", "dirac"), "dirac", "t");
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].shells.at(0).size(), 18u);
  EXPECT_EQ(read[1].shells.size(), 2u);
  EXPECT_NE(basisExport({2}, "wtbs-2.1", kOwnFormat).find("element       = 2 He"), std::string::npos);
  EXPECT_THROW(basisExport({2, 10}, "wtbs-2.1", kOwnFormat), Error);
  EXPECT_THROW(basisExport({2, 87}, "wtbs-2.1", "json"), Error);
}

TEST(Commands, CompareHasARowForEveryElementOfEither) {
  const std::string text = basisCompare("wtbs-2.1", "universal");
  EXPECT_NE(text.find("| 86 | Rn | 32s+ 27p- 27p+ 21d- 21d+ 14f- 14f+ | 156 |  | "), std::string::npos);
  EXPECT_NE(text.find("| 87 | Fr | | | | "), std::string::npos);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 120);
}

}  // namespace
}  // namespace prophet
