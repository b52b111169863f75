/// Run by ctest under mpirun with several ranks: every job exactly once in the output, with the energy of a
/// single run; a broken job fails alone; a second run with resume finds nothing to do. Exit status 1 if not.
#include <mpi.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "requests.hpp"
#include "service/host_service.hpp"
#include "service/mpi_batch.hpp"

namespace {

using namespace prophet;

int complaints = 0;
void expect(bool condition, const char* what) {
  if (condition) return;
  std::cerr << "not so: " << what << "\n";
  ++complaints;
}

std::vector<BatchItem> jobs() {
  std::vector<BatchItem> list;
  for (int i = 0; i < 50; ++i)
    list.push_back({"job-" + std::to_string(i), test::libraryRequest(2 + i % 5, 1.0 + 0.001 * i), ""});
  list.push_back({"broken", std::nullopt, "no such file"});
  return list;
}

void checkOutput(const char* path) {
  std::map<std::string, nlohmann::json> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const auto json = nlohmann::json::parse(line);
    expect(lines.emplace(json["id"], json).second, "every job once");
  }
  expect(lines.size() == 51, "all jobs are in the output");
  const std::vector<BatchItem> list = jobs();
  for (const int i : {0, 13, 49}) {
    expect(lines[list[i].id].value("energy", 0.0) == computeEnergy(*list[i].request).energy.total,
           "the energy of a single run");
  }
  expect(lines["broken"].value("status", "") == "failed", "the broken job failed");
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0, ranks = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const char* path = argc > 1 ? argv[1] : "mpi_batch_check.jsonl";
  const bool first = isFirstRank();
  if (first) std::remove(path);
  {
    HostEnergyService service(1);
    std::size_t calls = 0;
    const auto count = [&](std::size_t, std::size_t, const EnergyOutcome&) { ++calls; };
    const BatchSummary summary = runBatchMpi(service, jobs(), {path, false}, count);
    const BatchSummary again = runBatchMpi(service, jobs(), {path, true});
    bool refused = false;
    try {
      runBatchMpi(service, jobs(), {path, false});
    } catch (const Error&) {
      refused = true;
    }
    expect(refused, "every rank hears that the output exists");
    expect(localRank() < ranks, "ranks of a machine are numbered");
    if (first) {
      expect(summary.converged == 50 && summary.failed == 1 && calls == 51, "the summary counts all jobs");
      expect(again.skipped == 51 && again.converged == 0, "resume skips what is there");
      checkOutput(path);
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, &complaints, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (first) std::remove(path);
  MPI_Finalize();
  return complaints == 0 ? 0 : 1;
}
