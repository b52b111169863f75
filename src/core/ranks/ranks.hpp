#pragma once
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/common/failure.hpp"

namespace prophet {

/// Processes that work together, on one or several machines (in practice MPI_COMM_WORLD; see joinRanks). They
/// exchange texts of any length. All functions are called by one thread, the one that joined.
class Ranks {
 public:
  struct Message {
    int from = 0;
    std::string text;
  };
  virtual ~Ranks() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Ranks on the same machine have the same number.
  virtual int machine() const = 0;

  /// Sends without waiting. Texts from one rank to another keep their order.
  virtual void send(int to, const std::string& text) = 0;
  /// A text that has arrived from any rank; empty if none has.
  virtual std::optional<Message> receive() = 0;
  /// The texts of all ranks in their order. Every rank calls it and waits, without keeping its processor
  /// busy, until all have.
  virtual std::vector<std::string> allGather(const std::string& text) = 0;
  /// Ends all ranks at once with this exit status.
  [[noreturn]] void abort(int status);

 private:
  /// Tells the others; may return.
  virtual void endAll(int status) = 0;
};

/// A process by itself.
class SingleRank : public Ranks {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  int machine() const override { return 0; }
  void send(int, const std::string&) override {}
  std::optional<Message> receive() override { return std::nullopt; }
  std::vector<std::string> allGather(const std::string& text) override { return {text}; }

 private:
  void endAll(int) override {}
};

/// An error that every rank throws at the same place with the same text: all are still there, and the first
/// one can report it for all.
class SharedError : public Error {
 public:
  SharedError(const std::string& text, int exitStatus) : Error(text), status(exitStatus) {}
  int status;  ///< exit status of the program, the same on all ranks
};

/// An error of one rank while the others are at work and agree on nothing: it can only end them all.
class LoneError : public FailureError {
 public:
  using FailureError::FailureError;
};

/// Compares notes: returns where no rank has an error, else throws SharedError on every rank with the text of
/// the first that has one, and the exit status that it stands for. `mine`: this rank's error or nullptr. A
/// single rank throws its error as it is.
void agree(Ranks& ranks, const std::exception_ptr& mine);

/// Runs a step on every rank and agrees on it.
void together(Ranks& ranks, const std::function<void()>& step);

/// The text of the first rank, on all ranks.
std::string fromFirst(Ranks& ranks, const std::string& text);

/// The texts of all ranks in their order, on the first; nothing on the others, which do not wait. Every rank
/// calls it, and between two calls all ranks meet (agree).
std::vector<std::string> gatherAtFirst(Ranks& ranks, const std::string& text);

/// "4 ranks, 4 x NVIDIA H200" of what each of them works with; on a rank by itself just that.
std::string describeRanks(const std::vector<std::string>& names, int machines = 1);

/// --mpi: whether this process works together with others that a launcher started beside it.
enum class JoinMode {
  Automatic,  ///< if the environment says that a launcher started several processes
  On,
  Off
};

/// What a launcher set for this process (src/frontends/app reads it from the environment).
struct Launch {
  int processes = 1;     ///< started together
  std::string variable;  ///< of the environment that says so; empty if none does
};

/// Joins the other processes of `launch` through the MPI library (the file `library`, else
/// libcudaprophet_mpi.so beside the binary, in ../lib, or in the build tree's mpi/), which nothing else
/// loads. A single process is a rank by itself and, unless `mode` is On, loads no MPI. The ranks leave MPI
/// when the result is destroyed; destroy it only where all of them do. Throws Error if several processes
/// were started but cannot join: no MPI in this build, or an MPI that knows nothing of that launcher.
std::unique_ptr<Ranks> joinRanks(JoinMode mode, const Launch& launch = {}, const std::string& library = "");

}  // namespace prophet
