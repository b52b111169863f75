/// The MPI library's entry (see ranks/join.hpp): MPI_COMM_WORLD as Ranks, and nothing of the program
/// beside it.
#include <mpi.h>

#include <chrono>
#include <list>
#include <thread>

#include "core/common/plugin_library.hpp"
#include "core/ranks/ranks.hpp"

namespace prophet {
namespace {

constexpr int kTag = 1;

/// Waits without spinning, as MPI_Wait would: ranks that have more to do may need the processor.
void wait(MPI_Request& request) {
  for (std::chrono::microseconds pause(20);;) {
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done) return;
    std::this_thread::sleep_for(pause);
    if (pause < std::chrono::milliseconds(1)) pause *= 2;
  }
}

class MpiRanks : public Ranks {
 public:
  MpiRanks() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Comm neighbours;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &neighbours);
    // The lowest rank of a machine is its number.
    MPI_Allreduce(&rank_, &machine_, 1, MPI_INT, MPI_MIN, neighbours);
    MPI_Comm_free(&neighbours);
  }
  ~MpiRanks() override {
    for (Sent& one : sent_) wait(one.request);
    MPI_Finalize();
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int machine() const override { return machine_; }

  void send(int to, const std::string& text) override {
    forgetArrived();
    // In place from here on: the transport reads the text until it has arrived. Two ranks that send each
    // other long texts and waited would wait for ever.
    Sent& one = sent_.emplace_back(Sent{text, MPI_REQUEST_NULL});
    MPI_Isend(one.text.data(), static_cast<int>(text.size()), MPI_CHAR, to, kTag, MPI_COMM_WORLD,
              &one.request);
  }

  std::optional<Message> receive() override {
    forgetArrived();
    int there = 0, size = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &there, &status);
    if (!there) return std::nullopt;
    MPI_Get_count(&status, MPI_CHAR, &size);
    Message message{status.MPI_SOURCE, std::string(static_cast<std::size_t>(size), '\0')};
    MPI_Recv(message.text.data(), size, MPI_CHAR, status.MPI_SOURCE, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return message;
  }

  std::vector<std::string> allGather(const std::string& text) override {
    const int mine = static_cast<int>(text.size());
    std::vector<int> sizes(static_cast<std::size_t>(size_)), starts(sizes.size());
    MPI_Request request;
    MPI_Iallgather(&mine, 1, MPI_INT, sizes.data(), 1, MPI_INT, MPI_COMM_WORLD, &request);
    wait(request);
    int total = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      starts[i] = total;
      total += sizes[i];
    }
    std::string joined(static_cast<std::size_t>(total), '\0');
    MPI_Iallgatherv(text.data(), mine, MPI_CHAR, joined.data(), sizes.data(), starts.data(), MPI_CHAR,
                    MPI_COMM_WORLD, &request);
    wait(request);
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < sizes.size(); ++i)
      texts.push_back(joined.substr(static_cast<std::size_t>(starts[i]), static_cast<std::size_t>(sizes[i])));
    return texts;
  }

 private:
  struct Sent {
    std::string text;
    MPI_Request request;
  };

  void endAll(int status) override { MPI_Abort(MPI_COMM_WORLD, status); }

  void forgetArrived() {
    sent_.remove_if([](Sent& one) {
      int done = 0;
      MPI_Test(&one.request, &done, MPI_STATUS_IGNORE);
      return done != 0;
    });
  }

  std::list<Sent> sent_;
  int rank_ = 0, size_ = 1, machine_ = 0;
};

}  // namespace
}  // namespace prophet

extern "C" __attribute__((visibility("default"))) prophet::Ranks* cudaprophetJoinRanks(std::string* reason) {
  int provided = 0;
  // Only the thread that joins calls MPI.
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) {
    *reason = "MPI_Init_thread failed";
    return nullptr;
  }
  if (provided < MPI_THREAD_FUNNELED) {
    *reason = "this MPI was built without support for threads";
    MPI_Finalize();
    return nullptr;
  }
  return new prophet::MpiRanks;
}

extern "C" __attribute__((visibility("default"))) const char* cudaprophetBuildTag() {
  return prophet::kBuildTag;
}
