#pragma once
#include <string>

namespace prophet {

/// Bytes of memory that this process can expect to get: the smallest of the machine's memory, the limits of
/// the control groups that it is in (containers, Slurm jobs; version 1 and 2), and what its own limit of
/// address space (ulimit -v) leaves beside what it has mapped. `root`: where the system's files are, for
/// tests.
double availableMemory(const std::string& root = "");

/// From now on the heap of this process grows in large steps that it keeps, its first part in large pages
/// where the system gives them on request: a calculation touches some thousand small pages, for each of which
/// a virtual machine takes 2 microseconds. Few threads share one heap, more of them have heaps of their own
/// in small pages. For programs alone, once, before the work begins; does nothing where the C library is not
/// glibc.
void growHeapInLargePages(int threads);

}  // namespace prophet
