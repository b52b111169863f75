#include "core/common/finished_pieces.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/common/error.hpp"
#include "core/common/files.hpp"
#include "folder.hpp"

namespace prophet {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWork = "sums 1: of everything";

/// What a run says that cannot begin; empty where it can.
std::string refusal(const std::string& output, bool resume, const std::string& work = kWork) {
  try {
    const FinishedPieces pieces(output, work, resume);
    return "";
  } catch (const Error& e) {
    return e.what();
  }
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(FinishedPieces, AreThereForTheNextRunAndGoWithIt) {
  const test::Folder folder;
  const std::string output = folder / "out.h5";
  {
    FinishedPieces pieces(output, kWork, false);
    pieces.keep("C+", {{"h5", "numbers"}, {"json", "{}"}});
  }
  FinishedPieces pieces(output, kWork, true);
  EXPECT_TRUE(pieces.has("C+"));
  EXPECT_FALSE(pieces.has("C"));
  EXPECT_EQ(readFile(pieces.file("C+", "h5")), "numbers");
  EXPECT_TRUE(pieces.remove());
  EXPECT_FALSE(fs::exists(output + ".parts"));
}

TEST(FinishedPieces, WhatNoRunHasLeftStays) {
  const test::Folder folder;
  const std::string output = folder / "a.h5", parts = output + ".parts";
  for (const bool resume : {false, true}) {
    fs::create_directory(parts);
    writeFileAtomically(parts + "/notes.txt", "precious\n");
    EXPECT_TRUE(contains(refusal(output, resume), "not what a run of this program has left"));
    EXPECT_EQ(readFile(parts + "/notes.txt"), "precious\n");
    fs::remove_all(parts);
    fs::create_directory(folder / "elsewhere");
    fs::create_symlink("elsewhere", parts);
    EXPECT_TRUE(contains(refusal(output, resume), "not what a run of this program has left"));
    EXPECT_TRUE(fs::is_empty(folder / "elsewhere"));
    fs::remove(parts);
    fs::remove(folder / "elsewhere");
  }
  fs::create_directory(parts);
  writeFileAtomically(parts + "/log", "a diary\n");
  EXPECT_NE(refusal(output, true), "");
  EXPECT_EQ(readFile(parts + "/log"), "a diary\n");
}

TEST(FinishedPieces, OthersFilesAmongThemStay) {
  const test::Folder folder;
  FinishedPieces pieces(folder / "a.h5", kWork, false);
  pieces.keep("x", {{"h5", "1"}});
  writeFileAtomically(pieces.folder() + "/notes.txt", "precious\n");
  EXPECT_FALSE(pieces.remove());
  EXPECT_EQ(readFile(pieces.folder() + "/notes.txt"), "precious\n");
  EXPECT_FALSE(fs::exists(pieces.file("x", "h5")));
}

TEST(FinishedPieces, AChangedOrExchangedFileIsRefused) {
  const test::Folder folder;
  const std::string output = folder / "a.h5", parts = output + ".parts";
  {
    FinishedPieces pieces(output, kWork, false);
    pieces.keep("C", {{"h5", std::string(300, 'c')}});
    pieces.keep("N", {{"h5", std::string(300, 'n')}});
  }
  const std::string whole = readFile(parts + "/C.h5"), log = readFile(parts + "/log");
  for (std::size_t byte = 0; byte < whole.size(); byte += 37) {
    std::string flipped = whole;
    flipped[byte] = static_cast<char>(flipped[byte] ^ 4);
    writeFileAtomically(parts + "/C.h5", flipped);
    EXPECT_TRUE(contains(refusal(output, true), "C.h5 is damaged")) << byte;
  }
  writeFileAtomically(parts + "/C.h5", readFile(parts + "/N.h5"));
  EXPECT_TRUE(contains(refusal(output, true), "C.h5 is damaged"));
  fs::remove(parts + "/C.h5");  // as the message says
  {
    const FinishedPieces pieces(output, kWork, true);
    EXPECT_FALSE(pieces.has("C"));
    EXPECT_TRUE(pieces.has("N"));
  }
  writeFileAtomically(parts + "/C.h5", whole);
  for (std::size_t byte = log.find('\n') + 1; byte < log.size(); ++byte) {
    std::string flipped = log;
    flipped[byte] = static_cast<char>(flipped[byte] ^ 1);
    writeFileAtomically(parts + "/log", flipped);
    // A line that says another name or ending has no file, so that the piece is not there.
    const std::string said = refusal(output, true);
    if (said.empty()) {
      const FinishedPieces pieces(output, kWork, true);
      EXPECT_FALSE(pieces.has("C") && pieces.has("N")) << flipped;
    }
  }
}

TEST(FinishedPieces, OtherWorkAndOtherRunsAreTold) {
  const test::Folder folder;
  const std::string output = folder / "a.h5";
  {
    FinishedPieces pieces(output, kWork, false);
    pieces.keep("x", {{"h5", "1"}});
    EXPECT_TRUE(contains(refusal(output, true), "another run is writing it"));
  }
  EXPECT_TRUE(contains(refusal(output, false), "interrupted"));
  EXPECT_TRUE(contains(refusal(output, true, "sums 1: of nothing"), "belongs to another run"));
  EXPECT_THROW(FinishedPieces(output, "sums 2: of everything", true), OtherRunError);
  EXPECT_EQ(refusal(output, true), "");
  writeFileAtomically(folder / "b.h5", "whole");
  EXPECT_TRUE(contains(refusal(folder / "b.h5", true), "nothing to continue"));
  fs::create_directory(folder / "c");
  EXPECT_TRUE(contains(refusal(folder / "c/", false), "Is a directory"));
  EXPECT_TRUE(fs::is_empty(folder / "c"));
}

}  // namespace
}  // namespace prophet
