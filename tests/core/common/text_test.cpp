#include "core/common/text.hpp"

#include <gtest/gtest.h>

#include "core/common/listed_words.hpp"

namespace prophet {
namespace {

TEST(Text, AListHasNoEmptyItem) {
  using Words = std::vector<std::string>;
  for (const char* list : {"2p,3d", "2p 3d", "2p , 3d", " 2p,3d "})
    EXPECT_EQ(listedWords(list), (Words{"2p", "3d"}));
  EXPECT_EQ(listedWords("2p,3d 4f"), (Words{"2p", "3d", "4f"}));
  EXPECT_EQ(listedWords(" "), Words{});
  for (const char* wrong : {"2p,,3d", "2p,", ",2p", ",", "2p, ,3d"})
    EXPECT_THROW(listedWords(wrong), Error) << wrong;
}

TEST(Text, EditDistanceCountsEveryKindOfEdit) {
  EXPECT_EQ(editDistance("", ""), 0);
  EXPECT_EQ(editDistance("abc", ""), 3);
  EXPECT_EQ(editDistance("nucmdl", "nucmdl"), 0);
  EXPECT_EQ(editDistance("nucmodl", "nucmdl"), 1);  // deletion
  EXPECT_EQ(editDistance("ncmdl", "nucmdl"), 1);    // insertion
  EXPECT_EQ(editDistance("nucmdk", "nucmdl"), 1);   // substitution
  EXPECT_EQ(editDistance("ncumdl", "nucmdl"), 1);   // swap of neighbours
  EXPECT_EQ(editDistance("kitten", "sitting"), 3);
  EXPECT_EQ(editDistance("ca", "abc"), 3);  // optimal string alignment, not the full Damerau distance (2)
}

TEST(Text, EditDistanceIsSymmetric) {
  EXPECT_EQ(editDistance("wtbspara", "wtpara"), editDistance("wtpara", "wtbspara"));
  EXPECT_EQ(editDistance("wtbspara", "wtpara"), 2);
}

TEST(Text, NearestNameTakesTheClosest) {
  const std::vector<std::string> names = {"nsym", "nbs", "start", "groups"};
  EXPECT_EQ(nearestName("NSYN", names), "nsym");
  EXPECT_EQ(nearestName("gruops", names), "groups");
  EXPECT_EQ(nearestName("strat", names), "start");
}

TEST(Text, NearestNameStaysSilentWhereNothingIsNear) {
  EXPECT_EQ(nearestName("frequency", {"nsym", "nbs"}), "");
  EXPECT_EQ(nearestName("x", {"nsym", "nbs"}), "");
  EXPECT_EQ(nearestName("nbs", {}), "");
}

TEST(Text, LowerCaseKeepsOtherBytes) { EXPECT_EQ(lowerCase("AbZ_\xC3\x84"), "abz_\xC3\x84"); }

TEST(Text, SplitKeepsEmptyParts) {
  using Parts = std::vector<std::string>;
  EXPECT_EQ(split("a,,b,", ','), (Parts{"a", "", "b", ""}));
  EXPECT_EQ(split("", ':'), Parts{""});
  EXPECT_EQ(split("one", ':'), Parts{"one"});
}

TEST(Text, SplitWordsLeavesEmptyPartsOut) {
  using Parts = std::vector<std::string>;
  EXPECT_EQ(splitWords("  2p\t3d "), (Parts{"2p", "3d"}));
  EXPECT_EQ(splitWords(",2p, 3d,,", ", "), (Parts{"2p", "3d"}));
  EXPECT_EQ(splitWords(" \t"), Parts{});
}

TEST(Text, AngularMomentaAreWrittenAsHalves) {
  EXPECT_EQ(halves(5), "5/2");
  EXPECT_EQ(halves(4), "2");
  EXPECT_EQ(twiceOf("5/2"), 5);
  EXPECT_EQ(twiceOf("1.5"), 3);
  EXPECT_EQ(twiceOf("0"), 0);
  for (const char* none : {"", "/2", "1/3", "-1/2", "1.25", "2.5/2", "3/2 ", "501", "nan"})
    EXPECT_FALSE(twiceOf(none)) << none;
}

TEST(Text, TrimmedTakesBlanksAndTabs) {
  EXPECT_EQ(trimmed(" \t a b\t "), "a b");
  EXPECT_EQ(trimmed(" \t"), "");
}

}  // namespace
}  // namespace prophet
