#pragma once
#include <string>
#include <vector>

#include "core/common/error.hpp"

namespace prophet {

/// A place in an input file: line and column, both from 1. Columns count characters (UTF-8 code points; a tab
/// is one), so an editor finds them.
struct Position {
  int line = 1, column = 1;
};

/// One error of an input file.
struct Diagnostic {
  int line = 1, column = 1;
  std::string message;
};

/// Collects the errors of a file while it is read.
class Diagnostics {
 public:
  void add(Position at, std::string message);
  bool empty() const { return list_.empty(); }
  std::size_t size() const { return list_.size(); }
  /// All errors by position; those of one place in the order in which they were found,
  /// equal ones once.
  std::vector<Diagnostic> sorted() const;

 private:
  std::vector<Diagnostic> list_;
};

/// All errors of one input file. what() holds one line "file:line:column: error: message" for each of them,
/// without a newline at the end.
class InputErrors : public Error {
 public:
  InputErrors(const std::string& file, std::vector<Diagnostic> diagnostics);
  /// Sorted by position; never empty.
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace prophet
