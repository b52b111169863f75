#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <random>

#include "operations/input/namelist.hpp"
#include "operations/input/parse_job.hpp"

namespace prophet {
namespace {

const char* const kGoodFiles[] = {
    ("Carbon\n$contrl jobtyp='energy' c=137.0 $end\n$nuc znuc=6 nucmdl=3 rms=2.5 $end\n"
     "$bas nsym=3 bastype='rdin' $end\n2\n0.1\n1.0d0\n1\n0.2\n1\n0.2\n"
     "$seconfig nclose=2,0,0 nopen=0,1,1 freel=2 nconf=2 $end\n1.0 1.0\n0 2\n$scf ixtrp=1 dfctr=.5 $end\n"),
    ("Neon\r\n$contrl jobtype='bsopt' $end\r\n&nuc znuc=10, /\r\n$bas nsym=3, bastype='wtbs' ngroup=2 "
     "$end\r\n"
     "$wtbs wtbspara=0.1,1.9,5,1.4,4*1.5 nbs=20,2*16 start(2)=1 groups(2:3)=2*2 pool='shared' $end ! end\r\n"
     "$newuoa rhobeg=0.1 rhoend=1d-4 $end $seconfig config='[He] 2s2 2p6' $end\r\n"),
    ("Oxygen\n$nuc znuc=8 $end\n$seconfig nclose(1)=2 nopen=0,1,1 freel=4 autogen=.t. $end $scf fock='grid' "
     "$end")};

/// Pieces that are more likely than single bytes to confuse the reader.
const char* const kPieces[] = {"$",
                               "&",
                               "$end",
                               "/",
                               "'",
                               "\"",
                               "=",
                               ",",
                               ",,",
                               "3*",
                               "(",
                               ")",
                               "1*",
                               "(0)",
                               "(:)",
                               "!",
                               "\n",
                               "\r",
                               "\t",
                               "-1",
                               "1e999",
                               "\xFF",
                               "\xC3\xA4",
                               "$bas ",
                               " x=1 ",
                               "99999999999",
                               "$seconfig ",
                               "nconf=",
                               "nsym=15 ",
                               "15*1",
                               "bastype='rdin' ",
                               "''"};

std::string mutated(std::string text, std::mt19937& random) {
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  const std::size_t changes = 1 + below(6);
  for (std::size_t i = 0; i < changes && !text.empty(); ++i) {
    const std::size_t at = below(text.size());
    switch (below(6)) {
      case 0:
        text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.erase(at, 1 + below(8));
        break;
      case 2:
        text.insert(at, 1, static_cast<char>(below(256)));
        break;
      case 3:
        text.insert(at, text.substr(below(text.size()), below(30)));
        break;
      case 4:
        text.insert(at, kPieces[below(std::size(kPieces))]);
        break;
      default:
        text.resize(at + 1);
        break;
    }
  }
  return text;
}

/// Every error must lie within the file and have a message of whole UTF-8 characters.
void checkErrors(const InputErrors& errors, const std::string& text) {
  const std::vector<std::string_view> lines = splitLines(text);
  ASSERT_FALSE(errors.diagnostics().empty());
  Diagnostic last;
  for (const Diagnostic& d : errors.diagnostics()) {
    ASSERT_GE(d.line, 1);
    ASSERT_LE(d.line, static_cast<int>(lines.size())) << d.message << "\n" << text;
    ASSERT_GE(d.column, 1);
    const int width = characterCount(lines[static_cast<std::size_t>(d.line) - 1]);
    ASSERT_LE(d.column, width + 1) << d.line << ": " << d.message << "\n" << text;
    ASSERT_TRUE(d.line > last.line || (d.line == last.line && d.column >= last.column)) << d.message;
    std::size_t where = 0;
    ASSERT_TRUE(isPlainText(d.message, where)) << d.message << "\n" << text;
    last = d;
  }
}

TEST(Mutations, NeverCrashAndErrorsLieInTheFile) {
  std::mt19937 random(20240607);
  int sound = 0, broken = 0;
  for (int i = 0; i < 30000; ++i) {
    const std::string text = mutated(kGoodFiles[i % std::size(kGoodFiles)], random);
    try {
      parseJob(text, "x.inp");
      ++sound;
    } catch (const InputErrors& errors) {
      ++broken;
      checkErrors(errors, text);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(sound, 300);  // changes in title and comments, for example
  EXPECT_GT(broken, 20000);
}

TEST(Mutations, TheFilesAreSoundToBeginWith) {
  for (const char* text : kGoodFiles) EXPECT_NO_THROW(parseJob(text, "x.inp")) << text;
}

TEST(Mutations, EveryBeginningOfAFileIsReadOrRefused) {
  for (const std::string text : kGoodFiles) {
    for (std::size_t length = 0; length <= text.size(); ++length) {
      try {
        parseJob(text.substr(0, length), "x.inp");
      } catch (const InputErrors& errors) {
        checkErrors(errors, text.substr(0, length));
        if (HasFatalFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace prophet
