#include "core/common/finished_pieces.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/common/error.hpp"
#include "core/common/files.hpp"
#include "folder.hpp"

namespace prophet {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWork = "sums 1: of everything";

/// What a run says that cannot begin; empty where it can.
std::string refusal(const std::string& path, bool resume, const std::string& work = kWork) {
  try {
    const FinishedPieces pieces(path, work, resume);
    return "";
  } catch (const Error& e) {
    return e.what();
  }
}

std::string refusalOf(const std::string& output, bool resume) {
  try {
    const FinishedPieces pieces = FinishedPieces::of(output, kWork, resume);
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
  const std::string output = folder / "out.h5", bytes("a\0\nb\n", 5);
  {
    FinishedPieces pieces = FinishedPieces::of(output, kWork, false);
    pieces.keep("C+", bytes);
    pieces.keep("e", "1");
    pieces.keep("e", "");
    EXPECT_EQ(pieces.content("C+"), bytes);
  }
  FinishedPieces pieces = FinishedPieces::of(output, kWork, true);
  EXPECT_TRUE(pieces.has("C+"));
  EXPECT_FALSE(pieces.has("C"));
  ASSERT_EQ(pieces.pieces().size(), 3u);
  EXPECT_EQ(pieces.content("C+"), bytes);
  EXPECT_EQ(pieces.content(1), "1");
  EXPECT_EQ(pieces.content("e"), "");
  pieces.remove();
  EXPECT_FALSE(fs::exists(output + ".parts"));
}

/// A kill leaves any part of what was being written.
TEST(FinishedPieces, AnyCutTailIsDropped) {
  const test::Folder folder;
  const std::string path = folder / "run";
  std::size_t whole = 0;
  {
    FinishedPieces pieces(path, kWork, false);
    pieces.keep("a", "one\n");
    whole = fs::file_size(path);
    pieces.keep("b", "two\nlines");
  }
  const std::string all = readFile(path);
  for (std::size_t size = 0; size < all.size(); ++size) {
    std::ofstream(path, std::ios::binary) << all.substr(0, size);
    FinishedPieces pieces(path, kWork, true);
    EXPECT_EQ(pieces.pieces().size(), size < whole ? 0u : 1u) << size;
    if (size < whole) pieces.keep("a", "one\n");
    pieces.keep("b", "two\nlines");
    EXPECT_EQ(readFile(path), all) << size;
  }
}

TEST(FinishedPieces, APieceCanTakeThePlaceOfAll) {
  const test::Folder folder;
  const std::string path = folder / "run";
  {
    FinishedPieces pieces(path, kWork, false);
    for (const char* content : {"first", "second"}) pieces.keepAlone("mean", content);
    EXPECT_TRUE(contains(refusal(path, true), "another run is writing it"));  // the lock went over
    pieces.keep("more", "third");
  }
  const FinishedPieces pieces(path, kWork, true);
  ASSERT_EQ(pieces.pieces().size(), 2u);
  EXPECT_EQ(pieces.content("mean"), "second");
  EXPECT_EQ(pieces.content("more"), "third");
}

TEST(FinishedPieces, WhatNoRunHasLeftStays) {
  const test::Folder folder;
  const std::string output = folder / "a.h5", parts = output + ".parts";
  for (const bool resume : {false, true}) {
    for (const char* text : {"notes", "notes\n", "sumt", "sumt 1: x\n"}) {
      std::ofstream(parts) << text;
      EXPECT_TRUE(contains(refusalOf(output, resume), "is not the state of a run of this program")) << text;
      EXPECT_EQ(readFile(parts), text);
    }
    fs::remove(parts);
    fs::create_directory(parts);
    EXPECT_TRUE(contains(refusalOf(output, resume), "Is a directory"));
    fs::remove(parts);
    fs::create_symlink("elsewhere", parts);
    EXPECT_TRUE(contains(refusalOf(output, resume), "is a link"));
    EXPECT_FALSE(fs::exists(folder / "elsewhere"));
    fs::remove(parts);
  }
}

TEST(FinishedPieces, AnyChangedByteIsRefused) {
  const test::Folder folder;
  const std::string path = folder / "run";
  {
    FinishedPieces pieces(path, kWork, false);
    pieces.keep("C", std::string(40, 'c'));
    pieces.keep("N", std::string(40, 'n'));
  }
  const std::string whole = readFile(path);
  for (std::size_t byte = 0; byte < whole.size(); ++byte) {
    std::string flipped = whole;
    flipped[byte] = static_cast<char>(flipped[byte] ^ 4);
    std::ofstream(path, std::ios::binary) << flipped;
    EXPECT_NE(refusal(path, true), "") << byte;
    EXPECT_EQ(readFile(path), flipped);
  }
  std::ofstream(path, std::ios::binary)
      << whole.substr(0, whole.size() - 9) << 'm' << whole.substr(whole.size() - 8);
  EXPECT_TRUE(contains(refusal(path, true), "piece 2, N, is damaged"));
}

TEST(FinishedPieces, OtherWorkAndOtherRunsAreTold) {
  const test::Folder folder;
  const std::string output = folder / "a.h5", path = output + ".parts";
  EXPECT_EQ(refusalOf(output, false), "");
  EXPECT_EQ(refusal(path, false), "");  // there is no piece yet
  { FinishedPieces(path, kWork, true).keep("x", "1"); }
  EXPECT_TRUE(contains(refusal(path, false), "interrupted"));
  EXPECT_TRUE(contains(refusal(path, true, "sums 1: of nothing"), "belongs to another run"));
  EXPECT_TRUE(contains(refusal(path, true, "sums 2: of everything"), "another version"));
  EXPECT_THROW(FinishedPieces(path, "sums 2: of everything", true), OtherRunError);
  EXPECT_EQ(refusalOf(output, true), "");
  writeFileAtomically(folder / "b.h5", "whole");
  EXPECT_TRUE(contains(refusalOf(folder / "b.h5", true), "no " + folder / "b.h5" + ".parts beside it"));
  fs::create_directory(folder / "c");
  EXPECT_TRUE(contains(refusalOf(folder / "c/", false), "Is a directory"));
  EXPECT_TRUE(fs::is_empty(folder / "c"));
  EXPECT_TRUE(contains(refusal(folder / "no/such", false), "No such file"));
}

TEST(FinishedPieces, WithoutAPathNothingIsKept) {
  FinishedPieces pieces("", kWork, false);
  pieces.keep("x", "1");
  EXPECT_TRUE(pieces.pieces().empty());
}

/// Where a batch has no file of lines it writes to one in memory, to which a link of /proc leads.
TEST(GrowingFile, TakesAFileWithoutAName) {
  const test::Folder folder;
  const FileHandle file(::open((folder / "gone").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  fs::remove(folder / "gone");
  GrowingFile growing("/proc/self/fd/" + std::to_string(file.number()));
  growing.append("one\n");
  EXPECT_EQ(growing.read(), "one\n");
}

}  // namespace
}  // namespace prophet
