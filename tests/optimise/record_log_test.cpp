#include "optimise/record_log.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "common/error.hpp"
#include "fixtures.hpp"

namespace prophet {
namespace {

std::string contentOf(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(RecordLog, KeepsWholeLinesAndDropsTheCutOne) {
  const test::Folder folder;
  const std::string path = folder / "run";
  {
    RecordLog log(path, "title", false);
    EXPECT_TRUE(log.earlier().empty());
    log.append("one");
    log.append("two");
  }
  std::ofstream(path, std::ios::app) << "thr";
  RecordLog log(path, "title", true);
  EXPECT_EQ(log.earlier(), (std::vector<std::string>{"one", "two"}));
  log.append("three");
  EXPECT_EQ(contentOf(path), "title\none\ntwo\nthree\n");
}

TEST(RecordLog, ATitleCutShortIsWrittenAnew) {
  const test::Folder folder;
  std::ofstream(folder / "run") << "tit";
  RecordLog log(folder / "run", "title", true);
  EXPECT_TRUE(log.earlier().empty());
  log.append("one");
  EXPECT_EQ(contentOf(folder / "run"), "title\none\n");
}

TEST(RecordLog, RefusesForeignAndFinishedFiles) {
  const test::Folder folder;
  { RecordLog(folder / "run", "title", false).append("one"); }
  EXPECT_THROW(RecordLog(folder / "run", "title", false), Error);
  EXPECT_THROW(RecordLog(folder / "run", "another", true), Error);
  EXPECT_THROW(RecordLog(folder / "no/such/folder", "title", true), Error);
  EXPECT_EQ(contentOf(folder / "run"), "title\none\n");
}

TEST(RecordLog, WithoutAPathNothingIsRecorded) {
  RecordLog log("", "title", false);
  log.append("one");
  EXPECT_TRUE(log.earlier().empty());
}

}  // namespace
}  // namespace prophet
