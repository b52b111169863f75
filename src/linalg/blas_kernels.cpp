/// OpenBLAS chooses its kernels by the processor's model number, and takes those of 2004 for an Intel model
/// that is newer than itself (seen: Debian's 0.3.21 on Emerald Rapids, matrix products 6 times slower).
/// Intel's features tell what such a processor can do, so they decide here, before OpenBLAS looks (its own
/// start-up function has no priority). A user's OPENBLAS_CORETYPE comes first. Linked in by name
/// (--undefined, see cmake/dependencies.cmake).
#include <cstdlib>

// NOLINTBEGIN(readability-identifier-naming): the linker option prescribes the name.
extern "C" __attribute__((constructor(101))) void prophet_blas_kernels() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (!__builtin_cpu_is("intel")) return;
  const char* kernels = nullptr;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) kernels = "Haswell";
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512cd"))
    kernels = "SkylakeX";
  if (kernels) setenv("OPENBLAS_CORETYPE", kernels, 0);
#endif
}
// NOLINTEND(readability-identifier-naming)
