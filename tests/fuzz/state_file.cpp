/// State files of optimisations (.bsopt, .chain): the title is the file's own first line, so that the pieces
/// behind it are reached, and a piece by itself. Those that can be read are written the same again.
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "bases/optimise/state_lines.hpp"
#include "core/common/error.hpp"

namespace {

using namespace prophet;

void readContent(const std::string& key, const std::string& line) {
  try {
    if (key == kEvaluation) {
      const std::string text = textOf(evaluationLineOf(line));
      if (textOf(evaluationLineOf(text)) != text) std::abort();
    } else if (key == kTrial) {
      const std::string text = textOf(trialLineOf(line));
      if (textOf(trialLineOf(text)) != text) std::abort();
    } else if (key == kFit) {
      const std::string text = textOf(fitLineOf(line));
      if (textOf(fitLineOf(text)) != text) std::abort();
    } else if (key == kLimit) {
      const std::string text = limitLine(limitOf(line));
      if (limitLine(limitOf(text)) != text) std::abort();
    }
  } catch (const Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const std::string& work : {std::string("bsopt 4: another run"), text.substr(0, text.find('\n'))}) {
    std::istringstream log(text);
    try {
      if (readPieces(log, size, work, "fuzz",
                     [](const FinishedPieces::Piece& piece, const std::string& content) {
                       readContent(piece.key, content);
                     }) > size)
        std::abort();
    } catch (const Error&) {
    }
  }
  // What checksums keep from readers.
  const std::size_t blank = text.find(' ');
  if (blank != std::string::npos) readContent(text.substr(0, blank), text.substr(blank + 1));
  return 0;
}
