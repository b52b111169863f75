#include "core/ranks/ranks.hpp"

#include <gtest/gtest.h>

#include "core/common/error.hpp"

namespace prophet {
namespace {

const Launch kByItself, kFour{4, "OMPI_COMM_WORLD_SIZE"};
constexpr const char* kNoLibrary = "/nowhere/libnone.so";

std::string refusal(JoinMode mode, const Launch& launch, const std::string& library = kNoLibrary) {
  try {
    joinRanks(mode, launch, library);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(Join, AProcessByItselfIsOneRank) {
  for (const JoinMode mode : {JoinMode::Automatic, JoinMode::Off}) {
    const auto ranks = joinRanks(mode, kByItself, kNoLibrary);
    EXPECT_EQ(ranks->size(), 1);
    EXPECT_EQ(ranks->allGather("x"), std::vector<std::string>{"x"});
  }
}

TEST(Join, ManyProcessesWithoutMpiAreAnErrorUnlessTheyAreMeant) {
  const std::string text = refusal(JoinMode::Automatic, kFour);
  EXPECT_NE(text.find("without its MPI library"), std::string::npos) << text;
  EXPECT_NE(text.find("--mpi off"), std::string::npos) << text;
  EXPECT_EQ(joinRanks(JoinMode::Off, kFour, kNoLibrary)->size(), 1);
  EXPECT_EQ(joinRanks(JoinMode::Automatic, {1, "OMPI_COMM_WORLD_SIZE"}, kNoLibrary)->size(), 1);
  EXPECT_NE(refusal(JoinMode::On, kByItself), "");
}

TEST(Join, RefusesAnotherLibrary) {
  const std::string text = refusal(JoinMode::On, kByItself, "/lib/x86_64-linux-gnu/libm.so.6");
  EXPECT_NE(text.find("does not belong to this program"), std::string::npos) << text;
}

}  // namespace
}  // namespace prophet
