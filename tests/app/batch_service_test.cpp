#include "app/batch_service.hpp"

#include <gtest/gtest.h>

namespace prophet {
namespace {

/// A service that has something to say.
class Talkative : public EnergyService {
 public:
  void submit(EnergyRequest, Callback) override {}
  std::string description() const override { return "talkative"; }
  std::vector<std::string> notes() const override { return {"GPU 1 failed", "3 jobs were left to the CPU"}; }
};

std::string printed(bool quiet) {
  std::FILE* file = std::tmpfile();
  printNotes(Talkative(), quiet, file);
  std::rewind(file);
  std::string text(1000, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  return text;
}

TEST(BatchService, NotesAreALineEach) {
  EXPECT_EQ(printed(false), "note: GPU 1 failed\nnote: 3 jobs were left to the CPU\n");
  EXPECT_EQ(printed(true), "");
}

}  // namespace
}  // namespace prophet
