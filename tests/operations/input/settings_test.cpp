#include "operations/input/settings.hpp"

#include <gtest/gtest.h>

namespace prophet {
namespace {

/// A file's settings together with the file that they point into.
struct Read {
  explicit Read(const std::string& text)
      : file(readNamelist("t\n" + text, diagnostics)), settings(file, diagnostics) {}
  Diagnostics diagnostics;
  NamelistFile file;
  Settings settings;
};

std::vector<double> arrayOf(const std::string& text, const std::string& keyword, int count,
                            std::optional<double> missing) {
  Read r(text);
  return r.settings.array("wtbs", keyword, count, "why", missing, r.diagnostics);
}

TEST(Settings, SingleValuesOfEveryType) {
  const Read r("$contrl jobtyp=' BSOPT ' c=1.5d2 $end $seconfig autogen=.T. freel=4 $end");
  EXPECT_TRUE(r.diagnostics.empty());
  EXPECT_EQ(r.settings.text("contrl", "jobtype"), "bsopt");
  EXPECT_EQ(r.settings.number("contrl", "c"), 150.0);
  EXPECT_EQ(r.settings.logical("seconfig", "autogen"), true);
  EXPECT_EQ(r.settings.integer("seconfig", "freel"), 4);
  EXPECT_FALSE(r.settings.integer("seconfig", "nconf"));
}

TEST(Settings, EmptyItemsAreNoValues) {
  const Read r("$scf maxitr=, thdll= $end $wtbs start=,5,2* $end $seconfig nclose=2,,1 nopen=0,1, $end");
  EXPECT_EQ(r.diagnostics.size(), 4u);
  for (const char* keyword : {"maxitr", "thdll"}) EXPECT_TRUE(r.settings.damaged("scf", keyword)) << keyword;
  EXPECT_TRUE(r.settings.damaged("wtbs", "start"));
  EXPECT_TRUE(r.settings.damaged("seconfig", "nclose"));
  EXPECT_FALSE(r.settings.damaged("seconfig", "nopen"));
  EXPECT_EQ(r.settings.find("scf", "ixtrp"), nullptr);
}

TEST(Settings, ArraysByListAndByElement) {
  const std::vector<double> expected = {3, 4, 4, 5};
  EXPECT_EQ(arrayOf("$wtbs nbs=3,2*4,5 $end", "nbs", 4, std::nullopt), expected);
  EXPECT_EQ(arrayOf("$wtbs nbs(2)=4,4 nbs(1)=3 nbs(4)=5 $end", "nbs", 4, std::nullopt), expected);
  EXPECT_EQ(arrayOf("$wtbs nbs(1:2)=3,4 nbs(3:)=4,5 $end", "nbs", 4, std::nullopt), expected);
}

TEST(Settings, ArraysFillInWhatIsMissing) {
  EXPECT_EQ(arrayOf("$wtbs start(3)=2 $end", "start", 4, 1), (std::vector<double>{1, 1, 2, 1}));
  EXPECT_EQ(arrayOf("$wtbs $end", "start", 2, 1), (std::vector<double>{1, 1}));
  EXPECT_TRUE(arrayOf("$wtbs nbs=3,,5 $end", "nbs", 3, std::nullopt).empty());
  EXPECT_TRUE(arrayOf("$wtbs nbs=3,4 $end", "nbs", 3, std::nullopt).empty());
}

TEST(Settings, MisspeltNamesAreReadAsWhatWasMeant) {
  const Read r("$nuk znuk=86 $end");
  EXPECT_EQ(r.diagnostics.size(), 2u);
  EXPECT_EQ(r.settings.number("nuc", "znuc"), 86.0);
}

TEST(Settings, DamagedValuesAreKnownAsSuch) {
  const Read r("$nuc znuc=Rx $end");
  EXPECT_TRUE(r.settings.has("nuc", "znuc"));
  EXPECT_TRUE(r.settings.damaged("nuc", "znuc"));
  EXPECT_FALSE(r.settings.number("nuc", "znuc"));
}

}  // namespace
}  // namespace prophet
