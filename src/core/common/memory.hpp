#pragma once
#include <string>

namespace prophet {

/// Bytes of memory that this process can expect to get: the smallest of the machine's memory, the limits of
/// the control groups that it is in (containers, Slurm jobs; version 1 and 2), and what its own limit of
/// address space (ulimit -v) leaves beside what it has mapped. `root`: where the system's files are, for
/// tests.
double availableMemory(const std::string& root = "");

}  // namespace prophet
