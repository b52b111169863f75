#include "core/common/finished_pieces.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "core/common/error.hpp"
#include "core/common/files.hpp"
#include "folder.hpp"

namespace prophet {
namespace {

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
  EXPECT_EQ(readFile(path), "title\none\ntwo\nthree\n");
}

TEST(RecordLog, ATitleCutShortIsWrittenAnew) {
  const test::Folder folder;
  std::ofstream(folder / "run") << "tit";
  RecordLog log(folder / "run", "title", true);
  EXPECT_TRUE(log.earlier().empty());
  log.append("one");
  EXPECT_EQ(readFile(folder / "run"), "title\none\n");
}

TEST(RecordLog, RefusesForeignAndFinishedFiles) {
  const test::Folder folder;
  { RecordLog(folder / "run", "title", false).append("one"); }
  EXPECT_THROW(RecordLog(folder / "run", "title", false), Error);
  EXPECT_THROW(RecordLog(folder / "run", "another", true), Error);
  EXPECT_THROW(RecordLog(folder / "no/such/folder", "title", true), Error);
  EXPECT_EQ(readFile(folder / "run"), "title\none\n");
}

TEST(RecordLog, ForeignFilesStayAsTheyAre) {
  const test::Folder folder;
  for (const char* text : {"notes", "notes\n", "notes\nmore", "titlf", "title2: x\n", "title 1: y\nhalf"}) {
    std::ofstream(folder / "run") << text;
    EXPECT_THROW(RecordLog(folder / "run", "title 1: x", true), Error) << text;
    EXPECT_EQ(readFile(folder / "run"), text);
  }
}

TEST(RecordLog, OneRunAtATime) {
  const test::Folder folder;
  RecordLog first(folder / "run", "title", false);
  EXPECT_THROW(RecordLog(folder / "run", "title", true), Error);
  first = RecordLog();
  EXPECT_NO_THROW(RecordLog(folder / "run", "title", true));
}

TEST(RecordLog, TakesLineEndsOfOtherSystems) {
  const test::Folder folder;
  std::ofstream(folder / "run") << "title\r\none\r\ntw";
  EXPECT_EQ(RecordLog(folder / "run", "title", true).earlier(), std::vector<std::string>{"one"});
}

TEST(RecordLog, SaysWhatDiffers) {
  const test::Folder folder;
  std::ofstream(folder / "run") << "kind 2: a\n";
  const auto message = [&](const std::string& title) -> std::string {
    try {
      RecordLog(folder / "run", title, true);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message("kind 3: a").find("another version"), std::string::npos) << message("kind 3: a");
  EXPECT_NE(message("kind 2: b").find("another run"), std::string::npos) << message("kind 2: b");
  EXPECT_NE(message("other 2: b").find("not the state of a run"), std::string::npos) << message("other 2: b");
}

TEST(RecordLog, WithoutAPathNothingIsRecorded) {
  RecordLog log("", "title", false);
  log.append("one");
  EXPECT_TRUE(log.earlier().empty());
}

}  // namespace
}  // namespace prophet
