#pragma once
#include <optional>
#include <string>
#include <vector>

namespace prophet {

/// Processes that work together, on one or several machines (in practice MPI_COMM_WORLD; see join.hpp). They
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

}  // namespace prophet
