#pragma once
#include <exception>
#include <functional>

#include "core/common/error.hpp"
#include "core/ranks/ranks.hpp"

namespace prophet {

/// An error that every rank throws at the same place with the same text: all are still there, and the first
/// one can report it for all.
class SharedError : public Error {
 public:
  SharedError(const std::string& text, int exitStatus) : Error(text), status(exitStatus) {}
  int status;  ///< exit status of the program, the same on all ranks
};

/// An error of one rank while the others are at work and agree on nothing: it can only end them all.
class LoneError : public Error {
 public:
  using Error::Error;
};

/// Compares notes: returns where no rank has an error, else throws SharedError on every rank with the text of
/// the first that has one. `mine`: this rank's error or nullptr; `status`: the exit status that it stands
/// for. A single rank throws its error as it is.
void agree(Ranks& ranks, const std::exception_ptr& mine, int status);

/// Runs a step on every rank and agrees on it.
void together(Ranks& ranks, int status, const std::function<void()>& step);

/// The text of the first rank, on all ranks.
std::string fromFirst(Ranks& ranks, const std::string& text);

}  // namespace prophet
