#pragma once

namespace prophet {

/// From now on the heap of this process grows in large steps that it keeps, its first part in large pages
/// where the system gives them on request: a calculation touches some thousand small pages, for each of which
/// a virtual machine takes 2 microseconds. Few threads share one heap, more of them have heaps of their own
/// in small pages. For programs alone, once, before the work begins; does nothing where the C library is not
/// glibc.
void growHeapInLargePages(int threads);

}  // namespace prophet
